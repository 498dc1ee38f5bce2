/**
 * phpass, the portable hashes of WordPress and phpBB: `$phpass$<rounds and salt>$<digest>`, where they write
 * `$P$` or `$H$` and all of it in one piece.
 */
import { isSameSecret } from "../../kernel/constant-time.ts";
import { randomCryptText, type HashKind } from "./kind.ts";
import { phpassInThread } from "./phpass-thread.ts";

/** The letter is the logarithm of the rounds, from 7 to 18. */
const form = /^\$phpass\$(?<field>(?<rounds>[5-9A-G])[./0-9A-Za-z]{8}\$)(?<result>[./0-9A-Za-z]{22})$/;

const letters = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A round on a usual core, in milliseconds. */
const roundMilliseconds = 0.0006;

async function of(password: string, field: string): Promise<string> {
  const salt = field.slice(1, 9);
  return phpassInThread({ password, salt, rounds: 2 ** letters.indexOf(field.charAt(0)) });
}

export const phpass: HashKind = {
  name: "phpass",
  head: "$phpass$",
  read: (hash) => {
    const { field, rounds, result } = form.exec(hash)?.groups ?? {};
    if (field === undefined || rounds === undefined || result === undefined) return null;
    return {
      effort: `$phpass$${rounds}`,
      fits: async (password) => isSameSecret(await of(password, field), result),
    };
  },
  milliseconds: (effort) => 2 ** letters.indexOf(effort.slice(-1)) * roundMilliseconds,
  dummy: (effort) => `${effort}${randomCryptText(8)}$${randomCryptText(22)}`,
  digest: {
    of,
    effortIn: (field) => field.charAt(0),
    dummyField: (effort) => `${effort}${randomCryptText(8)}$`,
  },
};
