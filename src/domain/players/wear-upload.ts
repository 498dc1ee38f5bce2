import { PlainError } from "../../kernel/errors.ts";
import type { PlayerId, TextureHash } from "../../kernel/ids.ts";
import type { SkinModel } from "../model/texture.ts";
import type { TextureImporter } from "../ports/pictures.ts";
import type { PlayerLook } from "../ports/player-store.ts";
import type { Actor, Tx } from "../ports/unit-of-work.ts";
import { withTextures } from "../textures/files.ts";
import { readTexture } from "../textures/stored-file.ts";
import { insertSkin, type UploadDeps } from "../textures/wardrobe.ts";
import { findPlayer } from "./list-players.ts";

/*
 * Uploads by launchers: a file for one player, who wears it at once. The caller has checked that the actor
 * may dress it.
 */

/**
 * Makes a player wear a skin that is uploaded. One of its account's wardrobe with the same bitmap and model
 * is worn again; else the upload joins the wardrobe. A null model is found from the pixels. Writes audit
 * unless the owner does it. Fails with not_found for a player that is gone, with forbidden when the wardrobe
 * is full, as the import does, and with no_space.
 */
export async function wearUpload(
  deps: UploadDeps,
  actor: Actor,
  { player }: PlayerLook,
  file: { readonly png: Uint8Array; readonly model: SkinModel | null },
): Promise<PlayerLook> {
  const incoming = await deps.importer.skin(file.png, file.model, String(player.accountId));
  return withTextures(deps, actor, [incoming], async (tx) => {
    const { id, accountId } = await current(tx, player.id);
    const wardrobe = await tx.textures.listSkins(accountId);
    const same = wardrobe.find(
      ({ texture, model }) => texture.hash === incoming.texture.hash && model === incoming.model,
    );
    const { wardrobeMax } = deps.rules.textures;
    if (same === undefined && wardrobe.length >= wardrobeMax) {
      const message = `The wardrobe holds ${wardrobeMax} skins, which is the most: delete one on the website first`;
      throw new PlainError("forbidden", message);
    }
    const skin = same ?? (await insertSkin(tx, accountId, incoming));
    await tx.players.selectSkin(id, skin.id);
    return findPlayer(tx.players, { by: "id", value: id });
  });
}

/**
 * Makes a player wear a skin whose bitmap is here, as if its file were uploaded: one of its account's
 * wardrobe, or one that a player wears, whose file every person may download. A bitmap that lies unworn in
 * another wardrobe is as unknown as one that is not here, and so is that of a cape. Fails with invalid for an
 * unknown one, and as `wearUpload` does.
 */
export async function wearKnownSkin(
  deps: UploadDeps,
  actor: Actor,
  look: PlayerLook,
  { hash, model }: { readonly hash: TextureHash; readonly model: SkinModel },
): Promise<PlayerLook> {
  const { textures } = deps.reads;
  const texture = await textures.findTexture(hash);
  const wardrobe = await textures.listSkins(look.player.accountId);
  const isKnown = wardrobe.some((skin) => skin.texture.hash === hash) || (await textures.isWorn(hash));
  if (texture === null || !isKnown)
    throw refuseUrl("no player here wears this skin, and it is not in your wardrobe");
  const png = await readTexture(deps.blobs, texture);
  if (typeof png === "string") throw refuseUrl(`the file of this skin is ${png} here: upload it instead`);
  return wearUpload(deps, actor, look, { png, model });
}

const refuseUrl = (rule: string) => new PlainError("invalid", rule, { field: "url" });

/**
 * Makes a player wear the cape with this bitmap, one that its account was granted. Nothing is stored. Fails
 * with not_found for a player that is gone, with forbidden when no granted cape has the bitmap, and as the
 * import does.
 */
export async function wearCapeFile(
  deps: Pick<UploadDeps, "transact"> & { readonly importer: TextureImporter },
  actor: Actor,
  { player }: PlayerLook,
  png: Uint8Array,
): Promise<PlayerLook> {
  const { accountId } = player;
  const { texture } = await deps.importer.cape(png, String(accountId));
  return deps.transact(actor, async (tx) => {
    const { id } = await current(tx, player.id);
    const granted = await tx.textures.listGrantedCapes(accountId, tx.now);
    const cape = granted.find((one) => one.texture.hash === texture.hash);
    if (cape === undefined) {
      throw new PlainError(
        "forbidden",
        "Capes are granted by the community, not uploaded: this is none of yours",
      );
    }
    await tx.players.wearCape(id, cape.id);
    return findPlayer(tx.players, { by: "id", value: id });
  });
}

/** The player as it is now. Another account cannot have got it. */
async function current(tx: Tx, id: PlayerId) {
  const { player } = await findPlayer(tx.players, { by: "id", value: id });
  return player;
}
