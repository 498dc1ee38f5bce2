import { isSameSecret } from "../../kernel/constant-time.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { PasswordAttempt } from "../limits/password-attempt.ts";
import { setupPage } from "../model/actor.ts";
import type { Language } from "../model/mail.ts";
import { parseMail } from "../model/mail-address.ts";
import type { Rules } from "../model/rules.ts";
import { refusals } from "../model/refusals.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Reads } from "../ports/stores.ts";
import type { Transact } from "../ports/unit-of-work.ts";
import { openSession, type Client, type SignedIn } from "../sessions/open-session.ts";
import { prepareAccount } from "../accounts/create-account.ts";
import { claimMail } from "../accounts/unconfirmed.ts";

/** The secret that makes the first administrator. */
export type Setup = {
  /**
   * Makes the secret and returns it; null if there is an administrator. A former secret that differs becomes
   * worthless.
   */
  readonly begin: () => Promise<string | null>;
  /**
   * Whether the secret was made and no account has level 3. The first administrator closes it, however made,
   * until `begin`.
   */
  readonly isOpen: () => Promise<boolean>;
  /** Whether this is the secret, and it is open. Uses nothing up. */
  readonly fits: (secret: string) => Promise<boolean>;
};

/** 256 random bits, for a process that answers alone. */
export function randomSetupSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
}

/**
 * Keeps a secret, once it was made, as a digest in memory. `makeSecret` gives every node that answers for the
 * same community the same one, of 256 bits that others cannot guess.
 */
export function createSetup(deps: {
  readonly reads: Reads;
  readonly clock: Clock;
  readonly makeSecret: () => string;
}): Setup {
  const { accounts } = deps.reads;
  let digest: Buffer | null = null;
  const openDigest = async (): Promise<Buffer | null> => {
    // Another process may have made one, so this is looked up each time.
    if (digest !== null && (await accounts.hasAdministrator(deps.clock.nowSeconds()))) digest = null;
    return digest;
  };
  return {
    begin: async () => {
      const secret = deps.makeSecret();
      digest = digestOf(secret);
      return (await openDigest()) === null ? null : secret;
    },
    isOpen: async () => (await openDigest()) !== null,
    fits: async (secret) => {
      const given = digestOf(secret);
      const open = await openDigest();
      return open !== null && isSameSecret(open, given);
    },
  };
}

/** Two texts are compared by these, which have one length. */
function digestOf(secret: string): Buffer {
  return new Bun.CryptoHasher("sha256").update(secret).digest();
}

type Deps = {
  readonly setup: Pick<Setup, "fits">;
  readonly transact: Transact;
  readonly hasher: PasswordHasher;
  readonly rules: Pick<Rules, "names" | "players">;
};

/**
 * Makes the first administrator for the person who has the secret, with a player and an address that counts
 * as confirmed, and opens a session. An account that has the address and never confirmed it gives way. Writes
 * audit. Fails with forbidden, in one message, for a wrong secret and once there is an administrator: of two
 * attempts at once one succeeds. Fails with limited as a sign-in does, with invalid for a malformed field and
 * with conflict for a mail address or name that is taken; the secret then stays good.
 */
export async function setUp(
  deps: Deps,
  input: {
    readonly secret: string;
    readonly mail: string;
    readonly username: string;
    readonly password: string;
    readonly language: Language;
    readonly client: Client;
    readonly attempt: PasswordAttempt;
  },
): Promise<SignedIn> {
  const { attempt } = input;
  await attempt.take();
  if (!(await deps.setup.fits(input.secret))) {
    attempt.failed(null);
    throw refusals.badSetupSecret();
  }
  await attempt.succeeded();
  const makeAccount = await prepareAccount(deps, { ...input, level: 3, mailVerified: true });
  return deps.transact(setupPage, async (tx) => {
    if (await tx.accounts.hasAdministrator(tx.now)) throw refusals.badSetupSecret();
    await claimMail(tx.accounts, parseMail(input.mail));
    const member = await makeAccount(tx);
    return openSession(tx, { member, methods: ["password"], provedAt: tx.now }, input.client);
  });
}
