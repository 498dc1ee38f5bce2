import { Elysia, t } from "elysia";
import { guarding, reading } from "../routing/legacy.ts";
import { dressOwnPlayer } from "../../domain/players/change-player.ts";
import { lenientJsonReader } from "../body.ts";
import { readUuid, uuidField } from "../fields.ts";
import { gameGuard } from "../guards.ts";
import { examples } from "../openapi/examples.ts";
import type { Parts } from "../parts.ts";
import { bodyFailures, failureAnswer } from "./failures.ts";
import { boundPlayer, ownProfile, presentOwnProfile } from "./own-profile.ts";
import { atPlaces } from "./places.ts";

/** `PUT minecraft/profile/capes/active`, by which launchers put on one of the capes that the profile lists. */
export function activeCapeRoute(parts: Parts) {
  return atPlaces(["/minecraftservices", ""], (say) =>
    new Elysia()
      .use(guarding(gameGuard(parts)))
      .use(reading(lenientJsonReader()))
      .put(
        "/minecraft/profile/capes/active",
        async ({ actor, member, player, body }) => {
          const { id, uuid } = boundPlayer({ player });
          const cape = readUuid("capeId", body.capeId);
          await dressOwnPlayer(parts, actor, member, { player: { by: "id", value: id }, cape });
          return presentOwnProfile(parts, member, { uuid });
        },
        {
          body: t.Object({
            capeId: uuidField("The cape's UUID, as the profile has it", examples.cape, "cape"),
          }),
          detail: say("/minecraft/profile/capes/active", {
            operationId: "wearActiveCape",
            summary: "Let the token's player wear a granted cape",
            who: "games",
            answers: {
              200: { schema: ownProfile },
              ...bodyFailures,
              400: failureAnswer("No UUID, or that of a cape that the account was not granted"),
              401: failureAnswer("The token is missing or not valid"),
              404: failureAnswer("The token belongs to no player"),
              429: failureAnswer("Too many requests, or changes of what the player shows"),
            },
          }),
        },
      ),
  );
}
