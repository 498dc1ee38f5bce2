import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdir, readdir, rename, rm, stat, symlink, truncate } from "node:fs/promises";
import { basename, join } from "node:path";
import { migrations } from "../../src/adapters/sqlite/migrations.ts";
import {
  changeDatabase,
  contentOf,
  filesOf,
  makeData,
  putOldDatabase,
  rowsOf,
  texturesOf,
} from "../backup/data-world.ts";
import { run, temporaryFolder } from "./run-program.ts";
import { program } from "../support/program.ts";

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;
let folder: Folder;
let full: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  full = join(folder.path, "full");
  await makeData(full);
});
afterAll(() => folder[Symbol.asyncDispose]());

/** A copy of the full data folder, to be changed. */
async function copyOfData(): Promise<string> {
  const dataDir = newPath();
  await cp(full, dataDir, { recursive: true });
  return dataDir;
}

/** A backup of the full data folder. */
async function madeBackup(): Promise<string> {
  const path = newPath();
  await ask(full, "backup", path);
  return path;
}

const newPath = () => join(folder.path, crypto.randomUUID());
const ask = (dataDir: string, ...args: readonly string[]) => run([...args, "--data-dir", dataDir]);
const namesIn = async (path: string) =>
  (await readdir(path)).filter((name) => !name.startsWith("before-restore-"));

/** Starts a server, and returns how it is killed. */
async function serve(dataDir: string): Promise<() => Promise<void>> {
  const server = Bun.spawn([...program, "serve", "--port", "0", "--data-dir", dataDir], {
    env: { PATH: process.env["PATH"] ?? "" },
    stdout: "pipe",
    stderr: "ignore",
  });
  await server.stdout.getReader().read();
  return async () => {
    server.kill("SIGKILL");
    await server.exited;
  };
}

const passphrase = "correct horse battery";

const sealed = (dataDir: string, ...args: readonly string[]) =>
  run([...args, "--passphrase-stdin", "--data-dir", dataDir], { secret: passphrase });

describe("a backup", () => {
  test("restored into an empty folder brings everything back, readable for its owner alone", async () => {
    const archive = newPath();
    const made = await ask(full, "backup", archive, "--json");
    expect(made).toMatchObject({ code: 0, error: "" });
    expect(JSON.parse(made.out)).toMatchObject({
      file: archive,
      bytes: (await stat(archive)).size,
      textures: 4,
      textures_lost: 0,
      files: ["default-skins/classic.png", "mail-templates/en.toml", "secrets/jwt-secret"],
      secrets: "clear",
      left_out: [],
    });
    expect((await stat(archive)).mode & 0o777).toBe(0o600);

    const restored = newPath();
    const { code, out } = await ask(restored, "restore", archive);
    expect({ code, before: out.includes("the way back") }).toEqual({ code: 0, before: false });
    expect(rowsOf(restored)).toEqual(rowsOf(full));
    expect(await contentOf(restored)).toEqual(await contentOf(full));
    for (const path of [restored, join(restored, "secrets"), join(restored, "textures")]) {
      expect((await stat(path)).mode & 0o777).toBe(0o700);
    }
    expect((await stat(join(restored, "secrets/jwt-secret"))).mode & 0o777).toBe(0o600);
    expect((await ask(restored, "fsck")).code).toBe(0);
  });

  test("is an archive that ordinary tools open", async () => {
    const archive = newPath();
    await ask(full, "backup", archive);
    const tar = new Bun.Archive(await Bun.zstdDecompress(await Bun.file(archive).bytes()));
    const files = await tar.files();
    expect([...files.keys()]).toContainEqual(
      expect.stringMatching(/^textures\/[0-9a-f]{2}\/[0-9a-f]{64}\.png$/),
    );
    expect(await files.get("secrets/jwt-secret")?.text()).toBe(
      await Bun.file(join(full, "secrets/jwt-secret")).text(),
    );
  });

  test.each(["cloakroom.db", "secrets/jwt-secret", "default-skins/classic.png"])(
    "writes over nothing that is no backup: %s",
    async (name) => {
      const dataDir = await copyOfData();
      const before = { files: await filesOf(dataDir), rows: rowsOf(dataDir) };
      const path = join(dataDir, name);
      expect(await ask(dataDir, "backup", path)).toEqual({
        code: 1,
        out: "",
        error: `cloakroom: ${path} is there already and is no backup; nothing was written to it\n`,
      });
      expect({ files: await filesOf(dataDir), rows: rowsOf(dataDir) }).toEqual(before);
    },
  );

  test("of an empty community does not join those of a full one", async () => {
    const [lost, fresh] = [newPath(), newPath()];
    for (const dataDir of [lost, fresh]) await ask(dataDir, "migrate");
    await mkdir(join(lost, "backups"));
    await rename(await madeBackup(), join(lost, "backups/cloakroom-2026-01-01T00-00-00Z.tar.zst"));
    const { code, error } = await ask(lost, "backup");
    expect({ code, error }).toEqual({
      code: 1,
      error: expect.stringContaining(`${lost} holds no account, but there are backups: is DATA_DIR right`),
    });
    expect(await readdir(join(lost, "backups"))).toEqual(["cloakroom-2026-01-01T00-00-00Z.tar.zst"]);
    expect((await ask(lost, "backup", newPath())).code).toBe(0);
    expect((await ask(fresh, "backup")).code).toBe(0);
  });

  test.each(["backup", "fsck"])("of a newer program's database is left to that program: %s", async (name) => {
    const dataDir = await copyOfData();
    changeDatabase(join(dataDir, "cloakroom.db"), `PRAGMA user_version = ${migrations.length + 1}`);
    const { code, error } = await ask(dataDir, name);
    expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining("newer version") });
  });

  test("of a database that is damaged is not made", async () => {
    const dataDir = await copyOfData();
    const bytes = await Bun.file(join(dataDir, "cloakroom.db")).bytes();
    // Whole pages in the middle, as a failing disk leaves them.
    bytes.fill(0xff, 8 * 4096, 40 * 4096);
    await Bun.write(join(dataDir, "cloakroom.db"), bytes);
    const place = newPath();
    await mkdir(place);
    const { code, error } = await ask(dataDir, "backup", join(place, "b"));
    expect(code).toBe(1);
    expect(error).toContain("damaged");
    expect(await readdir(place)).toEqual([]);
  });

  test("reports textures without a sound file, and keeps all others", async () => {
    const dataDir = await copyOfData();
    const [missing = "", damaged = ""] = await texturesOf(dataDir);
    await rm(missing);
    await Bun.write(damaged, "not what it was");
    const archive = newPath();
    const made = await ask(dataDir, "backup", archive, "--json");
    expect(made).toMatchObject({
      code: 0,
      error: "cloakroom: 2 textures have no sound file; see cloakroom fsck\n",
    });
    expect(JSON.parse(made.out)).toMatchObject({ textures: 2, textures_lost: 2 });
    const restored = newPath();
    expect((await ask(restored, "restore", archive)).code).toBe(0);
    expect(rowsOf(restored)).toEqual(rowsOf(dataDir));
    expect((await texturesOf(restored)).length).toBe(2);
  });

  test("names files beside the database that it does not take", async () => {
    const dataDir = await copyOfData();
    await Bun.write(join(dataDir, "secrets/odd name"), "x");
    const { code, error } = await ask(dataDir, "backup", newPath());
    expect({ code, error }).toEqual({ code: 0, error: "cloakroom: not in the backup: secrets/odd name\n" });
  });

  test("takes the files that links lead to, as secrets and settings are mounted, and names what is no file", async () => {
    const dataDir = await copyOfData();
    const at = (path: string) => join(dataDir, path);
    await rename(at("secrets/jwt-secret"), at("mounted-secret"));
    await symlink("../mounted-secret", at("secrets/jwt-secret"));
    await mkdir(at("default-skins/..2026"));
    await rename(at("default-skins/classic.png"), at("default-skins/..2026/classic.png"));
    await symlink("..2026", at("default-skins/..data"));
    await symlink("..data/classic.png", at("default-skins/classic.png"));
    await Bun.write(at("large"), "");
    await truncate(at("large"), 16 * 1024 * 1024 + 1);
    await symlink("../large", at("default-skins/slim.png"));
    await symlink("nowhere", at("mail-templates/ru.toml"));
    await symlink("round", at("mail-templates/round"));
    await mkdir(at("secrets/folder"));
    const noFiles = [
      "default-skins/slim.png",
      "mail-templates/round",
      "mail-templates/ru.toml",
      "secrets/folder",
    ];

    const archive = newPath();
    const made = await ask(dataDir, "backup", archive, "--json");
    expect(JSON.parse(made.out)).toMatchObject({
      files: ["default-skins/classic.png", "mail-templates/en.toml", "secrets/jwt-secret"],
      left_out: noFiles,
    });
    expect(made.error).toBe(noFiles.map((name) => `cloakroom: not in the backup: ${name}\n`).join(""));
    const [restored, copied] = [newPath(), newPath()];
    expect((await ask(restored, "restore", archive)).code).toBe(0);
    expect(await contentOf(restored)).toEqual(await contentOf(full));

    const put = await ask(copied, "restore", dataDir, "--json");
    expect(JSON.parse(put.out)).toMatchObject({ left_out: noFiles });
    expect(put.error).toBe(noFiles.map((name) => `cloakroom: not restored: ${name}\n`).join(""));
    expect(await contentOf(copied)).toEqual(await contentOf(full));
  });

  test.each([
    ["of a folder without a database", () => newPath(), () => newPath(), "holds no database"],
    ["into a folder that is not there", () => full, () => join(newPath(), "b"), "no such file or folder"],
  ])("%s is refused, and makes nothing", async (_, dataDir, file, reason) => {
    const { code, out, error } = await ask(dataDir(), "backup", file());
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error).toContain(reason);
  });
});

describe("secrets", () => {
  test("are encrypted under a passphrase, and come back with it alone", async () => {
    const archive = newPath();
    const { out } = await sealed(full, "backup", archive, "--json");
    expect(JSON.parse(out)).toMatchObject({ secrets: "sealed" });
    const tar = Buffer.from(await Bun.zstdDecompress(await Bun.file(archive).bytes()));
    expect(tar.includes("s".repeat(48))).toBe(false);

    const restored = newPath();
    for (const [secret, reason] of [
      ["", "the passphrase must have at least 12 characters"],
      ["another passphrase", "the passphrase is not the one that it was made with, or it was changed since"],
    ] as const) {
      const { code, error } = await run(["restore", archive, "--passphrase-stdin", "--data-dir", restored], {
        secret,
      });
      expect({ failed: code !== 0, error: error.includes(reason) }).toEqual({ failed: true, error: true });
    }
    const without = await ask(restored, "restore", archive);
    expect(without.error).toContain("its secrets are encrypted: give the passphrase");
    expect(await filesOf(restored).catch(() => ({}))).toEqual({});
    expect((await sealed(restored, "restore", archive)).code).toBe(0);
    expect(await contentOf(restored)).toEqual(await contentOf(full));
  });

  const otherwise = { BACKUP_PASSPHRASE: "of another place" };
  test.each([
    ["the environment", [], { BACKUP_PASSPHRASE: passphrase }],
    ["a file of settings", ["--config", "CONFIG"], {}],
    ["the environment before the file", ["--config", "OTHER"], { BACKUP_PASSPHRASE: passphrase }],
    ["the command line before the environment", ["--backup-passphrase", passphrase], otherwise],
  ] as const)("take their passphrase from where a server does: %s", async (_, given, environment) => {
    const files = { CONFIG: newPath(), OTHER: newPath() };
    await Bun.write(files.CONFIG, `backup_passphrase = "${passphrase}"\n`);
    await Bun.write(files.OTHER, `backup_passphrase = "${otherwise.BACKUP_PASSPHRASE}"\n`);
    const args = given.map((one) => (one === "CONFIG" || one === "OTHER" ? files[one] : one));
    const [archive, restored] = [newPath(), newPath()];
    const made = await run(["backup", archive, "--json", "--data-dir", full, ...args], { environment });
    expect(JSON.parse(made.out)).toMatchObject({ secrets: "sealed", authenticated: true });
    expect((await sealed(restored, "restore", archive)).code).toBe(0);
    expect(await contentOf(restored)).toEqual(await contentOf(full));
  });

  const signInAgain = "everybody has to sign in again";
  const setting = { JWT_SECRET: "correct horse battery staple, twice" };
  test.each([
    ["secrets, because SECRETS holds none. Where a restore finds no JWT secret", ["jwt-secret"], {}],
    ["secrets, because SECRETS holds none. A restored server needs the JWT_SECRET", ["jwt-secret"], setting],
    [
      "secrets/jwt-secret, which is missing. Where a restore finds no JWT secret",
      ["jwt-secret", "+webhook-secret"],
      {},
    ],
    [null, ["+webhook-secret"], {}],
    [null, ["jwt-secret", "+webhook-secret"], setting],
  ] as const)("that were not there to take are named: %s", async (missing, changes, environment) => {
    const dataDir = await copyOfData();
    const at = (name: string) => join(dataDir, "secrets", name);
    for (const name of changes)
      await (name.startsWith("+")
        ? Bun.write(at(name.slice(1)), `whsec_${"A".repeat(43)}=\n`)
        : rm(at(name)));
    const archive = newPath();
    const made = await run(["backup", archive, "--data-dir", dataDir], { environment });
    const line = `cloakroom: not in the backup: ${missing?.replace("SECRETS", join(dataDir, "secrets"))}`;
    expect(made.code).toBe(0);
    if (missing === null) return expect(made.error).toBe("");
    expect(made.error).toStartWith(line);
    expect(made.error).toEndWith(`${signInAgain}\n`);
    expect(made.error.split("\n")).toHaveLength(2);
    const without = await run(["backup", newPath(), "--without-secrets", "--data-dir", dataDir], {
      environment,
    });
    expect(without).toMatchObject({ code: 0, error: "" });
  });

  test.each([["backup"], ["restore"]])(
    "can be left out by %s; those of the data folder stay then",
    async (where) => {
      const archive = newPath();
      const flag = (command: string) => (command === where ? ["--without-secrets"] : []);
      await ask(full, "backup", archive, ...flag("backup"));
      const dataDir = await copyOfData();
      await Bun.write(join(dataDir, "secrets/jwt-secret"), `${"t".repeat(48)}\n`);
      const kept = await Bun.file(join(dataDir, "secrets/jwt-secret")).text();
      expect((await ask(dataDir, "restore", archive, ...flag("restore"))).code).toBe(0);
      expect(await Bun.file(join(dataDir, "secrets/jwt-secret")).text()).toBe(kept);
    },
  );
});

describe("a restore", () => {
  test("puts what was there aside, and the printed way leads back", async () => {
    const archive = newPath();
    await ask(full, "backup", archive);
    const dataDir = await copyOfData();
    await ask(dataDir, "user", "create", "--mail", "c@example.org", "--username", "Cleo");
    await rm(join(dataDir, "default-skins"), { recursive: true });
    const [rows, files] = [rowsOf(dataDir), await filesOf(dataDir)];

    const { out } = await ask(dataDir, "restore", archive);
    expect(rowsOf(dataDir)).toEqual(rowsOf(full));
    const [, before = ""] = /^the way back: cloakroom restore '(.+)'$/m.exec(out) ?? [];
    expect(before).toStartWith(join(dataDir, "before-restore-"));
    expect((await ask(dataDir, "restore", before)).code).toBe(0);
    expect(rowsOf(dataDir)).toEqual(rows);
    const now = Object.entries(await filesOf(dataDir)).filter(
      ([path]) => !path.startsWith("before-restore-"),
    );
    expect(Object.fromEntries(now)).toEqual(files);
  });

  test("of an older version is brought up to date at the next start", async () => {
    const dataDir = newPath();
    await mkdir(dataDir);
    await putOldDatabase(dataDir, 1);
    changeDatabase(join(dataDir, "cloakroom.db"), `INSERT INTO held_names VALUES ('anna', 1, 4102444800)`);
    const [archive, restored] = [newPath(), newPath()];
    expect(JSON.parse((await ask(dataDir, "backup", archive, "--json")).out)).toMatchObject({ schema: 1 });
    expect((await ask(restored, "restore", archive)).code).toBe(0);
    const applied = migrations.slice(1).map(({ name }) => name);
    expect(JSON.parse((await ask(restored, "migrate", "--json")).out)).toMatchObject({ applied });
    expect(rowsOf(restored)["held_names"]).toHaveLength(1);
  });

  test("that was cut off stops everything until it is finished", async () => {
    const archive = newPath();
    await ask(full, "backup", archive);
    const dataDir = newPath();
    await ask(dataDir, "restore", archive);
    // As after a kill before the last step: all but the database has been moved in.
    await Bun.write(join(dataDir, "restoring/put-aside-in"), "before-restore-then");
    await Bun.write(join(dataDir, "restoring/all-is-put-aside"), "");
    await rename(join(dataDir, "cloakroom.db"), join(dataDir, "restoring/cloakroom.db"));
    const finish = `cloakroom restore '${join(dataDir, "restoring")}'`;
    for (const args of [["user", "list"], ["migrate"], ["restore", archive], ["serve", "--port", "0"]]) {
      const { code, error } = await ask(dataDir, ...args);
      expect({ code, error: error.includes(finish) }).toEqual({ code: 1, error: true });
    }
    expect((await ask(dataDir, "restore", join(dataDir, "restoring"))).code).toBe(0);
    expect(rowsOf(dataDir)).toEqual(rowsOf(full));
    expect(await contentOf(dataDir)).toEqual(await contentOf(full));
    expect(await namesIn(dataDir)).not.toContain("restoring");
  });

  test("that was killed while it unpacked leaves no secrets behind once the folder is used again", async () => {
    const dataDir = await copyOfData();
    for (const args of [
      ["user", "list"],
      ["skin", "add", "--user", "Nobody", "--file", "nothing"],
    ]) {
      await Bun.write(join(dataDir, "unpacking/secrets/jwt-secret"), "s".repeat(48));
      await ask(dataDir, ...args);
      expect(await namesIn(dataDir)).not.toContain("unpacking");
    }
  });

  test.each(["SIGTERM", "SIGINT"] as const)("that is stopped by %s leaves nothing", async (signal) => {
    const archive = newPath();
    await ask(full, "backup", archive);
    for (const source of [archive, full]) {
      const dataDir = await copyOfData();
      changeDatabase(join(dataDir, "cloakroom.db"), "UPDATE players SET name = 'Other'");
      const [rows, files] = [rowsOf(dataDir), await filesOf(dataDir)];
      const onProgress = () => void process.emit(signal, signal);
      const outcome = await run(["restore", source, "--data-dir", dataDir], { onProgress });
      expect(outcome).toEqual({ code: 1, out: "", error: `cloakroom: stopped by ${signal}\n` });
      expect(rowsOf(dataDir)).toEqual(rows);
      expect(await filesOf(dataDir)).toEqual(files);
    }
  });

  test("of a copied folder leaves the copy as it is, and takes what a backup would hold", async () => {
    const copy = await copyOfData();
    for (const name of ["backups/cloakroom-mine.tar.zst", "mail/1.eml"])
      await Bun.write(join(copy, name), "");
    const files = await filesOf(copy);
    for (const dataDir of [newPath(), await copyOfData()]) {
      expect((await ask(dataDir, "restore", copy)).code).toBe(0);
      expect(rowsOf(dataDir)).toEqual(rowsOf(full));
      expect(await namesIn(dataDir)).not.toContain("mail");
      expect((await ask(dataDir, "fsck")).code).toBe(0);
      expect((await ask(dataDir, "restore", copy)).code).toBe(0);
    }
    expect(await filesOf(copy)).toEqual(files);
  });

  test.each([
    [
      "of a newer version",
      async (path: string) => changeDatabase(path, "PRAGMA user_version = 9999"),
      "newer version",
    ],
    ["that is no database", (path: string) => Bun.write(path, "no database".repeat(1000)), "cannot be read"],
  ])("of a folder whose database is one %s changes nothing", async (_, damage, reason) => {
    const [copy, dataDir] = [await copyOfData(), await copyOfData()];
    await damage(join(copy, "cloakroom.db"));
    const { code, error } = await ask(dataDir, "restore", copy);
    expect({ code, said: error.includes(reason) }).toEqual({ code: 1, said: true });
    expect(await contentOf(dataDir)).toEqual(await contentOf(full));
  });

  test("of a folder reports its textures without a sound file, and succeeds: it may be the way back", async () => {
    const [copy, dataDir] = [await copyOfData(), newPath()];
    const [missing = "", damaged = ""] = await texturesOf(copy);
    await rm(missing);
    await Bun.write(damaged, "not what it was");
    const { code, out, error } = await ask(dataDir, "restore", copy, "--json");
    expect({ code, error }).toEqual({
      code: 0,
      error: "cloakroom: 2 textures have no sound file; see cloakroom fsck\n",
    });
    expect(JSON.parse(out)).toMatchObject({ textures: 2, textures_lost: 2 });
    expect(rowsOf(dataDir)).toEqual(rowsOf(copy));
  });

  test("of a folder can leave its secrets out", async () => {
    const [copy, dataDir] = [await copyOfData(), await copyOfData()];
    await Bun.write(join(copy, "secrets/jwt-secret"), `${"t".repeat(48)}\n`);
    expect((await ask(dataDir, "restore", copy, "--without-secrets")).code).toBe(0);
    expect(await contentOf(dataDir)).toMatchObject(await contentOf(full));
  });

  test("of a folder does not wait either: it is refused while a server writes there", async () => {
    const [used, dataDir] = [await copyOfData(), await copyOfData()];
    await ask(dataDir, "user", "create", "--mail", "c@example.org", "--username", "Cleo");
    const rows = rowsOf(dataDir);
    const killServer = await serve(used);
    const refused = await ask(dataDir, "restore", used);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.error).toContain(`${used} cannot be used now: a server or a command is using it`);
    expect(rowsOf(dataDir)).toEqual(rows);
    await killServer();
    expect((await ask(dataDir, "restore", used)).code).toBe(0);
    expect(rowsOf(dataDir)).toEqual(rowsOf(full));
  });

  test.each([
    ["the data folder itself", async (dataDir: string) => dataDir, "is the data folder itself"],
    ["a file that is not there", async () => newPath(), "no such file or folder"],
    ["a folder that holds no database", async () => folder.path, "holds no database"],
  ])("takes no %s", async (_, source, reason) => {
    const dataDir = await copyOfData();
    const { code, error } = await ask(dataDir, "restore", await source(dataDir));
    expect({ code, said: error.includes(reason) }).toEqual({ code: 1, said: true });
  });

  test("does not wait: it is refused while a server runs, and a killed server does not block it", async () => {
    const archive = newPath();
    await ask(full, "backup", archive);
    const dataDir = await copyOfData();
    const killServer = await serve(dataDir);
    const refused = await ask(dataDir, "restore", archive);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.error).toContain("a server or a command is using it");
    await killServer();
    expect((await ask(dataDir, "restore", archive)).code).toBe(0);
  });
});

describe("a backup without a file", () => {
  test("goes to the folder of scheduled ones, of which BACKUP_KEEP stay", async () => {
    const dataDir = await copyOfData();
    const dir = join(dataDir, "backups");
    await mkdir(dir);
    const old = [1, 2, 3].map((day) => `cloakroom-2020-01-0${day}T00-00-00Z.tar.zst`);
    for (const name of [...old, "cloakroom-mine.tar.zst"]) await Bun.write(join(dir, name), "");
    const { out } = await ask(dataDir, "backup", "--backup-keep", "2", "--json");
    const { file, removed } = JSON.parse(out);
    expect(file).toMatch(/\/backups\/cloakroom-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.zst$/);
    expect(removed).toEqual(old.slice(0, 2));
    expect((await readdir(dir)).length).toBe(3);
    expect((await ask(newPath(), "restore", file)).code).toBe(0);
  });

  test("that lost textures is called incomplete, and takes the place of no whole one", async () => {
    const dataDir = await copyOfData();
    const dir = join(dataDir, "backups");
    await mkdir(dir);
    const whole = [1, 2, 3].map((day) => `cloakroom-2020-01-0${day}T00-00-00Z.tar.zst`);
    const incomplete = [4, 5].map((day) => `cloakroom-2020-01-0${day}T00-00-00Z-incomplete.tar.zst`);
    for (const name of [...whole, ...incomplete]) await Bun.write(join(dir, name), "");
    await rm(join(dataDir, "textures"), { recursive: true });
    const { out, error } = await ask(dataDir, "backup", "--backup-keep", "2", "--json");
    const { file, removed, textures_lost } = JSON.parse(out);
    expect(textures_lost).toBe(4);
    expect(error).toContain("cloakroom: 4 textures have no sound file; see cloakroom fsck\n");
    expect(file).toMatch(/Z-incomplete\.tar\.zst$/);
    expect(removed).toEqual([whole[0], incomplete[0]]);
    expect((await ask(newPath(), "restore", file)).code).toBe(0);
  });

  test("stays when others are named for a later time, which are reported, not counted and not removed", async () => {
    const dataDir = await copyOfData();
    const dir = join(dataDir, "backups");
    await mkdir(dir);
    const old = "cloakroom-2020-01-01T00-00-00Z.tar.zst";
    const ahead = [1, 2].map((day) => `cloakroom-2999-01-0${day}T00-00-00Z.tar.zst`);
    for (const name of [old, ...ahead]) await Bun.write(join(dir, name), "");
    const { out, error } = await ask(dataDir, "backup", "--backup-keep", "1", "--json");
    const { file, removed, from_future } = JSON.parse(out);
    expect({ removed, from_future }).toEqual({ removed: [old], from_future: ahead });
    expect((await readdir(dir)).toSorted()).toEqual([basename(file), ...ahead]);
    for (const name of ahead)
      expect(error).toContain(`${name} is from the future: set the clock, remove or rename it\n`);
  });

  test("goes to BACKUP_DIR where that is set", async () => {
    const dir = newPath();
    await ask(full, "backup", "--backup-dir", dir);
    expect((await readdir(dir)).length).toBe(1);
  });
});

test.each([
  [{ BACKUP_SCHEDULE: "daily" }, 'BACKUP_SCHEDULE (environment) is "daily": must be five fields of cron'],
  [{ BACKUP_SCHEDULE: "0 0 30 2 *" }, "must be five fields of cron that come true some day"],
  [{ BACKUP_KEEP: "0" }, "BACKUP_KEEP"],
  [{ BACKUP_PASSPHRASE: "short" }, "BACKUP_PASSPHRASE (environment) must have at least 12 characters"],
  [{ S3_BUCKET: "backups" }, "S3_ACCESS_KEY_ID must be given, because S3_BUCKET is"],
  [{ S3_PREFIX: "a" }, "S3_BUCKET must be given, because S3_PREFIX is"],
  [{ S3_BUCKET: "a b" }, "must be the name of a bucket"],
])("the settings %j are refused", async (environment, reason) => {
  const { code, error } = await run(["user", "list", "--data-dir", newPath()], { environment });
  expect(code).toBe(2);
  expect(error).toContain(reason);
  expect(error).not.toContain("short\n");
});
