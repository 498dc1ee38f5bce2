import { Elysia } from "elysia";
import type { Parts } from "../../parts.ts";
import { auditRoutes } from "./audit.ts";
import { capeRoutes } from "./capes.ts";
import { installationRoute } from "./installation.ts";
import { mailRoutes } from "./mail.ts";
import { overviewRoute } from "./overview.ts";
import { staffPlayerRoutes } from "./players.ts";
import { userSessionRoutes } from "./sessions.ts";
import { skinRoutes } from "./skins.ts";
import { tokenRoutes } from "./tokens.ts";
import { userRoutes } from "./users.ts";

/** `/api/admin` (docs/contract/admin.md). `domain/model/policy.ts` says who may do what. */
export function adminRoutes(parts: Parts) {
  return new Elysia({ prefix: "/api/admin", tags: ["Admin"] })
    .use(overviewRoute(parts))
    .use(installationRoute(parts))
    .use(userRoutes(parts))
    .use(staffPlayerRoutes(parts))
    .use(userSessionRoutes(parts))
    .use(skinRoutes(parts))
    .use(capeRoutes(parts))
    .use(auditRoutes(parts))
    .use(mailRoutes(parts))
    .use(tokenRoutes(parts));
}
