/** Which kind of `PasswordForms` a password of AuthMe is. */
import type { SourcePassword } from "../../domain/ports/import-source.ts";
import { namesItsKind, passwordOf } from "./password-texts.ts";

/** Texts of a kind, which do not name it: how they look, and whether a salt stands apart. */
type Form = { readonly kind: string; readonly looks: RegExp; readonly isSalted: boolean };

const hex = (digits: number) => new RegExp(`^[0-9a-f]{${digits}}$`, "i");

/** AuthMe's names of kinds whose texts do not name their kind. */
const forms: Readonly<Record<string, Form>> = {
  MD5: { kind: "md5", looks: hex(32), isSalted: false },
  SHA1: { kind: "sha1", looks: hex(40), isSalted: false },
  SHA512: { kind: "sha512", looks: hex(128), isSalted: false },
  SALTED2MD5: { kind: "salted2-md5", looks: hex(32), isSalted: true },
  DOUBLE_SHA512: { kind: "salted2-sha512", looks: hex(128), isSalted: true },
  SALTEDSHA256: { kind: "salted-sha256", looks: hex(64), isSalted: true },
  SALTEDSHA512: { kind: "salted-sha512", looks: hex(128), isSalted: true },
  MYBB: { kind: "mybb", looks: hex(32), isSalted: true },
  IPB3: { kind: "mybb", looks: hex(32), isSalted: true },
  WBB3: { kind: "wbb3", looks: hex(40), isSalted: true },
  SMF: { kind: "smf", looks: hex(40), isSalted: false },
  JOOMLA: { kind: "joomla", looks: /^[0-9a-f]{32}:./i, isSalted: false },
  PLAINTEXT: { kind: "plain", looks: /^/, isSalted: false },
};

/** Kinds that are not taken: weak, unknown, or no passwords at all. */
const refused: ReadonlySet<string> = new Set([
  "CMW",
  "CRAZYCRYPT1",
  "CUSTOM",
  "DOUBLEMD5",
  "PHPFUSION",
  "ROYALAUTH",
  "TWO_FACTOR",
  "WBB4",
  "WHIRLPOOL",
  "XAUTH",
]);

/** Those of AuthMe's kinds in use that are not taken. */
export function refusedKinds(algorithms: readonly string[]): readonly string[] {
  return algorithms.filter((name) => refused.has(name));
}

/** Whether passwords are secrets of a second factor, which AuthMe then asks for in place of a password. */
export function asksForFactorAlone(algorithms: readonly string[]): boolean {
  return algorithms[0] === "TWO_FACTOR";
}

/**
 * A password of a row, by the kinds that AuthMe's settings name, the present one first. Null for one that is
 * not taken. A text that may be of several kinds gets no kind: the operator says which one.
 */
export function authMePassword(
  text: string | null,
  salt: string | null,
  algorithms: readonly string[],
): SourcePassword | null {
  const plain = passwordOf(text, null, salt);
  if (plain === null) return null;
  // Such a hash is one of bcrypt over another one, and looks like bcrypt.
  const isTwice = algorithms.includes("WBB4") && plain.text.startsWith("$2");
  if (isTwice) return null;
  if (namesItsKind(plain.text)) return passwordOf(plain.text);
  const fitting = algorithms
    .map((name) => forms[name])
    .filter((form) => form !== undefined && form.looks.test(plain.text) && (salt !== null || !form.isSalted));
  const kinds = [...new Set(fitting.map((form) => form?.kind))];
  if (kinds.length === 0 && refusedKinds(algorithms).length > 0) return null;
  const [only = null] = kinds;
  return passwordOf(plain.text, kinds.length === 1 ? only : null, salt);
}
