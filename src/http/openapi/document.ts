import { registerSchemaPath } from "@elysiajs/swagger/utils";
import type { FailingRoute } from "../failures.ts";
import { audiences, securitySchemes } from "./audiences.ts";
import type { Description } from "./describe.ts";
import {
  failureAnswers,
  failureResponses,
  failureSchemas,
  failuresOf,
  formFailures,
  type Failures,
} from "./failure-answers.ts";
import { exampleOf, plainSchema, type RouteSchema } from "./json-schema.ts";
import { successAnswers } from "./success-answers.ts";
import { introduction, tags } from "./texts.ts";

/** A route as the framework keeps it, as far as it is read here. */
export type Route = {
  readonly method: string;
  readonly path: string;
  readonly hooks: {
    readonly body?: RouteSchema;
    readonly params?: RouteSchema;
    readonly query?: RouteSchema;
    readonly detail?: { readonly described?: Description };
  };
};

export type DocumentOptions = {
  readonly routes: readonly Route[];
  readonly version: string;
  /** `<method> <route>` of the home edits → the action that their failures name. */
  readonly editActions: FailingRoute["editActions"];
};

/** The one media type that the plugin is told; what a body really is, its schema tells. */
const mediaType = "application/json";

/** The OpenAPI document of the routes that describe themselves. */
export function createDocument({ routes, version, editActions }: DocumentOptions): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const described = route.hooks.detail?.described;
    if (described === undefined) continue;
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    const operation = operationOf(route, described, editActions);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "cloakroom",
      version,
      description: introduction,
      contact: { name: "The operator of this server" },
    },
    servers: [{ url: "/", description: "This server" }],
    tags,
    paths,
    components: { securitySchemes, schemas: failureSchemas, responses: failureResponses },
  };
}

function operationOf(route: Route, described: Description, editActions: FailingRoute["editActions"]): object {
  const { operationId, sections, parameters, body, answers } = generate(route);
  const { text, security } = audiences[described.who];
  const { method, path } = route;
  return {
    tags: sections,
    summary: described.summary,
    description: [described.description, text].filter(Boolean).join("\n\n"),
    operationId,
    security,
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(plainParameter) }),
    ...(body === undefined ? {} : { requestBody: bodyOf(body, described) }),
    responses: {
      ...failureAnswers({ method, path, editActions }, waysToFail(route, described)),
      // Last, for a page describes its failures as well: they are no envelopes.
      ...successAnswers(described, answers),
    },
  };
}

/** What the plugin makes of a route, of which its media types, its answers' descriptions and its examples are left out. */
function generate({ method, path, hooks }: Route) {
  const paths = {};
  registerSchemaPath({ schema: paths, method, path, hook: { ...hooks, parse: [mediaType] }, models: {} });
  const [generated] = Object.values<object>(paths).flatMap((item) => Object.values(item));
  const operation = generated as Generated; // the plugin's types are those of an older OpenAPI
  const answers = Object.entries(operation.responses ?? {});
  return {
    operationId: operation.operationId,
    sections: operation.tags ?? [],
    parameters: operation.parameters ?? [],
    body: operation.requestBody?.content[mediaType].schema,
    answers: Object.fromEntries(answers.map(([status, { content }]) => [status, content[mediaType].schema])),
  };
}

type Generated = {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses?: Readonly<Record<string, { readonly content: Content }>>;
};
type Content = { readonly [mediaType]: { readonly schema: RouteSchema } };
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly schema: RouteSchema;
};

/** How a route can fail, by what it is. Whatever changes something may meet a queue or a disk that is full. */
function waysToFail({ method, hooks }: Route, { who, errors }: Description): Failures {
  const { body, query, params } = hooks;
  const isForm = body !== undefined && filesOf(body).length > 0;
  return {
    ...failuresOf("internal"),
    ...audiences[who].errors,
    ...brokenRule(body ?? query ?? params),
    ...(body === undefined ? {} : failuresOf("too_large", "too_slow", "unsupported_type")),
    ...(isForm ? formFailures : {}),
    ...(method === "GET" ? {} : failuresOf("limited", "no_space")),
    ...errors,
  };
}

/** The message of the first field that has a rule, when that is broken. */
function brokenRule(input: RouteSchema | undefined): Failures {
  if (input === undefined) return {};
  const field = Object.entries(input.properties ?? {}).find(([, { rule }]) => rule !== undefined);
  return field === undefined ? failuresOf("invalid") : { invalid: `${field[0]}: ${String(field[1].rule)}` };
}

/** The page fills in a parameter's own example, which is wanted where one has to be given. */
function plainParameter({ schema, examples, ...parameter }: Parameter): object {
  const plain = plainSchema(examples === undefined ? schema : { ...schema, examples });
  const example = exampleOf(plain);
  if (parameter.required || plain.default !== undefined) return { ...parameter, schema: plain, example };
  return { ...parameter, schema: { ...plain, examples: [example] } };
}

/** A form when it holds a file, else JSON. */
function bodyOf(body: RouteSchema, { optionalBody }: Description): object {
  const schema = plainSchema(body);
  const required = optionalBody !== true;
  const files = filesOf(body);
  if (files.length === 0) {
    return { required, content: { [mediaType]: { schema, example: exampleOf(schema) } } };
  }
  const encoding = Object.fromEntries(files.map(([name, contentType]) => [name, { contentType }]));
  return { required, content: { "multipart/form-data": { schema, encoding } } };
}

/** The parts that are files, with their media types. */
function filesOf(body: RouteSchema): readonly (readonly [string, unknown])[] {
  const parts = Object.entries(plainSchema(body).properties ?? {});
  return parts.flatMap(([name, { contentMediaType: type }]) => (type === undefined ? [] : [[name, type]]));
}
