import { SuspendedAccount } from "../../domain/model/suspension.ts";
import { failureJson } from "../failures.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import type { Failure, Surface } from "../surface.ts";
import { authRoutes } from "./auth.ts";
import { blockedWord, codeOf } from "./failure.ts";
import { myHttpRoutes } from "./myhttp.ts";
import { texturesRoute } from "./textures.ts";
import { uploadRoutes } from "./upload.ts";
import { below } from "../routing/route.ts";

/** `/api/gravit`: what a GravitLauncher LaunchServer asks for (docs/connect/gravitlauncher.md). */
export function gravitSurface(services: Services, http: Http): Surface {
  const routes = () =>
    below("/api/gravit", "GravitLauncher", [
      texturesRoute(services.reads, http),
      ...authRoutes(services, http),
      ...myHttpRoutes(services, http),
      ...uploadRoutes(services, http),
    ]);
  return { prefixes: ["/api/gravit"], routes, presentFailure };
}

/** The LaunchServer reads `error`, and of some failures `code`. */
function presentFailure(failure: Failure): Response {
  const error = failure.error instanceof SuspendedAccount ? blockedWord : failure.message;
  return failureJson(failure, { error, code: codeOf(failure) });
}
