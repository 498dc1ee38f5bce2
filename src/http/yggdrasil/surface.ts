import { Elysia } from "elysia";
import type { Parts } from "../parts.ts";
import type { Surface } from "../surface.ts";
import { authserverRoutes } from "./authserver.ts";
import { presentFailure } from "./failures.ts";
import { root } from "./places.ts";
import { servicesRoutes } from "./services.ts";
import { sessionserverRoutes } from "./sessionserver.ts";

/** Yggdrasil, the protocol of launchers, games and game servers with their account server. */
export function yggdrasilSurface(parts: Parts): Surface {
  const routes = new Elysia({ prefix: root, tags: ["Yggdrasil"] })
    .headers({ "cache-control": "no-store" })
    .use(authserverRoutes(parts))
    .use(sessionserverRoutes(parts))
    .use(servicesRoutes(parts));
  return { prefixes: [root], routes, presentFailure };
}
