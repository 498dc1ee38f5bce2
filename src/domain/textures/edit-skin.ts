import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { AccountId, Uuid } from "../../kernel/ids.ts";
import type { Player } from "../model/account.ts";
import type { Transact } from "../ports/stores.ts";
import { releaseTextures, type DropFiles } from "./files.ts";
import { parseTextureName } from "./name.ts";
import type { SkinChange, TextureReads, TextureStore } from "../ports/texture-store.ts";
import type { Skin, SkinModel } from "../model/texture.ts";
import { findWearable } from "./wearing.ts";

type Deps = { readonly transact: Transact; readonly clock: Clock };

/** What of a skin its owner, and who runs the community, may change. Absent stays as it is; a null cape is taken off. */
export type SkinEdit = {
  readonly name?: string;
  readonly model?: SkinModel;
  readonly cape?: Uuid | null;
};

/**
 * Changes a skin of the player's wardrobe. Fails with not_found for one that is not there and with invalid for a bad
 * name, slim arms on a 64x32 skin and a cape that the account was not granted.
 */
export async function editSkin(deps: Deps, player: Player, uuid: Uuid, edit: SkinEdit): Promise<void> {
  await deps.transact(async ({ textures }) => {
    const skin = await findOwnSkin(textures, player.accountId, uuid);
    await changeSkin(textures, skin, edit, deps.clock.nowSeconds());
  });
}

/**
 * Within a transaction: changes a skin at this time (Unix seconds), whoever asks for it. Fails with invalid for a bad name,
 * slim arms on a 64x32 skin and a cape that the skin's owner may not wear.
 */
export async function changeSkin(
  textures: TextureStore,
  skin: Skin,
  { name, model, cape }: SkinEdit,
  now: number,
): Promise<void> {
  if (model === "slim" && skin.texture.height !== skin.texture.width) {
    throw new AppError("invalid", "slim: a 64x32 skin has no slim arms");
  }
  const change: SkinChange = {
    ...(name === undefined ? {} : { name: parseTextureName(name) }),
    ...(model === undefined ? {} : { model }),
    ...(cape === undefined
      ? {}
      : { capeId: cape === null ? null : await findWearable(textures, skin.accountId, cape, now) }),
  };
  if (Object.keys(change).length > 0) await textures.updateSkin(skin.id, change);
}

/** Makes a skin of the wardrobe the one that the player shows. Fails with not_found for one that is not there. */
export async function selectSkin(deps: Deps, player: Player, uuid: Uuid): Promise<void> {
  await deps.transact(async (stores) => {
    const skin = await findOwnSkin(stores.textures, player.accountId, uuid);
    await stores.accounts.selectSkin(player.id, skin.id);
  });
}

/**
 * Takes a skin out of the wardrobe; where it was selected, none is afterwards. Its file goes when nothing else refers to
 * it. Fails with not_found for one that is not there.
 */
export async function deleteSkin(
  deps: Deps & { readonly dropFiles: DropFiles },
  player: Player,
  uuid: Uuid,
): Promise<void> {
  const freed = await deps.transact(async (stores) => {
    const skin = await findOwnSkin(stores.textures, player.accountId, uuid);
    await stores.textures.deleteSkin(skin.id);
    return releaseTextures(stores.textures, [skin.texture.hash]);
  });
  await deps.dropFiles(freed);
}

/** Another's skin is as unknown as none at all, so that nobody learns what others own. */
async function findOwnSkin(textures: TextureReads, account: AccountId, uuid: Uuid): Promise<Skin> {
  const skin = await textures.findSkin(uuid);
  if (skin === null || skin.accountId !== account) {
    throw new AppError("not_found", `skinid: your wardrobe holds no skin ${uuid}`);
  }
  return skin;
}
