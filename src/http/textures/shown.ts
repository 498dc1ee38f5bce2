import { rules } from "../rules.ts";
import { httpRefusals } from "../refusals.ts";
/**
 * What each address of delivery shows, with its subjects. Unknown players, skins and capes fail with
 * not_found.
 */
import { refusals } from "../../domain/model/refusals.ts";
import type { DefaultSkins } from "../../domain/textures/pictures.ts";
import {
  findCapeOrSkin,
  findPlayer,
  findShown,
  findSkinToShow,
  savedSkin,
  shownSkin,
  subjectsOf,
  subjectsOfSkin,
  type ShownSkin,
} from "../../domain/textures/delivery.ts";
import { reducedFile, skinInForm } from "../../domain/textures/forms.ts";
import { findWings } from "../../domain/textures/wings.ts";
import type { WornSkin } from "../../domain/textures/pictures.ts";
import type { Texture } from "../../domain/model/texture.ts";
import { aboutPlayer } from "../../domain/players/about-player.ts";
import type { Reads } from "../../domain/ports/stores.ts";
import type { TextureReads } from "../../domain/ports/texture-store.ts";
import { ok } from "../envelope.ts";
import { readTextureHash, readUuid } from "../fields.ts";
import { readCapeKey, readCapeOrPlayerKey, readPlayerKey } from "../player-keys.ts";
import { presentDescriptor, presentPlayerTextures } from "../resources/launcher-textures.ts";
import type { Shown, ShownJson } from "../answers.ts";
import {
  readSize,
  readForm,
  readWidth,
  type capeFileQuery,
  type pictureQuery,
  type playerCapeQuery,
  type playerFileQuery,
  type playerPictureQuery,
  type skinFileQuery,
  type wingsQuery,
} from "./params.ts";

export const { noSkin, noCape, noCapeFile, noTexture } = httpRefusals;

type Deps = { readonly textures: TextureReads; readonly defaults: DefaultSkins };

/**
 * A launcher's descriptor of the player with this uuid or name; an empty one where no player has the uuid.
 */
export async function descriptorShown(
  { textures }: Deps,
  player: string,
  publicUrl: string,
): Promise<ShownJson> {
  const { key, shown } = await findDescribed(textures, player);
  // Launchers take 404 and null for a fault.
  return { body: presentDescriptor(shown, publicUrl), subjects: subjectsOf(key, shown) };
}

/**
 * Fails with invalid for what is neither a uuid nor the name of a player: launchers ask by uuid, and must
 * learn of a wrong one.
 */
async function findDescribed(textures: TextureReads, player: string) {
  const key = readPlayerKey(player);
  const shown = await findPlayer(textures, key);
  if (shown === null && key.by === "name") throw rules.uuidOrPlayer({ field: "uuid" });
  return { key, shown };
}

/** The same in the envelope, with what a player's page shows of it. */
export async function envelopeShown(
  reads: Pick<Reads, "textures" | "players">,
  player: string,
  publicUrl: string,
): Promise<ShownJson> {
  const { key, shown } = await findDescribed(reads.textures, player);
  if (shown === null) throw refusals.unknownPlayer();
  const body = presentPlayerTextures(shown, await aboutPlayer(reads, shown), publicUrl);
  return { body: ok("Textures", body), subjects: subjectsOf(key, shown) };
}

/** The head or body of a player or a saved skin. */
export async function pictureShown(
  { textures, defaults }: Deps,
  view: "head" | "body",
  player: string,
  query: typeof playerPictureQuery.static,
): Promise<Shown> {
  const size = readSize(query.size);
  const { skin, subjects } = await findSkinToShow(textures, readPlayerKey(player), defaults);
  refuseDefault(skin, query);
  const what = { picture: { view, type: query.type ?? "skin", size, skin } } as const;
  return { what, caching: "follows", byDefault: skin.byDefault, subjects };
}

/** A cape or a saved skin by its id. */
export async function capeOrSkinShown(
  { textures, defaults }: Deps,
  id: string,
  query: typeof pictureQuery.static,
): Promise<Shown> {
  const size = readSize(query.size);
  const found = await findCapeOrSkin(textures, readCapeKey(id));
  const { subjects } = found;
  if ("cape" in found) {
    // A cape by itself has no wearer: the classic default skin shows it.
    const wearer: WornSkin = { file: defaults.classic, model: "classic" };
    const what = capeOf(found.cape.texture, query, { size, skin: wearer });
    return { what, caching: "follows", subjects };
  }
  const skin = savedSkin(found.skin);
  if (query.type !== "player") {
    return { what: reducedFile(skin.file, readWidth(query.width)), caching: "follows", subjects };
  }
  return { what: { picture: { view: "body", type: "player", size, skin } }, caching: "follows", subjects };
}

/**
 * The cape that a player wears. Where there is none, `default` may ask for a transparent picture of its size.
 */
export async function wornCapeShown(
  { textures, defaults }: Deps,
  player: string,
  query: typeof playerCapeQuery.static,
): Promise<Shown> {
  const key = readPlayerKey(player);
  const shown = await findShown(textures, key);
  const subjects = subjectsOf(key, shown);
  const { type = "skin" } = query;
  if (shown.cape !== null) {
    const worn = { size: readSize(query.size), skin: shownSkin(shown, defaults) };
    return { what: capeOf(shown.cape.texture, query, worn), caching: "follows", subjects };
  }
  if (query.default !== "transparent") throw noCape();
  const size = query.size === undefined && type === "skin" ? capeWidth : readSize(query.size);
  const what = { picture: { view: "no-cape", type, size } } as const;
  return { what, caching: "follows", byDefault: "transparent", subjects };
}

/** The width of most capes' files. */
const capeWidth = 64;

/** The file of the skin that a player wears. */
export async function wornSkinShown(
  { textures, defaults }: Deps,
  player: string,
  query: typeof playerFileQuery.static,
): Promise<Shown> {
  const key = readPlayerKey(player);
  const shown = await findShown(textures, key);
  const skin = shownSkin(shown, defaults);
  refuseDefault(skin, query);
  const subjects = subjectsOfSkin(key, shown);
  return { what: skinInForm(skin, readForm(query)), caching: "follows", byDefault: skin.byDefault, subjects };
}

/**
 * The wings of a cape: alone, as they are stored or scaled to the size asked for; or on the back of their
 * wearer.
 */
export async function wingsShown(
  { textures, defaults }: Deps,
  id: string,
  query: typeof wingsQuery.static,
): Promise<Shown> {
  const size = readSize(query.size);
  const { wings, skin, subjects } = await findWings(textures, readCapeOrPlayerKey(id), defaults);
  const what =
    query.type === "player"
      ? ({ picture: { view: "elytra", type: "player", size, skin, cape: wings } } as const)
      : capeOf(wings, query, { size, skin });
  return { what, caching: "follows", subjects };
}

/** A saved skin's file. */
export async function savedSkinShown(
  { textures }: Deps,
  uuid: string,
  query: typeof skinFileQuery.static,
): Promise<Shown> {
  const skin = await textures.findSkin(readUuid("uuid", uuid));
  if (skin === null) throw noSkin();
  const what = skinInForm(savedSkin(skin), readForm(query));
  return { what, caching: "follows", subjects: [`skin:${skin.uuid}`] };
}

/** A cape's file. */
export async function capeFileShown(
  { textures }: Deps,
  uuid: string,
  query: typeof capeFileQuery.static,
): Promise<Shown> {
  const cape = await textures.findCape({ by: "uuid", value: readUuid("uuid", uuid) });
  if (cape === null) throw noCapeFile();
  const what = reducedFile(cape.texture, readWidth(query.width));
  return { what, caching: "follows", subjects: [`cape:${cape.uuid}`] };
}

/** The texture with this hash, which never changes. */
export async function textureShown({ textures }: Pick<Deps, "textures">, hash: string): Promise<Shown> {
  const texture = await textures.findTexture(readTextureHash(hash));
  if (texture === null) throw noTexture();
  return { what: { file: texture }, caching: "fixed", subjects: [`texture:${texture.hash}`] };
}

/** A cape alone, as it is stored or scaled to the size asked for; or on the back of its wearer. */
function capeOf(
  cape: Texture,
  query: typeof pictureQuery.static,
  { size, skin }: { readonly size: number; readonly skin: WornSkin },
): Shown["what"] {
  if (query.type === "player") return { picture: { view: "cape", type: "player", size, skin, cape } };
  if (query.size === undefined) return reducedFile(cape, readWidth(query.width));
  return { picture: { view: "cape", type: "skin", size, cape } };
}

function refuseDefault(skin: ShownSkin, query: { readonly default?: string }): void {
  if (query.default === "none" && skin.byDefault !== null) {
    throw httpRefusals.noOwnSkin();
  }
}
