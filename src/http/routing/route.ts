import type { Static, TSchema } from "@sinclair/typebox";
import { emptyEnvelope } from "../envelope.ts";
import { succeeded, type Audience, type Description } from "../openapi/describe.ts";

/** What a handler gets of a request, beside what the route's guard gives. */
export type Input<Body = unknown, Query = unknown, Params = unknown> = {
  readonly request: Request;
  readonly body: Body;
  readonly query: Query;
  readonly params: Params;
  /** The status and the headers of an answer that is no `Response`. */
  readonly set: Answering;
  /** The address without its query. */
  readonly path: string;
  /** The route's own path, with its parameters' names. */
  readonly route: string;
};

export type Answering = {
  status?: number | string;
  headers: Record<string, string | number | string[]>;
};

/** Admits requests that have a right, and gives handlers what it found. */
export type Guard<Given extends object = object> = {
  /** Who is admitted, for the API's document. */
  readonly who: Audience;
  /**
   * Returns what handlers get, or throws. It looks before the body is read and before anything is validated,
   * so that a stranger learns nothing but 401, and again when the body has come, which may be a minute later.
   */
  readonly look: (request: Request) => Promise<Given>;
};

/** Looks at a request before its body is read, and refuses it by throwing. */
export type BeforeBody = (request: Request) => void | Promise<void>;

/** Reads the body of a request within its bounds. */
export type ReadBody = (request: Request) => unknown;

/** The methods that routes have. `HEAD` goes to the routes of `GET`. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * One operation of the server, as a value: `mount.ts` has the framework serve it, and `openapi` describes it.
 * A request passes `guard`, `before` and `read`; then its body is checked, `guard` looks again, `query` and
 * `params` are checked, and `handle` answers.
 */
export type Route = Partial<Description> & {
  readonly method: Method;
  readonly path: string;
  /** Left out: everybody may use it. */
  readonly guard?: Guard;
  /**
   * What is counted or bounded after the guard has looked and before the body is read. Not asked about `GET`.
   */
  readonly before?: BeforeBody;
  /** Left out: JSON where the route has a `body`, else nothing is read. */
  readonly read?: ReadBody;
  readonly body?: TSchema;
  readonly query?: TSchema;
  readonly params?: TSchema;
  /**
   * The envelope around the data that `handle` returns; its message is `msg` or the success of `action`. A
   * route with an `action` and neither this nor `answer` nor `empty` answers an envelope without data.
   */
  readonly envelope?: TSchema;
  /**
   * The JSON that `handle` returns, where it is no envelope or has a `url` of its own. What else it holds is
   * not sent.
   */
  readonly answer?: TSchema;
  /** What an answer without a body means (204). What `handle` returns is not sent. */
  readonly empty?: string;
  /** Without any of these it returns a `Response`, or sets the status. */
  readonly handle: (input: never) => unknown;
  /** Whether it is asked so often that it is served without the framework (`direct.ts`). */
  readonly isDirect?: true;
  /** Its section of the API's document. */
  readonly section?: string;
  /** The path of the route that this one answers as. The document has that one alone. */
  readonly alias?: string;
};

type Typed<
  Given extends object,
  Body extends TSchema,
  Query extends TSchema,
  Params extends TSchema,
  Envelope extends TSchema,
  Answer extends TSchema,
> = Omit<
  Route,
  "method" | "path" | "guard" | "body" | "query" | "params" | "envelope" | "answer" | "handle"
> & {
  readonly guard?: Guard<Given>;
  readonly body?: Body;
  readonly query?: Query;
  readonly params?: Params;
  readonly envelope?: Envelope;
  readonly answer?: Answer;
  readonly handle: (
    input: Given & Input<Static<Body>, Static<Query>, Static<Params>>,
  ) => Answered<Envelope, Answer> | Promise<Answered<Envelope, Answer>>;
};

/** Without a schema for an envelope there is `answer`'s, or none. */
type Answered<Envelope extends TSchema, Answer extends TSchema> =
  unknown extends Static<Envelope>
    ? Static<Answer> | Response
    : Static<Envelope> extends { readonly data: infer Data }
      ? Data
      : never;

/** Of `GET` no body is read, and `before` would never be asked. */
type Bodiless = { readonly before?: never; readonly read?: never; readonly body?: never };

/** A route whose handler's types follow from its guard and its schemas. */
export function route<
  Of extends Method,
  Given extends object = object,
  Body extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Params extends TSchema = TSchema,
  Envelope extends TSchema = TSchema,
  Answer extends TSchema = TSchema,
>(
  method: Of,
  path: string,
  typed: Typed<Given, Body, Query, Params, Envelope, Answer> & (Of extends "GET" ? Bodiless : object),
): Route {
  return { ...typed, method, path };
}

/** Puts routes below a path, and into a section of the API's document unless they are in one. */
export function below(
  prefix: string,
  section: string | undefined,
  routes: readonly Route[],
): readonly Route[] {
  return routes.map((one) => ({ ...(section && { section }), ...one, path: prefix + one.path }));
}

/** The schema of the JSON that a route answers; null: it makes its answers itself, or answers nothing. */
export function schemaOf({ envelope, answer, action, empty }: Route): TSchema | null {
  return envelope ?? answer ?? (action === undefined || empty !== undefined ? null : emptyEnvelope);
}

/** The message of a route's success. */
export function messageOf({ msg, action }: Route): string | undefined {
  return msg ?? (action === undefined ? undefined : succeeded(action));
}
