import { english } from "./english.ts";
import { htmlLayout } from "./html-layout.ts";
import { maskMail, type Language, type Mail, type Origin } from "../model/mail.ts";
import { russian } from "./russian.ts";
import type { Letter, LetterValues, MailTexts, Page, Templates } from "./templates.ts";
import { textLayout } from "./text-layout.ts";

/** A mail in words, and in the two forms that mail programs choose from. */
export type ComposedMail = { readonly subject: string; readonly text: string; readonly html: string };

/** The texts that are ours; operators can replace them (`replace-texts.ts`). */
export const ownTexts: MailTexts = { en: english, ru: russian };

/**
 * Writes a mail. `site` is the name under which people know the website. Values lose their control and formatting
 * characters, and the HTML has them escaped, so that none can become a header, a tag or a line of its own.
 */
export function composeMail(
  texts: MailTexts,
  input: { readonly to: string; readonly language: Language; readonly site: string; readonly mail: Mail },
): ComposedMail {
  const { language, mail } = input;
  const site = oneLine(input.site);
  const values: Record<string, string> = { ...noOrigin, ...plainValues(mail, input.to), site };
  const page: Page = {
    language,
    site,
    letter: tidy(writeLetter(texts[language], mail, values)),
    frame: texts[language].frame({ site }),
    code: values["code"] ?? null,
    link: values["link"] ?? null,
    unsubscribe: values["unsubscribe"] ?? null,
  };
  return { subject: page.letter.subject, text: textLayout(page), html: htmlLayout(page) };
}

/** Of mails that an older program left to be sent. */
const noOrigin: Origin = { time: "?", network: "?" };

/** What mailboxes have room for beside the subject. */
const preheaderLengthMax = 150;

function tidy(letter: Letter): Letter {
  return {
    ...letter,
    subject: oneLine(letter.subject),
    preheader: Array.from(oneLine(letter.preheader)).slice(0, preheaderLengthMax).join(""),
    heading: oneLine(letter.heading),
    paragraphs: letter.paragraphs.flatMap((text) => text.split(/\n(?:[^\S\n]*\n)+/)),
  };
}

/**
 * Control, formatting and line-separating characters become blanks: the rest stays on one line. The joiners are kept, of
 * which some scripts and many emoji are made.
 */
function oneLine(text: string): string {
  return text.replaceAll(/(?:[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf})+/gu, " ").trim();
}

function plainValues(mail: Mail, to: string): Record<string, string> {
  const values = Object.entries(mail).filter(([name]) => name !== "template");
  const entries = values.map(([name, value]) => {
    if (name === "username" && value === "") return [name, oneLine(to)];
    // Checked when it was written (`bulk-mail.ts`); its line ends are meant.
    if (name === "message") return [name, value];
    return [name, oneLine(name === "newMail" ? maskMail(value) : value)];
  });
  return Object.fromEntries(entries);
}

function writeLetter({ letters }: Templates, { template }: Mail, values: Record<string, string>): Letter {
  // The boundary where the values' names are forgotten: they are those of the mail, whose template is this one.
  const write = letters[template] as (values: LetterValues<Mail["template"]>) => Letter;
  return write(values as LetterValues<Mail["template"]>);
}
