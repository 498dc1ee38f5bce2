import type { ShapeName, Shapes } from "./shapes.ts";

/** A schema as routes have it: TypeBox's, with a few keywords that are ours. */
export type RouteSchema = {
  readonly [keyword: string]: unknown;
  /** The name under which the document has it once, for all that refer to it. */
  readonly component?: string;
  /** A rule that the use case enforces, not the route's schema. */
  readonly shape?: ShapeName;
  /** The document's schema instead, where a route reads a text that means another type. */
  readonly documented?: RouteSchema;
  /** The domain's word for the field, where it is another one. */
  readonly field?: string;
  /** What a client reads when the value does not fit. */
  readonly rule?: unknown;
  readonly type?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, RouteSchema>>;
  readonly items?: RouteSchema;
  readonly anyOf?: readonly RouteSchema[];
  readonly oneOf?: readonly RouteSchema[];
};

/** A schema in the document. */
export type WrittenSchema = {
  /** With references for every part that has a name. */
  readonly schema: RouteSchema;
  /** A value that fits. */
  readonly example: unknown;
};

/** Writes the schemas of a document, and keeps those that have a name. */
export type SchemaWriter = {
  readonly write: (schema: RouteSchema) => WrittenSchema;
  /** The schemas that others refer to, by their names. */
  readonly components: () => Readonly<Record<string, RouteSchema>>;
};

/** A writer for one document. It fails on two different schemas of one name. */
export function createSchemaWriter(shapes: Shapes): SchemaWriter {
  const named = new Map<string, RouteSchema>();

  const refer = ({ component, properties, items, anyOf, oneOf, ...rest }: RouteSchema): RouteSchema => {
    const schema = {
      // Without TypeBox's symbols, of which an optional property has one more.
      ...Object.fromEntries(Object.entries(rest)),
      ...(anyOf === undefined ? {} : { anyOf: anyOf.map(refer) }),
      ...(oneOf === undefined ? {} : { oneOf: oneOf.map(refer) }),
      ...(properties === undefined ? {} : { properties: mapValues(properties, refer) }),
      ...(items === undefined ? {} : { items: refer(items) }),
    };
    if (component === undefined) return schema;
    const known = named.get(component);
    if (known !== undefined && !Bun.deepEquals(known, schema)) {
      throw new Error(`Two schemas are called ${component}`);
    }
    named.set(component, schema);
    return { $ref: `#/components/schemas/${component}` };
  };

  return {
    write: (schema) => {
      const plain = plainSchema(schema, shapes);
      return { schema: refer(plain), example: exampleOf(plain) };
    },
    components: () => Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/**
 * The schema in plain JSON Schema, except for `component`: unions of literals become an enum, null a second
 * type, and integers say that they are.
 */
function plainSchema(schema: RouteSchema, shapes: Shapes): RouteSchema {
  const plain = (one: RouteSchema) => plainSchema(one, shapes);
  const unionOf = (members: readonly RouteSchema[]): RouteSchema => {
    const others = members.filter(({ type }) => type !== "null").map(plain);
    return others.length === members.length ? eitherOf(others) : orNull(eitherOf(others));
  };
  if (schema.documented !== undefined) return plain(schema.documented);
  const { rule: _, field: __, shape, properties, items, anyOf, ...rest } = schema;
  if (rest.type === "null") return { ...rest, ...onlyNull };
  return withIntegers({
    ...(anyOf === undefined ? {} : unionOf(anyOf)),
    // What the union says of itself goes before what its one member says.
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(shape === undefined ? {} : shapes[shape]),
    ...(properties === undefined ? {} : { properties: mapValues(properties, plain) }),
    ...(items === undefined ? {} : { items: plain(items) }),
  });
}

/** Null alone. Generators have no type for it, so the document says a text that may be null. */
const onlyNull = { type: ["string", "null"] } as const;

/** One of several schemas; an enum, where all are literals of one type. */
function eitherOf(members: readonly RouteSchema[]): RouteSchema {
  const [only] = members;
  if (only !== undefined && members.length === 1) return only;
  const types = [...new Set(members.map(({ type }) => type))];
  if (types.length === 1 && members.every((member) => "const" in member)) {
    return { type: types[0], enum: members.map((member) => member.const) };
  }
  return { anyOf: members };
}

/**
 * The same or null, in the forms that every generator reads: a list of two types, in a union on its first
 * member. A schema that has a name stays a reference (docs/decisions/api-document.md#null-is-a-second-type).
 */
function orNull(schema: RouteSchema): RouteSchema {
  if (schema.component !== undefined) return { oneOf: [schema, { type: "null" }] };
  const { anyOf: [first, ...others] = [], const: literal, ...rest } = schema;
  if (first !== undefined) return { ...rest, anyOf: [orNull(first), ...others] };
  const literals = literal === undefined ? rest.enum : [literal];
  return {
    ...rest,
    type: [schema.type, "null"],
    ...(literals === undefined ? {} : { enum: [...literals, null] }),
  };
}

/**
 * TypeBox calls every number a number. Large whole numbers get a format, for languages that have small ones
 * too.
 */
function withIntegers(schema: RouteSchema): RouteSchema {
  const literals = "const" in schema ? [schema.const] : schema.enum;
  if (literals?.every(Number.isInteger)) return { ...schema, type: "integer" };
  const { type, maximum } = schema;
  const isSmall = typeof maximum === "number" && maximum < 2 ** 31;
  return type !== "integer" || isSmall ? schema : { ...schema, format: "int64" };
}

/** Made from the examples, defaults and literals of its parts. */
function exampleOf(schema: RouteSchema): unknown {
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.properties !== undefined) return mapValues(schema.properties, exampleOf);
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first !== undefined) return exampleOf(first);
  if (schema.items !== undefined) return [exampleOf(schema.items)];
  return Array.isArray(schema.type) && schema.type.includes("null") ? null : undefined;
}

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Readonly<Record<string, Mapped>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}
