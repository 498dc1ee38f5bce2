import { Elysia } from "elysia";
import { failureJson } from "../failures.ts";
import type { Parts } from "../parts.ts";
import type { Failure, Surface } from "../surface.ts";
import { authRoutes } from "./auth.ts";
import { codeOf } from "./failure.ts";
import { myHttpRoutes } from "./myhttp.ts";
import { textureRoutes } from "./textures.ts";
import { uploadRoutes } from "./upload.ts";

/** `/api/gravit`: what a GravitLauncher LaunchServer asks for (docs/connect/gravitlauncher.md). */
export function gravitSurface(parts: Parts): Surface {
  const routes = () =>
    new Elysia({ prefix: "/api/gravit", tags: ["GravitLauncher"] })
      .use(textureRoutes(parts))
      .use(authRoutes(parts))
      .use(myHttpRoutes(parts))
      .use(uploadRoutes(parts));
  return { prefixes: ["/api/gravit"], routes, presentFailure };
}

/** The LaunchServer reads `error`, and of some failures `code`. */
function presentFailure(failure: Failure): Response {
  return failureJson(failure, { error: failure.message, code: codeOf(failure) });
}
