/** `import --claims`: from a list of names to people who sign in. */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { jwtSecret, openHarness } from "../support/harness.ts";
import { send, signInStatus } from "../support/registration.ts";
import { run, temporaryFolder } from "./run-program.ts";

const password = "x7-Kq!m2-racer";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
let list: string;
let codes: string;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder[Symbol.asyncDispose]());
beforeEach(async () => {
  [dataDir, list, codes] = [
    join(folder.path, "data"),
    join(folder.path, "names.csv"),
    join(folder.path, "codes.csv"),
  ];
  for (const path of [dataDir, codes]) await rm(path, { recursive: true, force: true });
  await writeFile(
    list,
    "name,uuid\nAnna,5627dd98-e6be-4c21-b8a8-e92344183641\nBerta,7627dd98-e6be-4c21-b8a8-e92344183642\n",
  );
});

const imported = (...more: readonly string[]) =>
  run(["import", "--from", "names", "--file", list, "--claims", codes, "--data-dir", dataDir, ...more], {
    environment: { JWT_SECRET: jwtSecret },
  });
const codeOf = async (name: string) =>
  (await readFile(codes, "utf8"))
    .split("\r\n")
    .map((line) => line.split(","))
    .find(([one]) => one === name)?.[2];
/** What a server on the same data answers to a claim of Anna's. */
async function claim(code: string | undefined): Promise<readonly [claimed: number, signedIn: number]> {
  await using harness = await openHarness({ folder: dataDir });
  // The command has the machine's clock.
  harness.clock.advance(Math.ceil(Date.now() / 1000) - harness.clock.nowSeconds());
  const body = { code, mail: "anna@example.org", password };
  const { status } = await send(harness, "POST /api/auth/claim", body);
  return [status, await signInStatus(harness, "Anna", password)];
}

test("people of a list claim their accounts by its codes", async () => {
  const { code, out, error } = await imported();
  expect({ code, error }).toEqual({ code: 0, error: "" });
  expect(out).toContain(`2 codes in ${codes}: each is for one person and one use, at /claim, for 30 days`);
  expect((await stat(codes)).mode & 0o777).toBe(0o600);
  for (const one of [await codeOf("Anna"), await codeOf("Berta")]) expect(out).not.toContain(String(one));
  expect(await claim(await codeOf("Anna"))).toEqual([200, 200]);
});

test("another run makes new codes, for people who have not claimed theirs", async () => {
  await imported();
  const first = await codeOf("Anna");
  expect(JSON.parse((await imported("--json")).out)).toMatchObject({ codes: 2 });
  expect(await claim(first)).toEqual([400, 401]);
  expect(await claim(await codeOf("Anna"))).toEqual([200, 200]);
  expect((await imported()).out).toContain("1 code in ");
  expect([await codeOf("Anna"), await codeOf("Berta")]).toEqual([undefined, expect.any(String)]);
});

test("a dry run makes no codes", async () => {
  const { code, out } = await imported("--dry-run");
  expect(code).toBe(0);
  expect(out).toContain("2 accounts have neither a mail address nor a password");
  expect(await Bun.file(codes).exists()).toBe(false);
});

test("another file stays, and nothing is imported", async () => {
  await writeFile(codes, "a letter");
  const { code, error } = await imported();
  expect({ code, error }).toEqual({
    code: 1,
    error: `cloakroom: ${codes} exists and is no file of codes; name another one\n`,
  });
  expect(await readFile(codes, "utf8")).toBe("a letter");
  expect(await Bun.file(join(dataDir, "cloakroom.db")).exists()).toBe(false);
});
