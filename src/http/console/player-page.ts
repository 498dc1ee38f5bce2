import { escapeHtml } from "../../domain/mail/html.ts";
import type { Language } from "../../domain/model/mail.ts";
import { refusals } from "../../domain/model/refusals.ts";
import type { Subject } from "../../domain/ports/change-feed.ts";
import { aboutPlayer } from "../../domain/players/about-player.ts";
import { findPlayer as findLook, subjectsOf } from "../../domain/textures/delivery.ts";
import { parseUuid, type Uuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import type { ServedWords } from "../../words/server-words.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import { nameKeyOf } from "../player-keys.ts";
import { headElement } from "./document.ts";

/** A player as its page shows it, and what it was found from. */
export type ShownPlayer = {
  readonly name: string;
  readonly uuid: Uuid;
  /** When it was made: Unix seconds. */
  readonly createdAt: number;
  /** The name of the cape that it shows; null: none. */
  readonly cape: string | null;
  readonly subjects: readonly Subject[];
};

/** The name under which the player's page is. */
export type MovedPlayer = { readonly movedTo: string };

/**
 * Finds a player of any account by its name or uuid. One that gave the name up is found under its present
 * name while the name is held for it, and so is one by its offline uuid. Fails with not_found.
 */
export async function findPlayer(
  { reads, players }: Pick<Services, "reads" | "players">,
  name: string,
): Promise<ShownPlayer | MovedPlayer> {
  const uuid = parseUuid(name);
  if (uuid === null && name.length > limits.usernameLengthMax) throw refusals.unknownPlayer();
  // Any text: an operator's pattern may allow names that no other address takes.
  const key = uuid === null ? nameKeyOf(name) : ({ by: "uuid", value: uuid } as const);
  const shown = await findLook(reads.textures, key);
  // A page acts on the player by its own uuid, not by the one that servers without authentication make of the
  // name.
  if (shown !== null && shown.uuid !== shown.playerUuid) return { movedTo: shown.name };
  if (shown !== null) {
    const { createdAt, capeName: cape } = await aboutPlayer(reads, shown);
    const found = { name: shown.name, uuid: shown.uuid, createdAt, cape };
    return { ...found, subjects: subjectsOf(key, shown) };
  }
  const movedTo = uuid === null ? await players.currentNameOf(name) : null;
  if (movedTo === null) throw refusals.unknownPlayer();
  return { movedTo };
}

/** The address of a player's page. */
export const playerPath = (name: string) => `/u/${encodeURIComponent(name)}`;

const bodyWidth = 200;
/** Bodies are twice as high as wide. */
const bodyHeight = 2 * bodyWidth;
/** Wide enough for the preview of a link. */
const previewWidth = 512;

/** The player without scripts: its name, its figure, its cape, and since when it is here. */
export function playerHtml(player: ShownPlayer, words: ServedWords, language: Language): string {
  const { name, uuid, createdAt } = player;
  const made = new Date(createdAt * 1000);
  const day = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(made);
  return [
    `<div class="page-head"><h1 dir="auto">${escapeHtml(name)}</h1></div>`,
    `<div class="player">${pictureHtml(`/api/skin/body/${uuid}?type=player`, words.figureOf(name), ' class="figure" fetchpriority="high"')}`,
    `<div class="player-facts"><p class="soft">${escapeHtml(words.pages.player.since(day))}</p>${capeHtml(player, words)}</div></div>`,
  ].join("");
}

function capeHtml({ name, uuid, cape }: ShownPlayer, words: ServedWords): string {
  if (cape === null) return "";
  const picture = pictureHtml(`/api/skin/standart/cape/${uuid}?type=player`, words.pages.player.capeOf(name));
  return `<h2>${escapeHtml(words.pages.home.cape)}</h2>${picture}<p dir="auto">${escapeHtml(cape)}</p>`;
}

/** A picture of the server at one width, so that the page's script finds it loaded already. */
function pictureHtml(address: string, alt: string, more = ""): string {
  const source = escapeHtml(`${address}&size=${bodyWidth}`);
  return `<img src="${source}" alt="${escapeHtml(alt)}" width="${bodyWidth}" height="${bodyHeight}"${more}>`;
}

/**
 * What chats show of a link to the player (https://ogp.me). Names that only an address's encoding can hold
 * stay text there.
 */
export function playerPreview(
  { name, uuid }: ShownPlayer,
  words: ServedWords,
  { publicUrl, community }: { readonly publicUrl: string; readonly community: string },
): string {
  const picture = `${publicUrl}/api/skin/body/${uuid}?type=player&size=${previewWidth}`;
  return previewElements({
    "og:type": "profile",
    "og:site_name": community,
    "og:title": name,
    "og:description": words.playerOf(name, community),
    "og:url": `${publicUrl}${playerPath(name)}`,
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
