/** Another signing key in the place of the one in force, while the server answers. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createPublicKey, createVerify, generateKeyPairSync } from "node:crypto";
import { cp, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { rotateKey } from "../../src/domain/game/rotate-key.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { run, temporaryFolder } from "../cli/run-program.ts";
import { readJson } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addGamer, ask, idOf, type Gamer } from "./world.ts";
import { isLeftOut } from "../support/storages.ts";

const isNoFile = isLeftOut("sqlite", "keys are rows of PostgreSQL");
let harness: Harness;
let anna: Gamer;
let file: string;
beforeEach(async () => {
  harness = await openHarness();
  anna = await addGamer(harness, "Anna");
  file = join(harness.folder, "secrets/signing-key");
});
afterEach(() => harness[Symbol.asyncDispose]());

type Full = { readonly properties: readonly { readonly value: string; readonly signature?: string }[] };
type Certificate = {
  readonly keyPair: { readonly publicKey: string };
  readonly publicKeySignature: string;
  readonly expiresAt: string;
};

async function announced(): Promise<string> {
  const body = await readJson<{ readonly signaturePublickey: string }>(await ask(harness, "GET "));
  return body.signaturePublickey;
}

async function publicKeys(): Promise<readonly string[]> {
  type Keys = Readonly<Record<string, readonly { readonly publicKey: string }[]>>;
  const found = await readJson<Keys>(await ask(harness, "GET /minecraftservices/publickeys"));
  expect(Object.keys(found)).toEqual(["profilePropertyKeys", "playerCertificateKeys", "authenticationKeys"]);
  expect(found["playerCertificateKeys"]).toEqual(found["profilePropertyKeys"]);
  expect(found["authenticationKeys"]).toEqual(found["profilePropertyKeys"]);
  return (found["profilePropertyKeys"] ?? []).map(({ publicKey }) => publicKey);
}

const baseOf = (pem: string) => pem.split("\n").slice(1, -2).join("");

/** Whether everything that is signed is by the key. */
async function isSignedBy(pem: string): Promise<boolean> {
  const key = createPublicKey(pem);
  const holds = (content: string, signature: string) =>
    createVerify("RSA-SHA1").update(content).verify(key, signature, "base64");
  const path = `/sessionserver/session/minecraft/profile/${idOf(anna.main)}?unsigned=false`;
  const { properties } = await readJson<Full>(await ask(harness, `GET ${path}`));
  expect(properties).toHaveLength(2);
  const { keyPair, publicKeySignature, expiresAt } = await readJson<Certificate>(
    await ask(harness, "POST /minecraftservices/player/certificates", anna),
  );
  return (
    properties.every(({ value, signature = "" }) => holds(value, signature)) &&
    holds(`${Date.parse(expiresAt)}${keyPair.publicKey}`, publicKeySignature)
  );
}

/**
 * Asks until the change is done and announced. Whatever is announced before and after an answer, the answer
 * is signed by that.
 */
async function watch(before: string, change: () => Promise<unknown>): Promise<string> {
  const done = change();
  for (;;) {
    // Answers from memory leave the event loop no turn.
    await yieldToEventLoop();
    const first = await announced();
    const holds = await isSignedBy(first);
    if ((await announced()) === first) expect(holds).toBe(true);
    if (first !== before) {
      await done;
      return first;
    }
  }
}

/** As a command beside the server does it. */
async function rotate(keysBefore: number): Promise<void> {
  await using other = await openHarness({ folder: harness.folder, keysBefore });
  await rotateKey(other.services, commandLine);
}

test("answers change to the new key together, and the former one stays announced for two days", async () => {
  const first = await announced();
  expect(await isSignedBy(first)).toBe(true);
  const second = await watch(first, () => rotate(1));
  expect(await publicKeys()).toEqual([second, first].map(baseOf));
  harness.clock.advance(24 * 3600);
  const third = await watch(second, () => rotate(2));
  expect(await publicKeys()).toEqual([third, second, first].map(baseOf));
  harness.clock.advance(24 * 3600 - 1);
  expect(await publicKeys()).toHaveLength(3);
  harness.clock.advance(1);
  // The other command's clock stands still: both keys were replaced at one time.
  expect(await publicKeys()).toEqual([third].map(baseOf));
  expect(harness.takeComplaints()).toEqual([]);
});

test.skipIf(isNoFile)(
  "a key that is restored on disk is in force at once, whether it is moved in or written over",
  async () => {
    const first = await announced();
    const saved = `${file}-saved`;
    await cp(file, saved);
    const second = await watch(first, () => rotate(1));
    await cp(file, `${file}-second`);
    expect(await watch(second, () => rename(saved, file))).toBe(first);
    expect(await watch(first, async () => writeFile(file, await readFile(`${file}-second`)))).toBe(second);
  },
);

test.skipIf(isNoFile).each<readonly [string, () => Promise<unknown>]>([
  ["removed", () => rm(file)],
  ["damaged", () => writeFile(file, "-----BEGIN PRIVATE KEY-----\n")],
  ["replaced by a folder", () => rm(file).then(() => mkdir(file))],
])("a key that is %s while the server runs stays in force", async (_, damage) => {
  const first = await announced();
  expect(await isSignedBy(first)).toBe(true);
  await damage();
  const until = performance.now() + 100;
  while (performance.now() < until) {
    await yieldToEventLoop();
    expect(await announced()).toBe(first);
    expect(await isSignedBy(first)).toBe(true);
  }
});

test.skipIf(isNoFile)("an operator's own key is taken, in the older form of PEM, too", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await mkdir(join(harness.folder, "secrets"), { recursive: true });
  await writeFile(file, privateKey.export({ type: "pkcs1", format: "pem" }));
  const pem = await announced();
  expect(pem).toBe(publicKey.export({ type: "spki", format: "pem" }));
  expect(await isSignedBy(pem)).toBe(true);
});

test.skipIf(isNoFile)(
  "a server without a usable key says so, once for each request, and shows nothing of it",
  async () => {
    await mkdir(join(harness.folder, "secrets"), { recursive: true });
    await writeFile(file, "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n");
    const answer = await ask(harness, "GET ");
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(text).toContain("InternalError");
    expect(text).not.toContain("c2VjcmV0");
    const complaints = harness.takeComplaints();
    expect(complaints).toHaveLength(1);
    expect(JSON.stringify(complaints)).toContain("signing-key is damaged");
    expect(JSON.stringify(complaints)).not.toContain("c2VjcmV0");
  },
);

test("two commands at once leave one whole key, and no half of one", async () => {
  await announced();
  const results = await Promise.allSettled([rotate(1), rotate(2)]);
  const refused = results.filter(({ status }) => status === "rejected");
  expect(refused.length).toBeLessThan(2);
  if (!isNoFile) expect(await readdir(join(harness.folder, "secrets"))).toEqual(["signing-key"]);
  while ((await publicKeys()).length === 1) await yieldToEventLoop();
  expect((await publicKeys()).length).toBe(1 + results.length - refused.length);
});

test.skipIf(isNoFile)("what a killed command left hinders the next one for a minute at most", async () => {
  await announced();
  const text = (await readFile(file, "utf8")).trim();
  const digest = new Bun.CryptoHasher("sha256").update(`signing-key ${text}`).digest("hex");
  const left = join(harness.folder, "secrets", `.next-${digest.slice(0, 32)}`);
  await writeFile(left, "half");
  expect(String(await rotate(1).catch((error: unknown) => error))).toContain("another process is replacing");
  await utimes(left, 1, 1);
  await rotate(1);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(harness.folder, "secrets"))).toEqual(["signing-key"]);
});

test("the commands show the public half alone, and the audit names the change", async () => {
  await using folder = await temporaryFolder();
  const key = (...args: readonly string[]) => run(["key", ...args, "--data-dir", folder.path]);
  await run(["migrate", "--data-dir", folder.path]);
  const shown = await key("show");
  expect(shown.code).toBe(0);
  expect(createPublicKey(shown.out).asymmetricKeyDetails?.modulusLength).toBe(4096);
  expect((await key("show")).out).toBe(shown.out);
  const rotated = await key("rotate");
  expect(rotated.out).not.toBe(shown.out);
  const { previous } = JSON.parse((await key("show", "--json")).out);
  expect(previous).toEqual([{ public_key: shown.out.trim(), announced_until: expect.any(String) }]);
  const { out } = await run(["audit", "export", "--data-dir", folder.path]);
  expect(out).toContain('"action":"key.rotate"');
  for (const text of [shown.out, rotated.out, shown.error, rotated.error, out])
    expect(text).not.toContain("PRIVATE");
});

test("a backup holds the key, and a restore brings it back", async () => {
  await using folder = await temporaryFolder();
  const at = (dataDir: string, ...args: readonly string[]) =>
    run([...args, "--data-dir", join(folder.path, dataDir)]);
  await at("one", "user", "create", "--mail", "a@example.org");
  const { out } = await at("one", "key", "show");
  for (const passphrase of [undefined, "a passphrase that is long enough"]) {
    const environment = passphrase === undefined ? {} : { BACKUP_PASSPHRASE: passphrase };
    const to = join(folder.path, `${passphrase === undefined ? "plain" : "sealed"}.tar.zst`);
    const made = await run(["backup", to, "--data-dir", join(folder.path, "one")], { environment });
    expect(made).toMatchObject({ code: 0 });
    const restored = join(folder.path, `from-${passphrase === undefined ? "plain" : "sealed"}`);
    expect(await run(["restore", to, "--data-dir", restored], { environment })).toMatchObject({ code: 0 });
    expect((await run(["key", "show", "--data-dir", restored])).out).toBe(out);
  }
});
