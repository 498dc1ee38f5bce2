import { Type, type Static } from "@sinclair/typebox";
import type { Level } from "../../domain/model/account.ts";
import type { Appearance } from "../../domain/ports/texture-store.ts";
import { givenText } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import { descriptor } from "../resources/launcher-textures.ts";
import { presentTextures } from "./textures.ts";
import { t } from "../routing/schema.ts";

/** The roles that a LaunchServer learns of; players have none. */
export const rolesOf: Readonly<Record<Level, readonly string[]>> = {
  1: [],
  2: ["moderator"],
  3: ["administrator"],
};

/** A player as LaunchServers before 5.5 read it. */
export const launchUser = t.Object(
  {
    username: t.String({ examples: [examples.name] }),
    uuid: givenText("The player's UUID", examples.user, "uuid"),
    serverId: t.Null(),
    accessToken: t.Null(),
    permissions: t.Object({
      roles: t.Array(t.String(), {
        description: "`moderator` or `administrator`; empty for players, and in answers to strangers",
        examples: [["moderator"]],
      }),
      perms: t.Array(t.String(), { description: "Always empty", examples: [[]] }),
    }),
    assets: descriptor,
    properties: t.Object({}),
    hwidId: Type.Integer({ description: "Always 0: hardware is not recorded", examples: [0] }),
  },
  { component: "LaunchUser" },
);

/** `level`: that of the account; null: the asker may not know it. */
export function presentUser(
  shown: Appearance,
  publicUrl: string,
  level: Level | null,
): Static<typeof launchUser> {
  return {
    username: shown.name,
    uuid: shown.uuid,
    serverId: null,
    accessToken: null,
    permissions: { roles: [...rolesOf[level ?? 1]], perms: [] },
    assets: presentTextures(shown, publicUrl, "base64"),
    properties: {},
    hwidId: 0,
  };
}
