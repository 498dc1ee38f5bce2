import { lenientJsonReader } from "../body.ts";
import { readUuid, uuidField } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { bodyFailures, failureAnswer } from "./failures.ts";
import { boundPlayer, ownProfile, presentOwnProfile } from "./own-profile.ts";
import { atPlaces } from "./places.ts";
import { route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

/**
 * `PUT minecraft/profile/capes/active`, by which launchers put on one of the capes that the profile lists.
 */
export function activeCapeRoute(
  services: Pick<Services, "clock" | "players" | "reads">,
  http: Pick<Http, "guards" | "site">,
) {
  return atPlaces(
    ["/minecraftservices", ""],
    [
      route("PUT", "/minecraft/profile/capes/active", {
        guard: http.guards.game,
        read: lenientJsonReader(),
        body: t.Object({
          capeId: uuidField("The cape's UUID, as the profile has it", examples.cape, "cape"),
        }),
        operationId: "wearActiveCape",
        summary: "Let the token's player wear a granted cape",
        answers: {
          200: { schema: ownProfile },
          ...bodyFailures,
          400: failureAnswer("No UUID, or that of a cape that the account was not granted"),
          401: failureAnswer("The token is missing or not valid"),
          404: failureAnswer("The token belongs to no player"),
          429: failureAnswer("Too many requests, or changes of what the player shows"),
        },
        handle: async ({ actor, member, player, body }) => {
          const { id, uuid } = boundPlayer({ player });
          const cape = readUuid("capeId", body.capeId);
          await services.players.dressOwn(actor, member, { player: { by: "id", value: id }, cape });
          return presentOwnProfile(services, http, member, { uuid });
        },
      }),
    ],
  );
}
