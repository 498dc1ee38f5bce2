/**
 * Mails on their way. A mail is written in the transaction of its cause and sent afterwards (`jobs/mail-outbox.ts`), so
 * that no request waits for a mail server and none is lost with it.
 */
import type { Language, Mail, MailTemplate } from "./mail.ts";

declare const mailId: unique symbol;
/** A mail's number in the outbox: autoincrement, never used again. */
export type MailId = number & { readonly [mailId]: true };

/** Where a mail is. A failed one has been given up: refused for good, or not taken within a day. */
export type MailState = "waiting" | "sent" | "failed";

/** A mail to be sent. `at` is in Unix seconds. */
export type Post = {
  readonly to: string;
  readonly language: Language;
  readonly at: number;
  readonly mail: Mail;
};

/** A mail as operators see it: nothing of its content. Times are in Unix seconds. */
export type OutboxEntry = {
  readonly id: MailId;
  readonly to: string;
  readonly language: Language;
  readonly template: MailTemplate;
  readonly state: MailState;
  /** How often it was tried. */
  readonly attempts: number;
  readonly createdAt: number;
  /** When it is tried (again); of a sent or failed one, when that was. */
  readonly dueAt: number;
  /** The mail server's last words about it. */
  readonly lastReply: string | null;
  /** False once the content is gone: it cannot be sent any more. */
  readonly hasContent: boolean;
};

/** A mail whose turn has come, with what it is made from. */
export type DueMail = Pick<OutboxEntry, "id" | "to" | "language" | "attempts" | "createdAt"> & {
  readonly mail: Mail;
};

/** What came of a try. `dueAt` as in `OutboxEntry`. */
export type Settlement = { readonly state: MailState; readonly dueAt: number; readonly reply: string };

/** Mails that one person waits for, or copies of a mail to everybody. */
export type MailKind = "single" | "bulk";

/** Mails that wait to be sent. */
export type MailQueue = {
  /** Counted to `limits.countedMax`. */
  readonly mails: number;
  /** When the oldest was posted, in Unix seconds; null when none waits. */
  readonly oldestAt: number | null;
};

/** What is read of the outbox. */
export interface OutboxReads {
  /** When, from `since` on, mails with codes or in their place were posted to this address (in `mailKey`'s form). */
  codeSendsSince(mailKey: string, since: number): Promise<readonly number[]>;
  /** Whether a mail is due. */
  hasDue(at: number): Promise<boolean>;
  /** What waits of a kind. */
  queue(kind: MailKind): Promise<MailQueue>;
  /** The mail with this number; null when there is none. */
  findMail(id: MailId): Promise<OutboxEntry | null>;
  /** Mails by ascending number, from the one after `afterId` on, `rows` at most; `state` null means all. */
  listMails(page: {
    readonly state: MailState | null;
    readonly afterId: number;
    readonly rows: number;
  }): Promise<readonly OutboxEntry[]>;
}

/** What is written of the outbox. */
export interface OutboxStore extends OutboxReads {
  insertMail(post: Post): Promise<void>;
  /**
   * Takes the mail that is due longest and counts a try; null when none is. Until `until` nobody else takes it: a process
   * that dies meanwhile leaves it to be taken again then.
   */
  claimDue(at: number, until: number): Promise<DueMail | null>;
  /** Notes what came of a try. The content of a sent mail goes in the same breath. */
  settle(id: MailId, settlement: Settlement): Promise<void>;
  /** Makes a mail, or every failed one, due at once if it still has its content, as if never tried; tells how many. */
  makeDue(which: MailId | "failed", at: number): Promise<number>;
  /** Gives up what was posted before the time given and is not sent (telling how many), and takes their content from all so old. */
  expireMails(postedBefore: number, at: number): Promise<number>;
  /** Removes mails that were sent, or failed, before the times given. */
  deleteOldMails(sentBefore: number, failedBefore: number): Promise<void>;
}

/** Calls the listener whenever a transaction of this process has made a mail due, until what it returns is disposed of. */
export type OnMailDue = (listener: () => void) => Disposable;

/** Puts a mail into the outbox, within the transaction of its cause. */
export async function postMail(outbox: OutboxStore, post: Post): Promise<void> {
  await outbox.insertMail(post);
}
