import { Type, type TObject } from "@sinclair/typebox";
import type { AppError } from "../kernel/errors.ts";
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
import { t } from "./routing/schema.ts";
import { rules } from "./rules.ts";

/**
 * The fields that requests and answers share. `rule` is what a client reads, after the field's name, when the
 * value does not fit; `shape` names the rule that the use case holds it to; `field` is the domain's word
 * where it is another one.
 */

/** A text in a request; the use case holds it to the shape. */
export function textField(description: string, example: string, shape?: ShapeName, field?: string) {
  return t.String({ description, rule: rules.text.of(), shape, field, examples: [example] });
}

export function flagField(description: string, example = true, field?: string) {
  return t.Boolean({ description, rule: rules.flag.of(), field, examples: [example] });
}

export function uuidField(description: string, example: string, field?: string) {
  return t.String({ description, rule: rules.uuid.of(), shape: "uuidText", field, examples: [example] });
}

/** A form's file part. */
export function pngField() {
  return t.File({
    rule: rules.pngPart.of(),
    documented: {
      type: "string",
      format: "binary",
      contentMediaType: "image/png",
      description: "A PNG file",
    },
  });
}

/** A text in an answer. */
export function givenText(description: string, example: string, shape?: ShapeName) {
  return t.String({ description, shape, examples: [example] });
}

/** A player's UUID in an answer to games, which write it without dashes. */
export function givenGameId(description = "The player's UUID, without dashes") {
  return t.String({ pattern: "^[0-9a-f]{32}$", description, examples: [examples.gameId] });
}

/**
 * A whole number in an answer. TypeBox's own: Elysia's also reads text, which costs every answer some
 * microseconds.
 */
export function givenNumber(description: string, example: number) {
  return Type.Integer({ description, examples: [example] });
}

export function givenFlag(description: string, example: boolean) {
  return t.Boolean({ description, examples: [example] });
}

/** When something ends, as the request asked for; see `presentEnd`. */
export function givenEnd(description: string) {
  return t.Optional(givenNumber(description, examples.endSeconds));
}

export function presentEnd(expiresAt: number | null): { readonly expired_at?: number } {
  return expiresAt === null ? {} : { expired_at: expiresAt };
}

/** A user's number. */
export function userField(description: string) {
  return Type.Integer({
    description,
    minimum: 1,
    maximum: rowNumberMax,
    rule: rules.userId.of(),
    examples: [examples.userId],
  });
}

/** When something ends; see `readExpiry`. */
export function expiryField(description: string) {
  const documented = documentedExpiry(`${description}. Without it: never`);
  return t.Optional(t.Union([t.String(), t.Number(), t.Null()], { rule: rules.time.of(), documented }));
}

/** The document's schema of such a field. */
export function documentedExpiry(description: string) {
  return {
    anyOf: [
      { type: "string", shape: "instant" },
      { type: "integer", minimum: 0, maximum: instantMax },
      { type: "null" },
    ],
    description: `ISO 8601 with a zone, or Unix seconds (over 10^11: milliseconds). ${description}`,
    examples: [examples.end],
  };
}

/**
 * The Unix seconds at which something ends; null: never. Fails with invalid for a text that is no time, and
 * for the past.
 */
export function readExpiry(
  value: string | number | null | undefined,
  now: number,
  field = "expired_at",
): number | null {
  if (value === undefined || value === null) return null;
  const seconds = parseInstant(value);
  if (seconds === null) throw rules.time({ field });
  if (seconds <= now) throw rules.future({ field });
  return seconds;
}

/**
 * The same from a form, whose parts are texts: digits are a number, and pages send an empty text for an empty
 * input.
 */
export function readFormExpiry(text: string | undefined, now: number): number | null {
  if (text === undefined || text === "") return null;
  return readExpiry(/^\d+$/.test(text) ? Number(text) : text, now);
}

/**
 * An id at a social provider: a JSON text of digits or other characters, or a JSON integer of any length,
 * which arrives as text where a double would lose digits (see `body.ts`).
 */
export function socialIdField(description: string, field: string) {
  return t.Union([t.String({ minLength: 1, maxLength: 255 }), Type.Integer({ minimum: 0 })], {
    rule: rules.socialId.of(),
    field,
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

/** The account's number in a text or as a number. Fails with what `refused` makes. */
export function readUserId(value: unknown, refused: () => AppError): AccountId {
  const isPlain = typeof value === "number" || typeof value === "string";
  const id = isPlain ? parseRowNumber(String(value).trim()) : null;
  if (id === null) throw refused();
  return id as AccountId; // the store knows whether an account has it
}

/** The UUID that a field holds, dashed or not. Fails with invalid, naming the field. */
export function readUuid(field: string, value: string): Uuid {
  const uuid = parseUuid(value);
  if (uuid === null) throw rules.uuid({ field });
  return uuid;
}

/** The hash that names a bitmap. Fails with invalid. */
export function readTextureHash(text: string): TextureHash {
  const hash = parseTextureHash(text);
  if (hash === null) throw rules.hash({ field: "hash" });
  return hash;
}

/** Fails with invalid for a change that holds no field of its schema. */
export function refuseEmptyChange(schema: TObject, body: object): void {
  const names = Object.keys(schema.properties);
  if (names.some((name) => name in body)) return;
  throw rules.someField(names.join(", "));
}

/** Fails with invalid unless the user in the body is the one in the address. */
export function refuseOtherUser(inAddress: AccountId, inBody: number): void {
  if (inAddress !== inBody) throw rules.sameUser({ field: "user" });
}
