import type { AccentColours } from "../model/accent.ts";

/** What mails share with the pages that their links open: escaping and colours. */

/** Escapes a text for use between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  // Old mail programs know only decimal references.
  return Bun.escapeHTML(text).replaceAll("&#x27;", "&#39;");
}

/** The colours of a page in one mode. */
export type Palette = {
  readonly page: string;
  readonly card: string;
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly accent: string;
  /** The background of buttons. */
  readonly fill: string;
  /** Text on it. */
  readonly onFill: string;
};

/** The colours of a page, by the mode of its reader. */
export type MailColours = { readonly light: Palette; readonly dark: Palette };

/** Our colours with a community's accent, or with our own where that is null. */
export function coloursOf(accent: AccentColours | null): MailColours {
  return { light: { ...light, ...accent?.light }, dark: { ...dark, ...accent?.dark } };
}

/** Light mode. Every pair of text and background has a contrast of at least 4.5 (WCAG 2.2, 1.4.3). */
const light: Palette = {
  page: "#eef2f1",
  card: "#ffffff",
  ink: "#17211f",
  soft: "#55635f",
  line: "#d5dedb",
  accent: "#0f766e",
  fill: "#0f766e",
  onFill: "#ffffff",
};

/** Dark mode. */
const dark: Palette = {
  page: "#0e1413",
  card: "#18211f",
  ink: "#eaf1ef",
  soft: "#a3b3af",
  line: "#33423e",
  accent: "#5eead4",
  fill: "#5eead4",
  onFill: "#0e1413",
};
