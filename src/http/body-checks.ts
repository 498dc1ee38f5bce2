import { TypeCompiler, type TypeCheck, type ValueError } from "@sinclair/typebox/compiler";
import type { TSchema } from "@sinclair/typebox";
import { AppError } from "../kernel/errors.ts";

/** Routes as the framework keeps them, as far as they are read here. */
type CheckedRoute = {
  readonly method: string;
  readonly path: string;
  readonly hooks: { readonly body?: TSchema };
};

/** Holds a body against its route's schema, and fails with invalid, naming the field and the rule. */
export type CheckBody = (method: string, path: string, body: unknown) => void;

/**
 * Checks bodies before the framework does, by the same schemas: for each that breaks a rule it prints the whole body, more than
 * once and with indents, which takes a hundred times as long as reading it did.
 */
export function createBodyChecks(routes: readonly CheckedRoute[]): CheckBody {
  const schemas = new Map(routes.map(({ method, path, hooks }) => [`${method} ${path}`, hooks.body]));
  const compiled = new Map<TSchema, TypeCheck<TSchema>>();
  const checkOf = (schema: TSchema) => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    // The framework closes the schemas that it is given, and then takes out what they do not know.
    const check = TypeCompiler.Compile({ ...schema, additionalProperties: true });
    compiled.set(schema, check);
    return check;
  };

  return (method, path, body) => {
    const schema = schemas.get(`${method} ${path}`);
    if (schema === undefined) return;
    const check = checkOf(schema);
    if (check.Check(body)) return;
    const first = check.Errors(body).First();
    throw new AppError("invalid", first === undefined ? "The body is not valid" : describeFault(first));
  };
}

/** Names the field and the rule. Rules stand in the schemas, as `rule`. */
export function describeFault({
  path,
  schema,
  message,
}: Pick<ValueError, "path" | "schema" | "message">): string {
  const field = path.slice(1).replaceAll("/", ".") || "body";
  return `${field}: ${typeof schema["rule"] === "string" ? schema["rule"] : message.toLowerCase()}`;
}
