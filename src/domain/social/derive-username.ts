import anyAscii from "any-ascii";
import { AppError, PlainError } from "../../kernel/errors.ts";
import type { Tx } from "../ports/unit-of-work.ts";
import { nameKey, parseUsername } from "../model/username.ts";

/** Characters of a name that are read: more than any name here has. */
const stemLengthMax = 32;
/** For a person whose name has no character that a name here may have. */
const nameless = "player";

/**
 * A free username, neither taken nor held, as close to a provider's name as `parseUsername` allows under this
 * pattern: as it is written, else in Latin letters, else in lower case, shortened and numbered if necessary.
 * Fails with internal when the operator's pattern allows no such name.
 */
export async function deriveUsername(tx: Tx, given: string, pattern: RegExp): Promise<string> {
  for (const name of usernameCandidates(given, pattern)) {
    if (await isFree(tx, name)) return name;
  }
  throw new PlainError(
    "internal",
    `No free username could be made from ${JSON.stringify(given)} under ${pattern.source}`,
  );
}

async function isFree({ accounts, aliases, players, now }: Tx, name: string): Promise<boolean> {
  const key = nameKey(name);
  if ((await accounts.findMember({ by: "name", value: key })) !== null) return false;
  if ((await aliases.findAliasOwner(key)) !== null) return false;
  const hold = await players.findNameHold(key);
  return hold === null || hold.heldUntil <= now;
}

/**
 * Names that may be taken, the closest to the given one first; some are random, so a second call gives
 * others.
 */
export function* usernameCandidates(given: string, pattern: RegExp): Generator<string> {
  for (const stem of stemsOf(given)) {
    const lengthMax = longestOf(stem, pattern);
    for (const suffix of suffixes()) {
      const kept = stem.slice(0, Math.max(0, lengthMax - suffix.length)).replace(/_$/, "");
      if (kept !== "" && isUsername(kept + suffix, pattern)) yield kept + suffix;
    }
  }
}

/**
 * As it is written, without gaps, in Latin letters, in lower case. Digits alone are no name, whatever the
 * pattern.
 */
function stemsOf(given: string): ReadonlySet<string> {
  const written = joinWords(given.slice(0, stemLengthMax * 2).normalize("NFKC"));
  const latin = anyAscii(written).replaceAll(/[^A-Za-z0-9_]+/g, "");
  const spellings = [written, latin, latin.toLowerCase()].flatMap((one) => [one, one.replaceAll("_", "")]);
  const stems = spellings.map((one) => one.slice(0, stemLengthMax)).filter((one) => /[^0-9]/.test(one));
  return new Set([...stems, nameless]);
}

/**
 * How long a name may be that begins like this one. So a name that is too long, which is cut, differs from
 * one with characters that the pattern refuses, which cutting does not help.
 */
function longestOf(stem: string, pattern: RegExp): number {
  const [letter = ""] = stem;
  const lengths = Array.from({ length: stemLengthMax }, (_, index) => stemLengthMax - index);
  return lengths.find((length) => pattern.test(letter.repeat(length))) ?? 0;
}

/** Everything between letters and digits becomes one underscore: `john.doe 🦊` → `john_doe`. */
function joinWords(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "_").replaceAll(/^_|_$/g, "");
}

/** None, then small numbers, then larger random ones; letters come last, for patterns without digits. */
function* suffixes(): Generator<string> {
  yield "";
  for (let number = 2; number <= 9; number++) yield String(number);
  for (let digits = 2; digits <= 6; digits++) {
    for (let attempt = 0; attempt < 4; attempt++) yield randomText("0123456789", digits);
  }
  for (let attempt = 0; attempt < 4; attempt++) yield randomText("abcdefghijkmnopqrstuvwxyz", 5);
}

function randomText(alphabet: string, length: number): string {
  // Names need not be equally likely.
  return Array.from(
    crypto.getRandomValues(new Uint8Array(length)),
    (byte) => alphabet[byte % alphabet.length],
  ).join("");
}

function isUsername(name: string, pattern: RegExp): boolean {
  try {
    return parseUsername(name, pattern) === name;
  } catch (cause) {
    if (cause instanceof AppError && cause.kind === "invalid") return false;
    throw cause;
  }
}
