import type { Clock } from "../../kernel/clock.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { noticeRemovedSkin } from "../accounts/notices.ts";
import type { Actor } from "../model/actor.ts";
import type { Stores, Transact } from "../ports/stores.ts";
import { parseReason, placeBan, type PurgeBanned } from "./ban-texture.ts";
import { releaseTextures, type DropFiles } from "./files.ts";
import { findSkin } from "./moderate-skin.ts";
import type { OwnedSkin } from "../model/texture.ts";

type Deps = {
  readonly transact: Transact;
  readonly dropFiles: DropFiles;
  readonly clock: Clock;
  readonly purgeBanned: PurgeBanned;
};

/** Why a skin goes (empty: no reason), and whether its bitmap goes from every wardrobe and stays away. */
type Removal = {
  readonly reason: string;
  readonly ban: boolean;
  /** Called with the skins that a ban has removed so far, and all of them. */
  readonly saw?: (removed: number, of: number) => void;
};

/**
 * Removes anybody's skin; a player who wore it wears none. Its file goes when nothing else refers to it. Moderators and
 * administrators may. A reason is mailed to the owner's verified address. Writes audit. Fails with not_found, with invalid
 * for a bad reason, and, when the bitmap is to be banned, with conflict as `placeBan` does.
 */
export async function removeSkin(
  deps: Deps,
  actor: Actor,
  uuid: Uuid,
  { reason: text, ban, saw }: Removal,
): Promise<{ readonly skin: OwnedSkin; readonly skins: number }> {
  const reason = parseReason(text);
  const { skin, skins, freed } = await deps.transact(async (stores) => {
    const { textures } = stores;
    const at = deps.clock.nowSeconds();
    const found = await findSkin(textures, uuid);
    const { hash } = found.texture;
    const banned = ban
      ? await placeBan(textures, "ban", { hash, issuer: actor.name, reason, createdAt: at })
      : null;
    await textures.deleteSkin(found.id);
    await record(stores, found, { actor, at, reason, banned: banned?.skins ?? null });
    return { skin: found, skins: banned?.skins ?? 1, freed: await releaseTextures(textures, [hash]) };
  });
  if (ban) await deps.purgeBanned(skin.texture.hash, (removed) => saw?.(removed + 1, skins));
  else await deps.dropFiles(freed);
  return { skin, skins };
}

/** Writes audit, and mails the owner a reason. `banned`: how many skins a ban removes; null without one. */
async function record(
  stores: Stores,
  { uuid, name, ownerName, accountId, texture }: OwnedSkin,
  removal: {
    readonly actor: Actor;
    readonly at: number;
    readonly reason: string;
    readonly banned: number | null;
  },
): Promise<void> {
  const { actor, at, reason, banned } = removal;
  const old = { owner: ownerName, name, sha256: texture.digest, hash: texture.hash };
  const more = banned === null ? {} : { skins_removed: banned };
  const detail = { uuid, old, reason, ban: banned !== null, ...more };
  await stores.audit.append({ actor, action: "skin.delete", forAccountId: accountId, at, detail });
  if (reason === "") return;
  const owner = await stores.accounts.findMember({ by: "id", value: accountId });
  if (owner !== null) await noticeRemovedSkin(stores.outbox, owner, { skin: name, reason }, at);
}
