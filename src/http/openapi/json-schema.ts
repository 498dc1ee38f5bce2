/** A schema as routes have it: TypeBox's, with a few keywords that are ours. */
export type RouteSchema = {
  readonly [keyword: string]: unknown;
  /** What the document shows instead, where a route reads a text and means something else. */
  readonly documented?: RouteSchema;
  /** What a client reads when the value does not fit. */
  readonly rule?: unknown;
  readonly type?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, RouteSchema>>;
  readonly items?: RouteSchema;
  readonly anyOf?: readonly RouteSchema[];
};

/** The schema in plain words of JSON Schema: literals become an enum, and what may be null says so by its type. */
export function plainSchema(schema: RouteSchema): RouteSchema {
  if (schema.documented !== undefined) return plainSchema(schema.documented);
  const { rule: _, properties, items, anyOf, ...rest } = schema;
  return {
    ...rest,
    ...(anyOf === undefined ? {} : unionOf(anyOf.map(plainSchema))),
    ...(properties === undefined ? {} : { properties: mapValues(properties, plainSchema) }),
    ...(items === undefined ? {} : { items: plainSchema(items) }),
  };
}

function unionOf(members: readonly RouteSchema[]): RouteSchema {
  const types = [...new Set(members.map(({ type }) => type))];
  if (types.length === 1 && members.every((member) => "const" in member)) {
    return { type: types[0], enum: members.map((member) => member.const) };
  }
  const [only, ...others] = members.filter(({ type }) => type !== "null");
  if (only === undefined || others.length > 0 || typeof only.type !== "string") return { anyOf: members };
  return { ...only, type: [only.type, "null"] };
}

/** A value that fits: made from the examples, defaults and literals of its parts. */
export function exampleOf(schema: RouteSchema): unknown {
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === "null") return null;
  if (schema.properties !== undefined) return mapValues(schema.properties, exampleOf);
  return schema.items === undefined ? undefined : [exampleOf(schema.items)];
}

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Readonly<Record<string, Mapped>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}
