import { rules } from "../rules.ts";
import { httpRefusals } from "../refusals.ts";
/**
 * What mods and old clients read of a player whom they know by name. A default skin is not shown: they have
 * their own.
 */
import { legacySkin, reducedFile } from "../../domain/textures/forms.ts";
import {
  findPlayer,
  findShown,
  shownSkin,
  subjectsOf,
  subjectsOfSkin,
} from "../../domain/textures/delivery.ts";
import type { DefaultSkins } from "../../domain/textures/pictures.ts";
import type { Appearance, TextureReads } from "../../domain/ports/texture-store.ts";
import type { Shown, ShownJson } from "../answers.ts";
import { parseNameKey } from "../player-keys.ts";
import { errnos, ModError } from "./mod-failures.ts";
import { readSize } from "./params.ts";
import { noCape } from "./shown.ts";

type Deps = { readonly textures: TextureReads };

/** `legacy`: 64x32, for clients before 1.8. */
export type FileFormat = "stored" | "legacy";

/**
 * The file of the skin that the player has chosen. Fails with invalid for what can be no name, with not_found
 * for none.
 */
export async function namedSkinShown(
  { textures }: Deps,
  name: string | null,
  format: FileFormat,
): Promise<Shown> {
  const { key, shown } = await findNamed(textures, name);
  if (shown.skin === null) throw httpRefusals.noOwnSkin();
  const skin = { file: shown.skin.texture, model: shown.skin.model };
  const what = format === "legacy" ? legacySkin(skin) : { file: skin.file };
  return { what, caching: "follows", subjects: subjectsOfSkin(key, shown) };
}

/** The file of the cape that the player wears. Fails as `namedSkinShown` does. */
export async function namedCapeShown(
  { textures }: Deps,
  name: string | null,
  format: FileFormat,
): Promise<Shown> {
  const { key, shown } = await findNamed(textures, name);
  if (shown.cape === null) throw noCape();
  const what = reducedFile(shown.cape.texture, format === "legacy" ? 64 : null);
  return { what, caching: "follows", subjects: subjectsOf(key, shown) };
}

/**
 * What `present` makes of a player, for caches of a minute; null for an unknown one, and where it makes
 * nothing of a known one.
 */
export async function namedJson(
  { textures }: Deps,
  name: string | null,
  present: (shown: Appearance) => object | null | Promise<object>,
): Promise<ShownJson | null> {
  const key = parseNameKey(name);
  const shown = key === null ? null : await findPlayer(textures, key);
  if (key === null || shown === null) return null;
  const body = await present(shown);
  return body === null ? null : { body, caching: "follows", subjects: subjectsOf(key, shown) };
}

/** The same for mods, to which an unknown player is a failure. Fails with not_found. */
export async function knownJson(...asked: Parameters<typeof namedJson>): Promise<ShownJson> {
  const found = await namedJson(...asked);
  if (found === null) throw noPlayer();
  return { ...found, isDated: true };
}

const noPlayer = () => new ModError("not_found", errnos.unknownPlayer, "No player has this name");

async function findNamed(textures: TextureReads, name: string | null) {
  const key = parseNameKey(name);
  if (key === null) throw rules.playerName({ field: "name" });
  return { key, shown: await findShown(textures, key) };
}

/** The player's head: flat, or in 3D where the query has `3d`. Fails as `namedSkinShown` does. */
export async function headOfName(
  { textures, defaults }: Deps & { readonly defaults: DefaultSkins },
  name: string | null,
  query: { readonly size?: string; readonly "3d"?: string },
): Promise<Shown> {
  const size = readSize(query.size);
  const { key, shown } = await findNamed(textures, name);
  const skin = shownSkin(shown, defaults);
  const type = query["3d"] === undefined ? "skin" : "player";
  const picture = { view: "head", type, size, skin } as const;
  return {
    what: { picture },
    caching: "follows",
    byDefault: skin.byDefault,
    subjects: subjectsOfSkin(key, shown),
  };
}
