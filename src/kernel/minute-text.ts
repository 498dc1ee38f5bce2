/** A time in Unix seconds as people read it, to the minute and rounded up: `2026-01-31 12:00 UTC`. */
export function minuteText(seconds: number): string {
  const minute = Math.ceil(seconds / 60) * 60;
  const [day = "", clock = ""] = new Date(minute * 1000).toISOString().split("T");
  return `${day} ${clock.slice(0, 5)} UTC`;
}
