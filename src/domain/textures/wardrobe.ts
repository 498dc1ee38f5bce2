import { refusals } from "../model/refusals.ts";
import type { Rules } from "../model/rules.ts";
import { newUuid, type AccountId, type Uuid } from "../../kernel/ids.ts";
import type { Player } from "../model/account.ts";
import { parseTextureName, type Skin, type SkinModel } from "../model/texture.ts";
import type { IncomingSkin, TextureImporter } from "../ports/pictures.ts";
import type { SkinChange, TextureReads } from "../ports/texture-store.ts";
import type { Actor, Transact, Tx } from "../ports/unit-of-work.ts";
import { dropFiles, releaseTextures, withTextures, type TextureDeps } from "./files.ts";
import { findPermittedCape } from "./capes.ts";

/** What an upload of a skin needs. */
export type UploadDeps = TextureDeps & {
  readonly importer: TextureImporter;
  readonly rules: Pick<Rules, "textures">;
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
 * Puts a skin into the player's wardrobe. Writes audit unless the owner does it. Fails with invalid for a bad
 * name or a full wardrobe, before it looks at the file, as the import does, and with no_space.
 */
export async function uploadSkin(
  deps: UploadDeps,
  actor: Actor,
  player: Player,
  input: Input,
): Promise<Skin> {
  const { accountId } = player;
  const { wardrobeMax } = deps.rules.textures;
  const name = input.name === null ? null : parseTextureName(input.name);
  await checkWardrobe(deps.reads.textures, accountId, wardrobeMax);
  const incoming = await deps.importer.skin(input.file, input.model, String(accountId));

  return withTextures(deps, actor, [incoming], async (tx) => {
    // Again, because another skin may have come in meanwhile.
    const count = await checkWardrobe(tx.textures, accountId, wardrobeMax);
    const skin = await insertSkin(tx, accountId, incoming, name);
    if (input.select || count === 0) await tx.players.selectSkin(player.id, skin.id);
    return skin;
  });
}

/**
 * Within a transaction that has the texture's row: adds a skin to the account's wardrobe. Writes audit unless
 * the owner does it. The caller checks that there is room.
 */
export async function insertSkin(
  tx: Tx,
  accountId: AccountId,
  { texture, model }: Pick<IncomingSkin, "texture" | "model">,
  name: string | null = null,
): Promise<Skin> {
  const row = {
    uuid: newUuid(),
    accountId,
    name: name ?? freeSkinName(await tx.textures.listSkinsOf(accountId)),
    model,
    capeId: null,
    createdAt: tx.now,
  };
  await tx.textures.insertSkin({ ...row, textureHash: texture.hash });
  if (tx.actor.accountId !== accountId) {
    const detail = { uuid: row.uuid, name: row.name, slim: model === "slim", sha256: texture.digest };
    tx.audit("skin.upload", accountId, detail);
  }
  // Read back, because further columns begin with their defaults.
  const skin = await tx.textures.findSkin(row.uuid);
  if (skin === null) throw new Error("An inserted skin is missing");
  return skin;
}

/**
 * The name of a new skin that was given none: `Skin 4` beside three others, or the next number that is free.
 */
function freeSkinName(others: readonly { readonly name: string }[]): string {
  const taken = new Set(others.map(({ name }) => name));
  let number = others.length + 1;
  while (taken.has(`Skin ${number}`)) number += 1;
  return `Skin ${number}`;
}

/** The number of skins in the account's wardrobe. Fails with invalid when it may hold no more than these. */
export async function checkWardrobe(
  textures: TextureReads,
  account: AccountId,
  max: number,
): Promise<number> {
  const count = await textures.countSkins(account);
  if (count >= max) throw refusals.wardrobeFull(max);
  return count;
}

/**
 * The parts of a skin that its owner and staff may change. Absent ones stay as they are; a null cape is
 * unlinked.
 */
export type SkinEdit = {
  readonly name?: string;
  readonly model?: SkinModel;
  readonly cape?: Uuid | null;
};

/**
 * Changes a skin of the player's wardrobe. Fails with not_found for an unknown skin and with invalid for a
 * bad name, slim arms on a 64x32 skin and a cape that the account was not granted.
 */
export async function editSkin(
  { transact }: Pick<TextureDeps, "transact">,
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
 * Changes a skin, for its owner and staff alike. Fails with invalid for a bad name, slim arms on a 64x32 skin
 * and a cape that the skin's owner may not wear.
 */
export async function changeSkin(tx: Tx, skin: Skin, { name, model, cape }: SkinEdit): Promise<void> {
  if (model === "slim" && skin.texture.height !== skin.texture.width) {
    throw refusals.noSlimArms();
  }
  const change: SkinChange = {
    ...(name === undefined ? {} : { name: parseTextureName(name) }),
    ...(model === undefined ? {} : { model }),
    ...(cape === undefined
      ? {}
      : { capeId: cape === null ? null : await findPermittedCape(tx, skin.accountId, cape) }),
  };
  if (Object.keys(change).length > 0) await tx.textures.updateSkin(skin.id, change);
}

/** A skin that a player of the account may wear. Fails with invalid for a skin outside its wardrobe. */
export async function findWorn(textures: TextureReads, account: AccountId, uuid: Uuid): Promise<Skin> {
  const skin = await textures.findSkin(uuid);
  if (skin?.accountId === account) return skin;
  throw refusals.notInWardrobe(uuid);
}

/**
 * Makes a member's main player wear a skin of the wardrobe. It is not looked up again, since it goes with its
 * account alone, whose session the transaction checks. Fails with invalid for a skin that is not in the
 * wardrobe.
 */
export async function selectSkin(
  { transact }: { readonly transact: Transact },
  actor: Actor,
  player: Player,
  uuid: Uuid,
): Promise<void> {
  await transact(actor, async ({ textures, players }) => {
    const skin = await findWorn(textures, player.accountId, uuid);
    await players.selectSkin(player.id, skin.id);
  });
}

/**
 * Deletes a skin of the wardrobe; a player that showed it shows no skin afterwards. Its file goes when
 * nothing else refers to it. Fails with not_found for an unknown skin.
 */
export async function deleteSkin(deps: TextureDeps, actor: Actor, player: Player, uuid: Uuid): Promise<void> {
  const freed = await deps.transact(actor, async (tx) => {
    const skin = await findOwnSkin(tx.textures, player.accountId, uuid);
    await tx.textures.deleteSkin(skin.id);
    return releaseTextures(deps, tx, [skin.texture.hash]);
  });
  await dropFiles(deps, freed);
}

/** Another account's skin is answered like an unknown one, so that members do not learn what others own. */
async function findOwnSkin(textures: TextureReads, account: AccountId, uuid: Uuid): Promise<Skin> {
  const skin = await textures.findSkin(uuid);
  if (skin === null || skin.accountId !== account) {
    throw refusals.notInYourWardrobe(uuid);
  }
  return skin;
}
