/** Lines of CSV (RFC 4180) that spreadsheets read as UTF-8 and never as formulas. */

/** Spreadsheets take a cell that begins so for a formula (OWASP, CSV injection). */
const formula = /^[\s\0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

/**
 * In many countries a spreadsheet's separator is `;`: there quotation marks in the middle of a cell count for
 * nothing, and a new cell begins after each `;`, tab or line end.
 */
const innerFormula = /([;\t\r\n])(?=[\s\0"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** What would steer the terminal on which a file is shown, but for tabs and line ends. */
const steering = /(?![\t\r\n])\p{Cc}/gu;

/** Without it a spreadsheet reads UTF-8 in the machine's old encoding. */
export const csvOpening = "\uFEFF";

/** A JSON text with the same value and without `;`, which would begin a new cell. */
export function jsonCell(json: string): string {
  return json.replaceAll(";", String.raw`\u003b`);
}

/**
 * A line of these cells; null is an empty one. What looks like a formula, at a cell's beginning or inside,
 * gets an apostrophe in front.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

function cellText(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const inside = value.replace(steering, "\uFFFD").replace(innerFormula, "$1'");
  const harmless = formula.test(value) ? `'${inside}` : inside;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
