import { SuspendedAccount } from "../../domain/model/suspension.ts";
import { SocialNotConnected } from "../../domain/social/connect.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import { failedEnvelope, shownFailure } from "../envelope.ts";
import { failureJson } from "../failures.ts";
import type { Http } from "../http.ts";
import { presentNotConnected } from "../resources/social-account.ts";
import type { Failure, Surface } from "../surface.ts";
import { xError } from "../x-error.ts";
import { adminRoutes } from "./admin/routes.ts";
import { authRoutes } from "./auth.ts";
import { healthRoutes } from "./health.ts";
import { homeRoutes } from "./home/routes.ts";
import { serviceEventRoutes } from "./service-events.ts";
import { serviceRoutes } from "./service.ts";
import { BackToConsole, seeOther } from "./social-console.ts";
import { socialRoutes } from "./social.ts";
import { textureRoutes } from "./textures/routes.ts";

/** The contract's API, whose answers are envelopes. */
export function apiSurface(services: Services, http: Http): Surface {
  const routes = () => [
    ...authRoutes(services, http),
    ...socialRoutes(services, http),
    ...homeRoutes(services, http),
    ...adminRoutes(services, http),
    ...serviceRoutes(services, http),
    ...serviceEventRoutes(http),
    ...healthRoutes(services),
    ...textureRoutes(services, http),
  ];
  return { prefixes: ["/api"], routes, presentFailure };
}

function presentFailure({ status, message, coded, headers, route, error }: Failure): Response {
  if (error instanceof BackToConsole) return seeOther(error.location, error.cookie);
  const shown = shownFailure(route, status, message);
  return failureJson(
    { status: shown.status, headers: { ...headers, "x-error": xError(coded) } },
    failedEnvelope(shown.msg, dataOf(error)),
  );
}

/** The two failures that answer more than their message (docs/contract/social.md, docs/contract/auth.md). */
function dataOf(error: unknown): object {
  if (error instanceof SocialNotConnected) return presentNotConnected(error);
  return error instanceof SuspendedAccount ? { suspended: error.terms } : {};
}
