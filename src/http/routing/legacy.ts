import { Elysia } from "elysia";
import type { TSchema } from "@sinclair/typebox";
import type { Description } from "../openapi/describe.ts";
import type { BeforeBody, Guard, Method, ReadBody, Route } from "./route.ts";

/** What surfaces need whose routes are the framework's own. It goes with the last of them. */

/** The hook of guarded routes that take no body: Elysia would read any body, by its type and without a bound. */
export const unread = { parse: () => null };

export function guarding<Given extends object>({ look }: Guard<Given>) {
  return new Elysia()
    .onParse({ as: "scoped" }, async ({ request }) => void (await look(request)))
    .derive({ as: "scoped" }, ({ request }): Promise<Given & { request: Request }> => look(request) as never);
}

export function beforeBody(look: BeforeBody) {
  return new Elysia().onParse({ as: "scoped" }, ({ request }) => look(request));
}

export function reading(read: ReadBody) {
  return new Elysia().onParse({ as: "scoped" }, async ({ request }) => read(request));
}

type ElysiaRoute = {
  readonly method: string;
  readonly path: string;
  readonly hooks: {
    readonly body?: TSchema;
    readonly params?: TSchema;
    readonly query?: TSchema;
    readonly response?: Readonly<Record<string, TSchema>>;
    readonly detail?: {
      readonly described?: Description;
      readonly alias?: string;
      readonly tags?: readonly string[];
    };
  };
};

export function legacyRoute({ method, path, hooks }: ElysiaRoute): Route {
  const { body, params, query, response, detail } = hooks;
  const [section] = detail?.tags ?? [];
  const { alias, described } = detail ?? {};
  return {
    method: method as Method,
    path,
    ...(body && { body }),
    ...(params && { params }),
    ...(query && { query }),
    ...(response?.["200"] && { answer: response["200"] }),
    ...(section && { section }),
    ...(alias && { alias }),
    ...described,
    handle: () => null,
  };
}
