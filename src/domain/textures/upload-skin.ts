import { AppError } from "../../kernel/errors.ts";
import { newUuid, type AccountId } from "../../kernel/ids.ts";
import type { Player } from "../model/account.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { TextureIntake } from "../ports/pictures.ts";
import type { Reads } from "../ports/stores.ts";
import type { Actor, Transact } from "../ports/unit-of-work.ts";
import { withTexture } from "./files.ts";
import { freeSkinName, parseTextureName } from "./name.ts";
import type { TextureReads } from "../ports/texture-store.ts";
import type { Skin, SkinModel } from "../model/texture.ts";

type Deps = {
  readonly reads: Reads;
  readonly transact: Transact;
  readonly blobs: BlobStore;
  readonly intake: TextureIntake;
  readonly rules: { readonly wardrobeMax: number };
};

type Input = {
  readonly file: Uint8Array;
  /** Null: found from the pixels. */
  readonly model: SkinModel | null;
  /** Null: the next number that is free in the wardrobe. */
  readonly name: string | null;
  /** The first skin is selected in any case. */
  readonly select: boolean;
};

/**
 * Puts a skin into the player's wardrobe. Writes audit when it is not the owner who does. Fails with invalid for a bad name or
 * a full wardrobe, before it looks at the file, as the intake does, and with no_space.
 */
export async function uploadSkin(deps: Deps, actor: Actor, player: Player, input: Input): Promise<Skin> {
  const { accountId } = player;
  const { wardrobeMax } = deps.rules;
  const name = input.name === null ? null : parseTextureName(input.name);
  await checkWardrobe(deps.reads.textures, accountId, wardrobeMax);
  const incoming = await deps.intake.skin(input.file, input.model, String(accountId));

  return withTexture(deps, actor, incoming, async (tx) => {
    // Again, because another skin may have come in meanwhile.
    const count = await checkWardrobe(tx.textures, accountId, wardrobeMax);
    const { texture, model } = incoming;
    const row = {
      uuid: newUuid(),
      accountId,
      name: name ?? freeSkinName(await tx.textures.listSkinsOf(accountId)),
      model,
      capeId: null,
      createdAt: tx.now,
    };
    const id = await tx.textures.insertSkin({ ...row, textureHash: texture.hash });
    if (input.select || count === 0) await tx.accounts.selectSkin(player.id, id);
    if (tx.actor.accountId !== accountId) {
      const detail = { uuid: row.uuid, name: row.name, slim: model === "slim", sha256: texture.digest };
      tx.audit("skin.upload", accountId, detail);
    }
    // Read back, because further columns begin with their defaults.
    const skin = await tx.textures.findSkin(row.uuid);
    if (skin === null) throw new Error("An inserted skin is missing");
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
