/**
 * Times in fields of the types `datetime-local` and `date`, which have no zone: they are the visitor's own.
 */

/** The field's value for a time in Unix seconds; empty for null. */
export function toField(seconds: number | null): string {
  if (seconds === null) return "";
  const here = new Date(seconds * 1000);
  const shifted = new Date(here.getTime() - here.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/**
 * Unix seconds of a field's value; null for an empty one. `before`, which the field showed at first, keeps
 * its seconds.
 */
export function fromField(value: string, before: number | null = null): number | null {
  if (value === toField(before)) return before;
  const milliseconds = new Date(value).getTime();
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000);
}

/** The value of a field of the type `date` for a time in Unix seconds; empty for null. */
export function toDayField(seconds: number | null): string {
  return toField(seconds).slice(0, 10);
}

/** A year that is still being typed begins with zeros: "0020-01-01". */
const yearMin = 2000;

/** The first or last second of the day that a field of the type `date` has; null while it has none. */
export function fromDayField(value: string, which: "first" | "last"): number | null {
  const [year = 0, month = 0, day = 0] = value.split("-").map(Number);
  if (!(year >= yearMin)) return null;
  const next = which === "first" ? 0 : 1;
  return new Date(year, month - 1, day + next).getTime() / 1000 - next;
}

/** The first second of the day that was so many days ago; 0: today. */
export function startOfDay(daysAgo: number, now = new Date()): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime() / 1000;
}
