import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keysOfFolder } from "../../src/boot/engines.ts";
import { openSecrets, secretOf } from "../../src/boot/secrets.ts";
import { mountSmallDisk, noSmallDisk } from "../faults/small-disk.ts";

let root: string;
let dataDir: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "cloakroom-secrets-"));
  dataDir = join(root, "data");
});
afterEach(() => rm(root, { recursive: true }));

const open = () => openSecrets({ keys: keysOfFolder(dataDir), jwtSecret: null, serviceToken: null });
const faultOfOpen = () =>
  open().then(
    () => "none",
    (cause: Error) => cause.message,
  );
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test("makes a secret at the first start that only its owner can read, and keeps it", async () => {
  const { jwt } = await open();
  expect(jwt.reveal()).toMatch(/^[A-Za-z0-9_-]{64}$/);
  expect(await modeOf(dataDir)).toBe("700");
  expect(await modeOf(join(dataDir, "secrets"))).toBe("700");
  expect(await modeOf(join(dataDir, "secrets", "jwt-secret"))).toBe("600");
  expect((await open()).jwt.reveal()).toBe(jwt.reveal());
});

test("leaves nothing beside the secret", async () => {
  await open();
  expect(await readdir(join(dataDir, "secrets"))).toEqual(["jwt-secret"]);
});

test.skipIf((await noSmallDisk()) !== null)("leaves nothing on a full disk, and says so", async () => {
  await using disk = await mountSmallDisk(1 << 20);
  dataDir = disk.path;
  await disk.leave(0);
  expect(await faultOfOpen()).toContain("ENOSPC");
  expect(await readdir(join(dataDir, "secrets"))).toEqual([]);
});

test("gives the same secret to all who start at once", async () => {
  const all = await Promise.all(Array.from({ length: 20 }, open));
  expect(new Set(all.map(({ jwt }) => jwt.reveal())).size).toBe(1);
});

test("gives the same secret to two processes that start at once", async () => {
  const [engines, module] = ["engines", "secrets"].map((name) =>
    join(import.meta.dir, `../../src/boot/${name}.ts`),
  );
  const program = `
    import { keysOfFolder } from ${JSON.stringify(engines)};
    import { openSecrets } from ${JSON.stringify(module)};
    console.log((await openSecrets({ keys: keysOfFolder(${JSON.stringify(dataDir)}), jwtSecret: null, serviceToken: null })).jwt.reveal());`;
  const run = () => new Response(Bun.spawn([process.execPath, "-e", program]).stdout).text();
  const [one, other] = await Promise.all([run(), run()]);
  expect(one.trim()).toHaveLength(64);
  expect(other).toBe(one);
});

test("uses a secret of the settings and writes nothing", async () => {
  const { jwt } = await openSecrets({
    keys: keysOfFolder(dataDir),
    jwtSecret: secretOf("s".repeat(32)),
    serviceToken: null,
  });
  expect(jwt.reveal()).toBe("s".repeat(32));
  expect(await readdir(root)).toEqual([]);
});

test("takes a secret that an operator wrote there", async () => {
  await open();
  await writeFile(join(dataDir, "secrets", "jwt-secret"), `${"k".repeat(40)}\r\n`);
  expect((await open()).jwt.reveal()).toBe("k".repeat(40));
});

test("refuses a damaged file, says what to do, and does not overwrite it", async () => {
  await open();
  const path = join(dataDir, "secrets", "jwt-secret");
  await writeFile(path, "short");
  expect(await faultOfOpen()).toStartWith(`${path} is damaged: delete it`);
  expect(await readFile(path, "utf8")).toBe("short");
});

test("names the file that it cannot make", async () => {
  await writeFile(dataDir, "a file where the folder should be");
  expect(await faultOfOpen()).toStartWith(
    `the secret in ${join(dataDir, "secrets", "jwt-secret")} cannot be read or made: `,
  );
});

test("does not show when it is printed", () => {
  const secret = secretOf("hidden words");
  const printed = [String(secret), JSON.stringify({ secret }), Bun.inspect({ secret })];
  expect(printed.join()).not.toContain("hidden");
});
