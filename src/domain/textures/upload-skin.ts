import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { newUuid, type AccountId } from "../../kernel/ids.ts";
import type { Player } from "../model/account.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { TextureIntake } from "../ports/pictures.ts";
import type { Reads, Stores, Transact } from "../ports/stores.ts";
import { withTexture } from "./files.ts";
import { freeSkinName, parseTextureName } from "./name.ts";
import type { TextureReads } from "../ports/texture-store.ts";
import type { Skin, SkinModel } from "../model/texture.ts";

type Deps = {
  readonly reads: Reads;
  readonly transact: Transact;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly intake: TextureIntake;
  readonly rules: { readonly wardrobeMax: number };
};

type Input = {
  readonly file: Uint8Array;
  /** Null: found from the pixels. */
  readonly model: SkinModel | null;
  /** Null: called by the next number that is free in the wardrobe. */
  readonly name: string | null;
  /** The first skin is selected anyway. */
  readonly select: boolean;
};

/**
 * Puts a skin into the player's wardrobe. `also` runs within the same transaction (the command line writes its audit
 * there). Fails with invalid for a bad name or a full wardrobe, before it looks at the file, as the intake does, and with
 * no_space.
 */
export async function uploadSkin(
  deps: Deps,
  player: Player,
  input: Input,
  also: (stores: Stores, skin: Skin) => Promise<void> = async () => {},
): Promise<Skin> {
  const name = input.name === null ? null : parseTextureName(input.name);
  await checkWardrobe(deps.reads.textures, player.accountId, deps.rules.wardrobeMax);
  const incoming = await deps.intake.skin(input.file, input.model, String(player.accountId));
  const createdAt = deps.clock.nowSeconds();

  return withTexture(deps, { ...incoming, createdAt }, async (stores) => {
    // Again, because another skin may have come in meanwhile.
    const count = await checkWardrobe(stores.textures, player.accountId, deps.rules.wardrobeMax);
    const { texture, model } = incoming;
    const row = {
      uuid: newUuid(),
      accountId: player.accountId,
      name: name ?? freeSkinName(await stores.textures.listSkinsOf(player.accountId)),
      model,
      capeId: null,
      createdAt,
    };
    const id = await stores.textures.insertSkin({ ...row, textureHash: texture.hash });
    if (input.select || count === 0) await stores.accounts.selectSkin(player.id, id);
    const skin: Skin = { ...row, id, texture };
    await also(stores, skin);
    return skin;
  });
}

/** The number of skins in the account's wardrobe. Fails with invalid when it may hold no more than these. */
export async function checkWardrobe(
  textures: TextureReads,
  account: AccountId,
  max: number,
): Promise<number> {
  const count = await textures.countSkins(account);
  if (count >= max)
    throw new AppError("invalid", `the wardrobe holds ${max} skins already; delete one first`);
  return count;
}
