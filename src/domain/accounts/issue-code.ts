import { AppError } from "../../kernel/errors.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { mailKey } from "../model/mail-address.ts";
import type { OutboxStore } from "../ports/outbox-store.ts";
import type { Stores } from "../ports/stores.ts";
import { newCode, readCode, type CodeHasher, type CodePurpose, type PendingCode } from "../model/code.ts";
import type { CodeReads } from "../ports/code-store.ts";

/** How often codes are sent to one address; RATE_LIMIT_FACTOR multiplies both, 0 turns them off. */
export type CodeSending = { readonly hash: CodeHasher; readonly limitFactor: number };

/** Mails with codes, or in their place, that one address gets (decisions, Accounts: codes). */
const sendsPerDay = 5;
const secondsBetweenSends = 60;
const daySeconds = 24 * 60 * 60;

/**
 * Makes a code; the caller mails it in the same transaction. It replaces the account's older one of this purpose. Only codes
 * of registrations are valid beside each other, because the last to register need not be the owner of the address; the limit
 * on mails bounds their number. Fails with limited when the address got too many already.
 */
export async function issueCode(
  stores: Stores,
  sending: CodeSending,
  input: {
    readonly account: AccountId;
    readonly purpose: CodePurpose;
    readonly mail: string;
    /** What using it sets, of a registration. */
    readonly passwordHash?: string;
    readonly at: number;
  },
): Promise<string> {
  const { account, purpose, mail, passwordHash = null, at } = input;
  await checkSendLimits(stores.outbox, sending.limitFactor, mail, at);
  const code = newCode();
  const expiresAt = at + limits.codeSeconds;
  const hash = sending.hash(code);
  await stores.codes.putCode({ accountId: account, purpose, hash, mail, expiresAt, passwordHash });
  return code;
}

/** Fails with limited when an address got a mail a moment ago, or its day's share. */
export async function checkSendLimits(
  outbox: OutboxStore,
  factor: number,
  mail: string,
  at: number,
): Promise<void> {
  if (factor === 0) return;
  const sends = [...(await outbox.codeSendsSince(mailKey(mail), at - daySeconds))].sort((a, b) => a - b);
  // One in the future was sent before the clock was set back.
  const newest = sends.findLast((send) => send <= at);
  const gap = secondsBetweenSends / factor;
  if (newest !== undefined && newest + gap > at) throw sentTooOften(Math.ceil(newest + gap - at));
  const perDay = Math.max(1, Math.floor(sendsPerDay * factor));
  const first = sends.at(-perDay);
  if (first !== undefined) throw sentTooOften(first + daySeconds - at);
}

function sentTooOften(retryAfterSeconds: number): AppError {
  const message = "Too many mails were sent to this address; look into your mailbox, or try again later";
  return new AppError("limited", message, { retryAfterSeconds: Math.max(1, retryAfterSeconds) });
}

/**
 * Uses a code up, within the transaction of what it allows: of two at the same time one wins. Fails with invalid for a
 * code that is unknown, used, expired or of another purpose, without telling which.
 */
export async function consumeCode(
  stores: Stores,
  hash: CodeHasher,
  input: { readonly text: string; readonly purpose: CodePurpose; readonly at: number },
): Promise<PendingCode> {
  const found = await findValidCode(stores.codes, hash, input);
  await stores.codes.deleteCode(found.hash);
  return found;
}

/** Looks a code up without using it. Fails as `consumeCode` does. */
export async function findValidCode(
  codes: CodeReads,
  hash: CodeHasher,
  input: { readonly text: string; readonly purpose: CodePurpose; readonly at: number },
): Promise<PendingCode> {
  const code = readCode(input.text);
  const found = code === null ? null : await codes.findCode(hash(code));
  if (found === null || found.purpose !== input.purpose || !isInTime(found, input.at)) {
    throw new AppError("invalid", "code: is wrong, was used or has expired; ask for a new one");
  }
  return found;
}

/** Neither expired, nor from before the clock was set back, when it would be good for longer than it should. */
function isInTime({ expiresAt }: PendingCode, at: number): boolean {
  const issuedAt = expiresAt - limits.codeSeconds;
  return expiresAt > at && issuedAt <= at + limits.clockStepSeconds;
}
