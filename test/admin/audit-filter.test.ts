/** Filters of the audit (docs/contract/admin.md#audit). */
import { afterAll, describe, expect, test } from "bun:test";
import type { AccountId } from "../../src/kernel/ids.ts";
import { named } from "../support/actors.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { openOtherEngine } from "../support/other-engine.ts";
import { play } from "../support/scenario.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const chief = await addMember(harness, "Boss", { level: 3 });
const moderator = await addMember(harness, "Moderata", { level: 2 });

/** Number, issuer, action, account and time. The clock was set back before the last one. */
const entries = [
  [11, "Olga", "role.set", 7, 1000],
  [12, "Mark", "role.set", 7, 1000],
  [13, "Olga", "cape.grant", 8, 2000],
  [14, "service:web-shop", "cape.grant", 7, 3000],
  [15, "Olga", "cape.upload", null, 4000],
  [16, "Olga", "role.set", 8, 5000],
  [17, "Mark", "user.update", 7, 1500],
] as const;

{
  await using database = await openOtherEngine(harness);
  await database.atomically(async ({ audit }) => {
    for (let filler = await audit.countWritten(); filler < 10; filler++)
      await audit.append({
        actor: named("Filler"),
        action: "fill.er",
        forAccountId: null,
        at: 1,
        detail: {},
      });
    for (const [, name, action, account, at] of entries) {
      const forAccountId = account as AccountId | null;
      await audit.append({ actor: named(name), action, forAccountId, at, detail: {} });
    }
  });
}

async function ask(query: string) {
  const headers = { authorization: moderator.authorization };
  const response = await harness.fetch(`/api/admin/audit?${query}`, { headers });
  expect(response.status).toBe(200);
  const { data } = await readJson<Envelope<readonly { id: number }[]>>(response);
  const count = Number(response.headers.get("x-total-count"));
  return { ids: data.map(({ id }) => id), count, link: response.headers.get("link") };
}

const iso = (seconds: number) => encodeURIComponent(new Date(seconds * 1000).toISOString());

describe("a filter finds", () => {
  test.each<[string, string, readonly number[]]>([
    ["what concerns a user, by time", "for=7", [14, 17, 12, 11]],
    ["what a person did", "iss=Olga", [16, 15, 13, 11]],
    ["what a service did", "iss=service%3Aweb-shop", [14]],
    ["nothing of a part of a name", "iss=Olg", []],
    ["nothing of a name in another case", "iss=olga", []],
    ["an action", "action=role.set", [16, 12, 11]],
    ["what was since a time", "since=4000&until=9999", [16, 15]],
    ["what was until a time", "since=1000&until=1500", [17, 12, 11]],
    ["one second", "since=2000&until=2000", [13]],
    ["times in ISO 8601", `since=${iso(1500)}&until=${iso(3000)}`, [14, 13, 17]],
    ["times in milliseconds", `since=${1e11 * 1000}`, []],
    ["nothing between times that are the wrong way round", "since=3000&until=1000", []],
    ["what a person did to a user", "for=7&iss=Mark", [17, 12]],
    ["what a person did in one way", "iss=Olga&action=role.set", [16, 11]],
    ["all of it", "for=8&iss=Olga&action=cape.grant&since=2000&until=2000", [13]],
    ["nothing where one does not hold", "for=8&iss=Olga&action=cape.grant&since=2001", []],
    ["a search within it", "iss=Olga&q=CAPE", [15, 13]],
    ["a search for an actor within it", "action=cape.grant&q=shop", [14]],
    ["a search for a user within it", "action=role.set&q=8", [16]],
    ["nothing of an expression", "action=role.set&q=olga%20OR%20mark", []],
    ["nothing of a pattern", "action=role.set&q=o_ga", []],
    ["nothing of a user that there is not", "for=4711", []],
  ])("%s", async (_, query, ids) => {
    expect(await ask(query)).toEqual({ ids: [...ids], count: ids.length, link: null });
  });

  test("frequent texts as it finds rare ones", async () => {
    await using own = await openHarness();
    const boss = await addMember(own, "Boss", { level: 3 });
    {
      await using database = await openOtherEngine(own);
      await database.atomically(async ({ audit }) => {
        for (let n = 0; n < 1100; n++) {
          const forAccountId = (n % 100 === 0 ? 7 : 8) as AccountId;
          await audit.append({ actor: named("Olga_1"), action: "role.set", forAccountId, at: n, detail: {} });
        }
      });
    }
    const search = async (query: string) => {
      const headers = { authorization: boss.authorization };
      const response = await own.fetch(`/api/admin/audit?${query}`, { headers });
      return (await readJson<Envelope<readonly { time: number }[]>>(response)).data.map(({ time }) => time);
    };
    expect(await search("for=7&q=ROLE&since=500")).toEqual([1000, 900, 800, 700, 600, 500]);
    expect(await search("for=7&q=a_1&until=100")).toEqual([100, 0]);
    expect(await search("for=7&q=a%251&until=100")).toEqual([]);
  });
});

test("comes in pages, each with the address of the next, which keeps the filter", async () => {
  const pages: (readonly number[])[] = [];
  let query = "limit=1&until=3000&since=1000&for=7&q=mark";
  for (;;) {
    const { ids, count, link } = await ask(query);
    expect(count).toBe(2);
    pages.push(ids);
    if (link === null) break;
    const [, next = ""] = /^<\/api\/admin\/audit\?(.*)>; rel="next"$/.exec(link) ?? [];
    expect(Object.fromEntries(new URLSearchParams(next))).toEqual({
      limit: "1",
      after: String(ids.at(-1)),
      q: "mark",
      for: "7",
      since: "1000",
      until: "3000",
    });
    query = next;
  }
  expect(pages).toEqual([[17], [12]]);
});

test("pages of one second neither repeat nor leave out an entry", async () => {
  const first = await ask("limit=1&since=1000&until=1000");
  const second = await ask(`limit=1&since=1000&until=1000&after=${first.ids[0]}`);
  expect([first.ids, second.ids]).toEqual([[12], [11]]);
});

test.each<[string, string]>([
  ["for=anna", "for: must be a user's id"],
  ["for=0", "for: must be a user's id"],
  ["for=", "for: must be a user's id"],
  ["since=yesterday", "since: must be ISO 8601 text with a zone, or a whole number of Unix seconds"],
  [
    "until=2026-01-01T00:00:00",
    "until: must be ISO 8601 text with a zone, or a whole number of Unix seconds",
  ],
  ["until=-1", "until: must be ISO 8601 text with a zone, or a whole number of Unix seconds"],
])("refuses %s", async (query, msg) => {
  const request = `GET /api/admin/audit?${query}`;
  await play(harness, { name: query, actor: chief, request, status: 400, msg });
});
