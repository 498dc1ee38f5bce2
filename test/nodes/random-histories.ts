/* Random works on two nodes at once, checked against the same works one after the other. */
import { expect } from "bun:test";
import * as fc from "fast-check";
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

type Nodes = readonly [Engine, Engine];

/** Plays as many histories on the nodes. Fails with the first that no order of its works explains. */
export async function playHistories(nodes: Nodes, histories: number, seed: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(history, (rounds) => playHistory(nodes, rounds)),
    // What happens at once differs each time, so a shorter history may show nothing.
    { numRuns: histories, seed, endOnFailure: true },
  );
}

async function playHistory(nodes: Nodes, rounds: readonly (readonly Work[])[]): Promise<void> {
  const [first] = nodes;
  const world = await openWorld(first);
  const begin = await first.reads.audit.countWritten();
  for (const works of rounds)
    await Promise.all(works.map((one, place) => record(place % 2 === 0 ? nodes[0] : nodes[1], world, one)));

  const model = new Model();
  const chain = await first.reads.audit.readChain(begin, 1_000);
  expect(chain).toHaveLength(rounds.flat().length);
  for (const { detail } of chain) {
    const { work: done, result }: { work: Work; result: string } = JSON.parse(detail);
    expect({ done, result }).toEqual({ done, result: model.apply(done) });
  }
  const report = await verifyChain(first.reads.audit, { noted: null, onProgress: () => undefined });
  expect(report.fault).toBeNull();
  await expectState(nodes[1], world, model);
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

async function expectState({ reads }: Engine, world: World, model: Model): Promise<void> {
  const counts = await Promise.all(world.players.map(({ account }) => reads.textures.countSkins(account)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(model.skins());
  for (const [place, { name }] of world.players.entries()) {
    const shown = await reads.textures.findAppearance({ by: "name", value: name });
    const look: Look = {
      skin: placeOf(world.bitmaps, shown?.skin?.texture.hash),
      cape: placeOf(
        world.capes.map(({ hash }) => hash),
        shown?.cape?.texture.hash,
      ),
    };
    expect(look).toEqual(model.look(place));
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
      await stores.textures.insertTexture({
        ...{ hash, digest: hash, width: 64, height: 32, createdAt: 1 },
        file: newTextureFile(hash),
      });
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
