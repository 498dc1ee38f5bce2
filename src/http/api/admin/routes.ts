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
import { below } from "../../routing/route.ts";

/** `/api/admin` (docs/contract/admin.md). `domain/model/policy.ts` says who may do what. */
export function adminRoutes(parts: Parts) {
  return below("/api/admin", "Admin", [
    overviewRoute(parts),
    installationRoute(parts),
    ...userRoutes(parts),
    ...staffPlayerRoutes(parts),
    ...userSessionRoutes(parts),
    ...skinRoutes(parts),
    ...capeRoutes(parts),
    ...auditRoutes(parts),
    ...mailRoutes(parts),
    ...tokenRoutes(parts),
  ]);
}
