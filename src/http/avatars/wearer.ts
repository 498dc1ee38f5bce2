import { noCape } from "../textures/shown.ts";
import { findPlayer, subjectsOf, type PlayerKey, type ShownSkin } from "../../domain/textures/delivery.ts";
import type { FigurePicture } from "../../domain/textures/pictures.ts";
import { findAnySkin, type StandIn } from "../../domain/textures/stand-in.ts";
import { refusals } from "../../domain/model/refusals.ts";
import { PlainError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import type { Shown } from "../answers.ts";
import { nothingHere } from "../failures.ts";
import type { Answer } from "../openapi/describe.ts";
import { examples } from "../openapi/examples.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { readPlayerKey } from "../player-keys.ts";
import { pictureFailure, pngAnswer } from "../textures/answers.ts";
import { t } from "../routing/schema.ts";

/** What the avatar sites have in common: who is shown, how large, and what they answer. */

const idRule = "must be a UUID or a username, and valid in an address";

/** Who is shown, as the document has it. A file extension is ignored. */
export const idField = t.String({
  description: "A player's UUID or name. A file extension is ignored",
  rule: idRule,
  shape: "player",
  examples: [examples.user],
});

/** A parameter that is one of a few words. Another one is an unknown address. */
export function kindField(kinds: readonly string[]) {
  return t.String({ description: "What is shown", documented: { type: "string", enum: kinds } });
}

type Table<Row> = Readonly<Record<string, Row>>;

/** The row of a kind. Fails as an unknown address does. */
export function rowOf<Row>(
  { requests }: Pick<Http, "requests">,
  request: Request,
  [table, kind]: readonly [Table<Row>, string],
): Row {
  const row = Object.hasOwn(table, kind) ? table[kind] : undefined;
  if (row !== undefined) return row;
  requests.contexts.of(request).route = null;
  throw nothingHere();
}

const anyExtension = /\.[a-z0-9]{1,5}$/i;
/** Extensions that no name may be meant to end with. */
const pictureExtension = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|ico)$/i;

/** A segment of a path without its file extension. */
export function withoutExtension(segment: string): string {
  return segment.replace(anyExtension, "");
}

const readKey = (text: string) =>
  readPlayerKey(text, () => new PlainError("invalid", idRule, { field: "id" }));

/** The player whom a segment names, with a file extension or without one: names may hold dots. */
async function keyOf(
  { reads }: Pick<Services, "reads">,
  segment: string,
): Promise<{ readonly key: PlayerKey; readonly isCertain: boolean }> {
  if (pictureExtension.test(segment)) return { key: readKey(withoutExtension(segment)), isCertain: true };
  const whole = { key: readKey(segment), isCertain: true };
  if (!anyExtension.test(segment)) return whole;
  if ((await findPlayer(reads.textures, whole.key)) !== null) return whole;
  return { key: readKey(withoutExtension(segment)), isCertain: false };
}

/** A skin to show in a picture or as a file. */
type Wearer = { readonly skin: ShownSkin; readonly subjects: Shown["subjects"] };

async function findWearer(
  services: Pick<Services, "reads" | "textures">,
  id: string,
  standIn: StandIn | null,
): Promise<Wearer> {
  const { key, isCertain } = await keyOf(services, id);
  const found = await findAnySkin(services.reads.textures, key, {
    defaults: services.textures.defaults,
    standIn,
  });
  return isCertain ? found : { ...found, subjects: null };
}

/** What a picture shows beside the skin. */
export type Wanted = Omit<FigurePicture, "skin">;

/** A picture of a player; an unknown player has a default skin. */
export async function figureShown(
  services: Pick<Services, "reads" | "textures">,
  id: string,
  { standIn, ...wanted }: Wanted & { readonly standIn?: StandIn | null },
): Promise<Shown> {
  const { skin, subjects } = await findWearer(services, id, standIn ?? null);
  // A picture of a kind stays one with its skin.
  const picture = { ...wanted, skin } as FigurePicture;
  return { what: { picture }, caching: "follows", byDefault: skin.byDefault, subjects };
}

/**
 * The file of a player's skin; an unknown player has a default one. `saved`: browsers save it instead of
 * showing it.
 */
export async function skinFileShown(
  services: Pick<Services, "reads" | "textures">,
  id: string,
  { standIn = null, isSaved = false }: { readonly standIn?: StandIn | null; readonly isSaved?: boolean } = {},
): Promise<Shown> {
  const { skin, subjects } = await findWearer(services, id, standIn);
  const savedAs = isSaved ? { savedAs: "skin.png" } : {};
  return { what: { file: skin.file }, caching: "follows", byDefault: skin.byDefault, subjects, ...savedAs };
}

/** The file of the cape that a player wears. Fails with not_found. */
export async function capeFileOf(services: Pick<Services, "reads">, id: string): Promise<Shown> {
  const { key } = await keyOf(services, id);
  const shown = await findPlayer(services.reads.textures, key);
  if (shown === null) throw refusals.unknownPlayer();
  if (shown.cape === null) throw noCape();
  return { what: { file: shown.cape.texture }, caching: "follows", subjects: subjectsOf(key, shown) };
}

/** The width of pictures that name none, on two of the sites. */
const widthUsual = 180;

/**
 * Pixels that a path names, brought within the bounds of pictures. Fails with invalid for what is no number.
 */
export function readClampedWidth(field: string, text: string | undefined): number {
  if (text === undefined) return widthUsual;
  if (!/^[0-9]+$/.test(text)) throw new PlainError("invalid", `${field}: must be a whole number`);
  return Math.min(limits.pictureSizeMax, Math.max(limits.pictureSizeMin, Number(text)));
}

/** The answers of every route, in the API's document. */
export function avatarAnswers(failure404: string): Readonly<Record<number, Answer>> {
  return {
    200: { ...pngAnswer, headers: [...(pngAnswer.headers ?? []), "X-Texture-Default"] },
    400: pictureFailure("What no player can have for a name, or a size out of bounds"),
    404: pictureFailure(failure404),
    429: pictureFailure("Too many pictures are being made"),
  };
}
