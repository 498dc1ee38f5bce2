import { Elysia } from "elysia";
import type { Parts } from "../parts.ts";
import type { Surface } from "../surface.ts";
import { sessionRoutes } from "./session.ts";
import { setupRoutes } from "./setup.ts";
import { consoleSocialRoutes } from "./social.ts";

/** `/console`: what the console's own pages ask for (docs/contract/console.md). */
export function consoleSurface(parts: Parts, presentFailure: Surface["presentFailure"]): Surface {
  return {
    prefixes: ["/console"],
    routes: () =>
      new Elysia({ prefix: "/console", tags: ["Console"] })
        .headers({ "cache-control": "no-store" })
        .use(sessionRoutes(parts))
        .use(setupRoutes(parts))
        .use(consoleSocialRoutes(parts)),
    presentFailure,
  };
}
