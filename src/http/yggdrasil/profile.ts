import { t } from "elysia";
import type { Account, Player } from "../../domain/model/account.ts";
import { gameId } from "../../domain/game/profile.ts";
import { examples } from "../openapi/examples.ts";

const id = t.String({
  pattern: "^[0-9a-f]{32}$",
  description: "A UUID without dashes",
  examples: [examples.user.replaceAll("-", "")],
});

/** A player by id and name alone. */
export const briefProfile = t.Object(
  { id, name: t.String({ description: "The player's name", examples: [examples.name] }) },
  { component: "YggdrasilProfile" },
);

export function presentBrief({ uuid, name }: Pick<Player, "uuid" | "name">): typeof briefProfile.static {
  return { id: gameId(uuid), name };
}

/** An account; its properties are there because libraries read them unasked. */
export const gameUser = t.Object(
  { id, properties: t.Array(t.Object({}), { description: "Always empty", maxItems: 0, examples: [[]] }) },
  { component: "YggdrasilUser" },
);

export function presentUser({ uuid }: Account): typeof gameUser.static {
  return { id: gameId(uuid), properties: [] };
}

/** A player with what it shows, as `domain/game/profile.ts` makes it. */
export const fullProfile = t.Object(
  {
    ...briefProfile.properties,
    properties: t.Array(
      t.Object({
        name: t.String({ examples: ["uploadableTextures"] }),
        value: t.String({ description: "`textures`: JSON in Base64", examples: ["skin"] }),
        signature: t.Optional(
          t.String({ description: "Base64, RSA PKCS #1 v1.5 with SHA-1 over the text of `value`" }),
        ),
      }),
    ),
  },
  { component: "YggdrasilFullProfile" },
);
