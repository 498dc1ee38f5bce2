/** When mails are tried again, and how long they stay. All in seconds. */

const hour = 60 * 60;
const day = 24 * hour;

/** A hand-over may take this long. */
export const deliverySeconds = 30;

/** Who takes a mail has it for so long: more than any hand-over takes, so that no two send the same one. */
export const claimSeconds = 2 * deliverySeconds;

/** A mail that is not sent a day after it was posted is given up, and its content goes (decisions, Accounts: outbox). */
export const mailSecondsMax = day;

/** Copies of a mail to everybody may wait for a week: ten a second are six million by then. */
export const bulkSecondsMax = 7 * day;

/** A mail to everybody is remembered, with all its copies, for a week after the last one can have been sent. */
export const bulkKeptSeconds = 14 * day;

/** How long the outbox remembers what was sent to one person. More than the day in which sends to an address are counted. */
export const sentKeptSeconds = 7 * day;

/** How long operators can see what failed to reach one person. */
export const failedKeptSeconds = 30 * day;

const retryDelays = [30, 2 * 60, 10 * 60, 30 * 60, hour] as const;

/** How long to wait after the given number of tries: 30 s, 2 min, 10 min, 30 min, then an hour each. */
export function retryDelaySeconds(attempts: number): number {
  return retryDelays[Math.max(0, attempts - 1)] ?? hour;
}
