/*
 * A restore brings nothing that keeps the next start from serving: every file that a start reads, in every
 * way that disks damage one.
 */
import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../cli/run-program.ts";
import { jwtSecret } from "../support/harness.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";
import { filesOf, openDataFolder, rowsOf } from "./data-world.ts";

if (postgresMissing !== null) console.error(`NOT RUN: restores into PostgreSQL (${postgresMissing})`);

const { dataDir: full, newPath } = await openDataFolder();
await run(["key", "show", "--data-dir", full]);
await run(["webhook", "secret", "--data-dir", full]);

const nulls = (bytes: Uint8Array) => Buffer.alloc(bytes.length);
const garbage = (bytes: Uint8Array) =>
  Buffer.from(bytes.map((byte, at) => (byte * 7 + at * 31 + 128) & 0xff));
const cut = (length: number) => (bytes: Uint8Array) => bytes.subarray(0, length);
const damages: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array])[] = [
  ["empty", () => Buffer.alloc(0)],
  ["of zeros", nulls],
  ["truncated", cut(30)],
  ["garbage", garbage],
];
const files = [
  "secrets/jwt-secret",
  "secrets/signing-key",
  "secrets/webhook-secret",
  "default-skins/classic.png",
  "default-skins/slim.png",
  "mail-templates/en.toml",
] as const;
/** An empty text of mails replaces nothing, and a start takes it. */
const isTaken = (file: string, damage: string) => file === "mail-templates/en.toml" && damage === "empty";
const cases = files.flatMap((file) =>
  damages
    .filter(([damage]) => !isTaken(file, damage))
    .map(([damage, change]) => [damage, file, change] as const),
);

async function damagedCopy(file: string, change: (bytes: Uint8Array) => Uint8Array): Promise<string> {
  const dataDir = newPath();
  await cp(full, dataDir, { recursive: true });
  const path = join(dataDir, file);
  if (file === "default-skins/slim.png") await cp(join(dataDir, "default-skins/classic.png"), path);
  await Bun.write(path, change(await Bun.file(path).bytes()));
  return dataDir;
}

describe.each(cases)("%s: %s", (_, file, change) => {
  test.each(["a backup", "a folder"])("%s with it is refused, and nothing is replaced", async (kind) => {
    const damaged = await damagedCopy(file, change);
    const archive = newPath();
    if (kind === "a backup") {
      const made = await run(["backup", archive, "--data-dir", damaged]);
      expect({ code: made.code, error: made.error }).toEqual({
        code: 0,
        error: expect.stringContaining(
          "no restore takes this backup, because no server would start with it: ",
        ),
      });
    }
    const source = kind === "a backup" ? archive : damaged;
    const target = newPath();
    await cp(full, target, { recursive: true });
    const before = { rows: rowsOf(target), files: await filesOf(target) };
    const { code, out, error } = await run(["restore", source, "--data-dir", target]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error).toContain(`${source}: no server would start with it: `);
    expect(error).toContain(file);
    expect(error).toContain("Nothing was replaced: take another backup, ");
    expect(error.includes("--without-secrets")).toBe(file.startsWith("secrets/"));
    expect({ rows: rowsOf(target), files: await filesOf(target) }).toEqual(before);
  });

  test("a start and doctor refuse it, too", async () => {
    const damaged = await damagedCopy(file, change);
    const settings = { DATA_DIR: damaged, PORT: "0", WEBHOOK_URLS: "http://127.0.0.1:9" };
    const doctor = await run(["doctor"], { environment: settings });
    expect({ code: doctor.code, out: doctor.out }).toEqual({ code: 1, out: expect.stringContaining(file) });
    // A start makes no use of the key before a game asks for a profile: it says so in its log, and goes on.
    if (file === "secrets/signing-key") return;
    const started = await run(["serve"], { environment: settings });
    expect(started.code).toBeGreaterThan(0);
    expect(started.error).toContain(file);
  });
});

describe("secrets that cannot be used", () => {
  test("are left out with --without-secrets, and those of the folder stay", async () => {
    const damaged = await damagedCopy("secrets/jwt-secret", nulls);
    const archive = newPath();
    await run(["backup", archive, "--data-dir", damaged]);
    const target = newPath();
    await cp(full, target, { recursive: true });
    const secret = await Bun.file(join(target, "secrets/jwt-secret")).text();
    const restored = await run(["restore", archive, "--without-secrets", "--data-dir", target]);
    expect(restored).toMatchObject({ code: 0, error: "" });
    expect(await Bun.file(join(target, "secrets/jwt-secret")).text()).toBe(secret);
  });

  test("do not matter where a setting replaces them", async () => {
    const damaged = await damagedCopy("secrets/jwt-secret", nulls);
    const environment = { DATA_DIR: newPath(), JWT_SECRET: jwtSecret };
    expect(await run(["restore", damaged], { environment })).toMatchObject({ code: 0 });
  });
});

/** What PostgreSQL gets from a folder, and what stays in the folder beside it. */
const carried = [
  "secrets/signing-key",
  "secrets/webhook-secret",
  "default-skins/classic.png",
  "mail-templates/en.toml",
];

async function tablesIn(url: string): Promise<unknown> {
  await using sql = new SQL(url, { max: 1 });
  return await sql`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`.values();
}

describe.skipIf(postgresMissing !== null)("PostgreSQL", () => {
  const ways: readonly (readonly [string, (from: string, url: string) => ReturnType<typeof run>])[] = [
    [
      "a restore",
      (from, url) =>
        run(["restore", from], {
          environment: { DATA_DIR: newPath(), DATABASE_URL: url, JWT_SECRET: jwtSecret },
        }),
    ],
    [
      "a move",
      (from, url) => run(["move"], { environment: { DATA_DIR: from, MOVE_TO: url, JWT_SECRET: jwtSecret } }),
    ],
    [
      "a dry move",
      (from, url) =>
        run(["move", "--dry-run"], { environment: { DATA_DIR: from, MOVE_TO: url, JWT_SECRET: jwtSecret } }),
    ],
  ];

  test.each(ways.flatMap(([name, bring]) => carried.map((file) => [name, file, bring] as const)))(
    "gets nothing by %s of a folder whose %s is garbage",
    async (_, file, bring) => {
      await using target = await emptyDatabase();
      const { code, error } = await bring(await damagedCopy(file, garbage), target.url);
      expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining(file) });
      expect(await tablesIn(target.url)).toEqual([]);
    },
  );

  test("gets nothing either where a setting replaces the key at a start", async () => {
    await using target = await emptyDatabase();
    const damaged = await damagedCopy("secrets/webhook-secret", garbage);
    const WEBHOOK_SECRET = `whsec_${crypto.getRandomValues(Buffer.alloc(24)).toString("base64")}`;
    const environment = {
      DATA_DIR: newPath(),
      DATABASE_URL: target.url,
      JWT_SECRET: jwtSecret,
      WEBHOOK_SECRET,
    };
    const { code, error } = await run(["restore", damaged], { environment });
    expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining("webhook-secret") });
    expect(await tablesIn(target.url)).toEqual([]);
  });
});
