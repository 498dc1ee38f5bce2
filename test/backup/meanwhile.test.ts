import { expect, test } from "bun:test";
import { join } from "node:path";
import { copyDatabase, openCopy, openLiveRows } from "../../src/adapters/sqlite/database-copy.ts";
import { textureFolder } from "../../src/adapters/blob-fs/texture-folder.ts";
import { tarZstd } from "../../src/adapters/archive/tar-zstd.ts";
import { writeBackup } from "../../src/domain/backup/write-backup.ts";
import type { BlobStore } from "../../src/domain/ports/blob-store.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { capePng, sha256, skinPng } from "../support/textures.ts";
import { run, runProcess, temporaryFolder } from "../cli/run-program.ts";
import { entryOf, readEntries } from "./archives.ts";
import { changeDatabase, rowsOf } from "./data-world.ts";
import { program } from "../support/program.ts";

const password = "a password of length";
type Headers = { readonly authorization: string };

async function signUp({ fetch, storageSettings }: Harness, name: string): Promise<Headers> {
  const made = ["--mail", `${name}@example.org`, "--username", name, "--password", password];
  await run(["user", "create", ...made], { environment: storageSettings });
  const body = JSON.stringify({ username: name, password });
  const answer = await fetch("/api/auth/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const { data } = (await answer.json()) as { readonly data: { readonly jwt: string } };
  return { authorization: `Bearer ${data.jwt}` };
}

async function upload(fetch: Harness["fetch"], headers: Headers, png: Uint8Array): Promise<string> {
  const body = new FormData();
  body.append("skin", new File([new Uint8Array(png)], "skin.png"));
  const answer = await fetch("/api/home/edit/upload", { method: "POST", headers, body });
  return answer.headers.get("location")?.split("/").at(-1) ?? "";
}

const remove = (fetch: Harness["fetch"], { authorization }: Headers, skinid: string) =>
  fetch("/api/home/edit/skin", {
    method: "DELETE",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ skinid }),
  });

test("a backup that is taken while skins come and go is whole, and holds all that was there before", async () => {
  await using harness = await openHarness({ settings: { WARDROBE_MAX: "10000" } });
  const { fetch, storageSettings } = harness;
  const headers = await signUp(harness, "Anna");
  const early: string[] = [];
  for (let seed = 0; seed < 40; seed++) early.push(await upload(fetch, headers, skinPng(seed)));

  const over = new AbortController();
  // One member has two uploads under way at most.
  const members = [headers, await signUp(harness, "Bob"), await signUp(harness, "Carl")];
  const write = async (own: Headers, worker: number): Promise<number> => {
    let seed = 1000 * worker;
    for (; !over.signal.aborted; seed++) {
      const uuid = await upload(fetch, own, skinPng(seed));
      if (seed % 3 > 0) expect((await remove(fetch, own, uuid)).status).toBe(204);
    }
    return seed - 1000 * worker;
  };
  const writers = members.map((own, place) => write(own, place + 1));
  await using place = await temporaryFolder();
  const made: unknown[] = [];
  for (const name of ["one", "two", "three"]) {
    const args = ["backup", join(place.path, name), "--json"];
    const given = { folder: place.path, environment: storageSettings };
    const { code, out, error } = await runProcess(args, given);
    // The harness has a JWT secret among its settings, and no other key.
    expect({ code, error }).toEqual({ code: 0, error: expect.stringMatching(/^[^\n]+: secrets, [^\n]+\n$/) });
    made.push(JSON.parse(out).textures_lost);
  }
  over.abort();
  const written = await Promise.all(writers);
  expect(Math.min(...written)).toBeGreaterThan(0);
  expect(made).toEqual([0, 0, 0]);

  for (const name of ["one", "three"]) {
    const dataDir = join(place.path, `${name}-restored`);
    expect((await run(["restore", join(place.path, name), "--data-dir", dataDir])).code).toBe(0);
    expect((await run(["fsck", "--data-dir", dataDir])).code).toBe(0);
    const kept = new Set((rowsOf(dataDir)["skins"] as { uuid: string }[]).map(({ uuid }) => uuid));
    expect(early.filter((uuid) => !kept.has(uuid))).toEqual([]);
  }
});

test("a picture from a restored folder is the one that was served before", async () => {
  await using place = await temporaryFolder();
  await using harness = await openHarness();
  await upload(harness.fetch, await signUp(harness, "Anna"), skinPng(5));
  const archive = join(place.path, "archive");
  await run(["backup", archive], { environment: harness.storageSettings });
  const restored = join(place.path, "restored");
  await run(["restore", archive, "--data-dir", restored]);

  const env = { PATH: process.env["PATH"] ?? "" };
  const serve = [...program, "serve", "--port", "0", "--data-dir", restored];
  await using server = Bun.spawn(serve, { env, stdout: "pipe", stderr: "ignore" });
  const { value } = await server.stdout.getReader().read();
  const address = /http:\/\/\S+/.exec(new TextDecoder().decode(value))?.[0] ?? "";
  const path = "/api/skin/body/Anna?size=64&type=player";
  const before = await harness.fetch(path);
  const after = await fetch(address + path);
  expect(after.headers.get("etag")).toBe(before.headers.get("etag"));
  expect(await after.bytes()).toEqual(await before.bytes());
});

/** Where a test can be quicker than the backup: the database and the textures are files. */
const folderAlone = { database: "sqlite", files: "files" } as const;

/**
 * Makes a backup while something happens to the first texture at the moment when its file is about to be
 * read.
 */
async function backUpWhile(harness: Harness, place: string, happens: (path: string) => Promise<void>) {
  const { dataDir } = harness.config;
  const live = join(dataDir, "cloakroom.db");
  copyDatabase(live, join(place, "cloakroom.db"));
  using copy = openCopy(join(place, "cloakroom.db"));
  using rows = openLiveRows(live);
  const folder = textureFolder(join(dataDir, "textures"), place);
  let isFirst = true;
  const blobs: Pick<BlobStore, "read"> = {
    read: async (file) => {
      if (isFirst) await happens(join(dataDir, "textures", folder.pathOf(file)));
      isFirst = false;
      return folder.read(file);
    },
  };
  const { signal } = new AbortController();
  const deps = { copy, live: rows, blobs, archives: tarZstd, progress: () => undefined, signal };
  const archive = join(place, "archive");
  const content = {
    program: "0",
    created: "2026-01-01T00:00:00Z",
    files: [],
    sealedSecrets: null,
    authenticate: null,
  };
  const { textures } = await writeBackup(deps, archive, content);
  const restored = join(place, "restored");
  expect((await run(["restore", archive, "--data-dir", restored])).code).toBe(0);
  expect((await run(["fsck", "--data-dir", restored])).code).toBe(textures.lost > 0 ? 1 : 0);
  return { textures, rows: rowsOf(restored), entries: await readEntries(archive) };
}

test("a skin that is deleted before its file is read is deleted in the backup too", async () => {
  await using place = await temporaryFolder();
  await using harness = await openHarness({ on: folderAlone });
  const headers = await signUp(harness, "Anna");
  const uuid = await upload(harness.fetch, headers, skinPng(1));
  const { textures, rows } = await backUpWhile(harness, place.path, async () => {
    expect((await remove(harness.fetch, headers, uuid)).status).toBe(204);
  });
  expect(textures).toMatchObject({ count: 0, bytes: 0, lost: 0 });
  expect(rows).toMatchObject({
    skins: [],
    textures: [],
    players: [{ name: "Anna", selected_skin_id: null }],
  });
});

test("a bitmap that comes back as other bytes is in the backup as those", async () => {
  await using place = await temporaryFolder();
  await using harness = await openHarness({ on: folderAlone });
  await upload(harness.fetch, await signUp(harness, "Anna"), skinPng(1));
  const other = capePng(3);
  const { textures, entries, rows } = await backUpWhile(harness, place.path, async (path) => {
    await Bun.write(path, other);
    changeDatabase(join(harness.folder, "cloakroom.db"), `UPDATE textures SET digest = '${sha256(other)}'`);
  });
  expect(textures).toMatchObject({ count: 1, bytes: other.length, lost: 0 });
  expect(Buffer.from(entryOf(entries, "textures/").content)).toEqual(Buffer.from(other));
  expect(rows["textures"]).toMatchObject([{ digest: sha256(other) }]);
});

test("a file that is damaged is not in the backup, and its row is", async () => {
  await using place = await temporaryFolder();
  await using harness = await openHarness({ on: folderAlone });
  await upload(harness.fetch, await signUp(harness, "Anna"), skinPng(1));
  const { textures, rows } = await backUpWhile(harness, place.path, async (path) => {
    await Bun.write(path, "damaged");
  });
  expect(textures).toMatchObject({ count: 0, bytes: 0, lost: 1 });
  expect(rows["skins"]).toHaveLength(1);
});
