import { escapeHtml as escape, type MailColours, type Palette } from "./html.ts";
import { underline, wrapText } from "./wrap-text.ts";
import type { Page } from "./templates.ts";

/** Lays a mail out as plain text in lines of bounded length. Links are never broken. */
export function textLayout({ letter, frame, colon, code, link, play, unsubscribe }: Page): string {
  const label = (text: string) => wrapText(text + colon);
  const blocks = [
    [...wrapText(letter.heading), underline(letter.heading)],
    ...letter.paragraphs.map((paragraph) => paragraph.split("\n").flatMap(wrapText)),
    ...(code === null ? [] : [[`    ${code}`]]),
    ...(link === null ? [] : [code === null ? label(letter.button ?? "") : wrapText(frame.openLink), [link]]),
    ...letter.closing.map(wrapText),
    // Mail programs recognise a signature by this line, which ends with a blank (RFC 3676 4.3).
    ["-- ", ...wrapText(frame.footer)],
    ...(play === null ? [] : [[...label(frame.play), play]]),
    ...(unsubscribe === null ? [] : [[...label(frame.unsubscribe), unsubscribe]]),
  ];
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

const sans =
  "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,'PingFang SC','Microsoft YaHei','Noto Sans SC',sans-serif";
const mono = "font-family:ui-monospace,'SF Mono',Consolas,'DejaVu Sans Mono',monospace";

const darkMode = ({ dark }: MailColours) => `@media (prefers-color-scheme:dark){
.page{background:${dark.page}!important}.card{background:${dark.card}!important;border-color:${dark.line}!important}
.ink{color:${dark.ink}!important}.soft{color:${dark.soft}!important}.line{border-color:${dark.line}!important}
.site,.link{color:${dark.accent}!important}.button{background:${dark.fill}!important;color:${dark.onFill}!important}.well{background:${dark.page}!important;border-color:${dark.line}!important}}
@media (max-width:480px){.card{padding:28px 20px!important}}`;

/**
 * Lays a mail out as HTML, by the rules of mail programs: tables for the layout, styles on the elements, no
 * external resources. It reads from top to bottom without styles as well. Mail programs with a dark mode use
 * the classes. Escapes all texts.
 */
export function htmlLayout(page: Page): string {
  const { language, letter, frame, site, look } = page;
  const { light } = look;
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escape(letter.subject)}</title>
<style>:root{color-scheme:light dark}
${darkMode(look)}</style>
</head>
<body class="page" style="margin:0;padding:0;background:${light.page}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escape(letter.preheader)}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:${light.page}">
<tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td class="site" style="${sans};font-size:15px;font-weight:600;color:${light.accent};padding:0 4px 14px">${escape(site)}</td></tr>
<tr><td class="card" style="${sans};background:${light.card};border:1px solid ${light.line};border-radius:12px;padding:36px">
<h1 class="ink" style="margin:0 0 16px;font-size:23px;line-height:30px;font-weight:700;color:${light.ink}">${escape(letter.heading)}</h1>
${paragraphs(
  letter.paragraphs.map((text) => (page.unsubscribe === null ? plain(text) : linked(text, light))),
  "ink",
  `margin:0 0 16px;font-size:16px;line-height:25px;color:${light.ink}`,
)}
${codeBlock(page)}${linkBlock(page)}<div class="line" style="border-top:1px solid ${light.line};margin:12px 0 0;padding:18px 0 0">
${paragraphs(letter.closing.map(plain), "soft", `margin:0 0 8px;font-size:14px;line-height:21px;color:${light.soft}`)}
</div>
</td></tr>
<tr><td class="soft" style="${sans};font-size:13px;line-height:19px;color:${light.soft};padding:16px 4px 0">${escape(frame.footer)}${footerLinks(page)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function paragraphs(bodies: readonly string[], name: string, style: string): string {
  return bodies.map((body) => `<p class="${name}" style="${style}">${body}</p>`).join("\n");
}

function plain(text: string): string {
  return escape(text).replaceAll("\n", "<br>\n");
}

function linked(text: string, light: Palette): string {
  const pieces = splitLinks(text).map((piece) =>
    piece.isLink ? linkTo(piece.text, light) : plain(piece.text),
  );
  return pieces.join("");
}

function linkTo(address: string, light: Palette, words = address): string {
  const style = `color:${light.accent};word-break:break-word`;
  return `<a class="link" href="${escape(address)}" style="${style}">${escape(words)}</a>`;
}

function footerLinks({ play, unsubscribe, frame, look: { light } }: Page): string {
  const link = (address: string | null, words: string) =>
    address === null ? "" : `<br>${linkTo(address, light, words)}`;
  return link(play, frame.play) + link(unsubscribe, frame.unsubscribe);
}

/** The code has its own table, so that a double click or a long press selects all of it. */
function codeBlock({ code, look: { light } }: Page): string {
  if (code === null) return "";
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px">
<tr><td class="well ink" align="center" style="${mono};font-size:29px;line-height:36px;font-weight:700;letter-spacing:2px;white-space:nowrap;color:${light.ink};background:${light.page};border:1px solid ${light.line};border-radius:10px;padding:18px 8px;-webkit-user-select:all;user-select:all">${escape(code)}</td></tr>
</table>
`;
}

/** The button, and its address as text where the button does not work. */
function linkBlock({ link, letter, frame, look: { light } }: Page): string {
  if (link === null) return "";
  const small = `margin:0 0 16px;font-size:14px;line-height:21px;color:${light.soft};word-break:break-all`;
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px">
<tr><td class="button" bgcolor="${light.fill}" style="border-radius:8px;background:${light.fill}"><a class="button" href="${escape(link)}" style="${sans};display:inline-block;padding:13px 26px;font-size:16px;line-height:22px;font-weight:600;color:${light.onFill};text-decoration:none;border-radius:8px">${escape(letter.button ?? link)}</a></td></tr>
</table>
<p class="soft" style="${small}">${escape(frame.openLink)}<br><a class="link" href="${escape(link)}" style="color:${light.accent}">${escape(link)}</a></p>
`;
}

/** A piece of a text: a web address or the text between two addresses. */
export type TextPiece = { readonly text: string; readonly isLink: boolean };

const addressPattern = /https?:\/\/[^\s<>"\u201c\u201d\u00ab\u00bb]+/gi;
const sentenceEnd = /[.,;:!?\u2026'\u2019*]/;

/**
 * Splits a text at its web addresses (only `http` and `https`); joined, the pieces are the text again.
 * Punctuation at the end of a sentence is not part of an address, nor is a closing bracket that was opened
 * before it.
 */
export function splitLinks(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(addressPattern)) {
    const address = found.slice(0, addressEnd(found));
    if (!URL.canParse(address)) continue;
    pieces.push({ text: text.slice(at, index), isLink: false }, { text: address, isLink: true });
    at = index + address.length;
  }
  pieces.push({ text: text.slice(at), isLink: false });
  return pieces.filter((piece) => piece.text !== "");
}

function addressEnd(found: string): number {
  let end = found.length;
  while (end > 0 && isBeyond(found, found[end - 1] ?? "")) end -= 1;
  return end;
}

function isBeyond(found: string, last: string): boolean {
  if (last === ")") return !found.includes("(");
  if (last === "]") return !found.includes("[");
  return sentenceEnd.test(last);
}
