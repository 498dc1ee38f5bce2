import type { AppError } from "../../kernel/errors.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { isInTime } from "../model/in-time.ts";
import { refusals } from "../model/refusals.ts";
import { mailKey } from "../model/mail-address.ts";
import {
  codeSecondsOf,
  newCode,
  readCode,
  type CodeHasher,
  type CodePurpose,
  type PendingCode,
} from "../model/code.ts";
import type { CodeReads } from "../ports/code-store.ts";
import type { Tx } from "../ports/unit-of-work.ts";

/** How often codes are sent to one address; RATE_LIMIT_FACTOR multiplies both, 0 turns them off. */
export type CodeSending = { readonly hash: CodeHasher; readonly limitFactor: number };

/**
 * Mails with codes, or in their place, that one address gets, of all who ask together
 * (docs/contract/auth.md#codes). Beyond those of a day it gets one every two hours: strangers who use the
 * day's mails up fill no mailbox, and keep its owner waiting no longer.
 */
const sendsPerDay = 5;
const secondsBetweenSends = 60;
const secondsBetweenLaterSends = 2 * 60 * 60;
const daySeconds = 24 * 60 * 60;

/**
 * Makes a code; the caller mails it in the same transaction. It replaces the account's older code of this
 * purpose. Only codes of registrations are valid beside each other, because a stranger's registration must
 * not end the owner's code; the limit on mails bounds their number. Fails with limited when the address got
 * too many mails already.
 */
export async function issueCode(
  tx: Tx,
  sending: CodeSending,
  input: {
    readonly account: AccountId;
    readonly purpose: CodePurpose;
    readonly mail: string;
  },
): Promise<string> {
  const { account, purpose, mail } = input;
  await checkSendLimits(tx, sending.limitFactor, mail);
  const code = newCode();
  const expiresAt = tx.now + codeSecondsOf(purpose);
  const hash = sending.hash(code);
  await tx.codes.putCode({ accountId: account, purpose, hash, mail, expiresAt });
  return code;
}

/** Fails with limited when the address got too many mails, as `sendRefusal` says. */
export async function checkSendLimits(tx: Tx, factor: number, mail: string): Promise<void> {
  const refused = await sendRefusal(tx, factor, mail);
  if (refused !== null) throw refused;
}

/**
 * Why the address gets no mail now: it got one a moment ago or, beyond its day's share, within two hours.
 * Null where it gets one. `hint` is what helps the person who waits.
 */
export async function sendRefusal(
  { outbox, now }: Tx,
  factor: number,
  mail: string,
  hint = "a code that is in its mailbox already works, also one that another person asked for",
): Promise<AppError | null> {
  if (factor === 0) return null;
  const sends = [...(await outbox.codeSendsSince(mailKey(mail), now - daySeconds))].sort((a, b) => a - b);
  // A time in the future is from before the clock was set back.
  const newest = sends.findLast((send) => send <= now);
  if (newest === undefined) return null;
  const first = sends.at(-Math.max(1, Math.floor(sendsPerDay * factor)));
  const later = newest + secondsBetweenLaterSends / factor;
  const next = Math.max(
    newest + secondsBetweenSends / factor,
    first === undefined ? now : Math.min(first + daySeconds, later),
  );
  if (next <= now) return null;
  return refusals.tooManyMails(Math.ceil(next - now), hint);
}

type AskedCode = { readonly text: string; readonly purposes: readonly CodePurpose[] };

/**
 * Looks a code up at a time (Unix seconds). It is used up by deleting it, with the account's other codes that
 * lose their worth, within the transaction of what it allows: of two uses at the same time one wins. Fails
 * with invalid, in the same words, for a code that is unknown, used, expired or of another purpose.
 */
export async function findValidCode(
  { codes, now }: { readonly codes: CodeReads; readonly now: number },
  hash: CodeHasher,
  { text, purposes }: AskedCode,
): Promise<PendingCode> {
  const code = readCode(text);
  const found = code === null ? null : await codes.findCode(hash(code));
  if (found === null || !purposes.includes(found.purpose)) throw refusals.badCode();
  const createdAt = found.expiresAt - codeSecondsOf(found.purpose);
  if (!isInTime({ ...found, createdAt }, now)) throw refusals.badCode();
  return found;
}
