/** `export`, and how it is read again (docs/export.md). */
import { describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { openCloakroom } from "../../src/adapters/sources/cloakroom.ts";
import { openForeignFile, openScratch } from "../../src/adapters/sqlite/foreign-file.ts";
import { secretOf } from "../../src/boot/secrets.ts";
import { exportFields, exportReadme, passwordFields } from "../../src/domain/model/export-format.ts";
import type { SourceSystem, SourcePages } from "../../src/domain/ports/import-source.ts";
import { openExportFile } from "../../src/operate/export.ts";
import { entryOf, readEntries, writeEntries, type Entry } from "../backup/archives.ts";
import { changeDatabase, contentOf, openDataFolder, texturesOf } from "../backup/data-world.ts";
import { run } from "../cli/run-program.ts";
import { makeCommunity } from "../operate/moved-community.ts";
import { jwtSecret } from "../support/harness.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";
import { sha256 } from "../support/textures.ts";
import { unzip } from "./unzip.ts";

if (postgresMissing !== null) console.error(`NOT RUN: exports of PostgreSQL (${postgresMissing})`);

const { folder, newPath } = await openDataFolder();
const dataDir = join(folder, "community");
await makeCommunity(dataDir);
changeDatabase(
  join(dataDir, "cloakroom.db"),
  `INSERT INTO aliases (name_key, account_id, name, created_at) SELECT 'old_' || id, id, 'Old_' || id, 7 FROM accounts LIMIT 2;
   INSERT INTO suspensions (account_id, scope, until, reason, issuer, at) SELECT id, 'all', 99, 'why', 'cli', 8 FROM accounts LIMIT 1`,
);
const passphrase = "a passphrase of the test";
const exported = async (args: readonly string[] = [], environment: Record<string, string> = {}) => {
  const path = newPath();
  const outcome = await run(["export", path, "--data-dir", dataDir, ...args], {
    environment: { JWT_SECRET: jwtSecret, ...environment },
  });
  return { path, outcome };
};
const again = (path: string, ...args: string[]) => run(["export", path, "--data-dir", dataDir, ...args]);
const { path: archive, outcome } = await exported();
const entries = await readEntries(archive);
const linesOf = (of: string, from = entries): readonly Record<string, unknown>[] =>
  Buffer.from(entryOf(from, `${of}.jsonl`).content)
    .toString()
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const manifestOf = (from: readonly Entry[]) =>
  JSON.parse(Buffer.from(entryOf(from, "manifest.json").content).toString());
const rowsOf = (table: string): number => {
  using database = new Database(join(dataDir, "cloakroom.db"), { readonly: true });
  return database.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${table}`).get()?.rows ?? -1;
};
const hashes = () => {
  using database = new Database(join(dataDir, "cloakroom.db"), { readonly: true });
  return database
    .query<{ hash: string }, []>("SELECT password_hash AS hash FROM accounts WHERE password_hash IS NOT NULL")
    .all()
    .map(({ hash }) => hash);
};

const same = (from: readonly Entry[]) =>
  from.filter(({ name }) => name !== "manifest.json").map(({ name, content }) => [name, sha256(content)]);

/** The same export without the code of its passphrase. */
async function withoutCode(path: string): Promise<string> {
  const stripped = (await readEntries(path)).map((entry) => {
    if (entry.name !== "manifest.json") return entry;
    const manifest = { ...JSON.parse(Buffer.from(entry.content).toString()), mac: null };
    return { ...entry, content: Buffer.from(JSON.stringify(manifest)) };
  });
  const again = newPath();
  await writeEntries(again, stripped);
  return again;
}

describe("an export", () => {
  test("says what it holds, and only its owner may read it", async () => {
    expect(outcome).toMatchObject({ code: 0, error: "" });
    expect(outcome.out).toContain(`${rowsOf("accounts")} accounts`);
    expect(((await stat(archive)).mode & 0o777).toString(8)).toBe("600");
    const { format, version, counts, files, hashes: held } = manifestOf(entries);
    expect({ format, version, held }).toEqual({ format: "cloakroom-export", version: 1, held: "none" });
    for (const { name, content } of entries) {
      if (name === "manifest.json") continue;
      if (name.startsWith("textures/")) expect(name).toBe(`textures/${sha256(content)}.png`);
      else expect(files[name]).toEqual({ bytes: content.length, sha256: sha256(content) });
    }
    for (const [kind, table] of Object.entries(tables)) {
      expect(linesOf(kind)).toHaveLength(rowsOf(table));
      expect(counts[kind]).toBe(rowsOf(table));
    }
  });

  test("has the fields that it describes, in each line", () => {
    for (const [kind, fields] of Object.entries(exportFields)) {
      const lines = linesOf(kind);
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(Object.keys(line).toSorted()).toEqual(Object.keys(fields).toSorted());
    }
    expect(Buffer.from(entryOf(entries, "README.md").content).toString()).toBe(exportReadme());
  });

  test("is described for strangers", async () => {
    const page = await Bun.file("docs/export.md").text();
    for (const [kind, fields] of Object.entries({ ...exportFields, passwords: passwordFields })) {
      expect(page).toContain(`${kind}.jsonl`);
      for (const [name, meaning] of Object.entries(fields))
        expect(page.replaceAll(/ +/g, " ")).toContain(`| \`${name}\` | ${meaning} |`);
    }
  });

  test("holds no hash, no key and no code unless it is asked for hashes", async () => {
    const all = entries.map(({ content }) => Buffer.from(content).toString("latin1")).join("\n");
    for (const hash of hashes()) expect(all).not.toContain(hash);
    for (const word of ["$argon2", jwtSecret, "token_hash", "password_hash"]) expect(all).not.toContain(word);
    const clear = await exported(["--with-hashes"]);
    expect(clear.outcome.error).toContain("not encrypted");
    const withHashes = await readEntries(clear.path);
    expect(linesOf("passwords", withHashes).map(({ hash }) => hash)).toEqual(hashes());
    expect(Object.keys(linesOf("passwords", withHashes)[0] ?? {})).toEqual(Object.keys(passwordFields));
  });

  test("seals hashes by a passphrase", async () => {
    const sealed = await exported(["--with-hashes"], { BACKUP_PASSPHRASE: passphrase });
    expect(sealed.outcome).toMatchObject({ code: 0, error: "" });
    const found = await readEntries(sealed.path);
    expect(found.map(({ name }) => name)).not.toContain("passwords.jsonl");
    const all = found.map(({ content }) => Buffer.from(content).toString("latin1")).join("\n");
    expect(all).not.toContain("$argon2");
    expect(await faultOf(open(sealed.path))).toContain("give the passphrase");
    expect(await faultOf(open(sealed.path, "another passphrase"))).toContain(
      "not the one that it was made with",
    );
    await using source = await open(sealed.path, passphrase);
    const accounts = await allOf(source.accounts());
    expect(accounts.flatMap(({ password }) => password?.text ?? [])).toEqual(hashes());
  });

  test("replaces nothing but an export, and that only on request", async () => {
    const { path } = await exported();
    expect(await again(path)).toMatchObject({ code: 1, error: expect.stringContaining("--replace") });
    expect(await again(path, "--replace")).toMatchObject({ code: 0 });
    const other = newPath();
    await Bun.write(other, "something else");
    expect(await again(other, "--replace")).toMatchObject({ code: 1 });
    expect(await Bun.file(other).text()).toBe("something else");
    expect(await again("-")).toMatchObject({ code: 2 });
    expect(await again(newPath(), "--user", "Anna", "--with-hashes")).toMatchObject({ code: 2 });
  });

  test("names textures that have no sound file, and leaves them out", async () => {
    const copy = join(folder, "lossy");
    await makeCommunity(copy);
    const [lost] = await texturesOf(copy);
    await Bun.file(lost ?? "").delete();
    const path = newPath();
    const made = await run(["export", path, "--data-dir", copy, "--json"]);
    expect(JSON.parse(made.out)).toMatchObject({ textures_lost: 1 });
    expect(made.error).toContain("1 textures have no sound file");
  });

  test("of one person is the archive that they get themselves", async () => {
    const path = newPath();
    const { username } = linesOf("accounts").find(({ username }) => username !== null) ?? {};
    const args = ["export", path, "--user", String(username), "--data-dir", dataDir];
    expect(await run(args)).toMatchObject({ code: 0, error: "" });
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe("600");
    const files = unzip(Buffer.from(await Bun.file(path).bytes()));
    expect(JSON.parse(files.get("profile.json")?.toString() ?? "")).toMatchObject({ username });
    expect(await run(args)).toMatchObject({ code: 1 });
    expect(await run([...args, "--replace"])).toMatchObject({ code: 0 });
    expect(await run(["export", newPath(), "--user", "Nobody", "--data-dir", dataDir])).toMatchObject({
      code: 1,
    });
  });

  test.skipIf(postgresMissing !== null)("of PostgreSQL is the same", async () => {
    await using target = await emptyDatabase();
    const backup = newPath();
    await run(["backup", backup, "--data-dir", dataDir]);
    const environment = { JWT_SECRET: jwtSecret, DATABASE_URL: target.url, DATA_DIR: join(folder, "node") };
    expect(await run(["restore", backup], { environment })).toMatchObject({ code: 0 });
    const path = newPath();
    expect(await run(["export", path], { environment })).toMatchObject({ code: 0, error: "" });
    expect(same(await readEntries(path))).toEqual(same(entries));
  });
});

const tables = {
  accounts: "accounts",
  players: "players",
  skins: "skins",
  capes: "capes",
  grants: "cape_grants",
  identities: "identities",
  aliases: "aliases",
  suspensions: "suspensions",
  audit: "audit_entries",
};

async function open(path: string, words: string | null = null, isForIt = true) {
  const given = {
    system: "cloakroom" as SourceSystem,
    address: null,
    file: path,
    textures: null,
    capes: null,
    launchServer: null,
    env: null,
    prefix: null,
    table: null,
    timeZone: null,
  };
  const options = {
    passphrase: words === null ? null : secretOf(words),
    isForIt,
    signal: new AbortController().signal,
  };
  return openCloakroom(given, {
    openFile: openForeignFile,
    openScratch,
    openExport: (file) => openExportFile(file, options),
  });
}

async function faultOf(opening: Promise<AsyncDisposable>): Promise<string> {
  try {
    await using _ = await opening;
    return "";
  } catch (error) {
    return String(error);
  }
}

async function allOf<Row>(pages: SourcePages<Row>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) {
    expect(page.problems).toEqual([]);
    rows.push(...page.rows);
  }
  return rows;
}

describe("the reader", () => {
  test("gives everything as it was", async () => {
    await using source = await open(archive);
    const accounts = await allOf(source.accounts());
    expect(accounts.map(({ uuid }) => uuid)).toEqual(
      linesOf("accounts").map(({ account }) => account as string),
    );
    expect(accounts[0]).toMatchObject({
      suspended: { until: 99, reason: "why" },
      own: {
        aliases: [{ name: expect.stringMatching(/^Old_/), createdAt: 7 }],
        suspension: { issuer: "cli", at: 8 },
      },
      password: null,
    });
    expect(await allOf(source.players())).toHaveLength(rowsOf("players"));
    const textures = await allOf(source.textures());
    expect(textures).toHaveLength(rowsOf("skins") + rowsOf("capes"));
    expect(await allOf(source.holdings())).toHaveLength(rowsOf("skins") + rowsOf("cape_grants"));
    expect(await allOf(source.identities())).toHaveLength(rowsOf("identities"));
    for (const texture of textures) {
      const png = await source.readTexture(texture, 1 << 20);
      expect(sha256(png ?? new Uint8Array())).toBe(texture.file);
    }
  });

  test("has one place for all exports of one community", async () => {
    await using one = await open(archive);
    await using two = await open((await exported()).path);
    expect(one.place).toBe(two.place);
  });
});

/** The last bit turned. */
const flip = ({ content }: Entry) => {
  const copy = Buffer.from(content);
  copy[copy.length - 1] = (copy.at(-1) ?? 0) ^ 1;
  return { content: copy };
};
const changed = (name: string, change: (entry: Entry) => Partial<Entry>) =>
  entries.map((entry) => (entry === entryOf(entries, name) ? { ...entry, ...change(entry) } : entry));
const added = (...more: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.name === "manifest.json" ? [...more, entry] : [entry]));
const content = Buffer.from("content");
const manifestWith = (change: (manifest: Record<string, unknown>) => void) =>
  changed("manifest.json", (entry) => {
    const manifest = JSON.parse(Buffer.from(entry.content).toString());
    change(manifest);
    return { content: Buffer.from(JSON.stringify(manifest)) };
  });

describe("refuses an export", () => {
  const texture = entryOf(entries, "textures/");
  test.each<[string, readonly Entry[], RegExp]>([
    ["with a changed line", changed("accounts.jsonl", flip), /accounts.jsonl is not what was put in/],
    ["with a changed texture", changed("textures/", flip), /is not what its name says/],
    ["without a texture", entries.filter((entry) => entry !== texture), /textures are not what was put in/],
    [
      "without a file",
      entries.filter(({ name }) => name !== "skins.jsonl"),
      /skins.jsonl is not what was put in/,
    ],
    ["without its manifest", entries.filter(({ name }) => name !== "manifest.json"), /manifest is missing/],
    ["without its description", entries.slice(1), /not an export of cloakroom/],
    [
      "with a file too many",
      added({ name: "passwords.jsonl", content: Buffer.from("{}\n") }),
      /not what was put in/,
    ],
    ["with a file twice", added(entryOf(entries, "skins.jsonl")), /comes twice/],
    ["with a texture twice", added(texture), /textures are not what was put in/],
    ["with a foreign file", added({ name: "evil.sh", content }), /no export has an entry "evil.sh"/],
    ["with a path out of it", added({ name: "../evil", content }), /no export has an entry/],
    [
      "with a path out of textures",
      added({ name: "textures/../evil.png", content }),
      /no export has an entry/,
    ],
    ["with an absolute path", added({ name: "/tmp/evil", content }), /no export has an entry/],
    ["with a link", added({ name: "accounts.jsonl", content, type: "2" }), /not a plain file/],
    ["with something behind its manifest", [...entries, { name: "README.md", content }], /something follows/],
    [
      "with another count",
      manifestWith((one) => (one["counts"] = { ...(one["counts"] as object), skins: 0 })),
      /not as many lines/,
    ],
    ["of another program", manifestWith((one) => (one["format"] = "other")), /not an export of cloakroom/],
    ["of a newer version", manifestWith((one) => (one["version"] = 2)), /newer version/],
    ["with a manifest without sense", changed("manifest.json", () => ({ content })), /malformed/],
    [
      "with a manifest of null",
      changed("manifest.json", () => ({ content: Buffer.from("null") })),
      /malformed/,
    ],
  ])("%s", async (_, made, reason) => {
    const path = newPath();
    await writeEntries(path, made);
    expect(await faultOf(open(path))).toMatch(reason);
  });

  test.each([10, 0.5, 0.99])("that was cut off at %d of its length", async (share) => {
    const path = newPath();
    const bytes = await Bun.file(archive).bytes();
    await Bun.write(path, bytes.subarray(0, share >= 1 ? share : Math.floor(bytes.length * share)));
    expect(await faultOf(open(path))).toMatch(/damaged|incomplete/);
  });

  test("that is a backup, or no archive", async () => {
    const backup = newPath();
    await run(["backup", backup, "--data-dir", dataDir]);
    expect(await faultOf(open(backup))).toContain("not an export");
    const text = newPath();
    await Bun.write(text, "text");
    expect(await faultOf(open(text))).toContain("not an export");
    expect(await faultOf(open(newPath()))).toContain("no such file or folder");
    expect(await faultOf(open(folder))).toContain("it is a folder");
    const pipe = newPath();
    await Bun.$`mkfifo ${pipe}`.quiet();
    expect(await faultOf(open(pipe))).toContain("named pipe");
    expect(await faultOf(open("/dev/zero"))).toContain("device");
  });

  test("with a passphrase that it was made with, after any change", async () => {
    const { path } = await exported([], { BACKUP_PASSPHRASE: passphrase });
    const found = await readEntries(path);
    const forged = found.map((entry) => {
      if (entry.name === "README.md") return { ...entry, content };
      if (entry.name !== "manifest.json") return entry;
      const manifest = JSON.parse(Buffer.from(entry.content).toString());
      manifest.files["README.md"] = { bytes: content.length, sha256: sha256(content) };
      return { ...entry, content: Buffer.from(JSON.stringify(manifest)) };
    });
    const again = newPath();
    await writeEntries(again, forged);
    expect(await faultOf(open(again, passphrase))).toContain("it was changed since");
    await using unchecked = await open(again);
    expect(unchecked.system).toBe("cloakroom");
  });

  test("whose code was removed, where its passphrase is given or its hashes are sealed", async () => {
    const told = "nothing in it shows whether it was changed";
    const clear = await withoutCode((await exported([], { BACKUP_PASSPHRASE: passphrase })).path);
    expect(await faultOf(open(clear, passphrase))).toContain(told);
    // The passphrase of one's own backups says nothing about others' exports.
    await using unchecked = await open(clear, passphrase, false);
    expect(unchecked.facts.notes.join()).toContain(told);
    const sealed = await exported(["--with-hashes"], { BACKUP_PASSPHRASE: passphrase });
    expect(await faultOf(open(await withoutCode(sealed.path), passphrase, false))).toContain(told);
  });
});

test("lines that cannot be read are named, and others come", async () => {
  const lines = linesOf("accounts");
  const bad = [
    "no json",
    "[]",
    JSON.stringify({ ...lines[0], level: 9 }),
    JSON.stringify({ ...lines[0], account: "x" }),
  ];
  const text = Buffer.from(`${bad.join("\n")}\n${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
  const made = entries.map((entry) => {
    if (entry.name === "accounts.jsonl") return { ...entry, content: text };
    if (entry.name !== "manifest.json") return entry;
    const manifest = manifestOf(entries);
    manifest.files["accounts.jsonl"] = { bytes: text.length, sha256: sha256(text) };
    manifest.counts.accounts += bad.length;
    return { ...entry, content: Buffer.from(JSON.stringify(manifest)) };
  });
  const path = newPath();
  await writeEntries(path, made);
  await using source = await open(path);
  const found = { rows: 0, problems: [] as string[] };
  for await (const page of source.accounts()) {
    found.rows += page.rows.length;
    found.problems.push(...page.problems.map(({ key, reason }) => `${key} ${reason}`));
  }
  expect(found.rows).toBe(lines.length);
  expect(found.problems).toEqual([
    "accounts.jsonl:1 It cannot be read: it is no JSON object",
    "accounts.jsonl:2 It cannot be read: it is no JSON object",
    "accounts.jsonl:3 It cannot be read: level is not 1, 2 or 3",
    "accounts.jsonl:4 It cannot be read: account is not a UUID",
  ]);
});

test("a suspension that names no account of the export is reported", async () => {
  const [line] = linesOf("suspensions");
  const text = Buffer.from(
    `${JSON.stringify({ ...line, account: String(line?.["account"]).toUpperCase() })}\n`,
  );
  const made = entries.map((entry) => {
    if (entry.name === "suspensions.jsonl") return { ...entry, content: text };
    if (entry.name !== "manifest.json") return entry;
    const manifest = manifestOf(entries);
    manifest.files["suspensions.jsonl"] = { bytes: text.length, sha256: sha256(text) };
    manifest.counts.suspensions = 1;
    return { ...entry, content: Buffer.from(JSON.stringify(manifest)) };
  });
  const path = newPath();
  await writeEntries(path, made);
  await using source = await open(path);
  const pages = await Array.fromAsync(source.accounts());
  expect(pages.flatMap(({ problems }) => problems)).toEqual([
    {
      key: "suspensions.jsonl",
      kind: "account",
      reason: "1 line names no account of the export, and does not come",
    },
  ]);
});

test("nothing of the community is changed by an export", async () => {
  const before = await contentOf(dataDir);
  await exported(["--with-hashes"]);
  expect(await contentOf(dataDir)).toEqual(before);
});
