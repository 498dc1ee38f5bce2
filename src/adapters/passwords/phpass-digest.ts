/**
 * What phpass computes: MD5 of a salt and a password, and then of the last result and the password, many
 * times.
 */

export type PhpassInput = { readonly password: string; readonly salt: string; readonly rounds: number };

/** One call on its way to the thread, and the answer. */
export type PhpassCall = PhpassInput & { readonly id: number };
export type PhpassReply = { readonly id: number; readonly digest: string };

const letters = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The 22 letters at the end of a hash. A round takes about a microsecond, so only the thread calls it. */
export function phpassDigest({ password, salt, rounds }: PhpassInput): string {
  const bytes = new TextEncoder().encode(password);
  const digest = new Uint8Array(16);
  Bun.MD5.hash(Buffer.concat([Buffer.from(salt), bytes]), digest);
  const next = Buffer.concat([digest, bytes]);
  for (let round = 0; round < rounds; round++) {
    Bun.MD5.hash(next, digest);
    next.set(digest);
  }
  return toLetters(digest);
}

/** Three bytes are four letters, the lowest six bits first. */
function toLetters(digest: Uint8Array): string {
  let text = "";
  for (let at = 0; at < digest.length; at += 3) {
    const [one = 0, two = 0, three = 0] = digest.subarray(at, at + 3);
    const bits = one | (two << 8) | (three << 16);
    const count = Math.min(3, digest.length - at) + 1;
    for (let letter = 0; letter < count; letter++) text += letters.charAt((bits >> (6 * letter)) & 63);
  }
  return text;
}
