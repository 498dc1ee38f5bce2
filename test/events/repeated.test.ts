/**
 * What followers get of players that show something else again and again (docs/contract/service.md#events).
 */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { pruneEvents } from "../../src/domain/events/prune-events.ts";
import { readOn } from "../../src/domain/events/read-on.ts";
import { deliverEvents, keepWebhooks } from "../../src/domain/events/deliver-events.ts";
import type { LoggedEvent } from "../../src/domain/model/event.ts";
import type { Player } from "../../src/domain/model/account.ts";
import { httpWebhooks } from "../../src/adapters/webhook-http/http-webhook.ts";
import { newWebhookSecret } from "../../src/domain/events/webhook-signature.ts";
import { limits } from "../../src/kernel/limits.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, edit, playerOf, signIn, type Member } from "../support/members.ts";
import { skinPng } from "../support/textures.ts";
import { openReceiver } from "./receiver.ts";
import { eventToken, openStream, rename } from "./world.ts";

let harness: Harness;
let token: string;
let address: string;
beforeAll(async () => {
  harness = await openHarness({ eventPace: { lookMs: 10, gatherMs: 1 } });
  token = await eventToken(harness);
  address = `${harness.listen().address}/api/service/events`;
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => harness.clock.advance(60));

type Wearer = { readonly member: Member; readonly player: Player; readonly skins: readonly string[] };

let names = 0;
async function addWearer(): Promise<Wearer> {
  names += 1;
  const member = await addMember(harness, `Wearer${names}`);
  const skins: string[] = [];
  for (const seed of [1, 2, 3])
    skins.push(await addSkin(harness, member, { file: skinPng(10 * names + seed) }));
  harness.clock.advance(60);
  return { member, player: await playerOf(harness, member), skins };
}

async function wear({ member, skins }: Wearer, skin: number): Promise<void> {
  const answer = await edit(harness, member, "POST /api/home/edit/skin/select", { skinid: skins[skin] });
  expect(answer.status).toBe(200);
}

const bitmaps = async ({ member }: Wearer): Promise<readonly string[]> => {
  const skins = await harness.services.reads.textures.listSkins(member.account.id);
  return skins.map(({ texture }) => texture.hash);
};

const newest = () => harness.services.reads.events.newestEventId();
const after = (id: number) => readOn(harness.services.reads.events, id, 100);
const shown = (events: readonly LoggedEvent[]) =>
  events.map(({ type, player, skin }) => [type, player?.name, skin?.hash]);

test("changes of one player within a second are one event, the last, and those of others stay", async () => {
  const [anna, berta] = [await addWearer(), await addWearer()];
  const begin = await newest();
  await wear(anna, 1);
  await wear(berta, 1);
  await rename(harness.services, anna.player, "Renamed");
  await wear(anna, 0);
  harness.clock.advance(1);
  await wear(anna, 2);
  const { after: from, events } = await after(begin);
  expect(from).toBe(begin);
  expect(shown(events)).toEqual([
    ["player.textures", berta.player.name, (await bitmaps(berta))[1]],
    ["player.renamed", "Renamed", undefined],
    ["player.textures", "Renamed", (await bitmaps(anna))[2]],
  ]);
  expect(events.map(({ id }) => id)).toEqual(
    events.map(({ id }) => id).toSorted((one, other) => one - other),
  );
  expect(events.at(-1)?.id).toBe(await newest());
});

test("a change replaces one that was read, too", async () => {
  const anna = await addWearer();
  const begin = await newest();
  for (const skin of [1, 0, 2]) {
    await wear(anna, skin);
    const read = (await after(begin)).events;
    expect(shown(read)).toEqual([["player.textures", anna.player.name, (await bitmaps(anna))[skin]]]);
    expect(read[0]?.id).toBe(await newest());
  }
});

test("a reader that has had all gets no reset when the first event after a quiet day is replaced", async () => {
  const anna = await addWearer();
  harness.clock.advance(2 * limits.eventSeconds);
  const jwt = await signIn(harness, anna.member.name, anna.member.password);
  const again = { ...anna, member: { ...anna.member, authorization: `Bearer ${jwt}` } };
  await pruneEvents({ transact: harness.services.transact, log: harness.log });
  const begin = await newest();
  expect(harness.countRows("events")).toBe(0);
  for (const skin of [1, 0, 2]) {
    await wear(again, skin);
    const { after: from, events } = await after(begin);
    expect(from).toBe(begin);
    expect(shown(events).at(-1)).toEqual(["player.textures", anna.player.name, (await bitmaps(anna))[skin]]);
  }
});

test("a change two seconds later is another event", async () => {
  const anna = await addWearer();
  const begin = await newest();
  await wear(anna, 1);
  harness.clock.advance(2);
  await wear(anna, 2);
  expect(shown((await after(begin)).events).map(([, , skin]) => skin)).toEqual(
    (await bitmaps(anna)).slice(1),
  );
});

test("a stream that has read a change gets the one that replaces it, and no reset", async () => {
  const anna = await addWearer();
  const [, first = "", last = ""] = await bitmaps(anna);
  await using stream = await openStream(address, token);
  await wear(anna, 1);
  const read = await stream.next();
  expect(read?.data).toContain(first);
  await wear(anna, 2);
  expect((await stream.next())?.data).toContain(last);
  // It comes back with the id of an event that is not kept any more.
  await using again = await openStream(address, token, { "last-event-id": read?.id ?? "" });
  expect(await again.next()).toMatchObject({ event: "player.textures", data: expect.stringContaining(last) });
});

test("a webhook that was behind gets what each player shows at last", async () => {
  await using receiver = openReceiver();
  const { url } = receiver;
  const [anna, berta] = [await addWearer(), await addWearer()];
  await keepWebhooks(harness.services, [url]);
  for (let n = 0; n < 20; n++) await wear(anna, 1 + (n % 2));
  await wear(berta, 1);
  for (let n = 0; n < 21; n++) await wear(anna, 2 - (n % 2));
  await deliver(url);
  const looks = receiver.received.map(({ body }) => JSON.parse(body));
  expect(looks).toMatchObject([
    {
      player: { name: berta.player.name },
      skin: { url: expect.stringContaining((await bitmaps(berta))[1] ?? "") },
    },
    {
      player: { name: anna.player.name },
      skin: { url: expect.stringContaining((await bitmaps(anna))[2] ?? "") },
    },
  ]);
});

async function deliver(url: string): Promise<void> {
  const deps = {
    ...harness.services,
    counts: harness.services.webhookTargets.counts,
    log: harness.log,
    send: httpWebhooks(),
    secret: newWebhookSecret(),
    publicUrl: "https://skins.example.org",
  };
  while (await deliverEvents(deps, url, new AbortController().signal));
}

/**
 * Adds events to the log that is full then, past the service: so many of one player, and then one of each
 * other.
 */
function fill(world: Harness, from: number, of: readonly (readonly [player: string, count: number])[]): void {
  let id = from;
  for (const [player, count] of of) {
    const body = JSON.stringify({ player: { uuid: player, name: "Filled" }, skin: null, cape: null });
    world.database.change(`
      WITH RECURSIVE ids (id) AS (SELECT ${id + 1} UNION ALL SELECT id + 1 FROM ids WHERE id < ${id + count})
      INSERT INTO events (id, at, type, body)
      SELECT id, ${world.clock.nowSeconds() - 100}, 'player.textures', '${body}' FROM ids`);
    id += count;
  }
  if (!world.storageSettings["DATABASE_URL"]) return;
  world.database.change(`UPDATE marks SET value = '${id}' WHERE name = 'last_event'`);
}

test("a full log drops what the busiest player showed before, says so, and keeps the events of others", async () => {
  await using world = await openHarness();
  const quiet = await addMember(world, "Quiet");
  const player = await playerOf(world, quiet);
  const begin = (await world.services.reads.events.newestEventId()) + 1;
  await rename(world.services, player, "Undelivered");
  expect(await world.services.reads.events.newestEventId()).toBe(begin);
  const [busy, other] = ["00000000-0000-4000-8000-00000000000b", "00000000-0000-4000-8000-00000000000c"];
  fill(world, begin, [
    [other, 3],
    [busy, limits.eventsKeptMax],
    [other, 1],
  ]);
  const { events: log } = world.services.reads;
  const count = () => world.countRows("events");
  const tooMany = count() - limits.eventsKeptMax;
  await pruneEvents({ transact: world.services.transact, log: world.log });
  expect(count()).toBe(limits.eventsKeptMax);
  const { after: from, events } = await readOn(log, begin - 1, 1000);
  expect(from).toBe(begin - 1);
  const rows: readonly unknown[] = events
    .slice(0, 5)
    .map(({ id, type, player: one }) => [id, type, one?.uuid]);
  expect(rows).toEqual([
    [begin, "player.renamed", player.uuid],
    [begin + 1, "player.textures", other],
    [begin + 2, "player.textures", other],
    [begin + 3, "player.textures", other],
    [begin + 4 + tooMany, "player.textures", busy],
  ]);
  expect(world.takeComplaints()).toMatchObject([
    {
      message: "the log of events is full: repeated player.textures were removed; look at the busiest player",
      events: tooMany,
      players: 1,
      busiest: busy,
      of_busiest: tooMany,
    },
  ]);
  await pruneEvents({ transact: world.services.transact, log: world.log });
  expect([count(), world.takeComplaints()]).toEqual([limits.eventsKeptMax, []]);
});

test("a log that is full of one event each drops the oldest, and says so", async () => {
  await using world = await openHarness();
  const begin = await world.services.reads.events.newestEventId();
  fill(world, begin, [["00000000-0000-4000-8000-00000000000d", 1]]);
  world.database.change(`
    INSERT INTO events (id, at, type, body)
    WITH RECURSIVE ids (id) AS (SELECT ${begin + 2} UNION ALL SELECT id + 1 FROM ids WHERE id <= ${begin + limits.eventsKeptMax + 10})
    SELECT id, ${world.clock.nowSeconds()}, 'player.renamed', '{}' FROM ids`);
  await pruneEvents({ transact: world.services.transact, log: world.log });
  expect(world.countRows("events")).toBe(limits.eventsKeptMax);
  expect(world.takeComplaints()).toMatchObject([
    { message: "the log of events is full: its oldest events were removed; see cloakroom webhook list" },
  ]);
});
