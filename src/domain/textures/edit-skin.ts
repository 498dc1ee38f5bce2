import { AppError } from "../../kernel/errors.ts";
import type { AccountId, Uuid } from "../../kernel/ids.ts";
import type { Player } from "../model/account.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import { releaseTextures, type DropFiles } from "./files.ts";
import { parseTextureName } from "./name.ts";
import type { SkinChange, TextureReads } from "../ports/texture-store.ts";
import type { Skin, SkinModel } from "../model/texture.ts";
import { findWearable } from "./wearing.ts";

type Deps = { readonly transact: Transact };

/** What the owner and staff may change of a skin. What is absent stays as it is; a null cape is taken off. */
export type SkinEdit = {
  readonly name?: string;
  readonly model?: SkinModel;
  readonly cape?: Uuid | null;
};

/**
 * Changes a skin of the player's wardrobe. Fails with not_found for one that is not there and with invalid for a bad
 * name, slim arms on a 64x32 skin and a cape that the account was not granted.
 */
export async function editSkin(
  { transact }: Deps,
  actor: Actor,
  player: Player,
  change: { readonly uuid: Uuid; readonly edit: SkinEdit },
): Promise<void> {
  await transact(actor, async (tx) => {
    const skin = await findOwnSkin(tx.textures, player.accountId, change.uuid);
    await changeSkin(tx, skin, change.edit);
  });
}

/**
 * Changes a skin, for its owner and staff alike. Fails with invalid for a bad name, slim arms on a 64x32 skin and a cape that
 * the skin's owner may not wear.
 */
export async function changeSkin(tx: Tx, skin: Skin, { name, model, cape }: SkinEdit): Promise<void> {
  if (model === "slim" && skin.texture.height !== skin.texture.width) {
    throw new AppError("invalid", "a 64x32 skin has no slim arms", { field: "model" });
  }
  const change: SkinChange = {
    ...(name === undefined ? {} : { name: parseTextureName(name) }),
    ...(model === undefined ? {} : { model }),
    ...(cape === undefined
      ? {}
      : { capeId: cape === null ? null : await findWearable(tx, skin.accountId, cape) }),
  };
  if (Object.keys(change).length > 0) await tx.textures.updateSkin(skin.id, change);
}

/** Makes a skin of the wardrobe the one that the player shows. Fails with not_found for one that is not there. */
export async function selectSkin(
  { transact }: Deps,
  actor: Actor,
  player: Player,
  uuid: Uuid,
): Promise<void> {
  await transact(actor, async ({ textures, accounts }) => {
    const skin = await findOwnSkin(textures, player.accountId, uuid);
    await accounts.selectSkin(player.id, skin.id);
  });
}

/**
 * Takes a skin out of the wardrobe; where it was selected, none is afterwards. Its file goes when nothing else refers to
 * it. Fails with not_found for one that is not there.
 */
export async function deleteSkin(
  { transact, dropFiles }: Deps & { readonly dropFiles: DropFiles },
  actor: Actor,
  player: Player,
  uuid: Uuid,
): Promise<void> {
  const freed = await transact(actor, async ({ textures }) => {
    const skin = await findOwnSkin(textures, player.accountId, uuid);
    await textures.deleteSkin(skin.id);
    return releaseTextures(textures, [skin.texture.hash]);
  });
  await dropFiles(freed);
}

/**
 * A skin of the account's wardrobe. Fails with not_found, for another account's skin as well, so that members do not learn what
 * others own.
 */
export async function findOwnSkin(textures: TextureReads, account: AccountId, uuid: Uuid): Promise<Skin> {
  const skin = await textures.findSkin(uuid);
  if (skin === null || skin.accountId !== account) {
    throw new AppError("not_found", `your wardrobe holds no skin ${uuid}`, { field: "skin" });
  }
  return skin;
}
