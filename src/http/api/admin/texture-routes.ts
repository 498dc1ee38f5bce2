import { Elysia } from "elysia";
import type { GuardDeps } from "../../session.ts";

export type AdminTextureDeps = GuardDeps;

/** Skins of others, capes and who may wear them (contract, Admin). */
export function adminTextureRoutes(_deps: AdminTextureDeps) {
  return new Elysia();
}
