/** The file of `import --claims`. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { secretOf } from "../../src/boot/secrets.ts";
import { checkClaimsFile, writeClaims } from "../../src/operate/claims-file.ts";
import { type Harness, jwtSecret, openHarness } from "../support/harness.ts";
import { addMember, addNameless, makeClaimable, type Member } from "../support/members.ts";
import { send } from "../support/registration.ts";

let harness: Harness;
let folder = "";
let anna: Member;
let nameless: Member;
beforeEach(async () => {
  harness = await openHarness();
  folder = join(harness.folder, "claims");
  await mkdir(folder);
  anna = await addMember(harness, "Anna");
  nameless = await addNameless(harness, "=HYPERLINK");
  for (const one of [anna, nameless]) makeClaimable(harness, one);
});
afterEach(() => harness[Symbol.asyncDispose]());

const write = (file: string, source = "old") =>
  writeClaims(harness.services, { jwtSecret: secretOf(jwtSecret) }, { source, file });

describe("the file of codes", () => {
  test("has a line for each person, and is only its owner's", async () => {
    const file = join(folder, "codes.csv");
    await writeFile(file, "", { mode: 0o644 });
    await checkClaimsFile(file);
    expect(await write(file)).toBe(2);
    const lines = (await readFile(file, "utf8")).split("\r\n");
    const code = expect.stringMatching(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/);
    expect(lines.map((line) => line.split(","))).toEqual([
      ["name", "uuid", "code"],
      ["Anna", anna.uuid, code],
      ["'=HYPERLINK", nameless.uuid, code],
      [""],
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["codes.csv"]);
  });

  test("is replaced by another one, whose codes alone work", async () => {
    const file = join(folder, "again.csv");
    const codes = async () => (await readFile(file, "utf8")).split("\r\n")[1]?.split(",")[2];
    await write(file);
    const first = await codes();
    await checkClaimsFile(file);
    await write(file);
    const body = { mail: "anna@example.net", password: "x7-Kq!m2-racer" };
    expect((await send(harness, "POST /api/auth/claim", { ...body, code: first })).status).toBe(400);
    expect((await send(harness, "POST /api/auth/claim", { ...body, code: await codes() })).status).toBe(200);
    expect(await write(file)).toBe(1);
  });

  test("has its head alone where no account is to be claimed", async () => {
    const file = join(folder, "none.csv");
    expect(await write(file, "another source")).toBe(0);
    expect(await readFile(file, "utf8")).toBe("name,uuid,code\r\n");
  });
});

describe("what cannot be the file of codes", () => {
  test.each<[string, (path: string) => Promise<unknown>, RegExp]>([
    ["another file", (path) => writeFile(path, "name,uuid\r\n"), /is no file of codes; name another one$/],
    ["a folder", (path) => mkdir(path), /it is a folder$/],
    ["a device", (path) => symlink("/dev/null", path), /it is a device/],
  ])("%s is refused and stays", async (_, make, message) => {
    const path = join(folder, "other");
    await make(path);
    expect(await messageOf(checkClaimsFile(path))).toMatch(message);
    expect(await readdir(folder)).toContain("other");
    await rm(path, { recursive: true });
  });

  test("a path without a folder is refused", async () => {
    const path = join(folder, "missing", "codes.csv");
    expect(await messageOf(checkClaimsFile(path))).toBe(`${path} cannot be written: no such file or folder`);
  });
});

async function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "nothing was refused",
    (error: unknown) => (error as Error).message,
  );
}
