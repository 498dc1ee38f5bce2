import type { Services } from "../domain/use-cases/services.ts";
import { apiSurface } from "./api/surface.ts";
import { consoleSurface } from "./console/surface.ts";
import { createFailures } from "./failures.ts";
import type { Http } from "./http.ts";
import { mailSurface } from "./mail/routes.ts";
import { isNavigation } from "./negotiation.ts";
import { openApiRoutes } from "./openapi/routes.ts";
import { protocolSurfaces, type SurfaceOf } from "./protocols.ts";
import { mountRoutes, type Mounted } from "./routing/mount.ts";
import { surfaceFinder, type Surface } from "./surface.ts";
import { pathOf } from "./target.ts";

/** The routes of all surfaces, and the answer to whatever fails. */
export function createRouter(services: Services, http: Http, others: readonly SurfaceOf[]) {
  const {
    site,
    requests: { contexts, logFailure },
  } = http;
  const { api, besides, protocols, web } = surfacesOf(services, http, others);
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
      { contexts, answerFailure },
      surfaces.flatMap((surface) => surface.routes()),
    );
  const own = mountRoutes({ contexts, answerFailure }, [
    ...api.routes(),
    ...openApiRoutes(() => ({
      routes: routes(),
      version: site.version,
      usernamePattern: services.rules.names.pattern,
    })),
    ...besides.flatMap((surface) => surface.routes()),
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
    handle: (request: Request) => mountedFor(pathOf(request.url)).handle(request),
    routes,
    methodsOf: (path: string) => tableOf(path).methodsOf(path),
    surfaceOf,
    answerFailure,
    visitorHeaders,
    /**
     * A person who opens an address gets a page in the place of the API's envelope, but not below `/api` and
     * protocols.
     */
    shownToPeople: async (request: Request, answer: Response): Promise<Response> => {
      if (web === null || !isNavigation(request) || !isJson(answer)) return answer;
      const surface = surfaceOf(pathOf(request.url));
      // A route that was found said it: a social login's callback answers 404 with what links an account.
      const isUnknown = surface === elsewhere && contexts.of(request).route === null;
      return isUnknown || surface === web.surface ? web.notFound(request) : answer;
    },
  };
}

/** All surfaces; `web` is null where the operator switched the console off. */
function surfacesOf(services: Services, http: Http, others: readonly SurfaceOf[]) {
  const { console } = http.site;
  const api = apiSurface(services, http);
  return {
    api,
    protocols: protocolSurfaces(services, http, api.presentFailure),
    web: console === null ? null : consoleSurface(services, http, console, api.presentFailure),
    besides: [mailSurface, ...others].map((surfaceOf) => surfaceOf(services, http, api.presentFailure)),
  };
}

function isJson({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("application/json") === true;
}
