import { limits } from "../../kernel/limits.ts";
import { communityNameOf } from "../community-name.ts";
import { envelopeOf, ok } from "../envelope.ts";
import { givenFlag, givenNumber, givenText } from "../fields.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import type { Site } from "../site.ts";
import type { ConsoleSettings } from "./settings.ts";
import { route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

const daySeconds = 24 * 60 * 60;

const orNull = (text: string, description: string) =>
  t.Union([t.String(), t.Null()], { description, examples: [text] });

const link = t.Object({
  label: givenText("What the link says", "Discord"),
  url: t.String({ description: "https", examples: ["https://discord.example.org/invite"] }),
});

const provider = t.Object({
  name: givenText("As `provider` of `/auth/social/login` takes it", "discord"),
  label: givenText("Its name for people", "Discord"),
});

const shownRules = t.Object({
  password_min: givenNumber("Characters of a password, at least", limits.passwordLengthMin),
  skin_bytes_max: givenNumber("Bytes of an uploaded file, at most", 1_048_576),
  hd_width_max: givenNumber("Pixels of a skin's or cape's width, at most", 1024),
  wardrobe_max: givenNumber("Skins that a member may keep", 50),
  players_max: givenNumber("Players that an account may have", 5),
  delete_days: givenNumber("Days in which members may keep an account that they deleted; 0: none", 7),
  username_pattern: givenText("What a username must match, whole", "^[A-Za-z0-9_]{3,16}$"),
});

const community = t.Object(
  {
    name: givenText("The community's name", "Example"),
    has_name: givenFlag("Whether the name is a setting; otherwise it is the host's", true),
    text: orNull("Skins for our servers.", "What the community says of itself; null: nothing"),
    links: t.Array(link, { description: "Where else the community is" }),
    logo: givenFlag("Whether `/console/logo` has a picture", true),
    providers: t.Array(provider, { description: "Where people may sign in; the first is the default" }),
    public_url: orNull(
      "https://skins.example.org",
      "The address where people sign in; null: the one that they have opened",
    ),
    protocols: t.Object({
      yggdrasil: orNull(
        "https://skins.example.org/api/yggdrasil",
        "The address that launchers are given; null: they have none",
      ),
    }),
    rules: shownRules,
    has_mail: givenFlag("Whether mails are sent; otherwise they become files of the operator", true),
    needs_setup: givenFlag("Whether the first administrator is missing", false),
    version: givenText("The release that answers", "0.3.0"),
  },
  { component: "Community" },
);

const said = "The community";

/**
 * `GET /console/community`: what the pages of the console know before anybody signs in. They have the same
 * data in them.
 */
export function communityRoutes(
  services: Pick<Services, "members" | "rules" | "social">,
  http: Pick<Http, "site">,
  own: ConsoleSettings,
) {
  return route("GET", "/community", {
    answer: envelopeOf(community),
    operationId: "getCommunity",
    summary: "What pages show of the community and its rules",
    msg: said,
    handle: async () =>
      ok(said, presentCommunity(services, http.site, own, await services.members.isSetupOpen())),
  });
}

/** The data as pages have it. */
export function presentCommunity(
  { rules, social }: Pick<Services, "rules" | "social">,
  site: Site,
  own: ConsoleSettings,
  isSetupNeeded: boolean,
): typeof community.static {
  const { accounts, players, names, textures } = rules;
  return {
    name: communityNameOf(site),
    has_name: site.communityName !== null,
    text: own.text,
    links: own.links.map(({ label, url }) => ({ label, url })),
    logo: own.logo !== null,
    providers: social.providers.map(({ name, label }) => ({ name, label })),
    public_url: site.ownOrigin === null ? null : site.publicUrl(),
    protocols: { yggdrasil: launcherAddressOf(site) },
    rules: {
      password_min: limits.passwordLengthMin,
      skin_bytes_max: textures.bytesMax,
      hd_width_max: textures.skinWidthMax,
      wardrobe_max: textures.wardrobeMax,
      players_max: players.max,
      delete_days: accounts.deleteSeconds / daySeconds,
      username_pattern: names.pattern.source,
    },
    has_mail: own.hasMail,
    needs_setup: isSetupNeeded,
    version: site.version,
  };
}

/** The address that launchers with authlib-injector take; null: they cannot sign in. */
export function launcherAddressOf({ protocols, publicUrl }: Site): string | null {
  return protocols.has("yggdrasil") ? `${publicUrl()}/api/yggdrasil` : null;
}
