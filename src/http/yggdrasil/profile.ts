import type { Account, Player } from "../../domain/model/account.ts";
import { gameId } from "../../domain/game/profile.ts";
import { givenGameId } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import { t } from "../routing/schema.ts";

const id = givenGameId("A UUID without dashes");

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
