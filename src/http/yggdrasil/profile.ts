import { t } from "elysia";
import type { Account, Player } from "../../domain/model/account.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { examples } from "../openapi/examples.ts";

/** How the protocol writes a UUID: lower case, without dashes. */
export function plainId(uuid: Uuid): string {
  return uuid.replaceAll("-", "");
}

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
  return { id: plainId(uuid), name };
}

/** An account; its properties are there because libraries read them unasked. */
export const gameUser = t.Object(
  { id, properties: t.Array(t.Object({}), { description: "Always empty", maxItems: 0 }) },
  { component: "YggdrasilUser" },
);

export function presentUser({ uuid }: Account): typeof gameUser.static {
  return { id: plainId(uuid), properties: [] };
}
