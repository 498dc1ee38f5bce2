/** Times in fields of the type `datetime-local`, which have no zone: they are the visitor's own. */

/** The field's value for a time in Unix seconds; empty for null. */
export function toField(seconds: number | null): string {
  if (seconds === null) return "";
  const here = new Date(seconds * 1000);
  const shifted = new Date(here.getTime() - here.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** Unix seconds of a field's value; null for an empty one. `before`, which the field showed at first, keeps its seconds. */
export function fromField(value: string, before: number | null = null): number | null {
  if (value === toField(before)) return before;
  const milliseconds = new Date(value).getTime();
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000);
}
