import { escapeHtml } from "../../domain/mail/html.ts";

/** Writes the HTML of a page from what differs between pages. */
export type WriteDocument = (view: DocumentView) => string;

export type DocumentView = {
  /** The tag of the page's language: `en`, `zh-Hans`. */
  readonly language: string;
  readonly title: string;
  /** The address of the icon. */
  readonly icon: string;
  /** The address of the icon on home screens. */
  readonly touchIcon: string;
  /** HTML at the end of the head. */
  readonly head: string;
  /** HTML inside the root element, which the page's script replaces. */
  readonly body: string;
  /** What people without scripts read. */
  readonly noScript: string;
};

/** The places of `src/web/index.html` that differ between pages. */
const places = {
  language: /(?<=<html lang=")[^"]*/,
  title: /(?<=<title>)[^<]*/,
  icon: /(?<=<link rel="icon" href=")[^"]*/,
  touchIcon: /(?<=<link rel="apple-touch-icon" href=")[^"]*/,
  head: /(?=<\/head>)/,
  body: /(?<=<div id="app">)/,
  noScript: /(?<=<p class="needs-script">)[^<]*/,
} as const satisfies Record<keyof DocumentView, RegExp>;

/** What is HTML already. */
const asItIs: ReadonlySet<string> = new Set<keyof DocumentView>(["head", "body"]);

/** Throws when the page that was built has lost one of its places. */
export function documentWriter(page: string): WriteDocument {
  const found = Object.entries(places)
    .map(([name, place]) => ({ name, ...findPlace(page, place) }))
    .toSorted((one, other) => one.start - other.start);
  return (view) => {
    const texts = new Map(Object.entries(view));
    let html = "";
    let at = 0;
    for (const { name, start, end } of found) {
      const text = texts.get(name) ?? "";
      html += page.slice(at, start) + (asItIs.has(name) ? text : escapeHtml(text));
      at = end;
    }
    return html + page.slice(at);
  };
}

function findPlace(page: string, place: RegExp): { readonly start: number; readonly end: number } {
  const found = place.exec(page);
  if (found === null) throw new Error(`index.html has no place like ${place.source}`);
  return { start: found.index, end: found.index + found[0].length };
}

/** JSON as a data block that a page's script reads. No text in it can end the element (HTML 4.12.1.3). */
export function dataBlock(id: string, data: object): string {
  const json = JSON.stringify(data).replaceAll("<", String.raw`\u003c`);
  return `<script type="application/json" id="${id}">${json}</script>`;
}

/** An element of the head with attributes. */
export function headElement(name: "link" | "meta", attributes: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`);
  return `<${name}${written.join("")}>`;
}
