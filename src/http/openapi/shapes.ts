import { mailLikePattern } from "../../domain/accounts/identifier.ts";
import { anyUsernamePattern } from "../../domain/model/username.ts";
import { codeTextLengthMax, codeTextPattern } from "../../domain/model/code.ts";
import { searchPattern } from "../../domain/model/list-page.ts";
import { messageLengthMax, messagePattern, subjectLengthMax } from "../../domain/mail/bulk-mail.ts";
import { linePattern } from "../../domain/model/one-line.ts";
import { textureNamePattern } from "../../domain/textures/name.ts";
import { hashPattern, rowNumberPattern, uuidPattern } from "../../kernel/ids.ts";
import { isoPattern } from "../../kernel/instant.ts";
import { limits } from "../../kernel/limits.ts";

/** What of the rules is a setting. */
export type ShapeSettings = { readonly usernamePattern: RegExp };

const playerName = textLike(anyUsernamePattern);
const uuidText = uuidPattern.source.replaceAll("a-f", "a-fA-F");
const uuid = "^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$";

/** One of ASCII, as patterns of every language write it. */
function escape(code: number): string {
  return `\\x${code.toString(16).padStart(2, "0")}`;
}

/** The characters of ASCII that are let in, and everything beyond, as a class that every language reads. */
function charactersThat(isLetIn: (character: string) => boolean): string {
  const marks = Array.from({ length: 128 }, (_, code) => (isLetIn(String.fromCharCode(code)) ? "-" : "x"));
  const refused = [...marks.join("").matchAll(/x+/g)];
  return `[^${refused.map(({ 0: run, index }) => `${escape(index)}-${escape(index + run.length - 1)}`).join("")}]`;
}

/** A pattern of Unicode's properties, which not every language knows, as far as ASCII goes: what may begin, what may follow. */
function textLike(pattern: RegExp): string {
  const first = charactersThat((character) => pattern.test(character));
  const later = charactersThat((character) => pattern.test(`x${character}x`));
  return first === later ? `^${later}+$` : `^ *${first}${later}*$`;
}

/** An operator's pattern of that kind cannot be shown. */
function patternOf({ source }: RegExp): { readonly pattern?: string } {
  return /\\[pPu]/.test(source) ? {} : { pattern: source };
}

/**
 * The rules that texts are held to, in the words of JSON Schema. What a request may hold is made from what enforces it, so
 * that the document cannot say anything else. Lengths count characters.
 */
export function shapesOf({ usernamePattern }: ShapeSettings) {
  return {
    newPassword: { minLength: limits.passwordLengthMin, maxLength: limits.passwordLengthMax },
    newUsername: { ...patternOf(usernamePattern), maxLength: limits.usernameLengthMax },
    mail: { format: "email", maxLength: limits.identifierLengthMax },
    code: { pattern: codeTextPattern.source, maxLength: codeTextLengthMax },
    textureName: { pattern: textLike(textureNamePattern), maxLength: limits.textureNameLengthMax },
    subject: { pattern: textLike(linePattern), maxLength: subjectLengthMax },
    reason: { pattern: `^ *$|${textLike(linePattern)}`, maxLength: limits.reasonLengthMax },
    message: { pattern: textLike(messagePattern), minLength: 1, maxLength: messageLengthMax },
    /** A user's number, UUID, name or mail address. */
    identifier: {
      pattern: `${playerName}|${mailLikePattern.source}`,
      maxLength: limits.identifierLengthMax,
    },
    /** A player's name, or a UUID, which has nothing that a name may not have. */
    player: { pattern: playerName, maxLength: limits.usernameLengthMax },
    playerOrEmpty: { pattern: `^$|${playerName}`, maxLength: limits.usernameLengthMax },
    search: { pattern: `^$|${textLike(searchPattern)}`, maxLength: limits.identifierLengthMax },
    instant: { pattern: isoPattern.source },
    /** The same in a form, which has texts alone. */
    formInstant: { pattern: `^$|^\\d+$|${isoPattern.source}` },
    hash: { pattern: hashPattern.source },
    /** A UUID as requests may write it. */
    uuidText: { pattern: uuidText },
    uuidTextOrEmpty: { pattern: `^$|${uuidText}` },
    uuidTextOrNumber: { pattern: `${uuidText}|${rowNumberPattern.source}` },
    /** A UUID as it is answered. */
    uuid: { format: "uuid" },
    uuidOrEmpty: { pattern: `^$|${uuid}` },
  } as const satisfies Record<string, Readonly<Record<string, unknown>>>;
}

export type Shapes = ReturnType<typeof shapesOf>;
export type ShapeName = keyof Shapes;
