/** How far lists are counted (docs/contract/answers.md#lists). */
import { afterAll, expect, test } from "bun:test";
import { readJson, type Envelope } from "../support/answers.ts";
import { named } from "../support/actors.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, addSkin, grantCape } from "../support/members.ts";
import { openOtherEngine } from "../support/other-engine.ts";
import { play } from "../support/scenario.ts";
import { capePng, skinPng } from "../support/textures.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const chief = await addMember(harness, "Chief", { level: 3 });
for (const number of [1, 2, 3, 4, 5]) {
  const member = await addMember(harness, `Diver_${number}`);
  await addSkin(harness, member, { file: skinPng(number), name: `Diver ${number}` });
  await grantCape(harness, [member], capePng(number));
}
{
  await using database = await openOtherEngine(harness);
  await database.atomically(async ({ audit }) => {
    for (let at = 0; at < 1100; at++)
      await audit.append({ actor: named("Olga"), action: "role.set", forAccountId: null, at, detail: {} });
  });
}

async function read(path: string) {
  const response = await harness.fetch(path, { headers: { authorization: chief.authorization } });
  expect(response.status).toBe(200);
  const { data } = await readJson<Envelope<readonly unknown[]>>(response);
  const [, next = null] = /^<(.*)>; rel="next"$/.exec(response.headers.get("link") ?? "") ?? [];
  return { rows: data.length, count: Number(response.headers.get("x-total-count")), next };
}

const searches = ["users?q=diver", "skins?q=diver", "allcapes?q=founders"] as const;

test.each(searches)("%s is counted as far as the client asks", async (list) => {
  const path = `/api/admin/${list}&limit=2`;
  expect(await read(path)).toMatchObject({ rows: 2, count: 5 });
  expect(await read(`${path}&count=3`)).toMatchObject({ rows: 2, count: 3 });
  expect(await read(`${path}&count=100000`)).toMatchObject({ rows: 2, count: 5 });
  expect(await read(`/api/admin/${list}&count=3`)).toMatchObject({ rows: 5, count: 3, next: null });
});

test.each(["iss=Olga", "q=role", "iss=Olga&q=role", "since=0&until=1099"])(
  "the audit with %s is counted to the end, or as far as the client asks",
  async (query) => {
    const path = `/api/admin/audit?${query}&limit=2`;
    expect(await read(path)).toMatchObject({ rows: 2, count: 1100 });
    expect(await read(`${path}&count=1000`)).toMatchObject({ rows: 2, count: 1000 });
  },
);

test.each(["users?q=diver", "audit?iss=Olga"])("every page of %s is counted alike", async (list) => {
  const first = await read(`/api/admin/${list}&limit=2&count=4`);
  const second = await read(first.next ?? "");
  expect(second).toMatchObject({ rows: 2, count: 4 });
  expect(new URL(second.next ?? "", "http://localhost").searchParams.get("count")).toBe("4");
});

test.each(["users", "skins", "allcapes", "audit"])(
  "the rows of %s without a search are known in any case",
  async (list) => {
    const { count } = await read(`/api/admin/${list}?limit=2`);
    expect(count).toBeGreaterThanOrEqual(5);
    expect(await read(`/api/admin/${list}?limit=2&count=1`)).toMatchObject({ count });
    expect(await read(`/api/admin/${list}?count=1`)).toMatchObject({ count });
  },
);

test.each(["0", "-1", "1e2", " 5", "100001", "many", ""])("refuses ?count=%s", async (count) => {
  await play(harness, {
    name: count,
    actor: chief,
    request: `GET /api/admin/users?q=diver&count=${encodeURIComponent(count)}`,
    status: 400,
    msg: "count: must be a whole number from 1 to 100000",
  });
});
