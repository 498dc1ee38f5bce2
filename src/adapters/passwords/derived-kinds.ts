/** PBKDF2 and scrypt, which the runtime computes in its threads. */
import { pbkdf2 as derive, scrypt as deriveByScrypt } from "node:crypto";
import { promisify } from "node:util";
import { isSameSecret } from "../../kernel/constant-time.ts";
import { isEncoded } from "./digest-kinds.ts";
import { randomBase64, randomHex, type HashKind } from "./kind.ts";

/** Rounds of PBKDF2 that take about a second. */
const pbkdf2RoundsMax = 2_000_000;
/** The memory of scrypt, 128·N·r, and how often it is gone through. */
const scryptBytesMax = 64 * 1024 * 1024;
const scryptLanesMax = 4;

const pbkdf2Forms = {
  "pbkdf2-hex": {
    form: /^\$pbkdf2-hex\$(?<rounds>[1-9]\d{0,6})\$(?<salt>[^$]{1,1024})\$(?<result>(?:[0-9a-f]{2}){16,64})$/,
    saltOf: (salt: string) => Buffer.from(decodeURIComponent(salt)),
    resultOf: (result: string) => Uint8Array.fromHex(result),
    dummy: () => `${randomHex(16)}$${randomHex(128)}`,
    blocks: 2,
  },
  "pbkdf2-django": {
    form: /^\$pbkdf2-django\$(?<rounds>[1-9]\d{0,6})\$(?<salt>[^$]{1,1024})\$(?<result>[A-Za-z0-9+/]{22,86})$/,
    saltOf: (salt: string) => Buffer.from(decodeURIComponent(salt)),
    resultOf: fromBase64,
    dummy: () => `${randomHex(12)}$${randomBase64(32)}`,
    blocks: 1,
  },
  "pbkdf2-base64": {
    form: /^\$pbkdf2-base64\$(?<rounds>[1-9]\d{0,6})\$(?<salt>[A-Za-z0-9+/]{1,1024})\$(?<result>[A-Za-z0-9+/]{22,86})$/,
    saltOf: fromBase64,
    resultOf: fromBase64,
    dummy: () => `${randomBase64(16)}$${randomBase64(32)}`,
    blocks: 1,
  },
} as const;

function fromBase64(text: string): Uint8Array {
  return Buffer.from(text, "base64");
}

/** A round of PBKDF2 with SHA-256 on a usual core, in milliseconds, for each block of the result. */
const roundMilliseconds = 0.0004;

export const pbkdf2Kinds: readonly HashKind[] = Object.entries(pbkdf2Forms).map(
  ([name, { form, saltOf, resultOf, dummy, blocks }]) => ({
    name,
    head: `$${name}$`,
    read: (hash) => {
      const { rounds, salt, result } = form.exec(hash)?.groups ?? {};
      if (rounds === undefined || salt === undefined || result === undefined) return null;
      if (Number(rounds) > pbkdf2RoundsMax || !isEncoded(salt)) return null;
      return {
        effort: `$${name}$${rounds}$`,
        fits: async (password) => {
          const expected = resultOf(result);
          const found = await promisify(derive)(
            password,
            saltOf(salt),
            Number(rounds),
            expected.length,
            "sha256",
          );
          return isSameSecret(found, expected);
        },
      };
    },
    milliseconds: (effort) => Number(effort.split("$")[2]) * roundMilliseconds * blocks,
    dummy: (effort) => `${effort}${dummy()}`,
  }),
);

const scryptForm =
  /^(?<effort>\$scrypt\$ln=(?<ln>\d{1,2}),r=(?<r>\d{1,3}),p=(?<p>\d)\$)(?<salt>[A-Za-z0-9+/]{1,128})\$(?<result>[A-Za-z0-9+/]{22,86})$/;

/** In the form that passlib writes; `ln` is the logarithm of N. */
export const scrypt: HashKind = {
  name: "scrypt",
  head: "$scrypt$",
  read: (hash) => {
    const { effort, salt, result, ...numbers } = scryptForm.exec(hash)?.groups ?? {};
    if (effort === undefined || salt === undefined || result === undefined) return null;
    const [N, r, p] = [2 ** Number(numbers["ln"]), Number(numbers["r"]), Number(numbers["p"])];
    const memory = 128 * N * r;
    if (N < 2 || memory === 0 || memory > scryptBytesMax || p === 0 || p > scryptLanesMax) return null;
    // The default of 32 MiB is exactly what N=32768 and r=8 need, and too little for it.
    const options = { N, r, p, maxmem: 2 * scryptBytesMax };
    return {
      effort,
      fits: async (password) => {
        const expected = fromBase64(result);
        return isSameSecret(await byScrypt(password, fromBase64(salt), expected.length, options), expected);
      },
    };
  },
  milliseconds: (effort) => {
    const [ln = 0, r = 0, p = 0] = Array.from(effort.matchAll(/=(\d+)/g), ([, number]) => Number(number));
    return (2 ** ln * r * p * 80) / (32_768 * 8);
  },
  dummy: (effort) => `${effort}${randomBase64(16)}$${randomBase64(32)}`,
};

function byScrypt(
  password: string,
  salt: Uint8Array,
  length: number,
  options: { readonly N: number; readonly r: number; readonly p: number; readonly maxmem: number },
): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  deriveByScrypt(password, salt, length, options, (error, key) => (error ? reject(error) : resolve(key)));
  return promise;
}
