/** The list of users by name and by last use (docs/contract/admin.md#users). */
import { afterAll, describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { newUuid } from "../../src/kernel/ids.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { play } from "../support/scenario.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const names = ["Mona", "berta", "Zoe", "anton"];
for (const name of names) {
  await addMember(harness, name, { level: name === "Mona" ? 2 : 1 });
  harness.clock.advance(3600);
}
const moderator = await addMember(harness, "Late", { level: 2 });
await addMember(harness, "unready", { finished: false });

type User = { readonly username: string; readonly last_seen: number | null };

async function read(path: string) {
  const response = await harness.fetch(path, { headers: { authorization: moderator.authorization } });
  expect(response.status).toBe(200);
  const { data } = await readJson<Envelope<readonly User[]>>(response);
  const [, next = null] = /^<(.*)>; rel="next"$/.exec(response.headers.get("link") ?? "") ?? [];
  return { data, next, count: response.headers.get("x-total-count") };
}

async function readAll(query: string) {
  const found: string[] = [];
  for (let next: string | null = `/api/admin/users?${query}`; next !== null;) {
    const page = await read(next);
    found.push(...page.data.map(({ username }) => username));
    next = page.next;
  }
  return found;
}

describe.each([1, 2, 1000])("in pages of %i", (limit) => {
  test("they come by name, those without one at the end", async () => {
    const sorted = ["anton", "berta", "Late", "Mona", "Zoe", ""];
    expect(await readAll(`order=name&limit=${limit}`)).toEqual(sorted);
  });

  test("they come by last use, the latest first", async () => {
    const sorted = ["", "Late", "anton", "Zoe", "berta", "Mona"];
    expect(await readAll(`order=seen&limit=${limit}`)).toEqual(sorted);
  });

  test("what a search finds does so, too", async () => {
    expect(await readAll(`order=name&q=example&limit=${limit}`)).toHaveLength(6);
    expect(await readAll(`order=name&q=ert&limit=${limit}`)).toEqual(["berta"]);
  });
});

test("each page says how many there are, and where the next one begins", async () => {
  const { next, count } = await read("/api/admin/users?order=name&limit=2");
  expect([next, count]).toEqual(["/api/admin/users?limit=2&after=2%2Cberta&order=name", "6"]);
});

test.each([
  ["order=age", "order: must be oldest, newest, name or seen"],
  ["order=", "order: must be oldest, newest, name or seen"],
  ["order=name&after=anna", "after: must be the value that Link has for the next page, or 0"],
  ["order=seen&after=1,yesterday", "after: must be the value that Link has for the next page, or 0"],
  ["order=name&after=1,", "after: must be the value that Link has for the next page, or 0"],
  ["order=name&after=5,%00", "after: must be the value that Link has for the next page, or 0"],
  ["order=name&after=5,anna%0A", "after: must be the value that Link has for the next page, or 0"],
])("refuses %s", async (query, msg) => {
  await play(harness, {
    name: query,
    actor: moderator,
    request: `GET /api/admin/users?${query}`,
    status: 400,
    msg,
  });
});

test("what finds too many to be sorted is refused, and says what helps", async () => {
  await using many = await openHarness();
  const chief = await addMember(many, "Chief", { level: 3 });
  const fixed = { registration: "unconfirmed", mailVerified: false, passwordHash: null } as const;
  await many.services.transact(commandLine, async ({ accounts, now }) => {
    for (let made = 0; made < 1001; made++) {
      const more = { uuid: newUuid(), mail: `crowd${made}@example.org`, createdAt: now };
      await accounts.insertAccount({ ...fixed, ...more, permanentLevel: 1, language: "en" });
    }
  });
  const request = "GET /api/admin/users?order=name&q=crowd";
  const msg =
    "q: finds more than 1000 users, which is too many to sort them; give more letters, or leave order out";
  await play(many, { name: "all", actor: chief, request, status: 400, msg });
  await play(many, { name: "fewer", actor: chief, request: `${request}99`, status: 200 });
});
