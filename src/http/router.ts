import { Elysia, type AnyElysia } from "elysia";
import { apiSurface } from "./api/surface.ts";
import { consoleSurface } from "./console/surface.ts";
import { createFailures, type AnswerFailure } from "./failures.ts";
import { mailSurface } from "./mail/routes.ts";
import { isNavigation } from "./negotiation.ts";
import { openApiRoutes } from "./openapi/routes.ts";
import type { Parts } from "./parts.ts";
import { protocolSurfaces } from "./protocols.ts";
import { createRouteTable, type RouteTable } from "./route-table.ts";
import { surfaceFinder, type Surface } from "./surface.ts";
import { pathOf } from "./target.ts";

/** The routes of all surfaces, and the answer to whatever fails. */
export function createRouter(parts: Parts, others: readonly ((parts: Parts) => Surface)[]) {
  const { logFailure, version, rules } = parts;
  const api = apiSurface(parts);
  const protocols = protocolSurfaces(parts, api.presentFailure);
  const web = parts.console === null ? null : consoleSurface(parts, parts.console, api.presentFailure);
  const besides = [mailSurface(parts, api.presentFailure), ...others.map((surfaceOf) => surfaceOf(parts))];
  const later = web === null ? protocols : [...protocols, web.surface];
  const all = [...besides, ...later];
  const visitorHeaders = () => all.flatMap(({ forVisitors }) => Object.entries(forVisitors?.() ?? {}));
  // The API's failures, at addresses that are not below its prefix.
  const elsewhere: Surface = { ...api, prefixes: [] };
  const surfaceOf = surfaceFinder([elsewhere, api, ...all]);

  const tableOf = (path: string) => mountedFor(path).table;
  const answerFailure = createFailures({ surfaceOf, tableOf, log: logFailure });
  const mount = (surfaces: readonly Surface[]) =>
    mountRoutes(
      { parts, answerFailure },
      surfaces.map((surface) => surface.routes()),
    );
  const own = mountRoutes({ parts, answerFailure }, [
    api.routes(),
    openApiRoutes(() => ({ routes: routes(), version, usernamePattern: rules.names.pattern })),
    ...besides.map((surface) => surface.routes()),
  ]);
  const groups = [protocols, web === null ? [] : [web.surface]].map((surfaces) => {
    let mounted: Mounted | null = null;
    return { surfaces, mounted: () => (mounted ??= mount(surfaces)) };
  });
  const mountedFor = (path: string): Mounted => {
    const surface = surfaceOf(path);
    return groups.find(({ surfaces }) => surfaces.includes(surface))?.mounted() ?? own;
  };
  const routes = () => [own, ...groups.map(({ mounted }) => mounted())].flatMap(({ table }) => table.routes);

  return {
    handle: (request: Request) => mountedFor(pathOf(request.url)).router.handle(request),
    routes,
    methodsOf: (path: string) => tableOf(path).methodsOf(path),
    surfaceOf,
    answerFailure,
    visitorHeaders,
    /** A person who opens an address gets a page in the place of the API's envelope, but not below `/api` and protocols. */
    shownToPeople: async (request: Request, answer: Response): Promise<Response> => {
      if (web === null || !isNavigation(request) || !isJson(answer)) return answer;
      const surface = surfaceOf(pathOf(request.url));
      // A route that was found said it: a social login's callback answers 404 with what links an account.
      const isUnknown = surface === elsewhere && parts.contexts.of(request).route === null;
      return isUnknown || surface === web.surface ? web.notFound(request) : answer;
    },
  };
}

function isJson({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("application/json") === true;
}

type Mounted = { readonly router: AnyElysia; readonly table: RouteTable };

/** One router over these routes. Their bodies are checked, and what fails in them is answered, by the same rules. */
function mountRoutes(
  { parts, answerFailure }: { readonly parts: Parts; readonly answerFailure: AnswerFailure },
  all: readonly AnyElysia[],
): Mounted {
  const { contexts } = parts;
  const router = new Elysia()
    // First, because even a global hook misses routes that were declared before it.
    .onError({ as: "global" }, ({ error, code, request, route, set }) => {
      const context = contexts.of(request);
      if (code !== "NOT_FOUND") context.route = route;
      const answer = answerFailure(error, context);
      // The framework would make an error's status of a 200.
      set.status = answer.status;
      return answer;
    })
    .onTransform({ as: "global" }, ({ request, route, body }) => {
      contexts.of(request).route = route;
      table.checkBody(request.method, route, body);
    });
  for (const routes of all) router.use(routes);
  router.compile();
  const table = createRouteTable(router.routes);
  return { router, table };
}
