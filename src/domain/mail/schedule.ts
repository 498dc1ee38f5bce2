/** When mails are retried, and how long they are kept. All in seconds. */

const hour = 60 * 60;
const day = 24 * hour;

/** A delivery may take this long. */
export const deliverySeconds = 30;

/**
 * A claimed mail is reserved for this long: longer than any delivery, so that no mail is sent twice at once.
 */
export const claimSeconds = 2 * deliverySeconds;

/** A mail that is not sent within a day is given up and its content removed (docs/decisions/mail.md). */
export const mailSecondsMax = day;

/** Copies of a bulk mail may wait for a week: at ten a second these are six million. */
export const bulkSecondsMax = 7 * day;

/** A bulk mail is kept, with all its copies, for a week after the last possible delivery. */
export const bulkKeptSeconds = 14 * day;

/**
 * How long the outbox keeps sent personal mails: longer than the day in which mails to an address are
 * counted.
 */
export const sentKeptSeconds = 7 * day;

/** How long operators can see failed personal mails. */
export const failedKeptSeconds = 30 * day;

const retryDelays = [30, 2 * 60, 10 * 60, 30 * 60, hour] as const;

/** How long to wait after the given number of attempts: 30 s, 2 min, 10 min, 30 min, then an hour each. */
export function retryDelaySeconds(attempts: number): number {
  return retryDelays[Math.max(0, attempts - 1)] ?? hour;
}
