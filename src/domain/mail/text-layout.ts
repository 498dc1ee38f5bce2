import type { Page } from "./templates.ts";

/** What terminal mail programs show without a break of their own. */
const columns = 72;

/** The mail as plain text: 72 columns, but for a link, which is never broken. */
export function textLayout({ letter, frame, code, link, unsubscribe }: Page): string {
  const blocks = [
    [...wrap(letter.heading), underline(letter.heading)],
    ...letter.paragraphs.map((paragraph) => paragraph.split("\n").flatMap(wrap)),
    ...(code === null ? [] : [[`    ${code}`]]),
    ...(link === null ? [] : [wrap(code === null ? `${letter.button ?? ""}:` : frame.openLink), [link]]),
    ...letter.closing.map((paragraph) => wrap(paragraph)),
    // The mark after which mail programs expect a signature has a blank at its end (RFC 3676 4.3).
    ["-- ", ...wrap(frame.footer)],
    ...(unsubscribe === null ? [] : [[...wrap(`${frame.unsubscribe}:`), unsubscribe]]),
  ];
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function underline(heading: string): string {
  return "=".repeat(Math.min(columns, Array.from(heading).length));
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((word) => word !== "")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
