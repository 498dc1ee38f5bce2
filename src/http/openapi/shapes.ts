import { mailLikePattern } from "../../domain/accounts/identifier.ts";
import { messageLengthMax, messagePattern, subjectLengthMax } from "../../domain/mail/bulk-mail.ts";
import { codeTextLengthMax, codeTextPattern } from "../../domain/model/code.ts";
import { searchPattern } from "../../domain/model/list-page.ts";
import { linePattern } from "../../domain/model/one-line.ts";
import { tokenNamePattern } from "../../domain/model/service-token.ts";
import { textureNamePattern } from "../../domain/model/texture.ts";
import { anyUsernamePattern } from "../../domain/model/username.ts";
import { hashPattern, rowNumberPattern, uuidPattern } from "../../kernel/ids.ts";
import { isoPattern } from "../../kernel/instant.ts";
import { limits } from "../../kernel/limits.ts";

/** The rules that are settings. */
export type ShapeSettings = { readonly usernamePattern: RegExp };

const playerName = textLike(anyUsernamePattern);
const uuidText = uuidPattern.source.replaceAll("a-f", "a-fA-F");
const uuid = "^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$";

/** An ASCII character, as patterns of every language write it. */
function escape(code: number): string {
  return `\\x${code.toString(16).padStart(2, "0")}`;
}

/** The allowed ASCII characters, and everything beyond ASCII, as a class that every language reads. */
function charactersThat(isLetIn: (character: string) => boolean): string {
  const marks = Array.from({ length: 128 }, (_, code) => (isLetIn(String.fromCharCode(code)) ? "-" : "x"));
  const refused = [...marks.join("").matchAll(/x+/g)];
  return `[^${refused.map(({ 0: run, index }) => `${escape(index)}-${escape(index + run.length - 1)}`).join("")}]`;
}

/**
 * The ASCII part of a pattern of Unicode properties, which not every language knows: first and later
 * characters.
 */
function textLike(pattern: RegExp): string {
  const first = charactersThat((character) => pattern.test(character));
  const later = charactersThat((character) => pattern.test(`x${character}x`));
  return first === later ? `^${later}+$` : `^ *${first}${later}*$`;
}

/** An operator's pattern with Unicode properties cannot be shown. */
function patternOf({ source }: RegExp): { readonly pattern?: string } {
  return /\\[pPu]/.test(source) ? {} : { pattern: source };
}

/**
 * The rules for texts, in JSON Schema. They are made from the patterns and limits that enforce them, so that
 * the document cannot differ. Lengths count characters.
 */
export function shapesOf({ usernamePattern }: ShapeSettings) {
  return {
    newPassword: { minLength: limits.passwordLengthMin, maxLength: limits.passwordLengthMax },
    newUsername: { ...patternOf(usernamePattern), maxLength: limits.usernameLengthMax },
    mail: { format: "email", maxLength: limits.identifierLengthMax },
    code: { pattern: codeTextPattern.source, maxLength: codeTextLengthMax },
    textureName: { pattern: textLike(textureNamePattern), maxLength: limits.textureNameLengthMax },
    tokenName: { pattern: tokenNamePattern.source },
    subject: { pattern: textLike(linePattern), maxLength: subjectLengthMax },
    reason: { pattern: `^ *$|${textLike(linePattern)}`, maxLength: limits.reasonLengthMax },
    message: { pattern: textLike(messagePattern), minLength: 1, maxLength: messageLengthMax },
    /** A user's number, UUID, name or mail address. */
    identifier: {
      pattern: `${playerName}|${mailLikePattern.source}`,
      maxLength: limits.identifierLengthMax,
    },
    /** A player's name, or a UUID, whose characters are all allowed in names. */
    player: { pattern: playerName, maxLength: limits.usernameLengthMax },
    playerOrEmpty: { pattern: `^$|${playerName}`, maxLength: limits.usernameLengthMax },
    search: { pattern: `^$|${textLike(searchPattern)}`, maxLength: limits.identifierLengthMax },
    instant: { pattern: isoPattern.source },
    /** The same in a form, whose parts are texts. */
    formInstant: { pattern: `^$|^\\d+$|${isoPattern.source}` },
    hash: { pattern: hashPattern.source },
    /** A UUID as requests may write it. */
    uuidText: { pattern: uuidText },
    uuidTextOrEmpty: { pattern: `^$|${uuidText}` },
    /** A cape's UUID, `none`, or empty for the cape of the skin. */
    capeChoice: { pattern: `^$|^none$|${uuidText}` },
    uuidTextOrNumber: { pattern: `${uuidText}|${rowNumberPattern.source}` },
    /** The number of a row, as a text. */
    rowNumber: { pattern: rowNumberPattern.source },
    /** A UUID as it is answered. */
    uuid: { format: "uuid" },
    uuidOrEmpty: { pattern: `^$|${uuid}` },
  } as const satisfies Record<string, Readonly<Record<string, unknown>>>;
}

export type Shapes = ReturnType<typeof shapesOf>;
export type ShapeName = keyof Shapes;
