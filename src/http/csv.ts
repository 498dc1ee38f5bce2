/** Lines of CSV (RFC 4180) that spreadsheets read as UTF-8 and never as formulas. */

/** Spreadsheets take a cell that begins so for a formula (OWASP, CSV injection). */
const formula = /^[\s\0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

/** Without it a spreadsheet reads UTF-8 in the machine's old encoding. */
export const csvOpening = "\uFEFF";

/** A line of these cells; null is an empty one. A text that looks like a formula gets an apostrophe in front. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

function cellText(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const harmless = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
