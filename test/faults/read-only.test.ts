import { expect, test } from "bun:test";
import { chmod, chown, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mainFile } from "../cli/run-program.ts";
import { skinPng } from "../support/textures.ts";
import { createAccounts, formOf, signAllIn } from "./people.ts";
import { openService, type Request } from "./service.ts";

const timeoutMs = 60_000;
/** Somebody whom permissions bind: they do not bind root. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const asSomebody = isRoot ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"] : [];
const command = [...asSomebody, process.execPath, mainFile];
const reason = isRoot && Bun.which("setpriv") === null ? "root cannot be somebody else here (setpriv)" : null;
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
    if (player === undefined) throw new Error("Nobody is signed in");
    const { token } = player;
    const upload = (seed: number): Request => ({
      line: "POST /api/home/edit/upload",
      form: () => formOf({ skin: skinPng(seed) }),
      token,
    });
    expect((await run.ask(upload(1))).status).toBe(200);

    const textures = join(dataDir, "textures");
    await chmodAll(textures, 0o500);
    expect((await run.ask(upload(2))).status).toBe(500);
    expect(await run.ask({ line: "GET /api/home", token })).toMatchObject({ status: 200 });
    expect(await run.ask({ line: "POST /api/auth/logout", token })).toMatchObject({ status: 200 });

    await chmodAll(textures, 0o700);
    const [, again] = await signAllIn(run, names);
    expect((await run.ask({ ...upload(2), token: again?.token ?? "" })).status).toBe(200);
    await service.kill();
    expect(service.complaints()).toContain("EACCES");
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
  "a database that may not be written is still read, and every write says so in the log",
  async () => {
    await using folder = await folderOfSomebody();
    const dataDir = join(folder.path, "data");
    await using service = await openService(command, 1, { DATA_DIR: dataDir, TMPDIR: folder.path });
    await createAccounts(dataDir, command, 0);
    await chmod(join(dataDir, "cloakroom.db"), 0o400);
    const run = await service.start();
    // Nobody has it, which only the database can tell.
    const lookup = { line: `GET /api/skin/public/${crypto.randomUUID()}` };
    expect((await run.ask(lookup)).status).toBe(404);
    const json = { mail: "someone@example.org", password: "a password of hers" };
    expect((await run.ask({ line: "POST /api/auth/register", json })).status).toBe(500);
    expect((await run.ask(lookup)).status).toBe(404);
    await service.kill();
    expect(service.complaints()).toContain("readonly database");
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
