/** Lists that begin with their newest row (docs/contract/answers.md#lists). */
import { afterAll, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { banTexture } from "../../src/domain/textures/ban-texture.ts";
import { parseTextureHash } from "../../src/kernel/ids.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, addSkin, grantCape } from "../support/members.ts";
import { play } from "../support/scenario.ts";
import { capePng, skinPng } from "../support/textures.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const chief = await addMember(harness, "Chief", { level: 3 });
for (const number of [1, 2, 3, 4]) {
  const member = await addMember(harness, `Diver_${number}`);
  await addSkin(harness, member, { file: skinPng(number), name: `Diver ${number}` });
  await grantCape(harness, [member], capePng(number));
  const hash = parseTextureHash(String(number).repeat(64))!;
  await banTexture(harness.services, commandLine, { hash, reason: "" });
}

async function read(path: string) {
  const response = await harness.fetch(path, { headers: { authorization: chief.authorization } });
  expect(response.status).toBe(200);
  const { data } = await readJson<Envelope<readonly { id: number }[]>>(response);
  const [, next = null] = /^<(.*)>; rel="next"$/.exec(response.headers.get("link") ?? "") ?? [];
  return { ids: data.map(({ id }) => id), next, count: Number(response.headers.get("x-total-count")) };
}

const lists = ["users", "skins", "allcapes", "bans"] as const;

test.each(lists)("%s come with the newest first, in pages", async (list) => {
  const path = `/api/admin/${list}`;
  const { ids } = await read(path);
  expect(ids.length).toBeGreaterThanOrEqual(4);
  expect(await read(`${path}?order=oldest`)).toEqual({ ids, next: null, count: ids.length });
  const found = [];
  let next: string | null = `${path}?order=newest&limit=3`;
  while (next !== null) {
    const page = await read(next);
    expect(page.count).toBe(ids.length);
    found.push(...page.ids);
    next = page.next;
  }
  expect(found).toEqual(ids.toReversed());
});

test.each([
  ["users", "diver"],
  ["skins", "diver"],
  ["allcapes", "founders"],
] as const)("of %s what a search finds does, too", async (list, text) => {
  const path = `/api/admin/${list}?q=${text}`;
  const { ids } = await read(path);
  expect(ids).toHaveLength(4);
  const first = await read(`${path}&order=newest&limit=3`);
  expect(first).toMatchObject({ ids: ids.toReversed().slice(0, 3), count: 4 });
  expect((await read(first.next ?? "")).ids).toEqual(ids.slice(0, 1));
});

test("a row that a search names is in its place", async () => {
  const { ids } = await read("/api/admin/users?q=diver_2&order=newest");
  expect(ids).toHaveLength(1);
  const [id = 0] = ids;
  const after = async (place: number, order: string) =>
    (await read(`/api/admin/users?q=Diver_2&order=${order}&after=${place}`)).ids;
  expect(await after(id + 1, "newest")).toEqual([id]);
  expect(await after(id, "newest")).toEqual([]);
  expect(await after(id - 1, "oldest")).toEqual([id]);
  expect(await after(id, "oldest")).toEqual([]);
});

test.each(["?order=random", "?order=", "?order=NEWEST"])("refuses %s", async (query) => {
  const msg = "order: must be oldest or newest";
  await play(harness, {
    name: query,
    actor: chief,
    request: `GET /api/admin/skins${query}`,
    status: 400,
    msg,
  });
});
