/** 31 December 9999: what is later is no date. */
const secondsMax = 253_402_300_799;
/** A time in seconds has at most this many until the year 5138; more are milliseconds. */
const secondsBelow = 100_000_000_000;

/** A text; null for an empty one. */
export function textOrNull(cell: string | null | undefined): string | null {
  return cell === undefined || cell === "" ? null : cell;
}

/**
 * A number of seconds or milliseconds as a time in Unix seconds; null for zero, for what is no number, and
 * for what lies before 1970 or after 9999.
 */
export function timeOfNumber(cell: string | null | undefined): number | null {
  const number = /^\d{1,18}$/.test(cell ?? "") ? Number(cell) : 0;
  const seconds = Math.floor(number >= secondsBelow ? number / 1000 : number);
  return seconds > 0 && seconds <= secondsMax ? seconds : null;
}
