import { t } from "elysia";
import { AppError } from "../kernel/errors.ts";
import { parseUuid, type Uuid } from "../kernel/ids.ts";

/**
 * The fields that requests share. `rule` is what a client reads, after the field's name, when the value does not fit; the
 * example is what the API's page fills in.
 */

export function textField(description: string, example?: string) {
  return t.String({ description, rule: "must be a text", ...exampleOf(example) });
}

export function flagField(description: string, example = true) {
  return t.Boolean({ description, rule: "must be true or false", ...exampleOf(example) });
}

export function uuidField(description: string, example?: string) {
  return t.String({ description, rule: "must be a UUID", ...exampleOf(example) });
}

function exampleOf(value: unknown): { readonly examples?: readonly unknown[] } {
  return value === undefined ? {} : { examples: [value] };
}

/** The UUID that a field holds, dashed or not. Fails with invalid, naming the field. */
export function readUuid(field: string, value: string): Uuid {
  const uuid = parseUuid(value);
  if (uuid === null) throw new AppError("invalid", `${field}: must be a UUID`);
  return uuid;
}
