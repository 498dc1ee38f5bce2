import type { Rules } from "../model/rules.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Player } from "../model/account.ts";
import { parseTextureName, type Skin } from "../model/texture.ts";
import { refusals } from "../model/refusals.ts";
import type { PlayerLookKey } from "../ports/player-store.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import { checkWardrobe, insertSkin } from "../textures/wardrobe.ts";

type Deps = {
  readonly transact: Transact;
  readonly rules: Pick<Rules, "textures">;
};

/**
 * Puts the skin that another player shows into the player's wardrobe, and makes the player wear it. The other
 * player's owner has to share it. A skin of the wardrobe with the same bitmap and model is worn instead. What
 * a file must fulfil at an upload counts here, too. Fails with not_found for an unknown player, and with
 * invalid for one of the same account, one that does not share its skin, one that shows a default skin, a
 * banned bitmap, one that is wider than uploads may be, and a full wardrobe.
 */
export async function wearShared(
  { transact, rules: { textures: rules } }: Deps,
  actor: Actor,
  { id, accountId }: Player,
  from: PlayerLookKey,
): Promise<Skin> {
  return transact(actor, async (tx) => {
    const { skin, name } = await findShared(tx, accountId, from);
    if (skin.texture.width > rules.skinWidthMax) {
      throw refusals.skinTooWide(skin.texture.width, rules.skinWidthMax);
    }
    const wardrobe = await tx.textures.listSkins(accountId);
    const same = wardrobe.find(
      ({ texture, model }) => texture.hash === skin.texture.hash && model === skin.model,
    );
    if (same === undefined) await checkWardrobe(tx.textures, accountId, rules.wardrobeMax);
    const worn = same ?? (await insertSkin(tx, accountId, skin, nameFrom(name)));
    await tx.players.selectSkin(id, worn.id);
    return worn;
  });
}

async function findShared(
  tx: Tx,
  account: Player["accountId"],
  from: PlayerLookKey,
): Promise<{ readonly skin: Skin; readonly name: string }> {
  const look = await tx.players.findLook(from);
  if (look === null) throw refusals.unknownPlayer();
  const { accountId, name, sharesSkin } = look.player;
  if (accountId === account) throw refusals.ownPlayersSkin();
  if (!sharesSkin) throw refusals.skinNotShared(name);
  const skin = look.skin === null ? null : await tx.textures.findSkin(look.skin);
  if (skin === null) throw refusals.defaultSkinShared(name);
  // A ban takes a bitmap out of wardrobes some rows at a time.
  if ((await tx.textures.findBan(skin.texture.hash)) !== null) throw refusals.sharedSkinBanned();
  return { skin, name };
}

/** The other player's name for the copy; null where it is no name of a skin. */
function nameFrom(name: string): string | null {
  try {
    return parseTextureName(name);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
