import type { MailColours } from "./html.ts";
import type { Language, Mail, MailTemplate } from "../model/mail.ts";

/** A mail's texts, plain. The layouts add the code and the link, and escape. */
export type Letter = {
  readonly subject: string;
  /** Mailboxes show it beside the subject. */
  readonly preheader: string;
  readonly heading: string;
  /** Line breaks in them are kept; a blank line begins another paragraph. */
  readonly paragraphs: readonly string[];
  /** The label of the button that opens the link; null in mails without a link. */
  readonly button: string | null;
  /** Below the code and the link: how long they last, and what to do if the reader did not cause the mail. */
  readonly closing: readonly string[];
};

/** The texts around every letter of a language. */
export type Frame = {
  /** Precedes the link where there is no button. */
  readonly openLink: string;
  readonly footer: string;
  /** The label of the link to the steps for launchers, below the footer. */
  readonly play: string;
  /** The label of the unsubscribe link of bulk mails, below the footer. */
  readonly unsubscribe: string;
};

/** The values of a letter: those of its mail, and the site's name. */
export type LetterValues<T extends MailTemplate> = Omit<Extract<Mail, { template: T }>, "template"> & {
  readonly site: string;
};

/** One function for each mail, which returns its letter. */
export type Templates = {
  readonly letters: { readonly [T in MailTemplate]: (values: LetterValues<T>) => Letter };
  readonly frame: (values: { readonly site: string }) => Frame;
  /** What follows a label. */
  readonly colon: string;
};

/** The templates of every language. */
export type MailTexts = Readonly<Record<Language, Templates>>;

/** A letter with everything that a layout shows. */
export type Page = {
  readonly language: Language;
  readonly site: string;
  readonly look: MailColours;
  readonly letter: Letter;
  readonly frame: Frame;
  readonly colon: string;
  readonly code: string | null;
  readonly link: string | null;
  /** The page with the steps for launchers; null: there is none. */
  readonly play: string | null;
  /** Only bulk mails have one. Staff write their texts, so web addresses in them become links. */
  readonly unsubscribe: string | null;
};
