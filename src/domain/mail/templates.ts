import type { Language, Mail, MailTemplate } from "../model/mail.ts";

/** What a mail says, in plain text. The layouts add the code and the link, and escape. */
export type Letter = {
  readonly subject: string;
  /** What mailboxes show beside the subject before the mail is opened. */
  readonly preheader: string;
  readonly heading: string;
  /** Line ends in them are kept; a blank line begins another paragraph. */
  readonly paragraphs: readonly string[];
  /** The words on the button that opens the link; null in mails without one. */
  readonly button: string | null;
  /** What stands below the code and the link: how long they last, and what to do if it was not you. */
  readonly closing: readonly string[];
};

/** What every mail of a language says beside its letter. */
export type Frame = {
  /** Stands before the link where there is no button to press. */
  readonly openLink: string;
  readonly footer: string;
  /** The words of the link that ends mails to everybody; it stands below the footer. */
  readonly unsubscribe: string;
};

/** The values that a letter is written from: those of its mail, and the name of the site. */
export type LetterValues<T extends MailTemplate> = Omit<Extract<Mail, { template: T }>, "template"> & {
  readonly site: string;
};

/** One function for each mail, which writes its letter. */
export type Templates = {
  readonly letters: { readonly [T in MailTemplate]: (values: LetterValues<T>) => Letter };
  readonly frame: (values: { readonly site: string }) => Frame;
};

/** The templates of every language. */
export type MailTexts = Readonly<Record<Language, Templates>>;

/** A letter with all that a layout shows. */
export type Page = {
  readonly language: Language;
  readonly site: string;
  readonly letter: Letter;
  readonly frame: Frame;
  readonly code: string | null;
  readonly link: string | null;
  /** Only mails to everybody have one. Their words are staff's, so web addresses in them become links. */
  readonly unsubscribe: string | null;
};
