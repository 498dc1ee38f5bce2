/** A wait in words, in its largest unit and never too short: "a second", "90 seconds", "2 hours". */
export function durationText(seconds: number): string {
  if (seconds === 1) return "a second";
  if (seconds < hourSeconds) return `${seconds} seconds`;
  const hours = Math.ceil(seconds / hourSeconds);
  return hours === 1 ? "an hour" : `${hours} hours`;
}

const hourSeconds = 60 * 60;
