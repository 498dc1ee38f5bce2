/** The settings of players, of the protocols of launchers and games, and of webhooks. */
import { protocolNames, type ProtocolName } from "../../http/protocol-names.ts";
import { limits } from "../../kernel/limits.ts";
import { boolean, choice, communityName, hidden, integer, kind, path, refuse } from "./kinds.ts";
import type { Kind } from "./kinds.ts";
import { fileContent, shared, sharedAs, unordered } from "./setting.ts";
import { auroraSecret, webhookSecret } from "./secret-kinds.ts";

/** The word for no protocol at all. */
const noProtocols = "none";

const protocols: Kind<readonly ProtocolName[]> = kind("NAME,…", (given) => {
  if (given.trim() === noProtocols) return [];
  const names = given.split(/[\s,]+/).filter((name) => name !== "");
  if (new Set(names).size < names.length) refuse("must name each protocol once");
  return names.map((name) => {
    const known = protocolNames.find((one) => one === name);
    return known ?? refuse(`must be ${noProtocols}, or some of ${protocolNames.join(", ")}`);
  });
});

/** Host names without scheme and port; one that begins with a dot stands for all names below it. */
const skinDomains: Kind<readonly string[]> = kind("HOST,…", (given) =>
  given
    .split(/[\s,]+/)
    .filter((domain) => domain !== "")
    .map((domain) =>
      /^\.?[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i.test(domain)
        ? domain.toLowerCase()
        : refuse("must be host names like skins.example.org or .example.org, separated by commas"),
    ),
);

const webhookUrlsMax = 16;

/**
 * Addresses that events are sent to. They may hold credentials of the receiver, so messages do not repeat
 * them.
 */
const webhookUrls: Kind<readonly string[]> = hidden("URL,…", (given) => {
  const urls = given.split(/[\s,]+/).filter((url) => url !== "");
  if (new Set(urls).size < urls.length) refuse("must name each address once");
  if (urls.length > webhookUrlsMax) refuse(`must be ${webhookUrlsMax} addresses at most`);
  return urls.map((text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.hash === "";
    return isWeb ? url.href : refuse("must be http:// or https:// addresses, separated by commas");
  });
});

/** Rows of the table in `settings.ts`. */
export const protocolSettings = {
  PLAYERS_MAX: shared.withDefault(
    integer(1, limits.ownPlayersMax),
    "1",
    "players that one account may have; user set-players-max sets another number for one account",
  ),
  PLAYER_UUIDS: shared.withDefault(
    choice("random", "offline"),
    "random",
    "UUIDs of new players: random, or offline as servers without authentication make them from the name",
  ),
  PROTOCOLS: sharedAs(unordered).optional(
    protocols,
    `protocols of launchers, games and websites that are spoken: ${protocolNames.join(", ")}, separated by commas, or ${noProtocols}`,
    "all; aurora only with AURORA_SECRET",
  ),
  SERVER_NAME: shared.optional(communityName, "the name that launchers show", "COMMUNITY_NAME"),
  SKIN_DOMAINS: sharedAs(unordered).optional(
    skinDomains,
    "further hosts that games may load textures from; .example.org stands for all names below it",
    "the host of PUBLIC_URL alone",
  ),
  YGGDRASIL_PASSWORD_INTERVAL_MS: shared.withDefault(
    integer(0, 60_000),
    "1000",
    "the shortest time between two passwords that strangers' launchers try on one account, in milliseconds",
  ),
  YGGDRASIL_ADDRESS_CHECK: shared.withDefault(
    boolean,
    "true",
    "whether a player who joins must have the address that the game server asks for, where it asks",
  ),
  GRAVIT_KEY_FILE: sharedAs(fileContent).optional(
    path("FILE"),
    "public key of a GravitLauncher LaunchServer (EC P-256, DER or PEM), whose tokens may then upload skins",
    "none: tokens of players who sign in by cloakroom alone",
  ),
  AURORA_SECRET: shared.optional(
    auroraSecret,
    "part of the address that an AuroraLauncher server calls; at least 32 characters. Better not as a flag",
    "none",
  ),
  WEBHOOK_URLS: sharedAs(unordered).optional(
    webhookUrls,
    "addresses that events are sent to, separated by commas",
    "none",
  ),
  WEBHOOK_SECRET: shared.optional(
    webhookSecret,
    "signs those events: whsec_ and Base64. Better not as a flag",
    "made at the first start that needs it",
  ),
} as const;

/** The protocols that are on: those that were named, or all whose settings are there. */
export function protocolsOf(
  named: readonly ProtocolName[] | null,
  isGiven: (setting: "AURORA_SECRET") => boolean,
): ReadonlySet<ProtocolName> {
  return new Set(named ?? protocolNames.filter((name) => name !== "aurora" || isGiven("AURORA_SECRET")));
}

/** Protocols whose answers are signed. */
export const signingProtocols = ["yggdrasil", "ely"] as const satisfies readonly ProtocolName[];
