/** What the cells of a source mean, which come as texts. */
import { PlainError } from "../../kernel/errors.ts";

/** A whole number; null for anything else. */
export function numberOf(cell: string | null | undefined): number | null {
  const text = (cell ?? "").trim();
  const number = Number(text);
  return /^-?\d{1,15}(?:\.0+)?$/.test(text) && Number.isSafeInteger(number) ? number : null;
}

/** Whether a cell is true: `1` of MySQL and SQLite, `true` of PostgreSQL. */
export function flagOf(cell: string | null | undefined): boolean {
  return /^(?:1|t|true|y|yes|on)$/i.test((cell ?? "").trim());
}

/** The text; null where it is missing, empty or blank. */
export function givenText(cell: string | null | undefined): string | null {
  return cell === null || cell === undefined || cell.trim() === "" ? null : cell;
}

/** Later ones are no dates: a zone could make five digits of the year. */
const lastYear = 9998;

const written =
  /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2}):(\d{2})(?:[.,]\d+)?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?/i;

/**
 * A written time (`2026-11-22 06:48:57.7+00:00`) as Unix seconds. One without a zone is of `zone`. Null for
 * zero dates and for what is no time.
 */
export function timeOf(cell: string | null | undefined, zone: TimeZone): number | null {
  const [isTime, year, month, day, hour, minute, second, offset] = written.exec((cell ?? "").trim()) ?? [];
  if (isTime === undefined || Number(year) < 1970 || Number(year) > lastYear) return null;
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  // Zero dates, and days that no month has.
  if (!Number.isFinite(local)) return null;
  const seconds = Math.floor(local / 1000);
  const time = offset === undefined ? zone.toUnix(seconds) : seconds - offsetSeconds(offset);
  return time > 0 ? time : null;
}

function offsetSeconds(text: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})?$/.exec(text) ?? [];
  if (sign === undefined) return 0;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes ?? 0) * 60);
}

/** Where times without a zone were written. */
export type TimeZone = {
  readonly name: string;
  /** A local time, counted as if it were UTC, as Unix seconds. */
  toUnix(local: number): number;
};

/** The zone of `--time-zone`, this machine's without it. Fails with invalid for a name that no zone has. */
export function givenZone(name: string | null): TimeZone {
  const zone = timeZoneOf(name ?? new Intl.DateTimeFormat().resolvedOptions().timeZone);
  if (zone !== null) return zone;
  throw new PlainError("invalid", `--time-zone: no time zone is called ${name}; one is Europe/Moscow`);
}

/** A zone by its name, as `Europe/Moscow`; null: no zone has this name. */
export function timeZoneOf(name: string): TimeZone | null {
  const format = formatOf(name);
  if (format === null) return null;
  const offsetAt = (unix: number): number => {
    // Swedish writes `2026-11-22 06:48:57`.
    const local = Date.parse(`${format.format(unix * 1000).replace(" ", "T")}Z`);
    return local / 1000 - unix;
  };
  return {
    name,
    // The second look is right where the first one was on the other side of a change of the clock.
    toUnix: (local) => (name === "UTC" ? local : local - offsetAt(local - offsetAt(local))),
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  } catch {
    return null;
  }
}
