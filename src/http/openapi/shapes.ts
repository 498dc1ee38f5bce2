import { mailLikePattern } from "../../domain/accounts/identifier.ts";
import { anyUsernamePattern } from "../../domain/accounts/username.ts";
import { codeTextLengthMax, codeTextPattern } from "../../domain/codes/code.ts";
import {
  messageLengthMax,
  messagePattern,
  subjectLengthMax,
  subjectPattern,
} from "../../domain/mail/bulk-mail.ts";
import { textureNamePattern } from "../../domain/textures/name.ts";
import { hashPattern, rowNumberPattern, uuidPattern } from "../../kernel/ids.ts";
import { isoPattern } from "../../kernel/instant.ts";
import { limits } from "../../kernel/limits.ts";

/** What of the rules is a setting. */
export type ShapeSettings = { readonly usernamePattern: RegExp };

const uuidText = uuidPattern.source.replaceAll("a-f", "a-fA-F");
const uuid = "^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$";

/**
 * The rules that texts are held to, in the words of JSON Schema. What a request may hold is made from what enforces it, so
 * that the document cannot say anything else. Lengths count characters.
 */
export function shapesOf({ usernamePattern }: ShapeSettings) {
  return {
    newPassword: { minLength: limits.passwordLengthMin, maxLength: limits.passwordLengthMax },
    newUsername: { pattern: usernamePattern.source, maxLength: limits.usernameLengthMax },
    mail: { format: "email", maxLength: limits.identifierLengthMax },
    code: { pattern: codeTextPattern.source, maxLength: codeTextLengthMax },
    textureName: { pattern: textureNamePattern.source, maxLength: limits.textureNameLengthMax },
    subject: { pattern: subjectPattern.source, maxLength: subjectLengthMax },
    message: { pattern: messagePattern.source, minLength: 1, maxLength: messageLengthMax },
    /** A user's number, UUID, name or mail address. */
    identifier: {
      pattern: `${anyUsernamePattern.source}|${mailLikePattern.source}`,
      maxLength: limits.identifierLengthMax,
    },
    /** A player's name, or a UUID, which has nothing that a name may not have. */
    player: { pattern: anyUsernamePattern.source, maxLength: limits.usernameLengthMax },
    playerOrEmpty: { pattern: `^$|${anyUsernamePattern.source}`, maxLength: limits.usernameLengthMax },
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
