import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authMePassword, isFactorAlone } from "../../src/adapters/sources/authme-passwords.ts";
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

test("reads the file as AuthMe writes it", async () => {
  // It leaves one before a list.
  const blank = " ";
  const settings = await read(`
DataSource:
    # What type of database do you want to use?
    backend: 'SQLITE'
    mySQLPort: '3306'
    mySQLTablename: 'authme'
    mySQLColumnName: 'username'
    poolSize: 10
ExternalBoardOptions:
    mySQLColumnSalt: ''
    nonActivedUserGroup: -1
    mySQLOtherUsernameColumns: []
settings:
    restrictions:
        allowCommands:${blank}
        - '/login'
        - '/2fa'
        ForceSpawnLocOnJoin:
            worlds:${blank}
            - 'world'
        allowedNicknameCharacters: '[a-zA-Z0-9_]*'
        allowedPasswordCharacters: '[!-~]*'
    security:
        # Possible values: SHA256, BCRYPT, …
        passwordHash: 'SHA256'
        legacyHashes:${blank}
        - 'SHA1'
        unsafePasswords:${blank}
        - '123456'
    customJoinMessage: ''
GroupOptions:
    registeredPlayerGroup: ''
BackupSystem:
    MysqlWindowsPath: 'C:\\Program Files\\MySQL\\MySQL Server 5.1\\'
limbo:
    persistence:
        type: 'INDIVIDUAL_FILES'
`);
  expect(settings).toEqual({ ...authMeDefaults, algorithms: ["SHA256", "SHA1"] });
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
const sha512 = "3".repeat(128);
const bcrypt = "$2a$10$abcdefghijklmnopqrstuumTcqg1grN5CAaGoh7r2.xZmz16hfOb6";
const sha256 = `$SHA$0123456789abcdef$${"2".repeat(64)}`;

test.each([
  // One kind.
  ["SHA256", sha256, null, "authme-sha256"],
  ["BCRYPT", bcrypt, null, "BCRYPT"],
  ["SALTED2MD5", md5, "ab", "SALTED2MD5"],
  ["SALTED2MD5", md5, null, "SALTED2MD5"],
  ["PLAINTEXT", "secret", null, "plain"],
  ["WBB4", bcrypt, null, "WBB4"],
  ["TWO_FACTOR", "JBSWY3DPEHPK3PXP", null, "TWO_FACTOR"],
  // Old rows keep their kinds.
  ["BCRYPT,SALTED2MD5", md5, "ab", "SALTED2MD5"],
  ["BCRYPT,SALTED2MD5", bcrypt, null, "BCRYPT"],
  ["MD5,SALTED2MD5", md5, null, "MD5"],
  ["MYBB,IPB3", md5, "ab", "MYBB"],
  ["DOUBLEMD5,SHA1", sha1.toUpperCase(), null, "SHA1"],
  ["TWO_FACTOR,SHA256", sha256, null, "TWO_FACTOR"],
  ["WBB4,SHA256", sha256, null, "authme-sha256"],
  // A hash of bcrypt may be one of WBB4.
  ["BCRYPT,WBB4", bcrypt, null, "WBB4"],
  // Of equal form.
  ["MD5,SALTED2MD5", md5, "ab", null],
  ["MD5,DOUBLEMD5", md5, null, null],
  ["SHA512,DOUBLE_SHA512,SALTEDSHA512", sha512, "ab", null],
  ["", md5, null, null],
])("%s: %s with the salt %s is of the kind %p", (algorithms, text, salt, kind) => {
  const given = algorithms.split(",").filter((name) => name !== "");
  expect(authMePassword(text, salt, given)).toEqual({ text, salt, kind });
});

test("gives no password for an empty one", () => {
  expect(authMePassword("", null, ["SHA256"])).toBeNull();
  expect(authMePassword(null, null, ["SHA256"])).toBeNull();
});

test("knows the secrets of second factors from passwords", () => {
  expect(isFactorAlone("JBSWY3DPEHPK3PXP", ["TWO_FACTOR", "SHA256"])).toBe(true);
  expect(isFactorAlone(sha256, ["TWO_FACTOR", "SHA256"])).toBe(false);
  expect(isFactorAlone("JBSWY3DPEHPK3PXP", ["SHA256"])).toBe(false);
});
