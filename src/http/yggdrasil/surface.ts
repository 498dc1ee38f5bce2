import { Elysia } from "elysia";
import type { Parts } from "../parts.ts";
import type { Surface } from "../surface.ts";
import { authserverRoutes } from "./authserver.ts";
import { metadataRoutes } from "./metadata.ts";
import { nameRoutes } from "./names.ts";
import { playerTextureRoutes } from "./textures.ts";
import { presentFailure } from "./failures.ts";
import { root } from "./places.ts";
import { servicesRoutes } from "./services.ts";
import { sessionserverRoutes } from "./sessionserver.ts";

/** Yggdrasil, the protocol of launchers, games and game servers with their account server. */
export function yggdrasilSurface(parts: Parts): Surface {
  const routes = () =>
    new Elysia({ prefix: root, tags: ["Yggdrasil"] })
      .use(authserverRoutes(parts))
      .use(sessionserverRoutes(parts))
      .use(metadataRoutes(parts))
      .use(nameRoutes(parts))
      .use(playerTextureRoutes(parts))
      .use(servicesRoutes(parts));
  return { prefixes: [root], routes, forVisitors: () => locationOf(parts), presentFailure };
}

/**
 * By this header launchers find the protocol from any address of the server: authlib-injector's "API location indication". Some
 * clients take it as it is and append paths to it, so it is absolute where the operator says the server's address, and never ends
 * with a slash.
 */
function locationOf({ publicUrl, ownOrigin }: Pick<Parts, "publicUrl" | "ownOrigin">) {
  const location = `${publicUrl()}${root}`;
  return { "x-authlib-injector-api-location": ownOrigin === null ? new URL(location).pathname : location };
}
