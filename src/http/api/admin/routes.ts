import type { Services } from "../../../domain/use-cases/services.ts";
import type { Http } from "../../http.ts";
import { below } from "../../routing/route.ts";
import { auditExportRoute } from "./audit-export.ts";
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
export function adminRoutes(services: Services, http: Http) {
  return below("/api/admin", "Admin", [
    overviewRoute(services, http),
    installationRoute(http),
    ...userRoutes(services, http),
    ...staffPlayerRoutes(services, http),
    ...userSessionRoutes(services, http),
    ...skinRoutes(services, http),
    ...capeRoutes(services, http),
    ...auditRoutes(services, http),
    auditExportRoute(services, http),
    ...mailRoutes(services, http),
    ...tokenRoutes(services, http),
  ]);
}
