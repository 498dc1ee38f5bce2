import type { TSchema } from "@sinclair/typebox";
import { TypeCompiler, type TypeCheck, type ValueError } from "@sinclair/typebox/compiler";
import { AppError, ruleIn, type Failing } from "../kernel/errors.ts";
import type { RouteSchema } from "./openapi/json-schema.ts";
import { httpRefusals } from "./refusals.ts";
import type { Route } from "./routing/route.ts";
import { rules } from "./rules.ts";
import type { ShownCode } from "./x-error.ts";

/** Looks routes up for what happens before, beside and after the framework's own routing. */
export type RouteTable = {
  readonly routes: readonly Route[];
  /** The methods that a path takes; none for an unknown path. */
  readonly methodsOf: (path: string) => readonly string[];
  /** The route that answers this method under this pattern. */
  readonly find: (method: string, pattern: string) => Route | null;
};

export function createRouteTable(routes: readonly Route[]): RouteTable {
  const byName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  const patterns = routes.map(({ method, path }) => ({ method, segments: path.split("/") }));

  return {
    routes,
    find: (method, pattern) => byName.get(`${method === "HEAD" ? "GET" : method} ${pattern}`) ?? null,
    methodsOf: (path) => {
      const segments = path.replace(/(?<=[^/])\/$/, "").split("/");
      const fits = (pattern: readonly string[]) =>
        pattern.length === segments.length &&
        pattern.every((segment, at) => fitsSegment(segment, segments[at] ?? ""));
      const methods = patterns.filter((route) => fits(route.segments)).map(({ method }) => method);
      return [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))];
    },
  };
}

/**
 * Whether a segment of a path is what a pattern has there: a parameter, perhaps with a suffix (`:name.png`),
 * or itself.
 */
function fitsSegment(pattern: string, segment: string): boolean {
  if (!pattern.startsWith(":")) return segment === pattern;
  const dot = pattern.indexOf(".");
  return dot === -1 || segment.endsWith(pattern.slice(dot));
}

/**
 * Checks bodies against a schema, which is compiled for the first. Fails with invalid, naming the field and
 * the rule. It goes before the framework's own check by the same schema: for each body that breaks a rule the
 * framework prints all of it, indented and more than once, which takes a hundred times as long as reading it.
 */
export function bodyCheck(schema: TSchema): (body: unknown) => void {
  let compiled: TypeCheck<TSchema> | undefined;
  return (body) => {
    compiled ??= compileOpen(schema);
    if (compiled.Check(body)) return;
    const first = compiled.Errors(body).First();
    throw first === undefined ? httpRefusals.bodyInvalid() : faultOf(first);
  };
}

/** Whether a value fits a schema, which is compiled for the first. */
export function schemaCheck(schema: TSchema): (value: unknown) => boolean {
  let compiled: TypeCheck<TSchema> | undefined;
  return (value) => (compiled ??= compileOpen(schema)).Check(value);
}

/** The framework closes the schemas that it is given, and then removes unknown fields. */
function compileOpen(schema: TSchema): TypeCheck<TSchema> {
  return TypeCompiler.Compile({ ...schema, additionalProperties: true });
}

/**
 * The refusal of a value. Rules stand in the schemas, as `rule`; values to choose from, and kinds of values,
 * are their own.
 */
export function faultOf({
  path,
  schema,
  message,
}: Pick<ValueError, "path" | "schema" | "message">): AppError {
  const field = path.slice(1).replaceAll("/", ".") || "body";
  return new AppError(ruleOf(schema, message) ?? rules.other.of(message.toLowerCase()), { field });
}

/** What a kind of value is called in refusals. */
const kinds: ReadonlyMap<unknown, Failing> = new Map([
  ["object", rules.object.of()],
  ["array", rules.list.of()],
  ["string", rules.text.of()],
  ["boolean", rules.flag.of()],
  ["integer", rules.whole.of()],
  ["number", rules.number.of()],
]);

/** The rule that a value breaks; null where only the validator's words say it. */
function ruleOf({ rule, type, anyOf, ...rest }: RouteSchema, message: string): Failing | null {
  if (rule !== undefined) return failingOf(rule);
  const members = anyOf ?? [{ type, ...rest }];
  if (members.every((one) => "const" in one)) {
    const values = members.map((one) => String(one.const)).join(", ");
    return members.length > 1 ? rules.oneOfListed.of(values) : rules.is.of(values);
  }
  // Of the right kind, it breaks another rule.
  return /^Expected (?:required property|\w+)$/.test(message) ? (kinds.get(type) ?? null) : null;
}

/** Every rule that a value of this schema can break. */
export function brokenBy(schema: RouteSchema): readonly Failing[] {
  const own = ruleOf(schema, "Expected it");
  const { properties = {}, items, anyOf = [] } = schema;
  // Where a union names its rule, its members' rules are never said.
  const members = schema.rule === undefined ? anyOf : [];
  const inner = [...Object.values(properties), ...(items === undefined ? [] : [items]), ...members];
  return [...(own === null ? [] : [own]), ...inner.flatMap(brokenBy)];
}

/** What a schema's `rule` says. Those of foreign protocols, which have no codes, are texts. */
export function failingOf(rule: unknown): Failing {
  return typeof rule === "string" ? rules.other.of(rule) : (rule as Failing); // a schema holds nothing else
}

/** The parts of a route that have words for fields. */
type Worded = Pick<Route, "body" | "params" | "query">;

/**
 * A refusal's message in the words of a route. A field of the route's schemas that has another name than the
 * domain's says which it is: `skinid: t.String({ field: "skin" })`. A rule may name further fields.
 */
export function messageAt(route: Worded | null, error: AppError): string {
  const text = ruleIn(error, (name) => wordAt(route, name));
  const { field } = codedAt(route, error);
  return field === null ? text : `${field}: ${text}`;
}

/** The code of a refusal, with the field in the words of a route. */
export function codedAt(route: Worded | null, { code, field, values }: AppError): ShownCode {
  return { code, field: field === null ? null : wordAt(route, field), values };
}

function wordAt(route: Worded | null, name: string): string {
  const { body, params, query } = route ?? {};
  const words = [body, params, query].map((input) => wordIn(input, name));
  return words.find((word) => word !== undefined) ?? name;
}

/** The name of the schema's field that is this field of the domain; undefined when no name differs. */
function wordIn(schema: RouteSchema | undefined, field: string): string | undefined {
  for (const [name, inner] of Object.entries(schema?.properties ?? {})) {
    const word = inner.field === field ? name : wordIn(inner, field);
    if (word !== undefined) return word;
  }
  return undefined;
}
