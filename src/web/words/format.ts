import { language } from "./language.ts";

/** Dates and numbers in the language of the page. Times are Unix seconds. */

const dayForm = { dateStyle: "medium" } as const;
const momentForm = { dateStyle: "medium", timeStyle: "short" } as const;

export function showDay(seconds: number): string {
  return new Intl.DateTimeFormat(language.value, dayForm).format(seconds * 1000);
}

/** A day in full, as the server writes it on a player's page: by UTC. */
export function showDate(seconds: number): string {
  const form = { dateStyle: "long", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(language.value, form).format(seconds * 1000);
}

/** A day of this year that is given as "2026-01-31", whatever the zone: the server counts in UTC. */
export function showDayOf(day: string): string {
  const form = { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(language.value, form).format(new Date(day));
}

export function showMoment(seconds: number): string {
  return new Intl.DateTimeFormat(language.value, momentForm).format(seconds * 1000);
}

/**
 * A moment with the zone that it is in: mails say the same end by UTC, so the zone keeps the two from reading
 * as different ends.
 */
export function showDeadline(seconds: number): string {
  const form = new Intl.DateTimeFormat(language.value, { timeZoneName: "short" });
  const zone = form.formatToParts(seconds * 1000).find(({ type }) => type === "timeZoneName");
  return `${showMoment(seconds)} ${zone?.value ?? ""}`.trim();
}

const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** How long ago or from now, in the largest unit that fits: "3 hours ago". */
export function showAgo(seconds: number, now = Date.now() / 1000): string {
  const format = new Intl.RelativeTimeFormat(language.value, { numeric: "auto" });
  const distance = seconds - now;
  const [unit, size] = units.find(([, size]) => Math.abs(distance) >= size) ?? (["second", 1] as const);
  return unit === "second" ? format.format(0, "minute") : format.format(Math.round(distance / size), unit);
}

/** How long to wait: "in 30 seconds", and from two minutes on in the largest unit that fits. */
export function showWait(seconds: number): string {
  if (seconds >= 120) return showAgo(seconds, 0);
  return new Intl.RelativeTimeFormat(language.value).format(seconds, "second");
}

export function showNumber(number: number): string {
  return new Intl.NumberFormat(language.value).format(number);
}

/** A share of one: "87%". */
export function showPercent(share: number): string {
  return new Intl.NumberFormat(language.value, { style: "percent" }).format(share);
}

/** In the largest unit that fits: "1.5 MB". */
export function showBytes(bytes: number): string {
  const names = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
  const step = bytes < 1 ? 0 : Math.min(names.length - 1, Math.floor(Math.log10(bytes) / 3));
  const unit = names[step] ?? "byte";
  const form = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language.value, form).format(bytes / 1000 ** step);
}

export function showList(items: readonly string[]): string {
  return new Intl.ListFormat(language.value).format(items);
}

const shortMomentForm = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" } as const;

/** Without the year: "27 Nov, 22:15". */
export function showShortMoment(seconds: number): string {
  return new Intl.DateTimeFormat(language.value, shortMomentForm).format(seconds * 1000);
}
