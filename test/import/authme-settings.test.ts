import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authMePassword } from "../../src/adapters/sources/authme-passwords.ts";
import { authMeDefaults, readAuthMeSettings } from "../../src/adapters/sources/authme-settings.ts";

let folder = "";
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "authme-"))));
afterAll(async () => await rm(folder, { recursive: true }));

async function read(text: string) {
  const path = join(folder, `${crypto.randomUUID()}.yml`);
  await Bun.write(path, text);
  return await readAuthMeSettings(path);
}

test("has AuthMe's own names where the settings say nothing", async () => {
  expect(await read("DataSource:\n    backend: SQLITE\n    mySQLColumnSalt: ''\n")).toEqual(authMeDefaults);
  expect(authMeDefaults.columns).toMatchObject({ realName: "realname", salt: null, uuid: null });
});

test("reads the names of the table and its columns, and the kinds of passwords", async () => {
  const settings = await read(`
# Settings of AuthMe
DataSource:
    mySQLPassword: 'hunter2: # { ['
    mySQLTablename: 'mybb_users'
    mySQLColumnId: uid
    mySQLColumnName: 'username'
    mySQLRealName: 'real'
    mySQLColumnPassword: 'hash'
    mySQLColumnEmail: 'mail'
    mySQLtotpKey: 'key'
    mySQLColumnLastLogin: 'seen'
    mySQLColumnRegisterDate: 'since'
    mySQLPlayerUUID: 'puuid'
ExternalBoardOptions:
    mySQLColumnSalt: 'salt'
settings:
    security:
        passwordHash: mybb
        legacyHashes:
            - 'SHA256'
            - SALTED2MD5
`);
  expect(settings).toEqual({
    table: "mybb_users",
    columns: {
      id: "uid",
      name: "username",
      realName: "real",
      password: "hash",
      salt: "salt",
      mail: "mail",
      factor: "key",
      lastLogin: "seen",
      registered: "since",
      uuid: "puuid",
      premiumUuid: "premiumUUID",
    },
    algorithms: ["MYBB", "SHA256", "SALTED2MD5"],
  });
});

test.each([
  ["no YAML, without a word of what stands there", "DataSource: [hunter2\nx: }", /\.yml: it is no YAML$/],
  ["other settings", "server-port: 25565\n", /it has no DataSource/],
  ["a text", "hunter2", /it has no DataSource/],
])("refuses %s", async (_, text, message) => {
  const failed = await read(text).then(() => "", String);
  expect(failed).toMatch(message);
  expect(failed).not.toContain("hunter2");
});

const md5 = "0".repeat(32);
const sha1 = "1".repeat(40);
const sha256 = "2".repeat(64);
const sha512 = "3".repeat(128);
const bcrypt = "$2a$10$abcdefghijklmnopqrstuumTcqg1grN5CAaGoh7r2.xZmz16hfOb6";

test.each([
  ["SHA256", `$SHA$0123456789abcdef$${sha256}`, null, null],
  ["SHA256", sha256, null, "ask"],
  ["MD5VB", `$MD5vb$0123456789abcdef$${md5}`, null, null],
  ["BCRYPT", bcrypt, null, null],
  ["XFBCRYPT", bcrypt, null, null],
  ["ARGON2", "$argon2i$v=19$m=65536,t=2,p=1$c2FsdA$aGFzaA", null, null],
  ["PBKDF2", "pbkdf2_sha256$10000$salt$ABCD", null, null],
  ["PBKDF2BASE64", "pbkdf2$120000$c2FsdA==$aGFzaA==", null, null],
  ["WORDPRESS", "$P$BabcdefghKztv9uDa21vi6NS1/KJsb/", null, null],
  ["PHPBB", "$H$9abcdefghKztv9uDa21vi6NS1/KJsb/", null, null],
  ["MD5", md5, null, "md5"],
  ["SHA1", sha1.toUpperCase(), null, "sha1"],
  ["SHA512", sha512, null, "sha512"],
  ["SALTED2MD5", md5, "ab", "salted2-md5"],
  ["SALTED2MD5", md5, null, "ask"],
  ["DOUBLE_SHA512", sha512, "ab", "salted2-sha512"],
  ["SALTEDSHA256", sha256, "ab", "salted-sha256"],
  ["SALTEDSHA512", sha512, "ab", "salted-sha512"],
  ["MYBB", md5, "ab", "mybb"],
  ["IPB3", md5, "ab", "mybb"],
  ["WBB3", sha1, "ab", "wbb3"],
  ["SMF", sha1, null, "smf"],
  ["JOOMLA", `${md5}:0123456789abcdef`, null, "joomla"],
  ["PLAINTEXT", "secret", null, "plain"],
  // Old rows keep their kinds.
  ["BCRYPT,SALTED2MD5", md5, "ab", "salted2-md5"],
  ["MD5,SALTED2MD5", md5, null, "md5"],
  ["MD5,SALTED2MD5", md5, "ab", "ask"],
  ["MYBB,IPB3", md5, "ab", "mybb"],
  ["", bcrypt, null, null],
  ["", md5, null, "ask"],
  // Not taken.
  ["WBB4", bcrypt, null, "none"],
  ["BCRYPT,WBB4", bcrypt, null, "none"],
  ["DOUBLEMD5", md5, null, "none"],
  ["TWO_FACTOR", "JBSWY3DPEHPK3PXP", null, "none"],
  ["TWO_FACTOR,SHA256", `$SHA$0123456789abcdef$${sha256}`, null, null],
  ["ROYALAUTH", sha512, null, "none"],
  ["DOUBLEMD5,SHA1", sha1, null, "sha1"],
  ["SHA256", "", null, "none"],
  ["SHA256", null, null, "none"],
])("%s: %s with the salt %s is of the kind %p", (algorithms, text, salt, kind) => {
  const password = authMePassword(text, salt, algorithms.split(","));
  if (kind === "none") expect(password).toBeNull();
  else expect(password).toMatchObject({ text, kind: kind === "ask" ? null : kind });
});
