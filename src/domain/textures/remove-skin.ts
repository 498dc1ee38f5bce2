import type { Uuid } from "../../kernel/ids.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import { parseReason, placeBan, type PurgeBanned } from "./ban-texture.ts";
import { releaseTextures, type DropFiles } from "./files.ts";
import { findSkin } from "./moderate-skin.ts";
import type { OwnedSkin } from "../model/texture.ts";

type Deps = {
  readonly transact: Transact;
  readonly dropFiles: DropFiles;
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
 * Removes any member's skin; a player who wore it wears none. Its file goes when nothing else refers to it. Moderators and
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
  const { skin, skins, freed } = await deps.transact(actor, async (tx) => {
    const { textures } = tx;
    const found = await findSkin(textures, uuid);
    const { hash } = found.texture;
    const banned = ban ? await placeBan(tx, { hash, reason }) : null;
    await textures.deleteSkin(found.id);
    const { name, ownerName, accountId, texture } = found;
    const old = { owner: ownerName, name, sha256: texture.digest, hash };
    const more = banned === null ? {} : { skins_removed: banned.skins };
    tx.audit("skin.delete", accountId, { uuid, old, reason, ban, ...more });
    if (reason !== "") await noticeOwner(tx, found, reason);
    return { skin: found, skins: banned?.skins ?? 1, freed: await releaseTextures(textures, [hash]) };
  });
  if (ban) await deps.purgeBanned(skin.texture.hash, (removed) => saw?.(removed + 1, skins));
  else await deps.dropFiles(freed);
  return { skin, skins };
}

async function noticeOwner(tx: Tx, { accountId, name: skin }: OwnedSkin, reason: string): Promise<void> {
  const owner = await tx.accounts.findMember({ by: "id", value: accountId });
  if (owner === null || !owner.account.mailVerified) return;
  const username = owner.player?.name ?? "";
  await tx.mail(owner.account, { template: "skin-removed", username, skin, reason });
}
