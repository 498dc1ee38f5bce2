import { escapeHtml } from "../../domain/mail/html-parts.ts";
import { refusals } from "../../domain/model/refusals.ts";
import type { Subject } from "../../domain/ports/change-feed.ts";
import { findShown, subjectsOfSkin } from "../../domain/textures/delivery.ts";
import { parseUuid, type Uuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import type { Parts } from "../parts.ts";
import { nameKeyOf } from "../player-keys.ts";
import { headElement } from "./document.ts";
import type { PageWords } from "./words.ts";

/** A player as its page shows it, and what it was found from. */
export type ShownPlayer = {
  readonly name: string;
  readonly uuid: Uuid;
  readonly subjects: readonly Subject[];
};

/** Finds a player of any account by its name or uuid. Fails with not_found. */
export async function findPlayer({ reads }: Pick<Parts, "reads">, name: string): Promise<ShownPlayer> {
  const uuid = parseUuid(name);
  if (uuid === null && name.length > limits.usernameLengthMax) throw refusals.unknownPlayer();
  // Any text: an operator's pattern may allow names that no other address takes.
  const key = uuid === null ? nameKeyOf(name) : ({ by: "uuid", value: uuid } as const);
  const shown = await findShown(reads.textures, key);
  return { name: shown.name, uuid: shown.uuid, subjects: subjectsOfSkin(key, shown) };
}

const bodyWidth = 200;
/** Bodies are twice as high as wide. */
const bodyHeight = 2 * bodyWidth;
/** Wide enough for the preview of a link. */
const previewWidth = 512;

/** The player without scripts: its name and its figure. */
export function playerHtml({ name, uuid }: ShownPlayer, words: PageWords): string {
  const alt = escapeHtml(words.figureOf(name));
  const picture = escapeHtml(`/api/skin/body/${uuid}?type=player&size=${bodyWidth}`);
  return [
    `<div class="page-head"><h1 dir="auto">${escapeHtml(name)}</h1></div>`,
    `<img src="${picture}" alt="${alt}" width="${bodyWidth}" height="${bodyHeight}" fetchpriority="high">`,
  ].join("");
}

/** What chats show of a link to the player (https://ogp.me). Names that only an address's encoding can hold stay text there. */
export function playerPreview(
  { name, uuid }: ShownPlayer,
  words: PageWords,
  { publicUrl, community }: { readonly publicUrl: string; readonly community: string },
): string {
  const picture = `${publicUrl}/api/skin/body/${uuid}?type=player&size=${previewWidth}`;
  return previewElements({
    "og:type": "profile",
    "og:site_name": community,
    "og:title": name,
    "og:description": words.playerOf(name, community),
    "og:url": `${publicUrl}/u/${encodeURIComponent(name)}`,
    "og:image": picture,
    "og:image:width": String(previewWidth),
    "og:image:height": String(2 * previewWidth),
    "og:image:alt": words.figureOf(name),
  });
}

/** Elements of Open Graph for the head. */
export function previewElements(properties: Readonly<Record<string, string>>): string {
  return Object.entries(properties)
    .map(([property, content]) => headElement("meta", { property, content }))
    .join("");
}
