/** Which of AuthMe's kinds a password is. */
import type { SourcePassword } from "../../domain/ports/import-source.ts";

/** How hashes look that do not show their kind. Those with a salt have one in a column of its own. */
type Look = { readonly looks: RegExp; readonly isSalted: boolean };

const hex = (digits: number) => new RegExp(`^[0-9a-f]{${digits}}$`, "i");

const looks: Readonly<Record<string, Look>> = {
  MD5: { looks: hex(32), isSalted: false },
  DOUBLEMD5: { looks: hex(32), isSalted: false },
  SALTED2MD5: { looks: hex(32), isSalted: true },
  MYBB: { looks: hex(32), isSalted: true },
  IPB3: { looks: hex(32), isSalted: true },
  SHA1: { looks: hex(40), isSalted: false },
  SMF: { looks: hex(40), isSalted: false },
  WBB3: { looks: hex(40), isSalted: true },
  SALTEDSHA256: { looks: hex(64), isSalted: true },
  SHA512: { looks: hex(128), isSalted: false },
  DOUBLE_SHA512: { looks: hex(128), isSalted: true },
  SALTEDSHA512: { looks: hex(128), isSalted: true },
  WHIRLPOOL: { looks: hex(128), isSalted: false },
};

/** AuthMe's names that mean another kind elsewhere. */
const names: Readonly<Record<string, string>> = { SHA256: "authme-sha256", PLAINTEXT: "plain" };

/** A kind whose hashes look like bcrypt, and are bcrypt of bcrypt. */
const disguised = "WBB4";

/** Whether a password is the secret of a second factor, which AuthMe then asks for in place of one. */
export function isFactorAlone(text: string | null, algorithms: readonly string[]): boolean {
  return algorithms.includes("TWO_FACTOR") && /^[A-Z2-7]{16,}=*$/.test(text ?? "");
}

/**
 * A password of a row. Its kind is one of those that AuthMe's settings name, the present one first; null if
 * it may be several of them, so that the operator is asked.
 */
export function authMePassword(
  text: string | null,
  salt: string | null,
  algorithms: readonly string[],
): SourcePassword | null {
  if (text === null || text === "") return null;
  const algorithm = algorithmOf(text, salt, algorithms);
  return { text, salt, kind: algorithm === null ? null : (names[algorithm] ?? algorithm) };
}

function algorithmOf(text: string, salt: string | null, algorithms: readonly string[]): string | null {
  const [present = null, ...others] = algorithms;
  if (others.length === 0) return present;
  const isBcrypt = text.startsWith("$2");
  if (isBcrypt && algorithms.includes(disguised)) return disguised;
  const fitting = algorithms.filter((name) => {
    const look = looks[name];
    return look !== undefined && look.looks.test(text) && (salt !== null || !look.isSalted);
  });
  if (fitting.length === 0) return algorithms.find((name) => name !== disguised) ?? present;
  // IPB3 hashes as MyBB does.
  const kinds = new Set(fitting.map((name) => (name === "IPB3" ? "MYBB" : name)));
  return kinds.size === 1 ? (fitting[0] ?? null) : null;
}
