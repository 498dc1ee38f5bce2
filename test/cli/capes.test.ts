/** `cape list`, `grant`, `revoke` and `delete` (docs/contract/commands.md). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { run, temporaryFolder } from "./run-program.ts";
import { writeTexture } from "./textures.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
let cape: { id: number; uuid: string; hash: string };
beforeAll(async () => {
  folder = await temporaryFolder();
  await writeTexture(folder.path, "cape.png", { width: 64, height: 32 });
  dataDir = join(folder.path, "people");
  for (const name of ["Anna", "Bert", "Cleo"])
    await done("user", "create", "--mail", `${name}@example.org`, "--username", name);
  cape = await addCape("Founders");
});
afterAll(() => folder[Symbol.asyncDispose]());

beforeEach(async () => {
  dataDir = join(folder.path, crypto.randomUUID());
  await cp(join(folder.path, "people"), dataDir, { recursive: true });
});

const cli = (...args: string[]) => run([...args, "--data-dir", dataDir]);
async function done(...args: string[]): Promise<string> {
  const { code, out, error } = await cli(...args);
  expect({ args, code, error }).toEqual({ args, code: 0, error: "" });
  return out;
}
const jsonOf = async (...args: string[]) => JSON.parse(await done(...args, "--json"));
const addCape = (name: string, ...more: string[]) =>
  jsonOf("cape", "add", "--file", join(folder.path, "cape.png"), "--name", name, ...more);
const grantsOf = async (at = 0) => (await jsonOf("cape", "list"))[at].grants;

type Entry = { iss: string; action: string; for: number; detail: string };
async function audited() {
  const lines = (await done("audit", "export")).trimEnd().split("\n");
  const entries = lines.map((line): Entry => JSON.parse(line));
  return entries
    .filter(({ action }) => action.startsWith("cape.") && action !== "cape.upload")
    .map(({ iss, action, for: about, detail }) => ({ iss, action, about, ...JSON.parse(detail) }));
}
const end = 4_102_444_800;

describe("cape list", () => {
  test("has a line for every cape, by id, with how many may wear it", async () => {
    const { uuid } = await addCape("Diver", "--owner", "Anna", "--owner", "Bert");
    const lines = (await done("cape", "list")).trimEnd().split("\n");
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ["id", "uuid", "name", "size", "owners", "by"],
      ["1", cape.uuid, "Founders", "64x32", "0", "cli"],
      ["2", uuid, "Diver", "64x32", "2", "cli"],
    ]);
  });

  test("as JSON has the contract's fields, and each grant with its end", async () => {
    await done("cape", "grant", "1", "--owner", "Bert", "--until", "2100-01-01T00:00:00Z");
    await done("cape", "grant", "1", "--owner", "Anna");
    expect(await jsonOf("cape", "list")).toEqual([
      {
        id: 1,
        uuid: cape.uuid,
        name: "Founders",
        iss: "cli",
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        hash: cape.hash,
        width: 64,
        height: 32,
        created: expect.any(Number),
        owners: [2, 1],
        owners_count: 2,
        grants: [
          { user: 2, expires_at: end },
          { user: 1, expires_at: null },
        ],
      },
    ]);
  });
});

describe("cape grant", () => {
  test("lets each owner wear it, beside what they have, and writes audit for each", async () => {
    await addCape("Diver", "--owner", "Anna", "--until", String(end));
    expect(
      await done(
        "cape",
        "grant",
        cape.uuid.toUpperCase(),
        "--owner",
        "Anna",
        "--owner",
        "2",
        "--owner",
        "anna",
      ),
    ).toBe("cape 1 (Founders): 2 users may wear it\n");
    expect(await grantsOf()).toEqual([
      { user: 1, expires_at: null },
      { user: 2, expires_at: null },
    ]);
    expect((await jsonOf("user", "show", "Anna")).capes).toMatchObject([{ id: 1 }, { id: 2 }]);
    const [one, two] = [
      { Id: 1, Expires_at: null },
      { Id: 2, Expires_at: end },
    ];
    const common = { iss: "cli", action: "cape.grant" };
    expect(await audited()).toEqual([
      { ...common, about: 1, old: { cape: [two] }, new: { cape: [one, two] } },
      { ...common, about: 2, old: { cape: [] }, new: { cape: [one] } },
    ]);
  });

  test.each([
    ["ISO 8601", "2100-01-01T00:00:00Z"],
    ["seconds", String(end)],
    ["milliseconds", `${end}000`],
  ])("ends when --until says, in %s, and when a later grant says", async (_, until) => {
    expect(await done("cape", "grant", "1", "--owner", "Anna", "--until", until)).toBe(
      "cape 1 (Founders): 1 user may wear it until 2100-01-01T00:00:00.000Z\n",
    );
    expect(await grantsOf()).toEqual([{ user: 1, expires_at: end }]);
    await done("cape", "grant", "1", "--owner", "Anna");
    expect(await grantsOf()).toEqual([{ user: 1, expires_at: null }]);
    await done("cape", "grant", "1", "--owner", "Anna");
    expect(await audited()).toHaveLength(2);
  });

  test("as JSON shows the cape as it is listed afterwards, and so does a revocation", async () => {
    await done("cape", "grant", "1", "--owner", "Anna");
    const granted = await jsonOf("cape", "grant", "1", "--owner", "Bert", "--until", String(end));
    expect(granted).toMatchObject({
      id: 1,
      owners: [1, 2],
      grants: [{ user: 1 }, { user: 2, expires_at: end }],
    });
    expect([granted]).toEqual(await jsonOf("cape", "list"));
    const revoked = await jsonOf("cape", "revoke", "1", "--owner", "Anna");
    expect(revoked).toMatchObject({ id: 1, owners: [2] });
    expect([revoked]).toEqual(await jsonOf("cape", "list"));
  });
});

test("cape revoke takes it from each owner and off their skins, and leaves what else they have", async () => {
  await addCape("Diver", "--owner", "Anna", "--until", String(end));
  await done("cape", "grant", "1", "--owner", "Anna", "--owner", "Bert");
  expect(await done("cape", "revoke", "1", "--owner", "Anna", "--owner", "Cleo")).toBe(
    "cape 1 (Founders): 2 users may not wear it\n",
  );
  expect(await grantsOf(0)).toEqual([{ user: 2, expires_at: null }]);
  expect(await grantsOf(1)).toEqual([{ user: 1, expires_at: end }]);
  // Cleo never had it: no entry.
  expect((await audited()).at(-1)).toEqual({
    iss: "cli",
    action: "cape.grant",
    about: 1,
    old: {
      cape: [
        { Id: 1, Expires_at: null },
        { Id: 2, Expires_at: end },
      ],
    },
    new: { cape: [{ Id: 2, Expires_at: end }] },
  });
});

test("cape delete removes it, by id or uuid", async () => {
  const other = await addCape("Diver", "--owner", "Anna");
  expect(await done("cape", "delete", "2")).toBe("deleted cape 2 (Diver)\n");
  expect(await jsonOf("cape", "list")).toMatchObject([{ uuid: cape.uuid }]);
  await done("cape", "delete", cape.uuid);
  expect(await jsonOf("cape", "list")).toEqual([]);
  expect((await audited()).map(({ action, old }) => [action, old.capeid, old.owners_count])).toEqual([
    ["cape.delete", other.uuid, 1],
    ["cape.delete", cape.uuid, 0],
  ]);
  expect(JSON.parse((await cli("fsck", "--json")).out)).toMatchObject({ checked: 0, faults: [] });
});

test.each<[string, string, number, string]>([
  ["an unknown cape", "grant 7 --owner Anna", 1, "there is no cape 7"],
  ["an unknown cape to revoke", "revoke 7 --owner Anna", 1, "there is no cape 7"],
  ["an unknown cape to delete", "delete 7", 1, "there is no cape 7"],
  ["an unknown uuid", "delete 8f2e4c1a-5b7d-4e3f-9a60-1c2d3e4f5a6b", 1, "there is no cape 8f2e4c1a"],
  [
    "an unknown owner beside a known one",
    "grant 1 --owner Anna --owner Nobody",
    1,
    "No user is known as Nobody",
  ],
  ["no owner", "grant 1", 2, "--owner must be given"],
  ["no owner to revoke", "revoke 1", 2, "--owner must be given"],
  ["no cape", "grant --owner Anna", 2, "<cape> must be given"],
  ["a name for a cape", "grant Founders --owner Anna", 2, "must be a cape's UUID or id"],
  ["zero for a cape", "delete 0", 2, "must be a cape's UUID or id"],
  ["the past", "grant 1 --owner Anna --until 1000000000", 1, "--until must lie in the future"],
  [
    "a time without a zone",
    "grant 1 --owner Anna --until 2100-01-01T00:00:00",
    2,
    "must be ISO 8601 with a zone",
  ],
  ["an end for a revocation", "revoke 1 --owner Anna --until 4102444800", 2, "unknown option --until"],
])("%s is refused, and nothing changes: cape %s", async (_, line, status, message) => {
  const { code, out, error } = await cli("cape", ...line.split(" "));
  expect({ code, out }).toEqual({ code: status, out: "" });
  expect(error).toContain(message);
  expect(await audited()).toEqual([]);
  expect(await grantsOf()).toEqual([]);
});

test("an option that may be given several times and must be given is shown as such", async () => {
  expect((await run(["cape", "grant", "--help"])).out).toContain("<cape> --owner IDENTIFIER...");
});
