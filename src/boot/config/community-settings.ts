/** What a community says of itself on the pages of the console. */
import { kind, path, refuse, type Kind } from "./kinds.ts";
import { fileContent, shared, sharedAs } from "./setting.ts";

/** A few sentences on the first page. */
const textLengthMax = 1000;

const communityText: Kind<string> = kind("TEXT", (given) => {
  const text = given.trim().replaceAll("\r\n", "\n");
  const isShown = text !== "" && !/[^\P{Cc}\n]/u.test(text);
  return isShown && text.length <= textLengthMax
    ? text
    : refuse(`must be a text of at most ${textLengthMax} characters`);
});

export type CommunityLink = { readonly label: string; readonly url: string };

const linksMax = 12;
const labelLengthMax = 40;
const linkRule = "must be links like Discord=https://discord.example.org/invite,Rules=https://…";

const communityLinks: Kind<readonly CommunityLink[]> = kind("LABEL=URL,…", (given) => {
  const links = given.split(",").map((one) => parseLink(one.trim()));
  return links.length <= linksMax ? links : refuse(`must be ${linksMax} links at most`);
});

/** A comma in an address has to be written as %2C. */
function parseLink(given: string): CommunityLink {
  const at = given.indexOf("=");
  const label = given.slice(0, Math.max(0, at)).trim();
  const address = given.slice(at + 1).trim();
  const isLabel = /[\p{L}\p{N}]/u.test(label) && !/\p{Cc}/u.test(label) && label.length <= labelLengthMax;
  if (!isLabel) {
    const named = JSON.stringify(given);
    return refuse(`${linkRule}; ${named} has no label of at most ${labelLengthMax} characters before a =`);
  }
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https:\/\//i.test(address))
    return refuse(`${linkRule}; that of ${label} is not https`);
  if (url.username !== "" || url.password !== "")
    return refuse("must be links without user names and passwords");
  return { label, url: url.href };
}

const accent: Kind<string> = kind("#RRGGBB", (given) => {
  return /^#[0-9a-f]{6}$/i.test(given)
    ? given.toLowerCase()
    : refuse("must be a colour of six hexadecimal digits, like #0f766e");
});

/** Rows of the table in `settings.ts`. */
export const communitySettings = {
  COMMUNITY_TEXT: shared.optional(
    communityText,
    "what the console's first page says of the community",
    "none",
  ),
  COMMUNITY_LINKS: shared.optional(
    communityLinks,
    "links of the console's first page: Discord=https://…,Rules=https://…; https only",
    "none",
  ),
  COMMUNITY_LOGO: sharedAs(fileContent).optional(
    path("FILE"),
    "the community's logo on pages: PNG or WebP of at most 256 KiB; read when the server starts",
    "none",
  ),
  COMMUNITY_ACCENT: shared.optional(
    accent,
    "colour of links and buttons on pages and in mails, like #0f766e; made darker or lighter until it can be read; buttons keep a light colour, under dark text",
    "#0f766e, on dark pages #5eead4",
  ),
} as const;
