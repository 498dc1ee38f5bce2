import { AppError } from "../../kernel/errors.ts";
import type { Member } from "../model/account.ts";
import type { SkinModel } from "../model/texture.ts";
import type { TextureImporter } from "../ports/pictures.ts";
import type { PlayerLookKey } from "../ports/player-store.ts";
import type { Reads } from "../ports/stores.ts";
import type { Actor } from "../ports/unit-of-work.ts";
import { withTextures, type TextureDeps } from "../textures/files.ts";
import { putIntoWardrobe } from "../textures/wardrobe.ts";
import { findOwnPlayer } from "./list-players.ts";

type Deps = TextureDeps & {
  readonly reads: Pick<Reads, "players" | "textures">;
  readonly importer: TextureImporter;
  readonly rules: { readonly wardrobeMax: number };
};
type Upload = { readonly player: PlayerLookKey; readonly file: Uint8Array };
type Self = Pick<Member, "account">;

/**
 * Makes one of the member's players wear the skin in a file, which comes into the wardrobe unless an equal one with the same model is
 * there. Fails with not_found for a player that is not theirs, as the import does, with forbidden for a full wardrobe, and with
 * no_space.
 */
export async function wearUploadedSkin(
  deps: Deps,
  actor: Actor,
  { account }: Self,
  { player: key, file, model }: Upload & { readonly model: SkinModel },
): Promise<void> {
  // Before the work on the file, and again after it.
  await findOwnPlayer(deps.reads.players, account, key);
  const incoming = await deps.importer.skin(file, model, String(account.id));
  await withTextures(deps, actor, [incoming], async (tx) => {
    const { player } = await findOwnPlayer(tx.players, account, key);
    const skins = await tx.textures.listSkins(account.id);
    const equal = skins.find(
      (skin) => skin.texture.hash === incoming.texture.hash && skin.model === incoming.model,
    );
    if (equal === undefined && skins.length >= deps.rules.wardrobeMax)
      throw new AppError("forbidden", `The wardrobe holds ${skins.length} skins already; delete one first`);
    const { id } = equal ?? (await putIntoWardrobe(tx, account.id, incoming, null));
    await tx.players.selectSkin(player.id, id);
  });
}

/**
 * Makes one of the member's players wear the granted cape whose picture is in a file. The file is not kept: capes are granted. Fails
 * with not_found for a player that is not theirs, as the import does, and with forbidden for any other picture.
 */
export async function wearUploadedCape(
  { reads, transact, importer }: Pick<Deps, "reads" | "transact" | "importer">,
  actor: Actor,
  { account }: Self,
  { player: key, file }: Upload,
): Promise<void> {
  await findOwnPlayer(reads.players, account, key);
  const { texture } = await importer.cape(file, String(account.id));
  await transact(actor, async (tx) => {
    const { player } = await findOwnPlayer(tx.players, account, key);
    const granted = await tx.textures.listGrantedCapes(account.id, tx.now);
    const worn = granted.find((cape) => cape.texture.hash === texture.hash);
    if (worn === undefined)
      throw new AppError("forbidden", "Capes are granted, not uploaded, and this is none that you have");
    await tx.players.wearCape(player.id, worn.id);
  });
}
