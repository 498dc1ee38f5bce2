/*
 * Works that check and then write, as use cases of textures do, and what they do one after the other: a model
 * to check histories against. Every work is recorded in the audit, whose order is the only one in which they
 * can have happened.
 */
import type { Stores } from "../../src/domain/ports/stores.ts";
import type { Skin } from "../../src/domain/model/texture.ts";
import { newTextureFile, newUuid, type AccountId, type CapeId, type PlayerId } from "../../src/kernel/ids.ts";
import type { TextureHash } from "../../src/kernel/ids.ts";

export const playersCount = 3;
export const bitmapsCount = 2;
export const capesCount = 2;
const wardrobeMax = 2;

/** What one work does; players, bitmaps and capes by their place. */
export type Work = BitmapWork | PlayerWork | CapeWork;
type BitmapWork =
  | { readonly does: "upload"; readonly player: number; readonly bitmap: number }
  | { readonly does: "ban"; readonly bitmap: number }
  | { readonly does: "unban"; readonly bitmap: number };
type PlayerWork =
  | { readonly does: "delete"; readonly player: number }
  | { readonly does: "undress"; readonly player: number };
type CapeWork = {
  readonly does: "grant" | "revoke" | "link" | "wear";
  readonly player: number;
  readonly cape: number;
};

/** What stands for the places. */
export type World = {
  readonly players: readonly {
    readonly account: AccountId;
    readonly player: PlayerId;
    readonly name: string;
  }[];
  readonly bitmaps: readonly TextureHash[];
  readonly capes: readonly { readonly id: CapeId; readonly hash: TextureHash }[];
};

const now = 1_000;

/** Does the work within a transaction, and returns what came of it. */
export async function doWork(stores: Stores, world: World, work: Work): Promise<string> {
  if ("bitmap" in work) return doBitmap(stores, world, work);
  const { account, player } = at(world.players, work.player);
  const { textures, players } = stores;
  const skins = await textures.listSkins(account);
  if (work.does === "undress") {
    await players.selectSkin(player, null);
    return `undressed, has ${skins.length}`;
  }
  if (work.does === "delete") {
    const last = skins.at(-1);
    if (last === undefined) return "none";
    await textures.deleteSkin(last.id);
    return (await textures.deleteTextureIfUnused(last.texture.hash)) === null ? "kept" : "freed";
  }
  const cape = at(world.capes, work.cape).id;
  const isGranted = (await textures.listGrantedCapes(account, now)).some(({ id }) => id === cape);
  if (work.does === "grant") {
    await textures.grantCapes({ accounts: [account], capes: [cape], grantedAt: now, expiresAt: null });
    return isGranted ? "again" : "granted";
  }
  if (!isGranted) return "not granted";
  if (work.does === "wear") {
    await players.wearCape(player, cape);
    return "worn";
  }
  if (work.does === "link") {
    const [first] = skins;
    if (first === undefined) return "none";
    await textures.updateSkin(first.id, { capeId: cape });
    return "linked";
  }
  await textures.deleteGrants([account], [cape]);
  await textures.unlinkCapes([account], [cape]);
  return `revoked, linked ${linked(skins, cape)}`;
}

function linked(skins: readonly Skin[], cape: CapeId): number {
  return skins.filter(({ capeId }) => capeId === cape).length;
}

async function doBitmap({ textures, players }: Stores, world: World, work: BitmapWork): Promise<string> {
  const hash = at(world.bitmaps, work.bitmap);
  const isBanned = (await textures.findBan(hash)) !== null;
  if (work.does === "unban") {
    await textures.deleteBan(hash);
    return isBanned ? "unbanned" : "was not";
  }
  if (work.does === "ban") {
    if (isBanned) return "was";
    await textures.insertBan({ hash, issuer: "cli", createdAt: now, reason: "" });
    const gone = await textures.deleteSkinsShowing(hash, 100);
    const file = await textures.deleteTextureIfUnused(hash);
    return `banned, ${gone} gone, ${file === null ? "no file" : "freed"}`;
  }
  if (isBanned) return "is banned";
  const { account, player } = at(world.players, work.player);
  const count = await textures.countSkins(account);
  if (count >= wardrobeMax) return "full";
  const known = await textures.findTexture(hash);
  const facts = { hash, digest: hash, width: 64, height: 64, createdAt: now };
  if (known === null) await textures.insertTexture({ ...facts, file: newTextureFile(hash) });
  const row = { uuid: newUuid(), accountId: account, name: "skin", model: "classic", capeId: null } as const;
  const skin = await textures.insertSkin({ ...row, textureHash: hash, createdAt: now });
  if (count === 0) await players.selectSkin(player, skin);
  return known === null ? "stored" : "known";
}

type ModelSkin = { readonly bitmap: number; cape: number | null };
type ModelPlayer = {
  skins: ModelSkin[];
  selected: ModelSkin | null;
  own: number | null;
  grants: Set<number>;
};

/** What a player shows: the places of a bitmap and of a cape. */
export type Look = { readonly skin: number | null; readonly cape: number | null };

/** The same works, one after the other, in memory. */
export class Model {
  readonly #players: readonly ModelPlayer[] = Array.from({ length: playersCount }, () => ({
    skins: [],
    selected: null,
    own: null,
    grants: new Set(),
  }));
  readonly #banned = new Set<number>();

  apply(work: Work): string {
    if ("bitmap" in work) return this.#applyBitmap(work);
    const player = at(this.#players, work.player);
    if (work.does === "undress") {
      player.selected = null;
      return `undressed, has ${player.skins.length}`;
    }
    if (work.does === "delete") {
      const last = player.skins.at(-1);
      if (last === undefined) return "none";
      this.#remove(player, last);
      return this.#isUsed(last.bitmap) ? "kept" : "freed";
    }
    const { cape } = work;
    const isGranted = player.grants.has(cape);
    if (work.does === "grant") {
      player.grants.add(cape);
      return isGranted ? "again" : "granted";
    }
    if (!isGranted) return "not granted";
    if (work.does === "wear") {
      player.own = cape;
      return "worn";
    }
    if (work.does === "link") {
      const [first] = player.skins;
      if (first === undefined) return "none";
      first.cape = cape;
      return "linked";
    }
    player.grants.delete(cape);
    if (player.own === cape) player.own = null;
    const unlinked = player.skins.filter((skin) => skin.cape === cape);
    for (const skin of unlinked) skin.cape = null;
    return `revoked, linked ${unlinked.length}`;
  }

  look(place: number): Look {
    const { selected, own } = at(this.#players, place);
    return { skin: selected?.bitmap ?? null, cape: own ?? selected?.cape ?? null };
  }

  skins(): number {
    return this.#players.reduce((sum, { skins }) => sum + skins.length, 0);
  }

  isStored(bitmap: number): boolean {
    return this.#isUsed(bitmap);
  }

  #applyBitmap(work: BitmapWork): string {
    const { bitmap } = work;
    const isBanned = this.#banned.has(bitmap);
    if (work.does === "unban") return this.#banned.delete(bitmap) ? "unbanned" : "was not";
    if (work.does === "ban") {
      if (isBanned) return "was";
      const wasUsed = this.#isUsed(bitmap);
      this.#banned.add(bitmap);
      let gone = 0;
      for (const player of this.#players)
        for (const skin of player.skins.filter((one) => one.bitmap === bitmap)) {
          this.#remove(player, skin);
          gone += 1;
        }
      return `banned, ${gone} gone, ${wasUsed ? "freed" : "no file"}`;
    }
    if (isBanned) return "is banned";
    const player = at(this.#players, work.player);
    if (player.skins.length >= wardrobeMax) return "full";
    const wasUsed = this.#isUsed(bitmap);
    const skin = { bitmap, cape: null };
    if (player.skins.length === 0) player.selected = skin;
    player.skins.push(skin);
    return wasUsed ? "known" : "stored";
  }

  #remove(player: ModelPlayer, skin: ModelSkin): void {
    player.skins = player.skins.filter((one) => one !== skin);
    if (player.selected === skin) player.selected = null;
  }

  #isUsed(bitmap: number): boolean {
    return this.#players.some(({ skins }) => skins.some((skin) => skin.bitmap === bitmap));
  }
}

function at<Value>(values: readonly Value[], place: number): Value {
  const value = values[place];
  if (value === undefined) throw new Error(`nothing is at ${place}`);
  return value;
}
