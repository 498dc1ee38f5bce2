import type { Language } from "../model/mail.ts";

/** A mail that is ready to be sent. Only `text` and `html` can contain line breaks. */
export type OutgoingMail = {
  /** The mail's name in file names and log lines: its number in the outbox, or `test`. */
  readonly name: string;
  /** Without angle brackets. A second try has the same, so that a duplicate can be recognised. */
  readonly messageId: string;
  readonly to: string;
  readonly language: Language;
  /** Unix seconds. */
  readonly date: number;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The address where one request ends such mails (RFC 8058); null for mails that cannot be unsubscribed. */
  readonly unsubscribe: string | null;
};

/** A mail server's answer to a mail, with its own words if it gave any. */
export type Delivery = {
  /**
   * `accepted`: the server is responsible for the mail now. `deferred`: it did not accept the mail, or the
   * result is unknown; trying again may help. `refused`: it will never accept this mail.
   */
  readonly outcome: "accepted" | "deferred" | "refused";
  readonly reply: string;
};

/** Sends mails. */
export interface Mailer extends AsyncDisposable {
  /** Delivers one mail. Once the signal is aborted nothing more of it is sent, and it counts as deferred. */
  deliver(mail: OutgoingMail, signal: AbortSignal): Promise<Delivery>;
}

/** The sender of mails. */
export type Mailbox = { readonly name: string; readonly address: string };

/** Encodes a mail as MIME: headers and both bodies in one. */
export type MimeWriter = (mail: OutgoingMail) => Promise<Uint8Array>;
