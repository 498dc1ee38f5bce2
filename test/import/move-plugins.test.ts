/**
 * A server's plugin, its LaunchServer, its list of names and its folder of skins come over, while we serve.
 */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argon2Hasher } from "../../src/adapters/passwords/argon2-hasher.ts";
import { offlineUuid } from "../../src/domain/model/player-uuid.ts";
import vectors from "../passwords/vectors.json";
import { run } from "../cli/run-program.ts";
import { type Harness, openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";

let harness: Harness;
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "move-plugins-"));
  harness = await openHarness({ hasher: argon2Hasher });
});
afterEach(async () => {
  await harness[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function makeFile(...statements: readonly string[]): string {
  const path = join(folder, `${crypto.randomUUID()}.db`);
  using database = new Database(path, { create: true });
  for (const statement of statements) database.run(statement);
  return path;
}

async function write(name: string, content: string | Uint8Array): Promise<string> {
  await Bun.write(join(folder, name), content);
  return join(folder, name);
}

/** What `import` decides, by kind and decision, and how it ends. */
async function importFrom(...args: readonly string[]) {
  const outcome = await run(["import", "--from", ...args, "--json"], {
    environment: harness.storageSettings,
  });
  return { code: outcome.code, ...JSON.parse(outcome.out === "" ? outcome.error : outcome.out) };
}

async function signIn(username: string, password: string): Promise<number> {
  const body = JSON.stringify({ username, password });
  const headers = { "content-type": "application/json" };
  return (await harness.fetch("/api/auth/login", { method: "POST", headers, body })).status;
}

const profileOf = async (name: string) =>
  (await harness.fetch(`/api/yggdrasil/api/users/profiles/minecraft/${name}`)).json();
const undashed = (uuid: string) => uuid.replaceAll("-", "");

const vector = vectors.find(({ name }) => name === "AuthMe SALTED2MD5");
const authMe = () =>
  makeFile(
    "CREATE TABLE authme (id INTEGER PRIMARY KEY, username, realname, password, salt, email, totp, lastlogin, regdate)",
    `INSERT INTO authme VALUES (1, 'anna', 'Anna', '${vector?.text}', '${vector?.salt}', 'anna@example.org', NULL, 1, 1),
       (2, 'bert', 'Bert', '', NULL, 'your@email.com', 'JBSWY3DPEHPK3PXP', 2, 2)`,
  );

test("AuthMe: the old password signs in, and servers see the same uuid", async () => {
  const file = authMe();
  const asked = await importFrom("authme", "--file", file);
  expect(asked).toMatchObject({ code: 1, asks: 1 });
  expect(await signIn("Anna", vector?.password ?? "")).toBe(401);

  const content = "DataSource: {}\nExternalBoardOptions: {mySQLColumnSalt: salt}\n";
  const settings = await write("config.yml", `${content}settings: {security: {passwordHash: SALTED2MD5}}\n`);
  const given = ["authme", "--file", file, "--env", settings];
  const planned = { account: { create: 2 }, player: { create: 2 }, factor: { skip: 1 } };
  expect(await importFrom(...given, "--dry-run")).toMatchObject({ code: 0, planned });
  expect(await signIn("Anna", vector?.password ?? "")).toBe(401);
  expect(await importFrom(...given)).toMatchObject({
    code: 0,
    planned,
    hashes: { "salted2-md5": 1, none: 1 },
  });
  expect(await signIn("Anna", vector?.password ?? "")).toBe(200);
  expect(await signIn("Anna", `${vector?.password}!`)).toBe(401);
  expect(await profileOf("Anna")).toEqual({ id: undashed(offlineUuid("Anna")), name: "Anna" });
  expect(await importFrom(...given)).toMatchObject({
    planned: { account: { match: 2 }, player: { match: 2 } },
  });
});

const uuid = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";
/** What clients load for a player: its skin's model, and whether it has a cape. */
async function looksOf(name: string) {
  const profile = await (await harness.fetch(`/csl/${name}.json`)).text();
  return Object.keys(JSON.parse(profile).textures ?? {}).filter((kind) => kind !== "elytra");
}

test("GravitLauncher: the password signs in, and the player wears skin and cape", async () => {
  const passwordVerifier = { type: "digest", algo: "SHA-256" };
  const columns = { uuidColumn: "uuid", usernameColumn: "login", passwordColumn: "pass" };
  const core = { type: "mysql", table: "users", ...columns, passwordVerifier };
  const textureProvider = {
    skinURL: "https://s.example.org/%username%.png",
    cloakURL: "https://s.example.org/%uuid%.png",
  };
  const settings = await write(
    "LaunchServer.json",
    JSON.stringify({ auth: { std: { core, textureProvider } } }),
  );
  await write("skins/Gala.png", await Bun.file("docs/examples/scout.png").bytes());
  await write(`cloaks/${uuid}.png`, await Bun.file("docs/examples/cape.png").bytes());
  const digest = Bun.CryptoHasher.hash("sha256", "gala's old password", "hex").toUpperCase();
  const file = makeFile(
    "CREATE TABLE users (login, pass, uuid)",
    `INSERT INTO users VALUES ('Gala', '${digest}', '${uuid}'), ('Never', NULL, NULL)`,
  );
  const folders = ["--textures", join(folder, "skins"), "--capes-dir", join(folder, "cloaks")];
  const found = await importFrom("gravit", "--file", file, "--launchserver", settings, ...folders);
  expect(found).toMatchObject({
    code: 0,
    planned: { account: { create: 2 }, player: { create: 2 }, skin: { create: 1 }, cape: { create: 1 } },
    hashes: { sha256: 1, none: 1 },
  });
  expect(await signIn("Gala", "gala's old password")).toBe(200);
  expect(await profileOf("Gala")).toEqual({ id: undashed(uuid), name: "Gala" });
  expect(await looksOf("Gala")).toEqual(["slim", "cape"]);
});

const newcomer = "33333333-3333-4333-8333-333333333333";

test("names: a player who is here stays, everybody else is to be claimed", async () => {
  const { uuid: anna } = await addMember(harness, "Anna");
  const list = await write(
    "usercache.json",
    JSON.stringify([
      { name: "Anna", uuid: "22222222-2222-4222-8222-222222222222" },
      { name: "Newcomer", uuid: newcomer },
    ]),
  );
  const found = await importFrom("names", "--file", list);
  expect(found).toMatchObject({
    code: 0,
    planned: { account: { match: 1, create: 1 }, player: { match: 1, create: 1 } },
  });
  expect(await profileOf("Anna")).toMatchObject({ id: undashed(anna) });
  expect(await profileOf("Newcomer")).toEqual({ id: undashed(newcomer), name: "Newcomer" });
});

test("textures: players that are here get theirs, others are left out", async () => {
  await addMember(harness, "Anna");
  await addMember(harness, "Bert");
  await importFrom("names", "--file", await write("names.csv", `Newcomer,${newcomer}\n`));
  const skin = await Bun.file("docs/examples/scout.png").bytes();
  await write("pictures/anna.png", skin);
  await write("pictures/33333333333342228222333333333333.png", skin);
  await write(`pictures/${undashed(newcomer)}.png`, skin);
  await write("pictures/Stranger.png", skin);
  await write("pictures/Bert.png", "no picture");
  const given = ["textures", "--textures", join(folder, "pictures")];
  const found = await importFrom(...given);
  expect(found).toMatchObject({
    code: 0,
    planned: { player: { match: 3, skip: 2 }, skin: { create: 2, skip: 1 } },
  });
  for (const name of ["Anna", "Newcomer"]) expect(await looksOf(name)).toEqual(["slim"]);
  expect(await looksOf("Bert")).toEqual([]);
  expect(await importFrom(...given)).toMatchObject({ planned: { skin: { match: 2, skip: 1 } } });
});
