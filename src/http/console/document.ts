import { escapeHtml } from "../../domain/mail/html-parts.ts";

/** Writes the HTML of a page from what differs between pages. */
export type WriteDocument = (view: DocumentView) => string;

export type DocumentView = {
  /** The tag of the page's language: `en`, `zh-Hans`. */
  readonly language: string;
  readonly title: string;
  /** HTML at the end of the head. */
  readonly head: string;
  /** HTML inside the root element, which the page's script replaces. */
  readonly body: string;
};

/** The places of `src/web/index.html` that differ between pages. */
const places =
  /^(?<start>.*?<html lang=")[^"]*(?<title>".*?<title>)[^<]*(?<head><\/title>.*?)(?<body><\/head>.*?<div id="app">)(?<end><\/div>.*)$/s;

/** Throws when the page that was built has lost one of its places. */
export function documentWriter(page: string): WriteDocument {
  const parts = places.exec(page)?.groups;
  if (parts === undefined) throw new Error("index.html has no lang, no title or no element app");
  const { start, title, head, body, end } = parts;
  return (view) =>
    [start, view.language, title, escapeHtml(view.title), head, view.head, body, view.body, end].join("");
}

/** JSON as a data block that a page's script reads. No text in it can end the element (HTML 4.12.1.3). */
export function dataBlock(id: string, data: object): string {
  const json = JSON.stringify(data).replaceAll("<", String.raw`\u003c`);
  return `<script type="application/json" id="${id}">${json}</script>`;
}
