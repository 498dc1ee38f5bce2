import { Elysia } from "elysia";
import type { Logger } from "../kernel/log.ts";
import { pagesOf } from "../domain/accounts/pages.ts";
import type { DeliveryVersion } from "../domain/ports.ts";
import type { Pictures } from "../domain/textures/pictures.ts";
import { adminRoutes, type AdminDeps } from "./api/admin/routes.ts";
import { authRoutes, type AuthDeps } from "./api/auth/routes.ts";
import { editActions, homeRoutes, type HomeDeps } from "./api/home/routes.ts";
import { socialRoutes, type SocialDeps } from "./api/social/routes.ts";
import { serviceRoutes, type ServiceDeps } from "./api/service/routes.ts";
import { createAnswers } from "./api/textures/answer.ts";
import { textureRoutes, type TextureDeps } from "./api/textures/routes.ts";
import { compress } from "./codings.ts";
import { createCors } from "./cors.ts";
import { answerFailure } from "./failures.ts";
import { createHotAnswers } from "./hot-answers.ts";
import { mailPages, type MailPageDeps } from "./mail/routes.ts";
import type { DocumentOptions } from "./openapi/document.ts";
import { openApiRoutes } from "./openapi/routes.ts";
import { createHarden } from "./security-headers.ts";
import { createTokens } from "./tokens.ts";

export type AppDeps = Omit<
  AuthDeps & SocialDeps & HomeDeps & AdminDeps & ServiceDeps & MailPageDeps & TextureDeps,
  "answers" | "tokens" | "pages" | "clientAddress"
> & {
  readonly pictures: Pictures;
  readonly deliveryVersion: DeliveryVersion;
  readonly log: Logger;
  /** Base of the website's pages. */
  readonly siteUrl: () => string;
  /** Web pages that may use the API; `*` for all of them. */
  readonly corsOrigins: readonly string[];
  /** The release, as the API's document names it. */
  readonly version: string;
  /** Who sent a request, proxies that are trusted left aside. */
  readonly clientAddress: (request: Request) => string;
  /** The key of session tokens and the name of who issues them. */
  readonly jwt: { readonly secret: string; readonly issuer: string };
};

/** The whole HTTP surface as a function from request to answer. It listens to nothing. */
export type App = {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Every address that the router knows. */
  readonly routes: readonly Route[];
};

/** A method and the pattern of the paths that it goes with: `GET`, `/api/skin/head/:uuid`. */
export type Route = { readonly method: string; readonly path: string };

/** Puts the sections together. Answers that were given before and still hold never reach the router. */
export function createApp(deps: AppDeps): App {
  const harden = createHarden(deps.publicUrl);
  const hot = createHotAnswers(deps.deliveryVersion, harden);
  const tokens = createTokens({ ...deps.jwt, clock: deps.clock });
  const answers = createAnswers({ ...deps, hot });
  // The router may be given a rewritten request, but only the one that came in has a sender.
  const arrived = new WeakMap<Request, Request>();
  const clientAddress = (request: Request) => deps.clientAddress(arrived.get(request) ?? request);
  const pages = () => pagesOf(deps.siteUrl());
  const inside = { ...deps, tokens, answers, clientAddress, pages };

  const router = new Elysia()
    // First, because even a global hook misses routes that were declared before it.
    .onError(
      { as: "global" },
      answerFailure({ log: deps.log, editActions, methodsOf: (path) => methodsOf(path) }),
    )
    .use(authRoutes(inside))
    .use(socialRoutes(inside))
    .use(homeRoutes(inside))
    .use(adminRoutes(inside))
    .use(serviceRoutes(inside))
    .use(mailPages(inside))
    .use(textureRoutes(inside))
    .use(openApiRoutes(() => documented()))
    .compile();
  const documented = (): DocumentOptions => ({ routes: router.routes, version: deps.version, editActions });
  const methodsOf = methodsByPath(router.routes);
  const cors = createCors(deps.corsOrigins, methodsOf);

  const route = async (request: Request): Promise<Response> => {
    const findable = withFindablePath(request);
    if (findable !== request) arrived.set(findable, request);
    const answer = cors.preflight(findable) ?? (await compress(findable, await router.handle(findable)));
    harden(answer.headers);
    cors.open(findable, answer.headers);
    return answer;
  };
  const routes = router.routes.map(({ method, path }) => ({ method, path }));
  return { fetch: (request) => hot.answer(request) ?? route(request), routes };
}

/** Elysia looks for the path from the 12th character on, and misses it behind a host as short as in "http://mc/". */
function withFindablePath(request: Request): Request {
  const { url } = request;
  const path = url.indexOf("/", url.indexOf("//") + 2);
  if (path >= 11) return request;
  // The body is handed over: a copy of the whole request would share it, and then nobody could turn the rest of it down.
  const { method, headers, body } = request;
  return new Request(`http://localhost${url.slice(path)}`, { method, headers, body });
}

/** Which methods a path takes, from the routes themselves: asked only when none of them fits. */
function methodsByPath(routes: readonly { readonly method: string; readonly path: string }[]) {
  const known = routes.map(({ method, path }) => ({ method, segments: path.split("/") }));
  return (path: string): readonly string[] => {
    const segments = path.replace(/(?<=.)\/$/, "").split("/");
    const fits = (pattern: readonly string[]) =>
      pattern.length === segments.length &&
      pattern.every((segment, at) => segment.startsWith(":") || segment === segments[at]);
    const methods = known.filter((route) => fits(route.segments)).map(({ method }) => method);
    return [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))];
  };
}
