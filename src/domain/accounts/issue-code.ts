import { AppError } from "../../kernel/errors.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { refusals } from "../model/refusals.ts";
import { mailKey } from "../model/mail-address.ts";
import { newCode, readCode, type CodeHasher, type CodePurpose, type PendingCode } from "../model/code.ts";
import type { CodeReads } from "../ports/code-store.ts";
import type { Tx } from "../ports/unit-of-work.ts";

/** How often codes are sent to one address; RATE_LIMIT_FACTOR multiplies both, 0 turns them off. */
export type CodeSending = { readonly hash: CodeHasher; readonly limitFactor: number };

/** Mails with codes, or in their place, that one address gets (docs/contract/auth.md#codes). */
const sendsPerDay = 5;
const secondsBetweenSends = 60;
const daySeconds = 24 * 60 * 60;

/**
 * Makes a code; the caller mails it in the same transaction. It replaces the account's older code of this purpose. Only codes
 * of registrations are valid beside each other, because the last to register need not be the owner of the address; the limit
 * on mails bounds their number. Fails with limited when the address got too many mails already.
 */
export async function issueCode(
  tx: Tx,
  sending: CodeSending,
  input: {
    readonly account: AccountId;
    readonly purpose: CodePurpose;
    readonly mail: string;
    /** Of a registration: the password that using the code sets. */
    readonly passwordHash?: string;
  },
): Promise<string> {
  const { account, purpose, mail, passwordHash = null } = input;
  await checkSendLimits(tx, sending.limitFactor, mail);
  const code = newCode();
  const expiresAt = tx.now + limits.codeSeconds;
  const hash = sending.hash(code);
  await tx.codes.putCode({ accountId: account, purpose, hash, mail, expiresAt, passwordHash });
  return code;
}

/** Fails with limited when an address got a mail a moment ago, or its day's share. */
export async function checkSendLimits({ outbox, now }: Tx, factor: number, mail: string): Promise<void> {
  if (factor === 0) return;
  const sends = [...(await outbox.codeSendsSince(mailKey(mail), now - daySeconds))].sort((a, b) => a - b);
  // A time in the future is from before the clock was set back.
  const newest = sends.findLast((send) => send <= now);
  const gap = secondsBetweenSends / factor;
  if (newest !== undefined && newest + gap > now) throw sentTooOften(Math.ceil(newest + gap - now));
  const perDay = Math.max(1, Math.floor(sendsPerDay * factor));
  const first = sends.at(-perDay);
  if (first !== undefined) throw sentTooOften(first + daySeconds - now);
}

function sentTooOften(retryAfterSeconds: number): AppError {
  const message = "Too many mails were sent to this address; look into your mailbox, or try again later";
  return new AppError("limited", message, { retryAfterSeconds: Math.max(1, retryAfterSeconds) });
}

type AskedCode = { readonly text: string; readonly purpose: CodePurpose };

/**
 * Uses a code up, within the transaction of what it allows: of two uses at the same time one wins. Fails with invalid, in the
 * same words, for a code that is unknown, used, expired or of another purpose.
 */
export async function consumeCode(tx: Tx, hash: CodeHasher, asked: AskedCode): Promise<PendingCode> {
  const found = await findValidCode(tx, hash, asked);
  await tx.codes.deleteCode(found.hash);
  return found;
}

/** Looks a code up at a time (Unix seconds) without using it. Fails as `consumeCode` does. */
export async function findValidCode(
  { codes, now }: { readonly codes: CodeReads; readonly now: number },
  hash: CodeHasher,
  { text, purpose }: AskedCode,
): Promise<PendingCode> {
  const code = readCode(text);
  const found = code === null ? null : await codes.findCode(hash(code));
  if (found === null || found.purpose !== purpose || !isInTime(found, now)) throw refusals.badCode();
  return found;
}

/** Neither expired, nor from before the clock was set back, when it would be good for longer than it should. */
function isInTime({ expiresAt }: PendingCode, now: number): boolean {
  const issuedAt = expiresAt - limits.codeSeconds;
  return expiresAt > now && issuedAt <= now + limits.clockStepSeconds;
}
