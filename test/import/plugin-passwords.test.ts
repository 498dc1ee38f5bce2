/** From a plugin's row to a sign-in: what readers give is what `PasswordForms` takes. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argon2Hasher } from "../../src/adapters/passwords/argon2-hasher.ts";
import { createPasswordForms } from "../../src/adapters/passwords/password-forms.ts";
import type { SourceSystem } from "../../src/domain/ports/import-source.ts";
import vectors from "../passwords/vectors.json";
import { openSource, readAll } from "./read-source.ts";

const forms = createPasswordForms(argon2Hasher);

let folder = "";
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "plugin-passwords-"))));
afterAll(async () => await rm(folder, { recursive: true }));

/** A row of a name, a password, a salt and what names the kind, as each system has it. */
const tables: Readonly<Partial<Record<SourceSystem, string>>> = {
  authme: "authme (realname, password, salt, username)",
  librelogin: "librepremium_data (last_nickname, hashed_password, salt, algo, uuid DEFAULT '1')",
  nlogin: "nlogin (last_name, password, salt, kind)",
  openlogin: "openlogin (name, password, salt, kind)",
  limboauth: "AUTH (NICKNAME, HASH, SALT, KIND)",
  gravit: "users (name, pass, salt, kind, uuid)",
};

type Row = { readonly text: string; readonly salt?: string | null; readonly kind?: string };

async function readPassword(system: SourceSystem, { text, salt = null, kind = "" }: Row) {
  const file = join(folder, `${crypto.randomUUID()}.db`);
  const table = tables[system] ?? "";
  using database = new Database(file, { create: true });
  database.run(`CREATE TABLE ${table}`);
  const columns = /\(([^)]*)\)/.exec(table)?.[1]?.split(", ").slice(0, 4).join(", ");
  const name = table.split(" ")[0];
  database.run(`INSERT INTO ${name} (${columns}) VALUES ('Steve', ?, ?, ?)`, [text, salt, kind]);
  const [settings, content] = settingsOf(system, kind);
  const path = join(folder, `${crypto.randomUUID()}.txt`);
  await Bun.write(path, content);
  const all = await readAll(await openSource(system, { file, [settings]: path }));
  const [account] = all.accounts;
  if (account?.password === null || account === undefined) throw new Error("it has no password");
  return await forms.read({ ...account.password, login: account.login });
}

/** Settings of AuthMe, or of a LaunchServer, that name the kind. */
function settingsOf(system: SourceSystem, kind: string): readonly ["env" | "launchServer", string] {
  if (system !== "gravit") {
    const security = `settings: {security: {passwordHash: '${kind}'}}`;
    return [
      "env",
      `DataSource: {backend: SQLITE}\nExternalBoardOptions: {mySQLColumnSalt: salt}\n${security}\n`,
    ];
  }
  const [type, algo, mode] = kind.split(" ");
  const passwordVerifier = { type, algo, toHexMode: mode === "hex" };
  const core = {
    type: "sql",
    table: "users",
    uuidColumn: "uuid",
    usernameColumn: "name",
    passwordColumn: "pass",
  };
  return ["launchServer", JSON.stringify({ auth: { std: { core: { ...core, passwordVerifier } } } })];
}

const vectorsOf = (name: RegExp) => vectors.filter((vector) => name.test(vector.name));
const cases = [
  ...vectorsOf(/^AuthMe /).map((vector) => ["authme", vector] as const),
  ...vectorsOf(/^LibreLogin /).map((vector) => ["librelogin", vector] as const),
  ...vectorsOf(/^nLogin|^bcrypt \$2a\$$|^Argon2id of four/).map((vector) => ["nlogin", vector] as const),
  ...vectorsOf(/^LimboAuth |^bcrypt \$2a\$$/).map((vector) => ["limboauth", vector] as const),
  ...vectorsOf(/^bcrypt \$2[abxy]\$$/).map((vector) => ["openlogin", vector] as const),
  ...vectorsOf(/^Gravit /).map((vector) => ["gravit", vector] as const),
].map(([system, vector]) => ({ system, ...vector }));

test("knows vectors of every plugin", () => {
  const systems = new Set(cases.map(({ system }) => system));
  expect([...systems].toSorted()).toEqual([
    "authme",
    "gravit",
    "librelogin",
    "limboauth",
    "nlogin",
    "openlogin",
  ]);
  expect(cases.length).toBeGreaterThan(25);
});

test.each(cases)("$system: $name signs in", async ({ system, text, salt, given, kind, password }) => {
  const read = await readPassword(system, { text, salt, kind: given ?? "" });
  expect(read).toEqual({ hash: expect.any(String), kind });
  if (!("hash" in read)) return;
  expect(await argon2Hasher.verify(password, read.hash)).toBe(true);
  expect(await argon2Hasher.verify(`${password}!`, read.hash)).toBe(false);
});

const { text: nLogin = "", password } = vectorsOf(/^nLogin/)[0] ?? {};
const { text: authMe = "" } = vectorsOf(/^AuthMe SHA256$/)[0] ?? {};
const { text: limboAuth = "" } = vectorsOf(/^LimboAuth \$SHA\$/)[0] ?? {};

test.each([
  ["an older nLogin", "nlogin", nLogin.replace(/\$([^$]*)$/, "@$1")],
  ["nLogin that took over from AuthMe", "nlogin", `${authMe}$AUTHME`],
  ["LimboAuth that took over from JPremium", "limboauth", limboAuth.slice(1)],
  ["LimboAuth that took over from AuthMe", "limboauth", authMe],
] as const)("%s signs in", async (_, system, text) => {
  const read = await readPassword(system, { text });
  if (!("hash" in read)) throw new Error(JSON.stringify(read));
  expect(await argon2Hasher.verify(password ?? "", read.hash)).toBe(true);
});

test.each([
  ["authme", { text: "0".repeat(32) }, "asks"],
  ["authme", { text: "0".repeat(64), kind: "SHA256" }, "problem"],
  ["authme", { text: "JBSWY3DPEHPK3PXP", kind: "TWO_FACTOR" }, "problem"],
  ["authme", { text: `$2a$10$${"a".repeat(53)}`, kind: "WBB4" }, "problem"],
  ["authme", { text: "0".repeat(32), kind: "DOUBLEMD5" }, "problem"],
  ["librelogin", { text: "0".repeat(64), salt: "s", kind: "LOGITSHA-256" }, "problem"],
  ["nlogin", { text: "$SHA512$abc$salt" }, "problem"],
  ["openlogin", { text: "the password itself" }, "problem"],
  ["limboauth", { text: "0".repeat(32) }, "asks"],
  ["gravit", { text: "x", kind: "own" }, "problem"],
  ["gravit", { text: "0".repeat(64), kind: "doubleDigest MD5" }, "problem"],
] as const)("%s: %j is not taken", async (system, row, answer) => {
  expect(Object.keys(await readPassword(system, row))).toEqual([answer]);
});

test("hashes a plain password at once", async () => {
  const read = await readPassword("gravit", { text: "a plain password", kind: "plain" });
  expect(read).toEqual({ hash: expect.stringMatching(/^\$argon2id\$/), kind: "argon2id" });
});
