import { Elysia, t } from "elysia";
import { gameGuard } from "../guards.ts";
import type { Parts } from "../parts.ts";
import { failureAnswer } from "./failures.ts";
import { atPlaces } from "./places.ts";

/** What the game itself asks of its services. */
export function servicesRoutes(parts: Parts) {
  return atPlaces(["/minecraftservices", ""], (say) =>
    new Elysia().use(gameGuard(parts)).get("/privacy/blocklist", () => ({ blockedProfiles: [] }), {
      response: { 200: t.Object({ blockedProfiles: t.Array(t.String()) }) },
      detail: say("/privacy/blocklist", {
        operationId: "getBlockedProfiles",
        summary: "The players that this one blocks, of whom there are none",
        who: "games",
        answers: { 401: failureAnswer("The token is missing or not valid") },
      }),
    }),
  );
}
