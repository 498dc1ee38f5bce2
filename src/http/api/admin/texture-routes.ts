import { Elysia } from "elysia";
import { capeRoutes, type CapeDeps } from "./cape-routes.ts";
import { grantRoutes } from "./grant-routes.ts";
import { skinRoutes, type SkinDeps } from "./skin-routes.ts";

export type AdminTextureDeps = SkinDeps & CapeDeps;

/** Skins of others, capes and who may wear them (contract, Admin). */
export function adminTextureRoutes(deps: AdminTextureDeps) {
  return new Elysia().use(skinRoutes(deps)).use(capeRoutes(deps)).use(grantRoutes(deps));
}
