/**
 * Larger numbers are milliseconds (docs/contract/answers.md#times): 10^11 s is the year 5138, 10^11 ms
 * is 1973.
 */
const secondsMax = 1e11;
/** The last second of the year 9999, beyond which ISO 8601 needs more digits. */
export const lastSecond = 253_402_300_799;
/** The largest number that is a point in time: the last millisecond of the year 9999. */
export const instantMax = lastSecond * 1000 + 999;

/** Date, hours and minutes, optional seconds with a fraction, and the zone, which is required. */
export const isoPattern =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?:([Zz])|([+-]\d{2})(?::?(\d{2}))?)$/;

/**
 * Parses a point in time: ISO 8601 text with a zone, or a whole number of Unix seconds or, above 10^11,
 * milliseconds. Returns whole Unix seconds, rounded down; null for anything else.
 */
export function parseInstant(value: string | number): number | null {
  const seconds = typeof value === "number" ? fromNumber(value) : fromText(value);
  return seconds !== null && seconds >= 0 && seconds <= lastSecond ? seconds : null;
}

function fromNumber(value: number): number | null {
  if (!Number.isSafeInteger(value)) return null;
  return value > secondsMax ? Math.floor(value / 1000) : value;
}

function fromText(text: string): number | null {
  const [, day = "", minute = "", second = "00", utc, hours = "+00", minutes = "00"] =
    isoPattern.exec(text) ?? [];
  const local = Date.parse(`${day}T${minute}:${second}Z`);
  // Some engines roll a day that does not exist over to the next month, which then prints differently.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(`${day}T${minute}:${second}`))
    return null;
  if (utc !== undefined) return local / 1000;
  if (Number(hours.slice(1)) > 23 || Number(minutes) > 59) return null;
  const offset = Number(hours.slice(1)) * 3600 + Number(minutes) * 60;
  return local / 1000 + (hours.startsWith("-") ? offset : -offset);
}

/** A time (Unix seconds) for people, in its minute: `2026-11-28 08:09 UTC`. */
export function minuteText(at: number): string {
  const [day = "", clock = ""] = new Date(at * 1000).toISOString().split("T");
  return `${day} ${clock.slice(0, 5)} UTC`;
}

/** The end of something (Unix seconds) for people, to the next full minute: by then it has ended. */
export function endText(at: number): string {
  return minuteText(Math.ceil(at / 60) * 60);
}
