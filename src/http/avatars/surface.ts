import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import type { Surface } from "../surface.ts";
import { presentPictureFailure } from "../textures/answers.ts";
import { crafatarRoutes } from "./crafatar.ts";
import { mcHeadsRoutes } from "./mc-heads.ts";
import { minotarRoutes } from "./minotar.ts";
import { below } from "../routing/route.ts";

/**
 * Pictures of players under the paths of three avatar sites, for pages that were made for them: the site's
 * address becomes ours with its name behind it (docs/contract/avatars.md).
 */
export function avatarsSurface(services: Services, http: Pick<Http, "answers" | "requests">): Surface {
  const routes = () =>
    below("", "Avatars", [
      ...crafatarRoutes(services, http),
      ...minotarRoutes(services, http),
      ...mcHeadsRoutes(services, http),
    ]);
  const prefixes = ["/crafatar", "/minotar", "/mc-heads"];
  return { prefixes, isOpen: true, routes, presentFailure: presentPictureFailure };
}
