import { Elysia } from "elysia";
import type { Parts } from "../parts.ts";
import type { Surface } from "../surface.ts";
import { presentPictureFailure } from "../textures/answers.ts";
import { crafatarRoutes } from "./crafatar.ts";
import { mcHeadsRoutes } from "./mc-heads.ts";
import { minotarRoutes } from "./minotar.ts";

/**
 * Pictures of players under the paths of three avatar sites, for pages that were made for them: the site's address becomes ours
 * with its name behind it (docs/contract/avatars.md).
 */
export function avatarsSurface(parts: Parts): Surface {
  const routes = () =>
    new Elysia({ tags: ["Avatars"] })
      .use(crafatarRoutes(parts))
      .use(minotarRoutes(parts))
      .use(mcHeadsRoutes(parts));
  const prefixes = ["/crafatar", "/minotar", "/mc-heads"];
  return { prefixes, isOpen: true, routes, presentFailure: presentPictureFailure };
}
