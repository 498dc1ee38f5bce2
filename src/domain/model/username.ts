import { refusals } from "./refusals.ts";
import { limits } from "../../kernel/limits.ts";

/**
 * Words that stand for something else somewhere: path segments of the API (`user/cape/upload`), senders of
 * audit entries, and names under which a stranger could pass as the community's staff.
 */
const reservedNames: ReadonlySet<string> = new Set([
  "admin",
  "administrator",
  "api",
  "auth",
  "cape",
  "cli",
  "cloakroom",
  "console",
  "home",
  "launcher",
  "moderator",
  "null",
  "role",
  "root",
  "server",
  "service",
  "support",
  "swagger",
  "system",
  "textures",
  "undefined",
  "upload",
]);

/** What the audit puts before the name of a service. */
const servicePrefix = "service:";

/**
 * Controls, blanks of every width, and what shows nothing or steers how other letters show; Braille's empty
 * pattern is a symbol to Unicode. Two names that differ in them alone look the same.
 */
const invisible = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Scripts whose letters look like each other's; others (Chinese, Japanese) mix by nature. */
const alikeScripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
];

/**
 * Checks a player's new name (docs/contract/auth.md#usernames). Fails with invalid for a name outside the
 * operator's pattern and, whatever the pattern, for one with blanks or invisible characters, one of digits
 * alone (it would read as a user id), a reserved word, and one that begins as the audit names services.
 */
export function parseUsername(text: string, pattern: RegExp): string {
  if (text.length > limits.usernameLengthMax || !pattern.test(text)) {
    throw refusals.nameOutsidePattern(pattern.source);
  }
  if (invisible.test(text)) throw refusals.nameInvisible();
  if (/^[0-9]+$/.test(text)) throw refusals.nameDigits();
  if (mixesScripts(text)) throw refusals.nameScripts();
  if (isReserved(nameKey(text))) throw refusals.nameReserved(text);
  return text;
}

function isReserved(key: string): boolean {
  return reservedNames.has(key) || key.startsWith(servicePrefix);
}

function mixesScripts(text: string): boolean {
  return alikeScripts.filter((script) => script.test(text)).length > 1;
}

/**
 * Letters and digits of every script and `_ . -` with blanks: what operators' patterns, past and present, may
 * allow.
 */
export const anyUsernamePattern = /^[\p{L}\p{N}_.\- ]+$/u;

/** Whether a text can be somebody's name at all. */
export function mayBeUsername(text: string): boolean {
  return text.length <= limits.usernameLengthMax && anyUsernamePattern.test(text);
}

/** The form in which names are compared: case is ignored. */
export function nameKey(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
