import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";

const generate = promisify(generateKeyPair);
const made: Promise<string>[] = [];

/**
 * Makes keys that sign: short ones, and the same for each harness that begins at the same number, because
 * making them takes long.
 */
export function signingKeys(first = 0): () => Promise<string> {
  let count = first;
  return () => {
    const key = (made[count] ??= makeKey());
    count += 1;
    return key;
  };
}

async function makeKey(): Promise<string> {
  const { privateKey } = await generate("rsa", { modulusLength: 2048 });
  return privateKey.export({ type: "pkcs8", format: "pem" });
}
