/** Who has which name and which id. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readJson } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addGamer, ask, idOf, type Gamer } from "./world.ts";

let harness: Harness;
let anna: Gamer;
beforeAll(async () => {
  harness = await openHarness();
  anna = await addGamer(harness, "Anna");
});
afterAll(() => harness[Symbol.asyncDispose]());

const bulk = [
  "/api/profiles/minecraft",
  "/profiles/minecraft",
  "/minecraftservices/minecraft/profile/lookup/bulk/byname",
  "/api/minecraft/profile/lookup/bulk/byname",
  "/minecraft/profile/lookup/bulk/byname",
];
const single = [
  "/api/users/profiles/minecraft",
  "/users/profiles/minecraft",
  "/minecraftservices/minecraft/profile/lookup/name",
  "/api/minecraft/profile/lookup/name",
  "/minecraft/profile/lookup/name",
];

const profiles = () => [
  { id: idOf(anna.main), name: "Anna" },
  { id: idOf(anna.second), name: "AnnaTwo" },
];

test.each(bulk)("%s finds known names, each once, in their own spelling", async (path) => {
  const names = ["annatwo", "ANNA", "Nobody", "anna", "", "..", "x".repeat(10_000), "a\u0000b", "\ud800"];
  const answer = await ask(harness, `POST ${path}`, { json: names });
  expect(answer.status).toBe(200);
  const found = await readJson<{ readonly name: string }[]>(answer);
  expect(found.toSorted((one, two) => one.name.length - two.name.length)).toStrictEqual(profiles());
  expect(await readJson<unknown>(await ask(harness, `POST ${path}`, { json: [] }))).toEqual([]);
});

test.each<readonly [string, unknown, string]>([
  ["eleven names", Array.from({ length: 11 }, (_, at) => `Name${at}`), "CONSTRAINT_VIOLATION"],
  ["a number", ["Anna", 7], "IllegalArgumentException"],
  ["null among names", [null], "IllegalArgumentException"],
  ["an object", { names: ["Anna"] }, "IllegalArgumentException"],
  ["a text", "Anna", "IllegalArgumentException"],
  ["null", null, "IllegalArgumentException"],
])("a list that is %s is refused", async (_, json, error) => {
  for (const path of bulk) {
    const answer = await ask(harness, `POST ${path}`, { json });
    expect(answer.status).toBe(400);
    expect(await readJson<object>(answer)).toStrictEqual({
      error,
      errorMessage: expect.any(String) as string,
    });
  }
});

test("ten names are looked up, whatever the type of the body says", async () => {
  const names = ["Anna", ...Array.from({ length: 9 }, (_, at) => `Name${at}`)];
  const answer = await harness.fetch("/api/yggdrasil/api/profiles/minecraft", {
    method: "POST",
    headers: { "content-type": "text/plain" },
    body: JSON.stringify(names),
  });
  expect(await readJson<unknown>(answer)).toEqual(profiles().slice(0, 1));
});

test.each(single)("%s finds a name in any case", async (path) => {
  for (const name of ["Anna", "aNNa"]) {
    const answer = await ask(harness, `GET ${path}/${name}`);
    expect([answer.status, await readJson<unknown>(answer)]).toEqual([200, profiles()[0]]);
  }
  for (const name of ["Nobody", "x".repeat(300), "%00", encodeURIComponent("Ännä<>"), "v7..", "%ED%A0%80"]) {
    const answer = await ask(harness, `GET ${path}/${name}`);
    expect([name, answer.status]).toEqual([name, 404]);
    expect(Object.keys(await readJson<object>(answer))).toEqual(["error", "errorMessage"]);
  }
});

test.each(["/minecraftservices", "/api", ""])(
  "%s/minecraft/profile/lookup finds an id, with dashes and without, in any case",
  async (place) => {
    const path = `GET ${place}/minecraft/profile/lookup`;
    for (const id of [anna.second.uuid, idOf(anna.second), idOf(anna.second).toUpperCase()]) {
      const answer = await ask(harness, `${path}/${id}`);
      expect([answer.status, await readJson<unknown>(answer)]).toEqual([200, profiles()[1]]);
    }
    expect((await ask(harness, `${path}/0123456789ab4def8123456789abcdef`)).status).toBe(404);
    expect((await ask(harness, `${path}/0123456789ab7def8123456789abcdef`)).status).toBe(404);
    for (const id of ["Anna", "0123", "zz23456789ab4def8123456789abcdef", "%00"])
      expect([id, (await ask(harness, `${path}/${id}`)).status]).toEqual([id, 400]);
  },
);
