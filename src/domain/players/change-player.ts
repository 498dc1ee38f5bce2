import type { Uuid } from "../../kernel/ids.ts";
import { requireFreshProof, type FreshProof, type Self } from "../accounts/fresh-proof.ts";
import { findMember } from "../accounts/identifier.ts";
import { changeUuid, renameOwnPlayer, renamePlayer } from "../accounts/player-name.ts";
import { settleRegistration } from "../accounts/register.ts";
import type { Account, Member } from "../model/account.ts";
import { changedFacts, type Facts } from "../model/audit-facts.ts";
import { parsePlayerUuid } from "../model/player-uuid.ts";
import { refusals } from "../model/refusals.ts";
import type { Rules } from "../model/rules.ts";
import { parseUsername } from "../model/username.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { PlayerLook, PlayerLookKey } from "../ports/player-store.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import { findPermittedCape } from "../textures/capes.ts";
import { findWorn } from "../textures/wardrobe.ts";
import { findOwnPlayer, findPlayer } from "./list-players.ts";

type Deps = { readonly transact: Transact; readonly rules: Pick<Rules, "names" | "players"> };

/** What a player wears, and whether it lets others wear the same. What is absent stays as it is. */
export type Dress = {
  /** A skin of the account's wardrobe; null: no skin. */
  readonly skin?: Uuid | null;
  /** A cape that the account was granted; "none"; null: the one that is linked to the skin. */
  readonly cape?: Uuid | "none" | null;
  /** Whether others may wear the skin that it shows, too. */
  readonly sharesSkin?: boolean;
};

/**
 * Dresses one of the member's players. Fails with not_found for a player that is not theirs, and with invalid
 * for a skin that is not in their wardrobe and a cape that they were not granted.
 */
export async function dressOwnPlayer(
  { transact }: { readonly transact: Transact },
  actor: Actor,
  { account }: Pick<Member, "account">,
  input: Dress & { readonly player: PlayerLookKey },
): Promise<PlayerLook> {
  return transact(actor, async (tx) => {
    const before = await findOwnPlayer(tx.players, account, input.player);
    return dress(tx, before, input);
  });
}

/**
 * Renames one of the member's players and, maybe, dresses it, all of it or nothing. The old name is held for
 * them; the uuid stays. Writes audit unless the name is the same. Fails as `dressOwnPlayer` and
 * `requireFreshProof` do, with invalid for a malformed or reserved name, with conflict for one that is taken
 * or held, and with limited as `renameOwnPlayer` does.
 */
export async function renameOwn(
  deps: Deps & { readonly hasher: PasswordHasher },
  actor: Actor,
  self: Self,
  input: Dress & FreshProof & { readonly player: PlayerLookKey; readonly name: string },
): Promise<PlayerLook> {
  const name = parseUsername(input.name, deps.rules.names.pattern);
  const proven = await requireFreshProof(deps, self, input);
  return deps.transact(actor, async (tx) => {
    const { account } = await proven(tx);
    const before = await findOwnPlayer(tx.players, account, input.player);
    const { player } = before;
    await renameOwnPlayer(tx, { account, player }, name, deps.rules);
    if (name !== player.name) {
      const names = { old: { username: player.name }, new: { username: name } };
      tx.audit("user.rename", account.id, { uuid: player.uuid, ...names });
    }
    return dress(tx, before, input);
  });
}

/** What staff change of a player. What is absent stays as it is. */
export type PlayerChange = Dress & { readonly name?: string; readonly uuid?: Uuid };

/**
 * Changes any player, all of it or nothing. Administrators and operators may; names are not limited in time.
 * The old name is held for the account. Writes audit unless nothing changed. Fails with not_found, with
 * invalid for a malformed or reserved name, a uuid that games refuse, a skin that is not in the account's
 * wardrobe and a cape that it was not granted, and with conflict for a name or uuid that is taken and a name
 * that is held.
 */
export async function changePlayer(
  deps: Deps,
  actor: Actor,
  key: PlayerLookKey,
  change: PlayerChange,
): Promise<PlayerLook> {
  const name = change.name === undefined ? null : parseUsername(change.name, deps.rules.names.pattern);
  const uuid = change.uuid === undefined ? null : parsePlayerUuid(change.uuid);
  return deps.transact(actor, async (tx) => {
    const before = await findPlayer(tx.players, key);
    const { player } = before;
    const { account } = await findMember(tx.accounts, player.accountId);
    if (name !== null && name !== player.name) await renamePlayer(tx, player, name, deps.rules.names);
    if (uuid !== null && uuid !== player.uuid) await giveUuid(tx, before, { account, uuid });
    const after = await dress(tx, before, change);
    // A name that was derived counts as chosen now.
    await settleRegistration(tx, account.id);
    const detail = changedFacts(playerFacts(before), playerFacts(after));
    if (detail !== null) tx.audit("player.update", account.id, { uuid: after.player.uuid, ...detail });
    return after;
  });
}

async function giveUuid(
  tx: Tx,
  { player, isMain }: PlayerLook,
  { account, uuid }: { readonly account: Account; readonly uuid: Uuid },
): Promise<void> {
  // It names the main player.
  if (uuid === account.uuid && !isMain) throw refusals.uuidTaken();
  await changeUuid(tx, player, uuid);
}

/** Returns the player as it is then. */
async function dress(tx: Tx, { player }: PlayerLook, { skin, cape, sharesSkin }: Dress): Promise<PlayerLook> {
  const { id, accountId } = player;
  if (skin !== undefined) {
    const worn = skin === null ? null : await findWorn(tx.textures, accountId, skin);
    await tx.players.selectSkin(id, worn?.id ?? null);
  }
  if (cape === "none") await tx.players.wearCape(id, "none");
  else if (cape === null) await tx.players.wearCape(id, "as-skin");
  else if (cape !== undefined) await tx.players.wearCape(id, await findPermittedCape(tx, accountId, cape));
  if (sharesSkin !== undefined) await tx.players.shareSkin(id, sharesSkin);
  return findPlayer(tx.players, { by: "id", value: id });
}

/** What the audit compares of a player. */
function playerFacts({ player, skin, ownCape }: PlayerLook): Facts {
  const cape = player.ownCape === "none" ? "none" : (ownCape ?? "");
  const { name, uuid, sharesSkin } = player;
  return { name, uuid, skinid: skin ?? "", cloakid: cape, shares_skin: String(sharesSkin) };
}
