import { Elysia } from "elysia";
import { banRoutes } from "./ban-routes.ts";
import { capeRoutes, type CapeDeps } from "./cape-routes.ts";
import { grantRoutes } from "./grant-routes.ts";
import { skinRoutes, type SkinDeps } from "./skin-routes.ts";

export type AdminTextureDeps = SkinDeps & CapeDeps;

/** Skins of others, banned bitmaps, capes and who may wear them (contract, Admin). */
export function adminTextureRoutes(deps: AdminTextureDeps) {
  return new Elysia().use(skinRoutes(deps)).use(banRoutes(deps)).use(capeRoutes(deps)).use(grantRoutes(deps));
}
