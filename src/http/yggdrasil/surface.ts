import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import type { Site } from "../site.ts";
import type { Surface } from "../surface.ts";
import { authserverRoutes } from "./authserver.ts";
import { metadataRoutes } from "./metadata.ts";
import { nameRoutes } from "./names.ts";
import { playerTextureRoutes } from "./textures.ts";
import { presentFailure } from "./failures.ts";
import { root } from "./places.ts";
import { servicesRoutes } from "./services.ts";
import { sessionserverRoutes } from "./sessionserver.ts";
import { below } from "../routing/route.ts";

/** Yggdrasil, the protocol of launchers, games and game servers with their account server. */
export function yggdrasilSurface(
  services: Pick<Services, "clock" | "game" | "limits" | "players" | "reads" | "rules">,
  http: Http,
): Surface {
  const routes = () =>
    below(root, "Yggdrasil", [
      ...authserverRoutes(services, http),
      ...sessionserverRoutes(services, http),
      ...metadataRoutes(services, http),
      ...nameRoutes(services, http),
      ...playerTextureRoutes(services, http),
      ...servicesRoutes(services, http),
    ]);
  return { prefixes: [root], routes, forVisitors: () => locationOf(http.site), presentFailure };
}

/**
 * By this header launchers find the protocol from any address of the server: authlib-injector's "API location
 * indication". Some clients take it as it is and append paths to it, so it is absolute where the operator
 * says the server's address, and never ends with a slash.
 */
function locationOf({ publicUrl, ownOrigin }: Site) {
  const location = `${publicUrl()}${root}`;
  return { "x-authlib-injector-api-location": ownOrigin === null ? new URL(location).pathname : location };
}
