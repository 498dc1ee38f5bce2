/** The list of capes (docs/contract/admin.md#capes, docs/contract/answers.md#lists). */
import { afterAll, describe, expect, test } from "bun:test";
import { readJson, type Envelope } from "../support/answers.ts";
import { addAccounts, uploadCape } from "../support/capes.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, grantCape } from "../support/members.ts";
import { play, type Scenario } from "../support/scenario.ts";
import { capePng } from "../support/textures.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());

const boss = await addMember(harness, "Boss", { level: 3 });
const reader = await addMember(harness, "Reader", { level: 2 });
const player = await addMember(harness, "Player");
const unready = await addMember(harness, "unready", { finished: false });

const one = await grantCape(harness, [], capePng(1));
const two = await uploadCape(harness, boss, {
  cape: capePng(2, { width: 128, height: 64 }),
  name: "Diver",
  owners: "[2,1]",
});
const end = harness.clock.nowSeconds() + 3600;
const three = await uploadCape(harness, boss, {
  cape: capePng(3),
  name: "Sky diver",
  owners: "1",
  expired_at: String(end),
});
const many = await addAccounts(harness, 1001);
const four = await uploadCape(harness, boss, {
  cape: capePng(4),
  name: "Everybody",
  owners: JSON.stringify(many),
});

/** The other owners' registrations are unfinished. */
const names: Readonly<Record<number, string>> = { 1: "Boss", 2: "Reader" };

const record = (
  id: number,
  uuid: string,
  more: { readonly owners: readonly number[]; readonly [field: string]: unknown },
) => ({
  id,
  iss: "Boss",
  action: "cape",
  for: 0,
  time: harness.clock.nowSeconds(),
  uuid,
  sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  width: 64,
  height: 32,
  grants: more.owners.map((user) => ({ user, name: names[user] ?? "", expires_at: null })),
  ...more,
});
const records = [
  record(1, one.uuid, { iss: "cli", name: "Founders", owners: [], owners_count: 0 }),
  record(2, two.capeid, { name: "Diver", width: 128, height: 64, owners: [2, 1], owners_count: 2 }),
  record(3, three.capeid, {
    name: "Sky diver",
    owners: [1],
    owners_count: 1,
    grants: [{ user: 1, name: "Boss", expires_at: end }],
  }),
  record(4, four.capeid, { name: "Everybody", owners: many.slice(0, 1000), owners_count: 1001 }),
];
const listing = (query = ""): Scenario => ({
  name: "",
  actor: reader,
  request: `GET /api/admin/allcapes${query}`,
  status: 200,
});

const next = (after: number) => `</api/admin/allcapes?limit=2&after=${after}>; rel="next"`;

describe("GET /api/admin/allcapes", () => {
  test("lists all capes by id, with their owners and until when: a thousand at most, and how many there are", async () => {
    await play(harness, { ...listing(), data: records, answerHeaders: { "x-total-count": "4", link: null } });
  });

  test("shows size and hash of the file", async () => {
    const response = await harness.fetch("/api/admin/allcapes?limit=1", {
      headers: { authorization: reader.authorization },
    });
    const { data } = await readJson<Envelope<{ sha256: string }[]>>(response);
    expect(data.map(({ sha256 }) => sha256)).toEqual([one.texture.digest]);
  });

  test.each<[string, readonly unknown[], number, string | null]>([
    ["limit=2", records.slice(0, 2), 4, next(2)],
    ["limit=2&after=1", records.slice(1, 3), 4, next(3)],
    ["limit=2&after=2", records.slice(2), 4, null],
    ["after=4", [], 4, null],
    ["q=DIVER", records.slice(1, 3), 2, null],
    ["q=diver&after=2", records.slice(2, 3), 2, null],
    ["q=2", records.slice(1, 2), 1, null],
    [`q=${three.capeid}`, records.slice(2, 3), 1, null],
    [`q=${three.capeid.replaceAll("-", "").toUpperCase()}`, records.slice(2, 3), 1, null],
    ["q=", records, 4, null],
    ["q=nothing", [], 0, null],
    ["q=%22%20OR%20name:*", [], 0, null],
  ])("comes in pages, of what is searched for: %s", async (query, data, total, link) => {
    const answerHeaders = { "x-total-count": String(total), link };
    await play(harness, { ...listing(`?${query}`), data, answerHeaders });
  });

  test.each([
    "limit=0",
    "limit=1001",
    "limit=x",
    "limit=1e2",
    "after=-1",
    "after=x",
    `q=${"x".repeat(255)}`,
    "q=di",
  ])("refuses %s", async (query) => {
    await play(harness, { ...listing(`?${query}`), status: 400, msg: /^(?:limit|after|q): / });
  });

  test.each([player, unready])("refuses players: $mail", async (actor) => {
    await play(harness, { ...listing(), actor, status: 403 });
  });
});
