/** The routes of a service in tests. */
export type TestedRoutes = {
  /** Every address of the service: `GET /api/skin/head/:uuid`. */
  readonly routes: readonly string[];
  /** Those that belong to no protocol beside the API. */
  readonly apiRoutes: readonly string[];
  /** Those of them that answer as another one does, with that one. */
  readonly aliases: ReadonlyMap<string, string>;
};

type Route = {
  readonly method: string;
  readonly path: string;
  readonly alias: string | null;
  readonly isOfProtocol: boolean;
};
type App = { readonly routes: () => readonly Route[] };

/** Not before a test asks: this makes the routes of all protocols, which takes as long as everything else. */
export function routesOf(app: App): TestedRoutes {
  return {
    get routes() {
      return app.routes().map(nameOf);
    },
    get apiRoutes() {
      return app
        .routes()
        .filter(({ isOfProtocol }) => !isOfProtocol)
        .map(nameOf);
    },
    get aliases() {
      return new Map(
        app
          .routes()
          .flatMap((route) =>
            route.alias === null ? [] : [[nameOf(route), `${route.method} ${route.alias}`]],
          ),
      );
    },
  };
}

/** Adds the routes to an object, without making them. */
export function withRoutes<Rest extends object>(rest: Rest, routes: TestedRoutes): Rest & TestedRoutes {
  return Object.defineProperties(rest, Object.getOwnPropertyDescriptors(routes)) as Rest & TestedRoutes; // its properties are these
}

function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}
