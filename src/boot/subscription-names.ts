import { timingSafeEqual } from "node:crypto";
import type { SubscriptionNames } from "../domain/accounts/subscription.ts";
import { parseUuid, type Uuid } from "../kernel/ids.ts";
import type { Secret } from "./secrets.ts";

const uuidBytes = 16;
/** Half of an HMAC-SHA256, the least that RFC 2104 5 wants: 128 bits that nobody guesses. */
const proofBytes = 16;

/** Names made of the account's UUID and a proof, under a key of their own that is derived from the JWT secret. */
export function subscriptionNames(jwtSecret: Secret): SubscriptionNames {
  const key = new Bun.CryptoHasher("sha256", jwtSecret.reveal())
    .update("cloakroom mail subscriptions")
    .digest();
  const bytesOf = (account: Uuid): Buffer => {
    const proof = new Bun.CryptoHasher("sha256", key).update(account).digest();
    return Buffer.concat([Buffer.from(account.replaceAll("-", ""), "hex"), proof.subarray(0, proofBytes)]);
  };

  return {
    nameOf: (account) => bytesOf(account).toString("base64url"),
    read: (name) => {
      if (!/^[\w-]{43}$/.test(name)) return null;
      const given = Buffer.from(name, "base64url");
      const account = parseUuid(given.subarray(0, uuidBytes).toString("hex"));
      return account !== null && timingSafeEqual(bytesOf(account), given) ? account : null;
    },
  };
}

/** The page that ends mails to everybody for an account; the path is the one of `http/mail/routes.ts`. */
export function unsubscribeLinks(publicUrl: string, names: SubscriptionNames): (account: Uuid) => string {
  return (account) => `${publicUrl}/mail/unsubscribe/${names.nameOf(account)}`;
}
