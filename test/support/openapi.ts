import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Harness } from "./harness.ts";

/** The API's document, as far as tests look into it. */
export type OpenApiDocument = {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly "x-errors": { readonly code: JsonSchema; readonly any: Codes };
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, unknown>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
  };
};
/** Codes of refusals, by the statuses of the answers. */
type Codes = Readonly<Record<string, readonly string[]>>;

export type OperationObject = {
  readonly summary: string;
  readonly description: string;
  readonly operationId: string;
  readonly "x-protocol"?: true;
  readonly "x-errors"?: Codes;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
};
type ParameterObject = {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly example?: unknown;
  readonly schema: JsonSchema & { readonly examples?: readonly unknown[] };
};
export type ResponseObject = {
  readonly description: string;
  readonly headers: Readonly<Record<string, HeaderObject>>;
  readonly content?: Content;
};
export type HeaderObject = {
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly example: unknown;
};
type Content = Readonly<
  Record<
    string,
    {
      readonly schema?: JsonSchema;
      readonly example?: unknown;
      readonly encoding?: Readonly<Record<string, unknown>>;
    }
  >
>;
type Reference = { readonly $ref: string };
export type JsonSchema = Readonly<Record<string, unknown>>;

/** An operation with where it is found. */
export type Operation = {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
};

export async function readDocument(harness: Harness): Promise<OpenApiDocument> {
  const response = await harness.fetch("/swagger/json");
  return (await response.json()) as OpenApiDocument;
}

/** The operations of the API itself; those of protocols have other rules. */
export function operationsOf(document: OpenApiDocument): readonly Operation[] {
  return allOperationsOf(document).filter(({ operation }) => operation["x-protocol"] !== true);
}

/** The operations of the API and of every protocol. */
export function allOperationsOf({ paths }: OpenApiDocument): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** What a reference leads to; anything else is itself. Fails on one that leads nowhere. */
export function resolve<Value>(document: OpenApiDocument, value: Value | Reference): Value {
  if (typeof value !== "object" || value === null || !("$ref" in value)) return value;
  const keys = value.$ref.replace(/^#\//, "").split("/");
  const found = keys.reduce<unknown>(
    (at, key) => (at as Record<string, unknown> | undefined)?.[key],
    document,
  );
  if (found === undefined) throw new Error(`${value.$ref} leads nowhere`);
  return found as Value;
}

const ajv = new Ajv2020({
  allErrors: true,
  formats: {
    binary: true,
    email: /^[^@\s]+@[^@\s]+\.[^@\s]+$/,
    int64: true,
    uri: (text: string) => URL.canParse(text),
    "uri-reference": (text: string) => URL.canParse(text, "http://localhost"),
    uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  },
});
const compiled = new Map<string, ValidateFunction>();

/** Every schema of the document with where it stands, and every schema within one. */
export function schemasOf(document: OpenApiDocument): readonly SchemaAt[] {
  const found: SchemaAt[] = [];
  const visit = (at: string, node: unknown, isSchema: boolean): void => {
    if (typeof node !== "object" || node === null) return;
    if (isSchema) found.push({ at, schema: node as JsonSchema });
    for (const [key, value] of Object.entries(node)) {
      if (key === "example" || key === "examples") continue;
      const isMap = key === "properties" || key === "schemas";
      const parts = isMap || Array.isArray(value) ? Object.entries(value as object) : null;
      const holdsSchemas = isMap || key === "anyOf" || key === "oneOf";
      if (parts === null) visit(`${at}/${key}`, value, key === "schema" || key === "items");
      else for (const [name, part] of parts) visit(`${at}/${key}/${name}`, part, holdsSchemas);
    }
  };
  visit("", document, false);
  return found;
}

type SchemaAt = { readonly at: string; readonly schema: JsonSchema };

/**
 * What of the value does not fit, one line each. An object may have no fields that its schema does not name.
 */
export function misfits(document: OpenApiDocument, schema: JsonSchema, value: unknown): readonly string[] {
  const closed = close(document, schema);
  const key = JSON.stringify(closed);
  const validate = compiled.get(key) ?? ajv.compile(closed);
  compiled.set(key, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
  );
}

/** The schema without references, its objects closed. */
function close(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, oneOf, ...rest } = resolve<JsonSchema & { $ref?: string }>(
    document,
    schema,
  );
  const closeAll = (schemas: unknown) =>
    Object.entries(schemas as Record<string, JsonSchema>).map(([name, one]) => [name, close(document, one)]);
  return {
    ...rest,
    ...(properties === undefined
      ? {}
      : { additionalProperties: false, properties: Object.fromEntries(closeAll(properties)) }),
    ...(items === undefined ? {} : { items: close(document, items as JsonSchema) }),
    ...(anyOf === undefined ? {} : { anyOf: closeAll(anyOf).map(([, one]) => one) }),
    ...(oneOf === undefined ? {} : { oneOf: closeAll(oneOf).map(([, one]) => one) }),
  };
}
