import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readNamesFile } from "../../src/adapters/sources/names-file.ts";
import { openSource, readAll } from "./read-source.ts";

let folder = "";
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "names-"))));
afterAll(async () => await rm(folder, { recursive: true }));

const ada = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";
const bob = "f0e1d2c3-b4a5-3968-9778-695a4b3c2d1e";
const undashed = (uuid: string) => uuid.replaceAll("-", "");

async function file(content: string | Uint8Array): Promise<string> {
  const path = join(folder, `${crypto.randomUUID()}.txt`);
  await Bun.write(path, content);
  return path;
}

async function pairs(content: string | Uint8Array) {
  const { names, problems } = await readNamesFile(await file(content));
  return {
    names: names.map(({ name, uuid }) => `${name} ${uuid}`),
    problems: problems.map(({ at, reason }) => `${at} ${reason}`),
  };
}

const both = [`Ada ${ada}`, `Bob ${bob}`];
const cache = [
  { name: "Ada", uuid: ada, expiresOn: "2026-12-24 10:00:00 +0100" },
  { name: "Bob", uuid: undashed(bob).toUpperCase() },
];

test.each([
  ["usercache.json", JSON.stringify(cache)],
  ["a list with a byte order mark and blanks", `\uFEFF \n${JSON.stringify(cache, null, 2)}\n`],
  ["lines", `${ada},Ada\n${bob},Bob\n`],
  ["lines in the other order, without hyphens", `Ada,${undashed(ada)}\nBob,${undashed(bob)}`],
  ["lines with a heading, CRLF and quotes", `uuid,name\r\n"${ada}","Ada"\r\n\r\n"${bob}","Bob"\r\n`],
  ["lines with semicolons and more fields", `Ada;${ada};2026-01-01\nBob;${bob};2026-01-02`],
  ["lines with tabs and a byte order mark", `\uFEFFname\tuuid\nAda\t${ada}\nBob\t${bob}`],
])("reads %s", async (_, content) => {
  expect(await pairs(content)).toEqual({ names: both, problems: [] });
});

describe("leaves out", () => {
  test.each([
    ["a line without a uuid", `Ada,${ada}\nBob,\n`, "line:2 it has no uuid"],
    ["a line without a name", `Ada,${ada}\n,${bob}\n`, "line:2 it has no name"],
    ["a line of one field", `Ada,${ada}\nBob\n`, "line:2 it has no uuid"],
    ["a name of hundreds of characters", `Ada,${ada}\n${"B".repeat(65)},${bob}`, "line:2 its name has more"],
    [
      "a line of thousands of bytes",
      `Ada,${ada}\n${"B".repeat(4000)},${bob}`,
      "line:2 it has more than 1000",
    ],
    ["a uuid that came before", `Ada,${ada}\nEva,${undashed(ada)}`, "line:2 line:1 has the same uuid"],
    [
      "an entry without a uuid",
      JSON.stringify([cache[0], { name: "Bob" }]),
      "entry:2 it has no name and uuid",
    ],
    ["an entry that is no object", JSON.stringify([cache[0], 7]), "entry:2 it has no name and uuid"],
    [
      "an entry whose uuid is a number",
      JSON.stringify([cache[0], { name: "B", uuid: 7 }]),
      "entry:2 it has no",
    ],
  ])("%s", async (_, content, problem) => {
    expect(await pairs(content)).toEqual({
      names: [`Ada ${ada}`],
      problems: [expect.stringContaining(problem)],
    });
  });

  test("a line that is not UTF-8", async () => {
    const bytes = Buffer.concat([
      Buffer.from(`Ada,${ada}\n`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(`,${bob}\n`),
    ]);
    expect(await pairs(bytes)).toEqual({ names: [`Ada ${ada}`], problems: ["line:2 it is not UTF-8"] });
  });
});

test.each([
  ["JSON that is cut", `[{"name":"Ada","uuid":"${ada}"}`, "it is no JSON in UTF-8"],
  ["JSON that is no list", `{"name":"Ada","uuid":"${ada}"}`, "it is no list of names and uuids"],
])("refuses %s", async (_, content, message) => {
  expect(readNamesFile(await file(content))).rejects.toThrow(message);
});

test("refuses a folder, and a file that is not there", async () => {
  expect(readNamesFile(folder)).rejects.toThrow("it is a folder");
  expect(readNamesFile(join(folder, "missing"))).rejects.toThrow();
});

test("gives an account and a player for each name, by uuid", async () => {
  const all = await readAll(await openSource("names", { file: await file(`Bob,${bob}\nAda,${ada}\nEva,`) }));
  expect(all.players.map(({ key, account, name, uuid }) => ({ key, account, name, uuid }))).toEqual([
    { key: `names:${ada}`, account: `names:${ada}`, name: "Ada", uuid: ada },
    { key: `names:${bob}`, account: `names:${bob}`, name: "Bob", uuid: bob },
  ]);
  expect(all.accounts.map(({ key, mail, password }) => ({ key, mail, password }))).toEqual([
    { key: `names:${ada}`, mail: null, password: null },
    { key: `names:${bob}`, mail: null, password: null },
  ]);
  expect(all.problems).toEqual([{ key: "line:3", kind: "account", reason: "it has no uuid" }]);
  expect(all.facts).toMatchObject({ accounts: 2, isAboutOthers: true });
});

test("needs its file", async () => {
  expect(openSource("names", {})).rejects.toThrow("names needs its list: --file");
});
