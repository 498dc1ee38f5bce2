import { describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseSourceAddress } from "../../src/adapters/sources/address.ts";
import { openBlessing } from "../../src/adapters/sources/blessing.ts";
import { bcrypt, makeBlessing, userRow } from "./blessing-database.ts";
import { foreignDatabase, foreignEngines, type ForeignDatabase } from "./foreign-database.ts";
import { faultOf, givenFor, recordsOf, rowsOf, sourceTools } from "./read-source.ts";

const hash = (digit: string) => digit.repeat(64);

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), "cloakroom-blessing-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

const open = ({ dsn }: ForeignDatabase, given: Partial<Parameters<typeof givenFor>[1]> = {}) =>
  openBlessing(givenFor("blessing", { address: parseSourceAddress(dsn), ...given }), sourceTools);

describe.each(foreignEngines("Blessing Skin"))("from %s", (engine) => {
  const yes = engine === "postgres" ? "true" : 1;
  const no = engine === "postgres" ? "false" : 0;

  test("reads people, players, textures and wardrobes, with a prefix", async () => {
    await using foreign = await foreignDatabase(engine);
    await makeBlessing(foreign, "bs_");
    await foreign.insert("bs_users", [
      userRow(1, { email: "Owner@example.org", permission: 2, locale: "zh_CN", verified: yes }),
      userRow(2, { email: "owner@example.org", permission: 1, verified: no }),
      userRow(3, { email: "", permission: -1, password: "", last_sign_at: null }),
      userRow(7, { email: "😀@example.org", locale: "", register_at: null }),
    ]);
    await foreign.insert("bs_players", [
      { pid: 1, uid: 1, name: "Ada", tid_skin: 5, tid_cape: 6 },
      { pid: 2, uid: 1, name: "Bob", tid_skin: -1, tid_cape: 0 },
      { pid: 3, uid: 99, name: "世界😀", tid_skin: 0, tid_cape: 77 },
    ]);
    await foreign.insert("bs_textures", [
      {
        tid: 5,
        name: "Slim",
        type: "alex",
        hash: hash("a"),
        size: 2,
        uploader: 1,
        public: yes,
        upload_at: "2021-02-03 04:05:06",
      },
      { tid: 6, name: "Cape", type: "cape", hash: hash("b"), size: 2, uploader: 99, public: no },
      { tid: 8, name: "", type: "steve", hash: hash("c"), size: 2, uploader: 1, public: no },
    ]);
    await foreign.insert("bs_user_closet", [
      { user_uid: 1, texture_tid: 5, item_name: "Mine" },
      { user_uid: 1, texture_tid: 5, item_name: "Twice" },
      { user_uid: 2, texture_tid: 77, item_name: null },
    ]);
    await foreign.insert("bs_uuid", [
      { id: 1, name: "Ada", uuid: "11111111111141118111111111111111" },
      { id: 2, name: "Ada", uuid: "22222222222242228222222222222222" },
    ]);
    await foreign.insert("bs_options", [
      { id: 1, option_name: "ygg_uuid_algorithm", option_value: "v3" },
      { id: 2, option_name: "ygg_private_key", option_value: "-----BEGIN SECRET" },
    ]);
    await foreign.insert("bs_reports", [{ id: 1, tid: 5, reason: "rude" }]);

    await using source = await open(foreign, { prefix: "bs_", timeZone: "UTC" });
    expect(source.facts).toMatchObject({ accounts: 4, uuidRule: "offline", isAboutOthers: false });
    expect(source.facts.notes.join("\n")).toContain("Reports of textures do not come over: 1");
    const found = await recordsOf(source);
    const password = { text: bcrypt, kind: null, salt: null };
    const dates = { createdAt: 1_577_872_800, lastSeenAt: 1_795_330_137 };
    const rest = { login: null, playersMax: null, uuid: null };
    expect(found.accounts).toEqual([
      {
        ...rest,
        ...dates,
        key: "users:1",
        mail: "Owner@example.org",
        mailVerified: true,
        password,
        level: 3,
        suspended: null,
        language: "zh_CN",
      },
      {
        ...rest,
        ...dates,
        key: "users:2",
        mail: "owner@example.org",
        mailVerified: false,
        password,
        level: 2,
        suspended: null,
        language: null,
      },
      {
        ...rest,
        ...dates,
        key: "users:3",
        mail: null,
        mailVerified: false,
        password: null,
        level: 1,
        suspended: { until: null, reason: "" },
        language: null,
        lastSeenAt: null,
      },
      {
        ...rest,
        ...dates,
        key: "users:7",
        mail: "😀@example.org",
        mailVerified: false,
        password,
        level: 1,
        suspended: null,
        language: null,
        createdAt: null,
      },
    ]);
    const player = { skinModel: null, createdAt: null };
    expect(found.players).toEqual([
      {
        ...player,
        key: "players:1",
        account: "users:1",
        name: "Ada",
        uuid: "11111111111141118111111111111111",
        skin: "textures:5",
        cape: "textures:6",
      },
      { ...player, key: "players:2", account: "users:1", name: "Bob", uuid: null, skin: null, cape: null },
      {
        ...player,
        key: "players:3",
        account: "users:99",
        name: "世界😀",
        uuid: null,
        skin: null,
        cape: "textures:77",
      },
    ]);
    expect(found.textures).toEqual([
      {
        key: "textures:5",
        kind: "skin",
        name: "Slim",
        model: "slim",
        file: hash("a"),
        createdAt: 1_612_325_106,
      },
      { key: "textures:6", kind: "cape", name: "Cape", model: null, file: hash("b"), createdAt: null },
      { key: "textures:8", kind: "skin", name: null, model: "classic", file: hash("c"), createdAt: null },
    ]);
    expect(found.holdings.map(({ key, account, texture }) => [key, account, texture])).toEqual([
      ["closet:1:5", "users:1", "textures:5"],
      ["closet:1:5", "users:1", "textures:5"],
      ["closet:2:77", "users:2", "textures:77"],
    ]);
    expect([found.identities, found.factors, found.invites]).toEqual([[], [], []]);
    expect(JSON.stringify([found, source.facts])).not.toContain("SECRET");
  });

  test("finds uuids as the plugin did: by player, else by the first row of the name", async () => {
    await using foreign = await foreignDatabase(engine);
    await makeBlessing(foreign, "", "yggdrasil-connect");
    await foreign.insert("users", [userRow(1, {})]);
    await foreign.insert("players", [
      { pid: 1, uid: 1, name: "Renamed" },
      { pid: 2, uid: 1, name: "New" },
    ]);
    await foreign.insert("uuid", [{ id: 1, pid: 1, name: "Old", uuid: hash("1").slice(0, 32) }]);
    await using source = await open(foreign);
    const players = await rowsOf(source.players());
    expect(players.map(({ uuid }) => uuid)).toEqual([hash("1").slice(0, 32), null]);
  });

  test("compares names of the plugin's rows as the server does", async () => {
    await using foreign = await foreignDatabase(engine);
    await makeBlessing(foreign);
    await foreign.insert("users", [userRow(1, {})]);
    await foreign.insert("players", [{ pid: 1, uid: 1, name: "Ada" }]);
    await foreign.insert("uuid", [
      { id: 3, name: "àda", uuid: hash("3").slice(0, 32) },
      { id: 4, name: "Ada", uuid: hash("4").slice(0, 32) },
    ]);
    await using source = await open(foreign);
    const [ada] = await rowsOf(source.players());
    expect(ada?.uuid).toBe(hash(engine === "mysql" ? "3" : "4").slice(0, 32));
  });
});

test.each([
  ["PWD_METHOD=MD5", "a".repeat(32), { kind: "md5", salt: null }],
  [
    "PWD_METHOD = SALTED2MD5\nSALT = pepper-of-env",
    "a".repeat(32),
    { kind: "salted2-md5", salt: "pepper-of-env" },
  ],
  ['PWD_METHOD="SHA256"', "a".repeat(64), { kind: "sha256", salt: null }],
  [
    "PWD_METHOD=SALTED2SHA512 # since 2019\nSALT='x # y'",
    "a".repeat(128),
    { kind: "salted2-sha512", salt: "x # y" },
  ],
  [
    "PWD_METHOD=BCRYPT\nPASSWORD_METHODS=SALTED2SHA256,MD5\nSALT=s",
    "a".repeat(64),
    { kind: "salted2-sha256", salt: "s" },
  ],
  ["PWD_METHOD=SHA256\nPASSWORD_METHODS=SALTED2SHA256\nSALT=s", "a".repeat(64), { kind: null, salt: "s" }],
  ["PWD_METHOD=SHA256\nSALT=s", `$SHA$ab14198d4bd1da72$${"a".repeat(64)}`, { kind: null, salt: null }],
  ["PWD_METHOD=SALTED2MD5\nSALT=null", "a".repeat(32), { kind: "salted2-md5", salt: null }],
  ["", bcrypt, { kind: null, salt: null }],
])("reads the kind of passwords from %j", async (env, text, expected) => {
  await using foreign = await foreignDatabase("sqlite");
  await using folder = await temporaryFolder();
  await makeBlessing(foreign);
  await foreign.insert("users", [userRow(1, { password: text })]);
  await mkdir(join(folder.path, "storage/textures"), { recursive: true });
  await writeFile(join(folder.path, ".env"), env);
  await using source = await open(foreign, { env: join(folder.path, ".env") });
  const [account] = await rowsOf(source.accounts());
  expect(account?.password).toEqual({ text, ...expected });
});

test("takes a row's own salt where a plugin keeps one", async () => {
  await using foreign = await foreignDatabase("sqlite");
  await using folder = await temporaryFolder();
  await makeBlessing(foreign);
  await foreign.run("ALTER TABLE users ADD COLUMN salt varchar(6) NULL");
  await foreign.insert("users", [
    userRow(1, { password: "a".repeat(128), salt: "abc123" }),
    userRow(2, { password: "a".repeat(128), salt: null }),
  ]);
  await mkdir(join(folder.path, "files"));
  await writeFile(join(folder.path, ".env"), "PWD_METHOD=SALTED2SHA512\r\nSALT=s\r\nTEXTURES_DIR=files\r\n");
  await using source = await open(foreign, { env: join(folder.path, ".env") });
  const accounts = await rowsOf(source.accounts());
  expect(accounts.map(({ password }) => password?.salt)).toEqual(["abc123", "s"]);
});

test("finds database, prefix and textures in .env alone", async () => {
  await using foreign = await foreignDatabase("sqlite");
  await using folder = await temporaryFolder();
  await makeBlessing(foreign, "x_");
  await foreign.insert("x_users", [userRow(1, {})]);
  await foreign.insert("x_textures", [
    { tid: 1, name: "a", type: "steve", hash: hash("a"), size: 1, uploader: 1 },
    { tid: 2, name: "b", type: "steve", hash: hash("b"), size: 1, uploader: 1 },
    { tid: 3, name: "c", type: "steve", hash: "../.env", size: 1, uploader: 1 },
    { tid: 4, name: "d", type: "steve", hash: hash("d"), size: 1, uploader: 1 },
    { tid: 5, name: "e", type: "steve", hash: "folder", size: 1, uploader: 1 },
  ]);
  const files = join(folder.path, "storage/textures");
  await mkdir(join(files, "folder"), { recursive: true });
  await writeFile(join(files, hash("a")), "bytes");
  await symlink(join(folder.path, ".env"), join(files, hash("b")));
  const path = foreign.dsn.replace("sqlite://", "");
  await writeFile(join(folder.path, ".env"), `DB_CONNECTION=sqlite\nDB_DATABASE=${path}\nDB_PREFIX=x_\n`);
  await using source = await open(foreign, { address: null, env: join(folder.path, ".env") });
  const [plain, link, climbing, missing, other] = await rowsOf(source.textures());
  if (!plain || !link || !climbing || !missing || !other) throw new Error("textures lack");
  expect(await source.readTexture(plain, 100)).toEqual(new TextEncoder().encode("bytes"));
  expect(await faultOf(source.readTexture(plain, 4))).toMatch("its file is larger than 4 bytes");
  expect(await faultOf(source.readTexture(link, 100))).toMatch("its file is a link, which is not followed");
  expect(await faultOf(source.readTexture(climbing, 100))).toMatch("its file has no plain name");
  expect(await faultOf(source.readTexture(other, 100))).toMatch("its file is no plain file");
  expect(await source.readTexture(missing, 100)).toBeNull();
});

test("reads times as of Blessing Skin's own zone, or another one", async () => {
  await using foreign = await foreignDatabase("sqlite");
  await makeBlessing(foreign);
  await foreign.insert("users", [
    userRow(1, { register_at: "2024-07-01 08:00:00", last_sign_at: "0000-00-00 00:00:00" }),
  ]);
  const createdAt = async (timeZone: string | null) => {
    await using source = await open(foreign, { timeZone });
    const [account] = await rowsOf(source.accounts());
    expect(account?.lastSeenAt).toBeNull();
    return account?.createdAt;
  };
  expect(await createdAt(null)).toBe(Date.parse("2024-07-01T00:00:00Z") / 1000);
  expect(await createdAt("Europe/Berlin")).toBe(Date.parse("2024-07-01T06:00:00Z") / 1000);
  expect(await faultOf(open(foreign, { timeZone: "Mars/Base" }))).toMatch("no time zone has the name");
});

test.each([
  [
    "an older version",
    "CREATE TABLE players (pid INTEGER, player_name TEXT, preference TEXT)",
    /older than 4: update it first/,
  ],
  ["another database", "CREATE TABLE shop (id INTEGER)", /there is no table users .*--prefix/],
  ["another prefix", "CREATE TABLE bs_users (uid INTEGER)", /--prefix bs_ may be missing/],
  [
    "columns that lack",
    "CREATE TABLE users (uid INTEGER, email TEXT)",
    /has no columns password, permission/,
  ],
])("refuses %s in one sentence", async (_, statement, sentence) => {
  await using foreign = await foreignDatabase("sqlite");
  await foreign.run(statement);
  expect(await faultOf(open(foreign))).toMatch(sentence);
});

test("refuses settings that cannot be right, and shows nothing of them", async () => {
  await using foreign = await foreignDatabase("sqlite");
  await using folder = await temporaryFolder();
  const env = join(folder.path, ".env");
  await writeFile(env, "PWD_METHOD=geheim\n");
  expect(await faultOf(open(foreign, { env }))).toMatch("has a method that is not known");
  expect(await faultOf(open(foreign, { env: join(folder.path, "none") }))).toMatch("no such file");
  await writeFile(env, "PWD_METHOD=BCRYPT\n");
  expect(await faultOf(open(foreign, { env }))).toMatch(
    /storage\/textures: no such file or folder; --textures names where the files are now$/,
  );
  expect(await faultOf(openBlessing(givenFor("blessing", {}), sourceTools))).toMatch(
    "blessing needs its database",
  );
});
