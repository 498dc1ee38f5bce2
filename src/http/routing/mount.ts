import { Elysia, type AnyElysia } from "elysia";
import { jsonReader } from "../body.ts";
import { ok } from "../envelope.ts";
import type { AnswerFailure } from "../failures.ts";
import type { RequestContexts } from "../request-context.ts";
import { createRouteTable, type RouteTable } from "../route-table.ts";
import { legacyRoute } from "./legacy.ts";
import { messageOf, schemaOf, type Input, type ReadBody, type Route } from "./route.ts";

type Deps = { readonly contexts: RequestContexts; readonly answerFailure: AnswerFailure };

/** Routes that the framework serves, and what is known of them. */
export type Mounted = {
  readonly handle: (request: Request) => Promise<Response>;
  readonly table: RouteTable;
};

/** The one place that makes routes into the framework's. Whatever fails in them is answered by the same rules. */
export function mountRoutes(
  { contexts, answerFailure }: Deps,
  surfaces: readonly (readonly Route[] | AnyElysia)[],
): Mounted {
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
  const values = surfaces.flatMap((one) => (isElysia(one) ? [] : one));
  for (const one of surfaces) if (isElysia(one)) router.use(one);
  const legacy = router.routes.map(legacyRoute);
  for (const route of values) router.route(route.method, route.path, route.handle as Handler, hooksOf(route));
  router.compile();
  const table = createRouteTable([...values, ...legacy]);
  return { handle: (request) => Promise.resolve(router.handle(request)), table };
}

function isElysia(one: readonly Route[] | AnyElysia): one is AnyElysia {
  return one instanceof Elysia;
}

/** Handlers get the framework's own context: it holds what `Input` names, and what the guard gives. */
type Handler = (context: object) => unknown;

type Asked = { readonly request: Request };

function hooksOf(route: Route): object {
  const { method, guard, body, query, params, empty } = route;
  const schema = schemaOf(route);
  return {
    ...(method === "GET" ? {} : { parse: parserOf(route) }),
    transform: [
      // What a transformation returns joins the context.
      ...(guard === undefined ? [] : [async ({ request }: Asked) => guard.look(request)]),
      ...(empty === undefined ? [] : [({ set }: Pick<Input, "set">) => void (set.status = 204)]),
    ],
    ...(body === undefined ? {} : { body }),
    ...(query === undefined ? {} : { query }),
    ...(params === undefined ? {} : { params }),
    ...(schema === null ? {} : { response: { 200: schema } }),
    ...(schema === null || route.answer !== undefined ? {} : { afterHandle: envelopeOf(route) }),
  };
}

/** Puts what a handler returned into its envelope. */
function envelopeOf(route: Route) {
  const message = messageOf(route) ?? "";
  return async ({ responseValue }: { readonly responseValue: unknown }) =>
    ok(message, route.envelope === undefined ? {} : ((await responseValue) as object));
}

function parserOf({ guard, before, body, read = body === undefined ? unread : readJson }: Route) {
  return async ({ request }: Asked): Promise<unknown> => {
    await guard?.look(request);
    await before?.(request);
    return read(request);
  };
}

const readJson = jsonReader();

/** The framework would read any body, by its type and without a bound. */
const unread: ReadBody = () => null;
