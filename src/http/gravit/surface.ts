import { Elysia } from "elysia";
import { failureJson } from "../failures.ts";
import type { Parts } from "../parts.ts";
import type { Failure, Surface } from "../surface.ts";
import { authRoutes } from "./auth.ts";
import { textureRoutes } from "./textures.ts";
import { uploadRoutes } from "./upload.ts";

/** `/api/gravit`: what a GravitLauncher LaunchServer asks for (docs/connect/gravitlauncher.md). */
export function gravitSurface(parts: Parts): Surface {
  const routes = () => {
    const all = new Elysia({ prefix: "/api/gravit", tags: ["GravitLauncher"] })
      .use(textureRoutes(parts))
      .use(authRoutes(parts));
    return parts.launchKey === null ? all : all.use(uploadRoutes(parts, parts.launchKey));
  };
  return { prefixes: ["/api/gravit"], routes, presentFailure };
}

/** The LaunchServer reads `error`; `code` repeats the status. */
function presentFailure({ status, message, headers }: Failure): Response {
  return failureJson({ status, headers }, { error: message, code: status });
}
