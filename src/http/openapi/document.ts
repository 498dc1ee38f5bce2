import { mapProperties } from "@elysiajs/swagger/utils";
import type { TSchema } from "@sinclair/typebox";
import { AppError } from "../../kernel/errors.ts";
import { failingOf } from "../route-table.ts";
import type { Route } from "../routing/route.ts";
import { audiences, securitySchemes } from "./audiences.ts";
import type { Audience, Description } from "./describe.ts";
import { codesOf, errorCodeSchema, sharedCodes } from "./error-codes.ts";
import {
  beforeRoute,
  failureAnswers,
  failureResponses,
  failureSchemas,
  failuresOf,
  formFailures,
} from "./failure-answers.ts";
import { createSchemaWriter, type RouteSchema, type SchemaWriter } from "./json-schema.ts";
import { shapesOf, type ShapeSettings } from "./shapes.ts";
import { successAnswers } from "./success-answers.ts";

export type DocumentOptions = ShapeSettings & {
  readonly routes: readonly Route[];
  readonly version: string;
};

const mediaType = "application/json";

/** The document's introduction; markdown. */
const introduction = `Accounts, skins and capes of a game community, and their delivery to launchers and websites.

**To try it here:** send \`POST /api/auth/login\`, copy \`data.jwt\` from the answer, and give it to **Authorize** as \`jwt\`.
The page forgets it when it is closed.

Answers of JSON are an envelope \`{ error, msg, url, data }\`: \`msg\` is for people, and \`url\` names the next step where there is
one. Every failure has \`error: true\`. An unknown address answers 404, and a method that an address does not take answers 405 with
\`Allow\`. Every \`GET\` also works as \`HEAD\`. Requests may write UUIDs with or without dashes, in any case; answers have them dashed, in lower case.

**Errors.** The header \`X-Error\` says for programs what \`msg\` says for people: \`name_taken; field="username"\`. The extension
\`x-errors\` of an operation lists its codes by status; that of the document lists, as \`any\`, those that every operation may answer with. The
schema \`ErrorCode\` has them all. Protocols of others do not send the header.

**Bounds.** By default a body of JSON may have 8 KiB, 8 levels, 100 fields in an object and 500 values altogether,
and a form 64 parts. Limits count by the client's address; a client over one gets 429 with \`Retry-After\`, mostly before its body
is read. Two failures have no envelope and close the connection, because they come before there is a request: a head of more than
16 KiB or 198 lines (431), and bytes that are not HTTP (400).`;

/** The sections, in the order in which the page shows them; those of protocols start closed. */
const tags = [
  { name: "Auth", description: "Registration, sign-in, and the way back after a forgotten password." },
  { name: "Social login and linking", description: "Sign-in with an account of another service." },
  { name: "Home", description: "The member's own account and wardrobe." },
  { name: "Admin", description: "Users, levels, skins, capes, mails and the audit log." },
  { name: "Skin and cape delivery", description: "Pictures and files for websites and launchers." },
  { name: "Service endpoints", description: "For other programs of the same operator." },
  { name: "Mail pages", description: "Pages that links in mails open, for people and mail programs." },
  { name: "Console", description: "What the pages of the web console need beside the API." },
  {
    name: "Yggdrasil",
    "x-protocol": true,
    description: "Sign-in, sessions and profiles for launchers, games and game servers.",
  },
  { name: "CustomSkinAPI", "x-protocol": true, description: "Skins by player name, for CustomSkinLoader." },
  { name: "UniSkinAPI", "x-protocol": true, description: "Skins by player name, for UniSkinMod." },
  { name: "Ely", "x-protocol": true, description: "Skins by player name, in the form of Ely.by." },
  { name: "Old clients", "x-protocol": true, description: "Skins and capes as files by player name." },
  {
    name: "Avatars",
    "x-protocol": true,
    description: "Pictures under the addresses of well-known avatar services.",
  },
  {
    name: "GravitLauncher",
    "x-protocol": true,
    description: "Textures, uploads and sign-in for a LaunchServer.",
  },
  {
    name: "AuroraLauncher",
    "x-protocol": true,
    description: "Sign-in and textures for an AuroraLauncher server.",
  },
  { name: "Health", description: "For balancers, containers and monitors." },
] as const;

/** The OpenAPI document of the routes that describe themselves. */
export function createDocument(options: DocumentOptions): object {
  const { routes, version } = options;
  const writer = createSchemaWriter(shapesOf(options));
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    if (!isDescribed(route)) continue;
    const path = pathOf(route);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, writer) };
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
    "x-errors": { code: { $ref: "#/components/schemas/ErrorCode" }, any: sharedCodes },
    components: {
      securitySchemes,
      schemas: { ...writer.components(), ...failureSchemas, ErrorCode: errorCodeSchema },
      responses: failureResponses,
    },
  };
}

type Described = Route & Pick<Description, "operationId" | "summary">;

function isDescribed(route: Route): route is Described {
  return route.operationId !== undefined && route.summary !== undefined;
}

function pathOf({ path }: Route): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

function operationOf(route: Described, writer: SchemaWriter): object {
  const { operationId, method, body, protocol, section, summary, description } = route;
  const parameters = parametersOf(route);
  const { text, security } = audiences[audienceOf(route)];
  return {
    ...(section === undefined ? {} : { tags: [section] }),
    summary,
    description: [description, text].filter(Boolean).join("\n\n"),
    operationId,
    security,
    ...(protocol === true ? { "x-protocol": true } : { "x-errors": codesOf(route, waysToFail(route)) }),
    ...(parameters.length === 0
      ? {}
      : { parameters: parameters.map((one) => parameterOf(one, method, writer)) }),
    ...(body === undefined ? {} : { requestBody: bodyOf(nameBody(body, operationId), route, writer) }),
    responses: {
      ...(protocol === true ? beforeRoute : failureAnswers(route, waysToFail(route))),
      // Last, because a page describes its failures as well: they are no envelopes.
      ...successAnswers(pathOf(route), route, writer),
    },
  };
}

function audienceOf({ who, guard }: Route): Audience {
  return who ?? guard?.who ?? "everybody";
}

type Parameter = ReturnType<typeof parametersIn>[number];

function parametersOf({ params, query }: Route): readonly Parameter[] {
  return [...parametersIn("path", params), ...parametersIn("query", query)];
}

/** As the framework's plugin reads them from a schema. Its types are those of an older OpenAPI. */
function parametersIn(place: "path" | "query", input: RouteSchema | undefined) {
  return mapProperties(place, input as TSchema | undefined, {}).map((one) => ({
    // Of `/:name.png` the framework takes the suffix for a part of the name.
    name: place === "path" ? one.name.replace(/\..*$/, "") : one.name,
    in: place,
    required: one.required === true,
    ...(one.description === undefined ? {} : { description: one.description as string }),
    schema: {
      ...one.schema,
      ...(one.examples === undefined ? {} : { examples: one.examples }),
    } as RouteSchema,
  }));
}

/**
 * How a route can fail. Each may need a database that is away; every change may meet a full queue or a full
 * disk.
 */
function waysToFail(route: Route): readonly AppError[] {
  const { method, body, query, params, errors = [] } = route;
  const isForm = body !== undefined && filesOf(body).length > 0;
  return [
    ...failuresOf("internal", "unavailable"),
    ...audiences[audienceOf(route)].errors,
    ...brokenRule(body ?? query ?? params),
    ...(body === undefined ? [] : failuresOf("too_large", "too_slow", "unsupported_type")),
    ...(isForm ? formFailures : []),
    ...(method === "GET" ? [] : failuresOf("limited", "no_space")),
    ...errors,
  ];
}

/** The failure when the first field with a rule breaks it. */
function brokenRule(input: RouteSchema | undefined): readonly AppError[] {
  if (input === undefined) return [];
  const field = Object.entries(input.properties ?? {}).find(([, { rule }]) => rule !== undefined);
  if (field === undefined) return failuresOf("invalid");
  return [new AppError(failingOf(field[1].rule), { field: field[0] })];
}

/**
 * The page fills in a parameter's own example. That is wanted for required parameters of requests that only
 * read; for a change the user must choose the target.
 */
function parameterOf(parameter: Parameter, method: string, writer: SchemaWriter): object {
  const { schema, example } = writer.write(parameter.schema);
  const isFilledIn = method === "GET" && (parameter.required || schema.default !== undefined);
  return isFilledIn
    ? { ...parameter, schema, example }
    : { ...parameter, schema: { ...schema, examples: [example] } };
}

/** Generated programs name a body after its operation. */
function nameBody(body: RouteSchema, operationId: string): RouteSchema {
  return { component: `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Body`, ...body };
}

/** A form when it holds a file, else JSON; both for a union of the two. */
function bodyOf(body: RouteSchema, { optionalBody }: Route, writer: SchemaWriter): object {
  const bodies = body.anyOf?.some((one) => filesOf(one).length > 0) ? body.anyOf : [body];
  const content = Object.assign({}, ...bodies.map((one) => contentOf(one, writer)));
  return { required: optionalBody !== true, content };
}

function contentOf(body: RouteSchema, writer: SchemaWriter): object {
  const { schema, example } = writer.write(body);
  const files = filesOf(body);
  if (files.length === 0) return { [mediaType]: { schema, example } };
  const encoding = Object.fromEntries(files.map(([name, contentType]) => [name, { contentType }]));
  return { "multipart/form-data": { schema, encoding } };
}

/** The parts that are files, with their media types. */
function filesOf(body: RouteSchema): readonly (readonly [string, unknown])[] {
  return Object.entries(body.properties ?? {}).flatMap(([name, part]) => {
    const type = part.documented?.["contentMediaType"];
    return type === undefined ? [] : [[name, type] as const];
  });
}
