import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { TextureHash } from "../../kernel/ids.ts";
import { refusals } from "../model/refusals.ts";
import { system } from "../model/actor.ts";
import { parseReason } from "../model/one-line.ts";
import type { Reads } from "../ports/stores.ts";
import type { Actor, Tx } from "../ports/unit-of-work.ts";
import type { TextureBan } from "../ports/ban-store.ts";
import { dropFiles, releaseTextures, type TextureDeps } from "./files.ts";

/*
 * A ban is placed in one transaction and refuses the bitmap from then on; the skins are removed from the
 * wardrobes afterwards, in batches. Housekeeping finishes a ban whose purge was interrupted, by a fault or by
 * the end of the process.
 */

/**
 * Skins that are removed in one transaction. The search index takes some 0.2 ms for each. Smaller batches
 * take longer in all (batches of 25 half as long again as of 100); larger ones make other writers wait
 * longer.
 */
const removedAtOnceMax = 50;

/**
 * Carries out a ban that was just committed, as `purgeBanned` does. It never fails, because the change must
 * be answered as made: housekeeping finishes the purge within a minute, or reports why it cannot.
 */
export async function carryOutBan(...purge: Parameters<typeof purgeBanned>): Promise<void> {
  await purgeBanned(...purge).catch(() => undefined);
}

/**
 * Removes a banned bitmap from every wardrobe, and its file, and calls `saw` with the number of skins removed
 * so far. It works in batches of some 10 ms, between which others read and write. Does nothing once the ban
 * is lifted. It needs no right: a committed ban is carried out even if the right of the person who placed it
 * has ended since.
 */
export async function purgeBanned(
  deps: TextureDeps,
  hash: TextureHash,
  saw: (removed: number) => void = () => undefined,
): Promise<void> {
  let removed = 0;
  for (let isDone = false; !isDone;) {
    const { rows, freed } = await deps.transact(system, (tx) => removeSome(deps, tx, hash));
    await dropFiles(deps, freed);
    removed += rows;
    saw(removed);
    isDone = rows < removedAtOnceMax;
    await yieldToEventLoop();
  }
}

async function removeSome(deps: TextureDeps, tx: Tx, hash: TextureHash) {
  if ((await tx.textures.findBan(hash)) === null) return { rows: 0, freed: [] };
  const rows = await tx.textures.deleteSkinsShowing(hash, removedAtOnceMax);
  return { rows, freed: await releaseTextures(deps, tx, [hash]) };
}

/**
 * Bans a bitmap, also one that no wardrobe holds: it is removed from every wardrobe, and refused wherever a
 * texture comes in. Moderators and administrators may. `saw` is called with the skins removed so far and all
 * of them. Writes audit. Fails with invalid for a bad reason, and with conflict when the bitmap is banned
 * already or a cape shows it.
 */
export async function banTexture(
  deps: TextureDeps,
  actor: Actor,
  input: {
    readonly hash: TextureHash;
    /** Empty: no reason. */
    readonly reason: string;
    readonly saw?: (removed: number, of: number) => void;
  },
): Promise<PlacedBan> {
  const { hash, saw } = input;
  const reason = parseReason(input.reason);
  const placed = await deps.transact(actor, async (tx) => {
    const found = await placeBan(tx, { hash, reason });
    if (!found.isNew) throw refusals.bannedAlready(hash);
    tx.audit("texture.ban", null, { new: { hash, reason }, skins_removed: found.skins });
    return found;
  });
  await carryOutBan(deps, hash, (removed) => saw?.(removed, placed.skins));
  return placed;
}

/** A ban in force, whether it was placed just now, and how many skins it removes. */
type PlacedBan = { readonly ban: TextureBan; readonly isNew: boolean; readonly skins: number };

/**
 * Within a transaction: keeps the ban, unless the bitmap is banned already. Fails with conflict when a
 * cape shows the bitmap: capes are made and deleted by administrators.
 */
export async function placeBan(
  { textures, actor, now }: Tx,
  { hash, reason }: Pick<TextureBan, "hash" | "reason">,
): Promise<PlacedBan> {
  const { skins, capes } = await textures.countUses(hash);
  if (capes > 0) throw refusals.shownByCape(hash);
  const known = await textures.findBan(hash);
  const ban = known ?? (await textures.insertBan({ hash, reason, issuer: actor.name, createdAt: now }));
  return { ban, isNew: known === null, skins };
}

/**
 * Lifts a ban: the bitmap may be uploaded again. Moderators and administrators may. Writes audit. Fails with
 * not_found.
 */
export async function liftBan(
  { transact }: Pick<TextureDeps, "transact">,
  actor: Actor,
  hash: TextureHash,
): Promise<TextureBan> {
  return transact(actor, async ({ textures, audit }) => {
    const ban = await textures.findBan(hash);
    if (ban === null) throw refusals.unknownBan(hash);
    await textures.deleteBan(hash);
    const old = { hash, iss: ban.issuer, time: ban.createdAt, reason: ban.reason };
    audit("texture.unban", null, { old });
    return ban;
  });
}

/** The newest bans, among which unfinished ones are looked for. Housekeeping looks every minute. */
const lookedAtMax = 1000;

/** Finishes the bans whose purge was interrupted. */
export async function finishBans(deps: TextureDeps & { readonly reads: Reads }): Promise<void> {
  for (const hash of await deps.reads.textures.listUnfinishedBans(lookedAtMax)) await purgeBanned(deps, hash);
}
