import { Elysia } from "elysia";
import { atPlaces } from "./places.ts";

/** What games and game servers ask when a player joins. */
export function sessionserverRoutes() {
  return atPlaces(["/sessionserver", ""], (say) =>
    new Elysia().get("/blockedservers", () => new Response("", { headers: textHeaders }), {
      detail: say("/blockedservers", {
        operationId: "listBlockedServers",
        summary: "The game servers that are blocked, of which there are none",
        who: "everybody",
        answers: { 200: { description: "An empty text" } },
      }),
    }),
  );
}

const textHeaders = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
