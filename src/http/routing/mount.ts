import { Elysia } from "elysia";
import { jsonReader } from "../body.ts";
import { ok } from "../envelope.ts";
import type { AnswerFailure } from "../failures.ts";
import type { RequestContexts } from "../request-context.ts";
import { bodyCheck, createRouteTable, type RouteTable } from "../route-table.ts";
import { directRoutes } from "./direct.ts";
import { messageOf, schemaOf, type Input, type ReadBody, type Route } from "./route.ts";

type Deps = { readonly contexts: RequestContexts; readonly answerFailure: AnswerFailure };

/** Routes that the framework serves, and what is known of them. */
export type Mounted = {
  readonly handle: (request: Request) => Promise<Response>;
  readonly table: RouteTable;
};

/**
 * The one place that makes routes into the framework's. Whatever fails in them is answered by the same rules.
 */
export function mountRoutes({ contexts, answerFailure }: Deps, routes: readonly Route[]): Mounted {
  const router = new Elysia()
    // First, because a hook misses routes that were declared before it.
    .onError(({ error, code, request, route, set }) => {
      const context = contexts.of(request);
      if (code !== "NOT_FOUND") context.route = route;
      const answer = answerFailure(error, context);
      // The framework would make an error's status of a 200.
      set.status = answer.status;
      return answer;
    });
  for (const route of routes)
    router.route(route.method, route.path, answererOf(route), hooksOf(route, contexts));
  router.compile();
  const answerDirectly = directRoutes({ contexts, answerFailure }, routes);
  return {
    handle: (request) => answerDirectly(request) ?? Promise.resolve(router.handle(request)),
    table: createRouteTable(routes),
  };
}

/** Handlers get the framework's own context: it holds what `Input` names, and what the guard gives. */
type Handle = (context: object) => unknown;

/**
 * Gives the framework the whole answer: it would check what a hook adds to one a second time. Bound, because
 * it reads a function's text for what of a request to make ready; what handlers need follows from the
 * schemas.
 */
function answererOf(route: Route): Handle {
  const handle = route.handle as Handle;
  if (route.empty !== undefined) return answerNothing.bind(null, handle);
  if (schemaOf(route) === null || route.answer !== undefined) return handle.bind(null);
  const hasData = route.envelope !== undefined;
  return answerEnvelope.bind(null, { handle, hasData, message: messageOf(route) ?? "" });
}

type Enveloped = { readonly handle: Handle; readonly hasData: boolean; readonly message: string };

async function answerEnvelope({ handle, hasData, message }: Enveloped, context: object) {
  const data = (await handle(context)) as object; // the type of a route's `handle`
  return ok(message, hasData ? data : {});
}

async function answerNothing(handle: Handle, context: object): Promise<Response> {
  await handle(context);
  return new Response(null, { status: 204 });
}

type Asked = Pick<Input, "request" | "body">;

function hooksOf(route: Route, contexts: RequestContexts): object {
  const { method, path, guard, body, query, params } = route;
  const schema = schemaOf(route);
  const check = body === undefined ? null : bodyCheck(body);
  const begin = ({ request, body: given }: Asked): void => {
    contexts.of(request).route = path;
    check?.(given);
  };
  return {
    ...(method === "GET" ? {} : { parse: parserOf(route) }),
    // What a transformation returns joins the context.
    transform:
      guard === undefined
        ? begin
        : async ({ request, body: given }: Asked) => {
            begin({ request, body: given });
            return guard.look(request);
          },
    ...(body === undefined ? {} : { body }),
    ...(query === undefined ? {} : { query }),
    ...(params === undefined ? {} : { params }),
    // A copy: the framework closes the schema that it is given, and the API's document has it open.
    ...(schema === null ? {} : { response: { 200: { ...schema } } }),
  };
}

function parserOf({ guard, before, body, read = body === undefined ? unread : readJson }: Route) {
  return async ({ request }: Pick<Input, "request">): Promise<unknown> => {
    await guard?.look(request);
    await before?.(request);
    return read(request);
  };
}

const readJson = jsonReader();

/** The framework would read any body, by its type and without a bound. */
const unread: ReadBody = () => null;
