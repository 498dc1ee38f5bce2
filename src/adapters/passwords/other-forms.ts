/** How other systems write their hashes, and how the table of kinds keeps them. */
import { encodeSalt } from "./digest-kinds.ts";

/** A hash in our own form, or why it cannot be one. */
export type Form = { readonly hash: string } | { readonly problem: string };

type Read = (fields: Readonly<Record<string, string | undefined>>, apart: Apart) => Form;

/** What stands beside the hash. */
export type Apart = { readonly salt: string | null; readonly login: string | null };

/**
 * Forms that show their kind, whatever the settings say. Whether the hash that comes of one can be verified
 * is looked at later.
 */
const forms: readonly (readonly [form: RegExp, read: Read])[] = [
  // XenForo keeps it within a serialised list of PHP.
  [/^(?:a:\d+:\{.*")?(?<hash>\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53})(?:";.*\})?$/, ({ hash = "" }) => ({ hash })],
  [/^(?<hash>\$argon2(?:id|i|d)\$\S+)$/, ({ hash = "" }) => readArgon2(hash)],
  // LibreLogin: the cost and the result, whose salt stands apart; or version, passes, memory and result.
  [
    /^(?<cost>\d\d)\$(?<result>[./A-Za-z0-9]{31})$/,
    ({ cost = "", result = "" }, { salt }) =>
      salt === null ? lacksSalt : { hash: `$2a$${cost}$${salt}${result}` },
  ],
  [
    /^(?<version>\d+),(?<passes>\d+),(?<memory>\d+)\$(?<result>[A-Za-z0-9+/]+)=*$/,
    ({ version = "", passes = "", memory = "", result = "" }, { salt }) =>
      salt === null
        ? lacksSalt
        : readArgon2(
            `$argon2id$v=${version}$m=${memory},t=${passes},p=1$${salt.replace(/=+$/, "")}$${result}`,
          ),
  ],
  [/^\$SHA\$(?<salt>[^$]+)\$(?<result>[0-9a-f]{64})$/i, (fields) => salted("authme-sha256", fields)],
  [/^\$SHA\$(?<salt>[^$]+)\$(?<result>[0-9a-f]{128})$/i, (fields) => salted("salted2-sha512", fields)],
  [
    /^SHA(?:256|512)\$(?<salt>[^$]+)\$(?<result>[0-9a-f]{64})$/i,
    (fields) => salted("salted2-sha256", fields),
  ],
  [
    /^SHA(?:256|512)\$(?<salt>[^$]+)\$(?<result>[0-9a-f]{128})$/i,
    (fields) => salted("salted2-sha512", fields),
  ],
  // nLogin: the result first.
  [/^\$SHA256\$(?<result>[0-9a-f]{64})\$(?<salt>[^$]+)$/i, (fields) => salted("salted2-sha256", fields)],
  [/^\$SHA512\$(?<result>[0-9a-f]{128})\$(?<salt>[^$]+)$/i, (fields) => salted("salted2-sha512", fields)],
  [/^\$MD5vb\$(?<salt>[^$]+)\$(?<result>[0-9a-f]{32})$/i, (fields) => salted("md5vb", fields)],
  [/^(?<result>[0-9a-f]{32}):(?<salt>.+)$/i, (fields) => salted("joomla", fields)],
  [
    /^\$[PH]\$(?<rounds>.)(?<salt>.{8})(?<result>.{22})$/,
    ({ rounds = "", salt = "", result = "" }) => ({ hash: `$phpass$${rounds}${salt}$${result}` }),
  ],
  [
    /^pbkdf2_sha256\$(?<rounds>\d+)\$(?<salt>[^$]+)\$(?<result>(?:[0-9A-F]{2}){32,64}|[0-9a-f]{128})$/,
    (fields) => derived("pbkdf2-hex", fields, (result) => result.toLowerCase()),
  ],
  [
    /^pbkdf2_sha256\$(?<rounds>\d+)\$(?<salt>[^$]+)\$(?<result>[A-Za-z0-9+/]+)=*$/,
    (fields) => derived("pbkdf2-django", fields, (result) => result),
  ],
  [
    /^pbkdf2\$(?<rounds>\d+)\$(?<salt>[A-Za-z0-9+/]+)=*\$(?<result>[A-Za-z0-9+/]+)=*$/,
    ({ rounds = "", salt = "", result = "" }) => ({ hash: `$pbkdf2-base64$${rounds}$${salt}$${result}` }),
  ],
];

const lacksSalt: Form = { problem: "Its salt is missing" };

/** What a text is by its form alone; null: the form shows no kind. */
export function readForm(text: string, apart: Apart): Form | null {
  for (const [form, read] of forms) {
    const match = form.exec(text);
    if (match !== null) return read(match.groups ?? {}, apart);
  }
  return null;
}

function salted(
  kind: string,
  { salt = "", result = "" }: Readonly<Record<string, string | undefined>>,
): Form {
  return { hash: `$${kind}$${encodeSalt(salt)}$${result.toLowerCase()}` };
}

function derived(
  kind: string,
  { rounds = "", salt = "", result = "" }: Readonly<Record<string, string | undefined>>,
  write: (result: string) => string,
): Form {
  return { hash: `$${kind}$${rounds}$${encodeSalt(salt)}$${write(result)}` };
}

function readArgon2(hash: string): Form {
  return hash.split("$")[2] === "v=19"
    ? { hash: hash.replaceAll("=$", "$").replace(/=+$/, "") }
    : { problem: "It is of a version of Argon2 that cannot be verified" };
}
