/* Random works on two nodes at once, checked against the same works one after the other. */
import { expect } from "bun:test";
import * as fc from "fast-check";
import { foldCounts } from "../../src/adapters/postgres/cluster/counts.ts";
import type { PostgresDatabase } from "../../src/adapters/postgres/database.ts";
import { numberEvents } from "../../src/adapters/postgres/feed/event-numbers.ts";
import type { ChainLink } from "../../src/domain/model/audit-chain.ts";
import { verifyChain } from "../../src/domain/audit/verify-chain.ts";
import type { Engine } from "../../src/domain/ports/engine.ts";
import { newTextureFile, newUuid, parseTextureHash, type TextureHash } from "../../src/kernel/ids.ts";
import { insertMember } from "../ports/stores.suite.ts";
import {
  bitmapsCount,
  capesCount,
  doWork,
  Model,
  playersCount,
  type Look,
  type Work,
  type World,
} from "./wardrobe-model.ts";

const player = fc.nat({ max: playersCount - 1 });
const bitmap = fc.nat({ max: bitmapsCount - 1 });
const cape = fc.nat({ max: capesCount - 1 });
const work: fc.Arbitrary<Work> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant("upload"), player, bitmap }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constantFrom("delete", "undress"), player }) },
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constantFrom("grant", "revoke", "link", "wear"), player, cape }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom("ban", "unban"), bitmap }) },
);
/** Works that are done at once, over and over. */
const history = fc.array(fc.array(work, { minLength: 2, maxLength: 8 }), { minLength: 1, maxLength: 5 });

type Nodes = readonly [PostgresDatabase, PostgresDatabase];

/** Plays as many histories on the nodes. Fails with the first that no order of its works explains. */
export async function playHistories(nodes: Nodes, histories: number, seed: number): Promise<void> {
  let newest: ChainLink | null = null;
  const play = async (rounds: readonly (readonly Work[])[]): Promise<void> => {
    const { engine } = nodes[0];
    const known: ChainLink | null = newest;
    const events = await engine.reads.events.newestEventId();
    await playHistory(nodes, rounds);
    const from = known === null ? {} : { from: known };
    const options = { noted: null, onProgress: () => undefined, ...from };
    const report = await verifyChain(engine.reads.audit, options);
    expect(report.fault).toBeNull();
    newest = report.newest;
    const listed = await engine.reads.events.listEvents(events, 1_000);
    // Ids have gaps where a later event of a player has replaced one.
    const ids = listed.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
    expect(ids.at(-1) ?? events).toBe(await engine.reads.events.newestEventId());
  };
  // What happens at once differs each time, so a shorter history may show nothing.
  await fc.assert(fc.asyncProperty(history, play), { numRuns: histories, seed, endOnFailure: true });
}

async function playHistory(nodes: Nodes, rounds: readonly (readonly Work[])[]): Promise<void> {
  const { reads } = nodes[0].engine;
  const world = await openWorld(nodes[0].engine);
  const begin = { entry: await reads.audit.countWritten(), event: await reads.events.newestEventId() };
  const skins = await reads.textures.countAllSkins(null);
  for (const works of rounds) {
    const recorded = works.map((one, place) => record(nodes[place % 2 === 0 ? 0 : 1].engine, world, one));
    // As two nodes do that both take themselves for the leader.
    const led = nodes.flatMap(({ pool }) => [numberEvents(pool.node), foldCounts(pool.node)]);
    await Promise.all([...recorded, ...led]);
  }
  await Promise.all(nodes.map(({ pool }) => numberEvents(pool.node)));

  const model = new Model();
  const chain = await reads.audit.readChain(begin.entry, 1_000);
  expect(chain).toHaveLength(rounds.flat().length);
  for (const { detail } of chain) {
    const { work: done, result }: { work: Work; result: string } = JSON.parse(detail);
    expect({ done, result }).toEqual({ done, result: model.apply(done) });
  }
  await expectLooks(nodes[1].engine, { world, model, since: begin.event });
  expect((await reads.textures.countAllSkins(null)) - skins).toBe(model.skins());
}

function record({ atomically }: Engine, world: World, work: Work): Promise<void> {
  return atomically(async (stores) => {
    const result = await doWork(stores, world, work);
    await stores.audit.append({
      actor: { name: "cli", accountId: null, via: null },
      action: `test.${work.does}`,
      forAccountId: null,
      at: 1,
      detail: { work, result },
    });
  });
}

/** What is delivered is what the last event says, and what the model says. */
async function expectLooks(
  { reads }: Engine,
  { world, model, since }: { readonly world: World; readonly model: Model; readonly since: number },
): Promise<void> {
  const events = await reads.events.listEvents(since, 1_000);
  const capes = world.capes.map(({ hash }) => hash);
  for (const [place, { name }] of world.players.entries()) {
    const shown = await reads.textures.findAppearance({ by: "name", value: name });
    const delivered: Look = {
      skin: placeOf(world.bitmaps, shown?.skin?.texture.hash),
      cape: placeOf(capes, shown?.cape?.texture.hash),
    };
    const last = events.findLast(({ type, player }) => type === "player.textures" && player?.name === name);
    const told: Look = {
      skin: placeOf(world.bitmaps, last?.skin?.hash),
      cape: placeOf(capes, last?.cape?.hash),
    };
    expect({ delivered, told }).toEqual({ delivered: model.look(place), told: model.look(place) });
  }
  for (const [place, hash] of world.bitmaps.entries())
    expect((await reads.textures.findTexture(hash)) !== null).toBe(model.isStored(place));
}

function placeOf<Value>(values: readonly Value[], value: Value | undefined): number | null {
  const place = values.findIndex((one) => one === value);
  return place === -1 ? null : place;
}

/** Players, bitmaps and capes that no history before had. */
function openWorld({ atomically }: Engine): Promise<World> {
  const salt = newUuid().slice(0, 8);
  return atomically(async (stores) => {
    const players: World["players"][number][] = [];
    for (let place = 0; place < playersCount; place++) {
      const name = `p${place}_${salt}`;
      const { account, player: made } = await insertMember(stores, name);
      if (made === null) throw new Error("no player");
      players.push({ account: account.id, player: made.id, name });
    }
    const capes: World["capes"][number][] = [];
    for (let place = 0; place < capesCount; place++) {
      const hash = randomHash();
      const facts = { digest: hash, width: 64, height: 32, createdAt: 1 };
      await stores.textures.insertTexture({ ...facts, hash, file: newTextureFile(hash) });
      const row = { uuid: newUuid(), name: "cape", wingsHash: null, uploadedBy: "cli", createdAt: 1 };
      capes.push({ id: await stores.textures.insertCape({ ...row, textureHash: hash }), hash });
    }
    return { players, capes, bitmaps: Array.from({ length: bitmapsCount }, randomHash) };
  });
}

function randomHash(): TextureHash {
  const hash = parseTextureHash(Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex"));
  if (hash === null) throw new Error("no hash");
  return hash;
}
