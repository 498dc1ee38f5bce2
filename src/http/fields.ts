import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { AppError } from "../kernel/errors.ts";
import {
  parseRowNumber,
  parseTextureHash,
  parseUuid,
  rowNumberMax,
  type AccountId,
  type TextureHash,
  type Uuid,
} from "../kernel/ids.ts";
import { instantMax, parseInstant } from "../kernel/instant.ts";
import { examples } from "./openapi/examples.ts";
import type { ShapeName } from "./openapi/shapes.ts";

/**
 * The fields that requests and answers share. `rule` is what a client reads, after the field's name, when the value does
 * not fit; `shape` is what else the field is held to; the example stands in the API's document.
 */

/** A text; what stands behind the route holds it to the shape. */
export function textField(description: string, example?: string, shape?: ShapeName) {
  return t.String({ description, rule: "must be a text", shape, ...exampleOf(example) });
}

export function flagField(description: string, example = true) {
  return t.Boolean({ description, rule: "must be true or false", ...exampleOf(example) });
}

export function uuidField(description: string, example?: string) {
  return t.String({ description, rule: "must be a UUID", shape: "uuidText", ...exampleOf(example) });
}

/** A text that is answered. */
export function givenText(description: string, example: string, shape?: ShapeName) {
  return t.String({ description, shape, examples: [example] });
}

/** A whole number that is answered. TypeBox's own: Elysia's also reads text, which costs every answer some microseconds. */
export function givenNumber(description: string, example: number) {
  return Type.Integer({ description, examples: [example] });
}

function exampleOf(value: unknown): { readonly examples?: readonly unknown[] } {
  return value === undefined ? {} : { examples: [value] };
}

/** A user's number. */
export function userField(description: string) {
  return Type.Integer({
    description,
    minimum: 1,
    maximum: rowNumberMax,
    rule: "must be a user's id",
    examples: [examples.userId],
  });
}

/** When something ends; see `readExpiry`. */
export function expiryField(description: string) {
  return t.Optional(
    t.Union([t.String(), t.Number(), t.Null()], {
      rule: expiryRule,
      documented: {
        anyOf: [
          { type: "string", shape: "instant" },
          { type: "integer", minimum: 0, maximum: instantMax },
          { type: "null" },
        ],
        description: `${description}: ISO 8601 with a zone, or Unix seconds (over 10^11: milliseconds). Without it: never`,
        examples: [examples.end],
      },
    }),
  );
}

const expiryRule = "must be ISO 8601 text with a zone, or a whole number of Unix seconds";

/** The Unix seconds at which something ends; null: never. Fails with invalid for what is no time or has passed. */
export function readExpiry(value: string | number | null | undefined, now: number): number | null {
  if (value === undefined || value === null) return null;
  const seconds = parseInstant(value);
  if (seconds === null) throw new AppError("invalid", `expired_at: ${expiryRule}`);
  if (seconds <= now) throw new AppError("invalid", "expired_at: must lie in the future");
  return seconds;
}

/**
 * An id at a social provider: a JSON text of digits or other characters, or a JSON integer of any length, which arrives as
 * text where a double would lose digits (see `body.ts`).
 */
export function socialIdField(description: string) {
  return t.Union([t.String({ minLength: 1, maxLength: 255 }), Type.Integer({ minimum: 0 })], {
    rule: "must be a text of 1 to 255 characters or a whole number",
    documented: {
      anyOf: [
        { type: "string", minLength: 1, maxLength: 255 },
        { type: "integer", format: "int64", minimum: 0 },
      ],
      description,
      examples: [examples.socialId],
    },
  });
}

/** The text of such an id. */
export function readSocialId(value: string | number): string {
  return String(value);
}

/** The account's number that a text of digits names. Fails with invalid, naming the field. */
export function readUserId(field: string, text: string): AccountId {
  const id = parseRowNumber(text);
  if (id === null) throw new AppError("invalid", `${field}: must be a user's id`);
  return id as AccountId; // whether it is somebody's, the store tells
}

/** The UUID that a field holds, dashed or not. Fails with invalid, naming the field. */
export function readUuid(field: string, value: string): Uuid {
  const uuid = parseUuid(value);
  if (uuid === null) throw new AppError("invalid", `${field}: must be a UUID`);
  return uuid;
}

/** The hash that names a bitmap. Fails with invalid. */
export function readTextureHash(text: string): TextureHash {
  const hash = parseTextureHash(text);
  if (hash === null) throw new AppError("invalid", "hash: must be 64 lower-case hex digits");
  return hash;
}
