import { expect, test } from "bun:test";
import { chmod, chown, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asSomebody, isRoot, nobody, noSomebody } from "../support/somebody.ts";
import { createAccounts, signAllIn, skinUpload } from "./people.ts";
import { openService, untilReady } from "./service.ts";
import { mountSmallDisk, noSmallDisk } from "./small-disk.ts";
import { program } from "../support/program.ts";

const timeoutMs = 60_000;
const command = [...asSomebody, ...program];
const reason = noSomebody;
if (reason !== null) console.log(`read-only: not tried, because ${reason}`);

test.skipIf(reason !== null)(
  "a texture folder that may not be written is a fault of uploads alone, until it may be again",
  async () => {
    await using folder = await folderOfSomebody();
    const dataDir = join(folder.path, "data");
    await using service = await openService(command, 1, { DATA_DIR: dataDir, TMPDIR: folder.path });
    const names = await createAccounts(dataDir, command, 1);
    const run = await service.start();
    const [, player] = await signAllIn(run, names);
    if (player === undefined) throw new Error("No member is signed in");
    const { token } = player;
    expect((await run.ask(skinUpload(player, 1))).status).toBe(200);

    const textures = join(dataDir, "textures");
    await chmodAll(textures, 0o500);
    expect((await run.ask(skinUpload(player, 2))).status).toBe(500);
    expect(await run.ask({ line: "GET /api/home", token })).toMatchObject({ status: 200 });
    expect((await untilReady(run, 503)).data).toMatchObject({ database: true, disk: true, textures: false });
    const doctor = await Bun.$`${command} doctor`.env({ DATA_DIR: dataDir, PORT: "0" }).nothrow().quiet();
    expect(doctor.stdout.toString()).toMatch(/problem +data folder: it cannot be written: .*staging/);
    expect(await run.ask({ line: "POST /api/auth/logout", token })).toMatchObject({ status: 200 });

    await chmodAll(textures, 0o700);
    const [, again = player] = await signAllIn(run, names);
    expect((await run.ask(skinUpload(again, 2))).status).toBe(200);
    await service.kill();
    expect(service.complaints()).toContain("EACCES");
  },
  timeoutMs,
);

test.skipIf(reason !== null)(
  "a texture folder that may not be written at the first start of a release with labels keeps no texture back",
  async () => {
    await using folder = await folderOfSomebody();
    const dataDir = join(folder.path, "data");
    const settings = { DATA_DIR: dataDir, TMPDIR: folder.path, LOG_LEVEL: "warn" };
    await using service = await openService(command, 1, settings);
    const names = await createAccounts(dataDir, command, 1);
    const textures = join(dataDir, "textures");
    await rm(join(textures, "cloakroom-place.json"));
    await chmodAll(textures, 0o500);
    const run = await service.start();
    const [, player] = await signAllIn(run, names);
    if (player === undefined) throw new Error("No member is signed in");
    expect((await untilReady(run, 503)).data).toMatchObject({ database: true, textures: false });
    expect((await run.ask(skinUpload(player, 1))).status).toBe(500);
    const users = await Bun.$`${command} user list`.env({ DATA_DIR: dataDir }).nothrow().quiet();
    expect({ code: users.exitCode, error: users.stderr.toString() }).toEqual({ code: 0, error: "" });
    await chmodAll(textures, 0o700);
    expect((await untilReady(run, 200)).data).toMatchObject({ textures: true });
    expect((await run.ask(skinUpload(player, 1))).status).toBe(200);
    await service.kill();
    expect(service.complaints().match(/"the textures cannot be changed, so uploads fail/g)).toHaveLength(1);
  },
  timeoutMs,
);

test.skipIf(reason !== null || !isRoot)(
  "a label that may not be read is named with its owner, and everything is served",
  async () => {
    await using folder = await folderOfSomebody();
    const dataDir = join(folder.path, "data");
    const settings = { DATA_DIR: dataDir, TMPDIR: folder.path, LOG_LEVEL: "warn" };
    await using service = await openService(command, 1, settings);
    const names = await createAccounts(dataDir, command, 1);
    const label = join(dataDir, "textures/cloakroom-place.json");
    await chown(label, 0, 0);
    const run = await service.start();
    const [, player] = await signAllIn(run, names);
    if (player === undefined) throw new Error("No member is signed in");
    expect((await run.ask(skinUpload(player, 1))).status).toBe(200);
    expect((await untilReady(run, 200)).data).toMatchObject({ textures: true });
    const fsck = await Bun.$`${command} fsck`.env({ DATA_DIR: dataDir }).nothrow().quiet();
    expect({ code: fsck.exitCode, error: fsck.stderr.toString() }).toEqual({ code: 0, error: "" });
    await service.kill();
    expect(service.complaints()).toContain(`${label} may not be read: it belongs to user 0, and`);
  },
  timeoutMs,
);

test.skipIf(reason !== null)(
  "a data folder that may not be written at the start is refused with a reason",
  async () => {
    await using folder = await folderOfSomebody();
    const dataDir = join(folder.path, "data");
    await createAccounts(dataDir, command, 0);
    await chmod(dataDir, 0o500);
    const { exitCode, stderr } = await Bun.$`${command} serve`
      .env({ DATA_DIR: dataDir, PORT: "0", TMPDIR: folder.path })
      .nothrow()
      .quiet();
    await chmod(dataDir, 0o700);
    expect(stderr.toString()).toContain(dataDir);
    expect(stderr.toString()).not.toContain("    at ");
    expect(exitCode).toBe(1);
  },
  timeoutMs,
);

test.skipIf(reason !== null)(
  "a database that may not be written is still read, which the log says once with what to do",
  async () => {
    await using folder = await folderOfSomebody();
    const dataDir = join(folder.path, "data");
    const settings = { DATA_DIR: dataDir, TMPDIR: folder.path, LOG_LEVEL: "info" };
    await using service = await openService(command, 1, settings);
    await createAccounts(dataDir, command, 0);
    await chmod(join(dataDir, "cloakroom.db"), 0o400);
    const run = await service.start();
    for (let i = 0; i < 2; i++) {
      expect(await run.ask({ line: "GET /health/ready" })).toMatchObject({
        status: 503,
        data: { database: false, disk: true },
      });
    }
    // It is unknown, which only the database shows.
    const lookup = { line: `GET /api/skin/public/${crypto.randomUUID()}` };
    expect((await run.ask(lookup)).status).toBe(404);
    const json = { mail: "someone@example.org", password: "a password of hers" };
    expect((await run.ask({ line: "POST /api/auth/register", json })).status).toBe(500);
    expect((await run.ask(lookup)).status).toBe(404);
    expect(await service.stop()).toBe(0);
    const lines = service.complaints();
    expect(
      lines.match(/"the database cannot be written, .*cloakroom doctor.*readonly database/g),
    ).toHaveLength(1);
    expect(lines).toContain('"message":"started, but not ready"');
    expect(lines).not.toContain('"message":"ready"');

    const doctor = await Bun.$`${command} doctor`.env({ DATA_DIR: dataDir, PORT: "0" }).nothrow().quiet();
    expect(doctor.exitCode).toBe(1);
    expect(doctor.stdout.toString()).toMatch(/problem +data folder: it cannot be written: .*cloakroom\.db/);
  },
  timeoutMs,
);

const noDisk = await noSmallDisk();
if (noDisk !== null) console.log(`read-only: ${noDisk}`);

test.skipIf(noDisk !== null)(
  "a disk that is mounted read-only is refused at the start, with the cause and what to do in one line",
  async () => {
    await using disk = await mountSmallDisk(8 << 20);
    const dataDir = join(disk.path, "data");
    await createAccounts(dataDir, program, 0);
    await Bun.$`mount -o remount,ro ${disk.path}`.quiet();
    const { exitCode, stderr } = await Bun.$`${program} serve`
      .env({ DATA_DIR: dataDir, PORT: "0" })
      .nothrow()
      .quiet();
    await Bun.$`mount -o remount,rw ${disk.path}`.quiet();
    expect(stderr.toString()).toBe(
      `cloakroom: the data folder ${dataDir} cannot be used: its disk is mounted read-only; mount it for writing\n`,
    );
    expect(exitCode).toBe(1);
  },
  timeoutMs,
);

async function folderOfSomebody(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "cloakroom-readonly-"));
  if (isRoot) await chown(path, nobody, nobody);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function chmodAll(folder: string, mode: number): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await chmod(join(folder, entry.name), mode);
  }
  await chmod(folder, mode);
}
