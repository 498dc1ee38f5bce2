import { maskMail, type Language, type Mail, type Origin } from "../model/mail.ts";
import type { Letter, LetterValues, MailTexts, Page, Templates } from "./templates.ts";
import type { MailColours } from "./html.ts";
import { htmlLayout, textLayout } from "./layouts.ts";

/** A composed mail in the two forms that mail programs choose from. */
export type ComposedMail = { readonly subject: string; readonly text: string; readonly html: string };

/**
 * Composes a mail. `site` is the website's name for people, `look` its colours. Control and formatting
 * characters are removed from all values, and the HTML escapes them, so that no value can add a header, a tag
 * or a line.
 */
export function composeMail(
  texts: MailTexts,
  input: {
    readonly to: string;
    readonly language: Language;
    readonly site: string;
    readonly look: MailColours;
    /** The page with the steps for launchers, to which the footer leads; null: there is none. */
    readonly play: string | null;
    readonly mail: Mail;
  },
): ComposedMail {
  const { language, mail } = input;
  const site = oneLine(input.site);
  const values: Record<string, string> = { ...noOrigin, ...plainValues(mail, input.to), site };
  const page: Page = {
    language,
    site,
    look: input.look,
    letter: normalized(writeLetter(texts[language], mail, values)),
    frame: texts[language].frame({ site }),
    colon: texts[language].colon,
    code: values["code"] ?? null,
    link: values["link"] ?? null,
    play: input.play,
    unsubscribe: values["unsubscribe"] ?? null,
  };
  return { subject: page.letter.subject, text: textLayout(page), html: htmlLayout(page) };
}

/** For mails that an older version left in the outbox. */
const noOrigin: Origin = { time: "?", network: "?" };

/** Mailboxes show this many characters beside the subject. */
const preheaderLengthMax = 150;

function normalized(letter: Letter): Letter {
  return {
    ...letter,
    subject: oneLine(letter.subject),
    preheader: Array.from(oneLine(letter.preheader)).slice(0, preheaderLengthMax).join(""),
    heading: oneLine(letter.heading),
    paragraphs: letter.paragraphs.flatMap((text) => text.split(/\n(?:[^\S\n]*\n)+/)),
  };
}

/**
 * Replaces control, formatting and line-separating characters by blanks, so that the text is one line. Keeps
 * the joiners that some scripts and many emoji need.
 */
function oneLine(text: string): string {
  return text.replaceAll(/(?:[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf})+/gu, " ").trim();
}

function plainValues(mail: Mail, to: string): Record<string, string> {
  const values = Object.entries(mail).filter(([name]) => name !== "template");
  const entries = values.map(([name, value]) => {
    if (name === "username" && value === "") return [name, oneLine(to)];
    // Validated when it was written (`bulk-mail.ts`); its line breaks are intended.
    if (name === "message") return [name, value];
    return [name, oneLine(name === "newMail" ? maskMail(value) : value)];
  });
  return Object.fromEntries(entries);
}

function writeLetter({ letters }: Templates, { template }: Mail, values: Record<string, string>): Letter {
  // The boundary where the values' names are lost: they are those of the mail with this template.
  const write = letters[template] as (values: LetterValues<Mail["template"]>) => Letter;
  return write(values as LetterValues<Mail["template"]>);
}
