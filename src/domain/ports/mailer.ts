import type { Language } from "../model/mail.ts";

/** A mail that is ready to go. Nothing in it can hold a line break but `text` and `html`. */
export type OutgoingMail = {
  /** Names the mail where its file or log line is: its number in the outbox, or `test`. */
  readonly name: string;
  /** Without angle brackets. A mail that is sent again has the same, so that a duplicate can be recognised. */
  readonly messageId: string;
  readonly to: string;
  readonly language: Language;
  /** Unix seconds. */
  readonly date: number;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The address where one request ends such mails (RFC 8058); null for mails that come in any case. */
  readonly unsubscribe: string | null;
};

/** The result of handing a mail to a mail server, with the server's reply. */
export type Delivery = {
  /**
   * `accepted`: the server is responsible for the mail now. `deferred`: it did not accept it, or the outcome is unknown; a retry may
   * help. `refused`: it will never accept this mail.
   */
  readonly outcome: "accepted" | "deferred" | "refused";
  readonly reply: string;
};

/** Where mails leave. */
export interface Mailer extends AsyncDisposable {
  /** Hands over one mail. Once the signal is aborted nothing more of it is sent, and it counts as deferred. */
  deliver(mail: OutgoingMail, signal: AbortSignal): Promise<Delivery>;
}

/** Whom mails are from. */
export type Sender = { readonly name: string; readonly address: string };

/** Puts a mail into the form that mail servers and programs read: headers and both bodies in one. */
export type MimeWriter = (mail: OutgoingMail) => Promise<Uint8Array>;
