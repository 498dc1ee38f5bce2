import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, readdir, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { openBlobFolder } from "../../src/adapters/blob-fs/blob-store.ts";
import { migrations } from "../../src/adapters/sqlite/migrations.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { parseTextureHash } from "../../src/kernel/ids.ts";
import { capePng, skinPng } from "../support/textures.ts";
import { examine } from "./examine.ts";
import { createAccounts, formOf, signAllIn, type Person } from "./people.ts";
import { openService, type Answer, type Request, type Run, type Service } from "./service.ts";
import { mountSmallDisk, noSmallDisk, type SmallDisk } from "./small-disk.ts";
import { program } from "../support/program.ts";

const reason = await noSmallDisk();
if (reason !== null) console.log(`disk-full: ${reason}`);
const timeoutMs = 120_000;

describe.skipIf(reason !== null)("a service whose disk is full", () => {
  let disk: SmallDisk;
  let service: Service;
  let run: Run;
  let keeper: Person;
  let player: Person;

  beforeAll(async () => {
    disk = await mountSmallDisk(8 << 20);
    const dataDir = join(disk.path, "data");
    service = await openService(program, 1, { DATA_DIR: dataDir });
    const names = await createAccounts(dataDir, program, 1);
    run = await service.start();
    const [first, second] = await signAllIn(run, names);
    if (first === undefined || second === undefined) throw new Error("No member is signed in");
    [keeper, player] = [first, second];
  }, timeoutMs);

  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await disk[Symbol.asyncDispose]();
  });

  const upload = (seed: number): Request => ({
    line: "POST /api/home/edit/upload",
    form: () => formOf({ skin: skinPng(seed, { width: 128 }), name: `Skin ${seed}` }),
    token: player.token,
  });
  const writes: readonly (readonly [string, (seed: number) => Request])[] = [
    ["an upload", upload],
    [
      "a cape",
      (seed) => ({
        line: "POST /api/admin/user/cape/upload",
        form: () => formOf({ cape: capePng(seed), name: `Cape ${seed}`, owners: "2" }),
        token: keeper.token,
      }),
    ],
    [
      "a registration",
      (seed) => ({
        line: "POST /api/auth/register",
        json: { mail: `someone${seed}@example.org`, password: "a password of hers" },
      }),
    ],
  ];

  test.each(writes)(
    "answers %s clearly at every step, does nothing by half, and goes on when there is space again",
    async (_, request) => {
      const statuses = new Set<number>();
      for (let step = 0; step < 24; step++) {
        await disk.leave(step * 4096);
        const answer = await run.ask(request(step));
        statuses.add(answer.status);
        expect([200, 507]).toContain(answer.status);
        expect(answer.msg).not.toBe("");
        expect((await home(player)).status).toBe(200);
        const dataDir = join(disk.path, "data");
        expect((await examine(dataDir, null)).faults).toEqual([]);
        expect(await readdir(join(dataDir, "textures", "staging"))).toEqual([]);
      }
      // The first left nothing, the last enough: both sides were tried.
      expect(statuses).toContain(507);
      await disk.leave(null);
      expect((await run.ask(request(99))).status).toBe(200);
    },
    timeoutMs,
  );

  const home = ({ token }: Person): Promise<Answer> => run.ask({ line: "GET /api/home", token });
});

describe.skipIf(reason !== null)("a migration on a full disk", () => {
  test(
    "fails with a reason, leaves the database as it was and nothing half-done, and works when there is space",
    async () => {
      await using disk = await mountSmallDisk(24 << 20);
      const dataDir = join(disk.path, "data");
      await mkdir(dataDir);
      const path = join(dataDir, "cloakroom.db");
      makeOldDatabase(path);
      const codes = new Set<number>();
      for (let mebibytes = 0; mebibytes <= 8; mebibytes++) {
        await disk.leave(mebibytes << 20);
        const { exitCode, stderr } = await migrateNow(dataDir);
        codes.add(exitCode);
        if (exitCode === 0) break;
        expect(`${mebibytes} MiB: ${stderr.toString()}`).toMatch(/space|full/i);
        expect(schemaOf(path)).toBe(1);
        const copies = (await readdir(dataDir)).filter((name) => name.includes(".before-"));
        expect(`${mebibytes} MiB left: ${copies.join()}`).toBe(`${mebibytes} MiB left: `);
      }
      expect(codes).toContain(1);
      await disk.leave(null);
      expect((await migrateNow(dataDir)).exitCode).toBe(0);
      expect(schemaOf(path)).toBe(migrations.length);
    },
    timeoutMs,
  );
});

describe.skipIf(reason !== null)("a backup to a full disk", () => {
  test(
    "fails with a reason, leaves nothing half-done, and works when there is space",
    async () => {
      await using disk = await mountSmallDisk(48 << 20);
      const dataDir = join(disk.path, "data");
      await mkdir(dataDir);
      makeOldDatabase(join(dataDir, "cloakroom.db"));
      expect((await migrateNow(dataDir)).exitCode).toBe(0);
      const before = await readdir(disk.path, { recursive: true });
      const archive = join(disk.path, "backup.tar.zst");
      const codes = new Set<number>();
      for (let step = 0; step < 8; step++) {
        await disk.leave(step * (2 << 20));
        const { exitCode, stderr } = await backUp(dataDir, archive);
        codes.add(exitCode);
        if (exitCode === 0) break;
        // Where not even SQLite's shared memory can be had, the disk is all that can be named.
        expect(`${step}: ${stderr.toString()}`).toMatch(/space|full|the disk/i);
        await disk.leave(null);
        const lasting = (await readdir(disk.path, { recursive: true })).filter(
          (name) => !name.includes("-shm"),
        );
        expect(lasting.filter((name) => !before.includes(name) && !name.endsWith("-wal"))).toEqual([]);
      }
      expect(codes).toContain(1);
      await disk.leave(null);
      await rm(archive, { force: true });
      const { exitCode, stderr } = await backUp(dataDir, archive);
      // No server has made a secret there yet.
      expect(`${exitCode} ${stderr.toString()}`).toStartWith(
        "0 cloakroom: not in the backup: secrets, because ",
      );
    },
    timeoutMs,
  );
});

function backUp(dataDir: string, archive: string) {
  return Bun.$`${program} backup ${archive}`.env({ DATA_DIR: dataDir }).nothrow().quiet();
}

/** A database of the first version with some megabytes in it. */
function makeOldDatabase(path: string): void {
  using database = new Database(path);
  database.run(migrations[0]?.sql ?? "");
  database.run("PRAGMA user_version = 1");
  database.run(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 12000)
     INSERT INTO accounts (uuid, mail, mail_key, mail_verified, password_hash, level, created_at)
     SELECT hex(randomblob(16)), hex(randomblob(8)) || '@example.org', hex(randomblob(16)), 1, hex(randomblob(48)), 1, 0
     FROM numbers`,
  );
}

function migrateNow(dataDir: string) {
  return Bun.$`${program} migrate`.env({ DATA_DIR: dataDir }).nothrow().quiet();
}

function schemaOf(path: string): number {
  using database = new Database(path, { readonly: true });
  const faults = database.query("PRAGMA integrity_check").values().flat();
  if (faults.join() !== "ok") throw new Error(`The database is damaged: ${faults.join()}`);
  return Number(database.query("PRAGMA user_version").values()[0]?.[0]);
}

describe.skipIf(reason !== null)("a texture's file on a disk without room for more names", () => {
  test("fails with no_space at every step, and leaves nothing on its way", async () => {
    await using disk = await mountSmallDisk(1 << 20);
    const blobs = await openBlobFolder(disk.path);
    const { files, ffree } = await statfs(disk.path);
    // A tmpfs counts the names that it may still have.
    const leaveNames = (names: number) =>
      Bun.$`mount -o remount,nr_inodes=${files - ffree + names} ${disk.path}`.quiet();
    const put = async () => {
      await blobs.put(parseTextureHash("ab".repeat(32))!, Uint8Array.of(1));
      return "stored";
    };
    const codes: unknown[] = [];
    // The file and the folder that it moves to need a name each.
    for (const names of [0, 1, 2]) {
      await leaveNames(names);
      codes.push(await put().catch((error: unknown) => error instanceof AppError && error.kind));
      expect(await readdir(join(disk.path, "staging"))).toEqual([]);
    }
    expect(codes).toEqual(["no_space", "no_space", "stored"]);
  });
});
