import type { TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { jsonReader } from "../body.ts";
import { ok } from "../envelope.ts";
import type { AnswerFailure } from "../failures.ts";
import type { RequestContexts } from "../request-context.ts";
import { bodyCheck, createRouteTable, type RouteTable } from "../route-table.ts";
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
    router.route(route.method, route.path, route.handle as Handler, hooksOf(route, contexts));
  router.compile();
  return {
    handle: (request) => Promise.resolve(router.handle(request)),
    table: createRouteTable(routes),
  };
}

/** Handlers get the framework's own context: it holds what `Input` names, and what the guard gives. */
type Handler = (context: object) => unknown;

type Asked = { readonly request: Request };

function hooksOf(route: Route, contexts: RequestContexts): object {
  const { method, path, guard, body, query, params, empty } = route;
  const schema = schemaOf(route);
  const note = ({ request }: Asked) => void (contexts.of(request).route = path);
  return {
    ...(method === "GET" ? {} : { parse: parserOf(route) }),
    transform: [
      note,
      ...(body === undefined ? [] : [checkerOf(body)]),
      // What a transformation returns joins the context.
      ...(guard === undefined ? [] : [async ({ request }: Asked) => guard.look(request)]),
    ],
    ...(body === undefined ? {} : { body }),
    ...(query === undefined ? {} : { query }),
    ...(params === undefined ? {} : { params }),
    // A copy: the framework closes the schema that it is given, and the API's document has it open.
    ...(schema === null ? {} : { response: { 200: { ...schema } } }),
    ...(schema === null || route.answer !== undefined ? {} : { afterHandle: envelopeOf(route) }),
    ...(empty === undefined ? {} : { afterHandle: noContent }),
  };
}

type Handled = { readonly responseValue: unknown };

function checkerOf(schema: TSchema) {
  const check = bodyCheck(schema);
  return ({ body }: Pick<Input, "body">) => check(body);
}

/** Puts what a handler returned into its envelope. */
function envelopeOf(route: Route) {
  const message = messageOf(route) ?? "";
  return async ({ responseValue }: Handled) => {
    const data = (await responseValue) as object; // the type of `handle`
    return ok(message, route.envelope === undefined ? {} : data);
  };
}

async function noContent({ responseValue }: Handled): Promise<Response> {
  await responseValue;
  return new Response(null, { status: 204 });
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
