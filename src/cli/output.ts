import { flag } from "../boot/config/options.ts";

/** The option of every command that makes or lists something. */
export const json = flag("print JSON");

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Columns as wide as their widest cell. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? "").length)));
  const text = lines.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return `${text.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** `name: value` lines with the values in one column; a dash where there is none. */
export function factsText(facts: Readonly<Record<string, string | number>>): string {
  const width = Math.max(...Object.keys(facts).map((name) => name.length)) + 2;
  const lines = Object.entries(facts).map(
    ([name, value]) => `${`${name}:`.padEnd(width)}${value === "" ? "-" : value}`,
  );
  return `${lines.join("\n")}\n`;
}
