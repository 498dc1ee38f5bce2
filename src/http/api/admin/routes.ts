import { Elysia } from "elysia";
import { auditRoutes, type AuditDeps } from "./audit-routes.ts";
import { bulkMailRoutes } from "./mail-routes.ts";
import { adminTextureRoutes, type AdminTextureDeps } from "./texture-routes.ts";
import { userRoutes, type UserDeps } from "./user-routes.ts";

export type AdminDeps = UserDeps & AdminTextureDeps & AuditDeps;

/** `/api/admin` (contract, Admin). Who may do what is said in `domain/model/policy.ts`. */
export function adminRoutes(deps: AdminDeps) {
  return new Elysia({ prefix: "/api/admin", tags: ["Admin"] })
    .headers({ "cache-control": "no-store" })
    .use(userRoutes(deps))
    .use(adminTextureRoutes(deps))
    .use(auditRoutes(deps))
    .use(bulkMailRoutes(deps));
}
