import type { Language } from "../../domain/model/mail.ts";
import { escapeHtml as escape, type MailColours, type Palette } from "../../domain/mail/html.ts";
import type { PageWords } from "../../words/mail-pages.ts";

/** A page for people that loads nothing and runs nothing. */
export type WebPage = {
  readonly language: Language;
  readonly site: string;
  readonly style: PageStyle;
  readonly words: PageWords;
  /** The text of the page's one button, and the field that it sends to the page's own address. */
  readonly button: { readonly text: string; readonly name: string; readonly value: string } | null;
};

const colours = (palette: Palette) =>
  Object.entries(palette)
    .map(([name, value]) => `--${name}:${value}`)
    .join(";");

/**
 * The one style of a page, and the policy that lets it in: this style only, and forms to the page's own
 * origin.
 */
export type PageStyle = { readonly css: string; readonly policy: string };

export function pageStyle(look: MailColours): PageStyle {
  const css = styleOf(look);
  const digest = new Bun.CryptoHasher("sha256").update(css).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${digest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
  return { css, policy };
}

const styleOf = ({ light, dark }: MailColours) => `:root{color-scheme:light dark;${colours(light)}}
@media (prefers-color-scheme:dark){:root{${colours(dark)}}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-content:center;justify-items:center;padding:24px 16px;background:var(--page);color:var(--ink);font:16px/25px -apple-system,'Segoe UI',Roboto,Helvetica,Arial,'PingFang SC','Microsoft YaHei','Noto Sans SC',sans-serif}
.site,main{width:100%;max-width:480px}
.site{margin:0 0 14px;padding:0 4px;font-size:15px;font-weight:600;color:var(--accent)}
main{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:32px}
h1{margin:0 0 16px;font-size:23px;line-height:30px}
p{margin:0;overflow-wrap:anywhere}
.note{margin-top:20px;font-size:14px;line-height:21px;color:var(--soft)}
button{margin:24px 0 0;width:100%;padding:13px 26px;border:0;border-radius:8px;background:var(--fill);color:var(--onFill);font:inherit;font-weight:600;cursor:pointer}
button:hover{filter:brightness(1.1)}
button:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
@media (max-width:480px){main{padding:26px 20px}}`;

/**
 * The page as an answer. Its address names an account, so the headers keep it from other sites and from
 * caches.
 */
export function answerPage(
  page: WebPage,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(pageHtml(page), {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-language": page.language,
      "content-security-policy": page.style.policy,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "x-robots-tag": "noindex",
      ...headers,
    },
  });
}

function pageHtml({ language, site, style, words, button }: WebPage): string {
  const form =
    button === null
      ? ""
      : `<form method="post"><button name="${escape(button.name)}" value="${escape(button.value)}">${escape(button.text)}</button></form>\n`;
  const note = words.note === null ? "" : `<p class="note">${escape(words.note)}</p>\n`;
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escape(words.title)} · ${escape(site)}</title>
<style>${style.css}</style>
</head>
<body>
<p class="site">${escape(site)}</p>
<main>
<h1>${escape(words.title)}</h1>
<p>${escape(words.text)}</p>
${form}${note}</main>
</body>
</html>
`;
}
