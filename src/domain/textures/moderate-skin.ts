import { usernameOf } from "../model/account.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { changedFacts, type Facts } from "../model/audit-facts.ts";
import { refusals } from "../model/refusals.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import { parseReason } from "../model/one-line.ts";
import { placeBan, carryOutBan } from "./ban-texture.ts";
import { dropFiles, releaseTextures, type TextureDeps } from "./files.ts";
import { changeSkin, type SkinEdit } from "./wardrobe.ts";
import type { TextureReads } from "../ports/texture-store.ts";
import { isHd, type OwnedSkin } from "../model/texture.ts";

/**
 * Changes any member's skin. Moderators and administrators may. `hd` changes nothing: it must agree with the
 * file. Writes audit unless nothing changed. Fails with not_found, with invalid where `hd` does not agree,
 * and as `changeSkin` does.
 */
export async function moderateSkin(
  { transact }: { readonly transact: Transact },
  actor: Actor,
  uuid: Uuid,
  { hd, ...edit }: SkinEdit & { readonly hd?: boolean },
): Promise<OwnedSkin> {
  return transact(actor, async (tx) => {
    const before = await findSkin(tx.textures, uuid);
    const { accountId, texture } = before;
    if (hd !== undefined && hd !== isHd(texture)) {
      const size = `${texture.width}x${texture.height}`;
      throw refusals.hdDiffers(isHd(texture), size);
    }
    await changeSkin(tx, before, edit);
    const after = await findSkin(tx.textures, uuid);
    const detail = changedFacts(skinFacts(before), skinFacts(after));
    if (detail !== null) tx.audit("skin.update", accountId, { uuid, ...detail });
    return after;
  });
}

/** A skin of any wardrobe. Fails with not_found. */
async function findSkin(textures: TextureReads, uuid: Uuid): Promise<OwnedSkin> {
  const skin = await textures.findOwnedSkin(uuid);
  if (skin === null) throw refusals.unknownSkin(uuid);
  return skin;
}

/** What the audit compares of a skin. */
function skinFacts({ name, model, capeUuid }: OwnedSkin): Facts {
  return { name, slim: model === "slim", cloakid: capeUuid ?? "" };
}

/** Why a skin is removed (empty: no reason), and whether its bitmap is banned from every wardrobe. */
type Removal = {
  readonly reason: string;
  readonly ban: boolean;
  /** Called with the skins that a ban has removed so far, and all of them. */
  readonly saw?: (removed: number, of: number) => void;
};

/**
 * Removes any member's skin; a player who wore it wears none. Its file goes when nothing else refers to it.
 * Moderators and administrators may. A reason is mailed to the owner's verified address. Writes audit. Fails
 * with not_found, with invalid for a bad reason, and, when the bitmap is to be banned, with conflict as
 * `placeBan` does.
 */
export async function removeSkin(
  deps: TextureDeps,
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
    return { skin: found, skins: banned?.skins ?? 1, freed: await releaseTextures(deps, tx, [hash]) };
  });
  await dropFiles(deps, freed);
  if (ban) await carryOutBan(deps, skin.texture.hash, (removed) => saw?.(removed + 1, skins));
  return { skin, skins };
}

async function noticeOwner(tx: Tx, { accountId, name: skin }: OwnedSkin, reason: string): Promise<void> {
  const owner = await tx.accounts.findMember({ by: "id", value: accountId });
  if (owner === null || !owner.account.mailVerified) return;
  const username = usernameOf(owner);
  await tx.mail(owner.account, { template: "skin-removed", username, skin, reason });
}
