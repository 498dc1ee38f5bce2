/** What settings of other systems call the kinds of their hashes. */

/**
 * Kinds by these names, in lower case. A text whose form shows its kind is of that kind, whatever the
 * settings say: a system that changed its kind keeps old rows.
 */
const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    // Blessing Skin, and AuthMe.
    bcrypt: "bcrypt",
    bcrypt2y: "bcrypt",
    php_password_hash: "bcrypt",
    argon2i: "argon2i",
    argon2: "argon2i",
    salted2md5: "salted2-md5",
    salted2sha256: "salted2-sha256",
    salted2sha512: "salted2-sha512",
    double_sha512: "salted2-sha512",
    saltedsha256: "salted-sha256",
    saltedsha512: "salted-sha512",
    ipb3: "mybb",
    ipb4: "bcrypt",
    xfbcrypt: "bcrypt",
    pbkdf2: "pbkdf2-hex",
    pbkdf2django: "pbkdf2-django",
    pbkdf2base64: "pbkdf2-base64",
    wordpress: "phpass",
    phpbb: "phpass",
    // LibreLogin.
    "bcrypt-2a": "bcrypt",
    "argon-2id": "argon2id",
    "sha-256": "salted2-sha256",
    "sha-512": "salted2-sha512",
    // GravitLauncher: the type of its verifier and the algorithm.
    "digest md5": "md5",
    "digest sha-1": "sha1",
    "digest sha1": "sha1",
    "digest sha-256": "sha256",
    "digest sha256": "sha256",
    "digest sha-512": "sha512",
    "digest sha512": "sha512",
    "doubledigest sha-256": "double-sha256",
    "doubledigest sha256": "double-sha256",
    "doubledigest sha-256 hex": "double-sha256-hex",
    "doubledigest sha256 hex": "double-sha256-hex",
    drasl: "scrypt",
  }),
);

/** Kinds that cannot be verified here. */
const refused: ReadonlySet<string> = new Set([
  "cmw",
  "crazycrypt1",
  "phpfusion",
  "royalauth",
  "doublemd5",
  "wbb4",
  "two_factor",
  "whirlpool",
  "xauth",
  "accept",
  "reject",
  "json",
]);

/** Of the refused kinds, those whose hashes look like another kind's. */
const disguised: ReadonlySet<string> = new Set(["wbb4"]);

/** LibreLogin prints digests as numbers, so their leading zeros are gone. */
const printedAsNumbers: ReadonlySet<string> = new Set(["sha-256", "sha-512"]);

/** A kind of the settings, or of an operator. */
export type NamedKind = {
  /** Of the table of kinds, or `plain`; null: it is not taken. */
  readonly kind: string | null;
  /** Whether a hash's form says nothing of its kind. */
  readonly isDisguised: boolean;
  readonly isNumber: boolean;
};

/** The kind with this name; null for a name that is not known. `known`: the names of our own table. */
export function kindNamed(name: string, known: readonly string[]): NamedKind | null {
  const key = name.trim().toLowerCase();
  if (refused.has(key)) return { kind: null, isDisguised: disguised.has(key), isNumber: false };
  const kind = key === "plain" || known.includes(key) ? key : (named.get(key) ?? null);
  return kind === null ? null : { kind, isDisguised: false, isNumber: printedAsNumbers.has(key) };
}
