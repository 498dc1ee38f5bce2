/** The rules of a player's certificate, written from what games check. */
import { createPublicKey, verify } from "node:crypto";
import type { ProfileKeys } from "prismarine-auth/src/TokenManagers/MinecraftJavaTokenManager.js";

const hour = 3_600_000;

/** What is wrong with a certificate; nothing, if games of 1.19 and later take it. */
export function certificateFaults(keys: ProfileKeys, uuid: string, serverKey: string): readonly string[] {
  const server = createPublicKey(serverKey);
  const expires = keys.expiresOn.getTime();
  const old = Buffer.from(`${expires}${keys.publicPEM}`);
  const time = Buffer.alloc(8);
  time.writeBigInt64BE(BigInt(expires));
  // The library's own bytes hold the last line of the text too; games and this look at the key alone.
  const der = keys.public.export({ type: "spki", format: "der" });
  const current = Buffer.concat([Buffer.from(uuid.replaceAll("-", ""), "hex"), time, der]);
  const checks: Readonly<Record<string, boolean>> = {
    "the key is RSA of 2048 bits": keys.public.asymmetricKeyDetails?.modulusLength === 2048,
    "both keys are a pair": createPublicKey(keys.private).equals(keys.public),
    "the signature of 1.19 holds": verify("RSA-SHA1", old, server, keys.signature),
    "the signature of 1.19.1 holds": verify("RSA-SHA1", current, server, keys.signatureV2),
    "the labels are the game's": keys.publicPEM.startsWith("-----BEGIN RSA PUBLIC KEY-----\n"),
    "the text ends with a line": keys.publicPEM.endsWith("\n-----END RSA PUBLIC KEY-----\n"),
    "lines have 76 characters at most": keys.publicPEM.split("\n").every(({ length }) => length <= 76),
    "it is refreshed 12 hours before it expires": expires - keys.refreshAfter.getTime() === 12 * hour,
  };
  return Object.entries(checks).flatMap(([what, holds]) => (holds ? [] : [what]));
}
