/**
 * Mails to be sent. A mail is written in the transaction of its cause and sent afterwards
 * (`jobs/mail-outbox.ts`), so that no request waits for a mail server and no mail is lost when one fails.
 */
import type { Uuid } from "../../kernel/ids.ts";
import type { Language, Mail, MailTemplate, PersonalMail } from "../model/mail.ts";

declare const mailId: unique symbol;
/** A mail's number in the outbox: autoincrement, never used again. */
export type MailId = number & { readonly [mailId]: true };

declare const bulkMailId: unique symbol;
/** The number of a mail to everybody: autoincrement, never used again. */
export type BulkMailId = number & { readonly [bulkMailId]: true };

/** Mails to one person, who may be waiting for them, and copies of a mail to everybody. */
export type MailKind = "personal" | "bulk";

/** In sending order: a mail to one person never waits behind a mail to everybody. */
export const mailKinds: readonly MailKind[] = ["personal", "bulk"];

/**
 * A failed mail has been given up: it was refused for good, or not accepted in time
 * (`domain/mail/schedule.ts`).
 */
export type MailState = "waiting" | "sent" | "failed";

/** A mail to be sent. `at` is in Unix seconds. */
export type Post = {
  readonly to: string;
  readonly language: Language;
  readonly at: number;
  readonly mail: PersonalMail | BulkCopy;
};

/** The words of a mail to everybody. */
export type BulkText = { readonly subject: string; readonly message: string };

/** A mail to everybody, to be sent. `issuer` is the actor's name; `at` is in Unix seconds. */
export type BulkPost = BulkText & { readonly issuer: string; readonly at: number };

/**
 * How far a mail to everybody has come: its copies by their state. A copy that was not wanted any more counts
 * in the total alone.
 */
export type BulkProgress = {
  readonly id: BulkMailId;
  readonly subject: string;
  readonly issuer: string;
  /** Unix seconds. */
  readonly createdAt: number;
  /** How many people it was written to. */
  readonly total: number;
} & Readonly<Record<MailState, number>>;

/**
 * The source of a mail. A copy of a mail to everybody has no content of its own: the words are kept once, and
 * the address is the account's. A trial of such a mail belongs to one person and holds everything.
 */
export type OutboxContent = PersonalMail | BulkCopy | { readonly template: "bulk" };

/** A mail as operators see it, without its content. Times are in Unix seconds. */
export type OutboxEntry = {
  readonly id: MailId;
  readonly to: string;
  readonly language: Language;
  readonly template: MailTemplate;
  readonly state: MailState;
  /** How often sending it was tried. */
  readonly attempts: number;
  readonly createdAt: number;
  /** When it is tried (again); for a sent or failed mail, when that happened. */
  readonly dueAt: number;
  /** What the mail server last answered; null before the first answer, and while a sender has the mail. */
  readonly lastReply: string | null;
  /** False once the content is gone: it cannot be sent any more. */
  readonly hasContent: boolean;
  /** The mail to everybody that it is a copy of; null for a mail to one person. */
  readonly bulk: BulkMailId | null;
};

/**
 * Which mails that are not sent: those of a mail to everybody, or where that is null, mails to one person and
 * copies that failed, because a million copies that wait would hide them.
 */
export type UnsentMails = {
  readonly states: readonly Exclude<MailState, "sent">[];
  readonly bulk: BulkMailId | null;
};

/** A mail that is due, with what it is made from. */
export type DueMail = Pick<OutboxEntry, "id" | "to" | "language" | "attempts" | "createdAt"> & {
  readonly mail: PersonalMail | BulkCopy;
};

/** A copy of a mail to everybody, for one account. */
export type BulkCopy = Omit<Extract<Mail, { readonly template: "bulk" }>, "unsubscribe"> & {
  readonly account: Uuid;
};

/** The result of an attempt. `dueAt` as in `OutboxEntry`. */
export type DeliveryResult = { readonly state: MailState; readonly dueAt: number; readonly reply: string };

/** Mails that wait to be sent. */
export type MailQueue = {
  /** Counted up to `limits.countedMax`. */
  readonly mails: number;
  /** When the oldest was posted, in Unix seconds; null when none waits. */
  readonly oldestAt: number | null;
};

/** What is read of the outbox. */
export interface OutboxReads {
  /**
   * When, from `since` on, mails with codes or in place of codes were posted to this address (in the form of
   * `mailKey`).
   */
  codeSendsSince(mailKey: string, since: number): Promise<readonly number[]>;
  /** The mails of a kind that wait. */
  queue(kind: MailKind): Promise<MailQueue>;
  /**
   * The mails to an address (in the form of `mailKey`) that were posted from `since` on (Unix seconds), the
   * oldest first, from the one after `after` on, `rows` at most.
   */
  listMailsTo(page: {
    readonly to: string;
    readonly since: number;
    readonly after: Pick<OutboxEntry, "id" | "createdAt"> | null;
    readonly rows: number;
  }): Promise<readonly OutboxEntry[]>;
  /** Whether a mail of one of these kinds is due. */
  hasDue(kinds: readonly MailKind[], at: number): Promise<boolean>;
  /** How many mails are due at this time or before, counted up to `limits.countedMax`. */
  countDue(at: number): Promise<number>;
  /** The mail with this number; null when there is none. */
  findMail(id: MailId): Promise<OutboxEntry | null>;
  /** Mails by ascending number, from the one after `afterId` on, `rows` at most; `state` null means all. */
  listMails(page: {
    readonly state: MailState | null;
    /** Which copies of mails to everybody: all, the failed ones, or only those of this mail. */
    readonly copies: "all" | "failed" | BulkMailId;
    readonly afterId: number;
    readonly rows: number;
  }): Promise<readonly OutboxEntry[]>;
  /** Mails that are not sent, the newest first, from the one before `before` on, `rows` at most. */
  listUnsent(
    page: UnsentMails & { readonly before: number | null; readonly rows: number },
  ): Promise<readonly OutboxEntry[]>;
  /** Their number. Mails to one person are counted up to `limits.countedMax` in each state. */
  countUnsent(which: UnsentMails): Promise<number>;
  /** Every mail to everybody that is remembered, the first one first. */
  bulkProgress(): Promise<readonly BulkProgress[]>;
  /** The same a page at a time, the newest first, from the one before `before` on. */
  listBulkMails(page: {
    readonly before: number | null;
    readonly rows: number;
  }): Promise<readonly BulkProgress[]>;
  countBulkMails(): Promise<number>;
  /**
   * How many accounts a mail to everybody would go to at this time (Unix seconds), by the language of their
   * mails; suspended ones get none. It counts in batches of some milliseconds, between which other work gets
   * the event loop.
   */
  countBulkReaders(now: number): Promise<ReadonlyMap<Language, number>>;
  /** Whether a mail to everybody with these words was written after the time given. */
  hasBulkMail(text: BulkText, after: number): Promise<boolean>;
}

/** What is written of the outbox. */
export interface OutboxStore extends OutboxReads {
  /** Posts a mail, within the transaction of its cause. Returns its number. */
  insertMail(post: Post): Promise<MailId>;
  /**
   * Writes a mail to everybody: its words once, and a copy for each account that wants such mails and has a
   * verified address. Returns how many. It works in batches of some milliseconds, between which other work
   * gets the event loop.
   */
  insertBulkMail(post: BulkPost): Promise<{ readonly id: BulkMailId; readonly copies: number }>;
  /**
   * Takes the mail that has been due longest, of the first of these kinds that has a due mail, and counts a
   * try. Null when no mail is due. It is not taken again before `until`, when a process that died meanwhile
   * loses it, and has no last reply until the result is recorded. A copy is dropped instead if its account is
   * gone, no longer has the address verified, or no longer wants such mails.
   */
  claimDue(kinds: readonly MailKind[], at: number, until: number): Promise<DueMail | null>;
  /** Records the result of a try. The content of a sent mail is deleted with it. */
  recordResult(id: MailId, result: DeliveryResult): Promise<void>;
  /**
   * Makes a mail, or a thousand failed mails at most, due at once, as if never tried, if the content is still
   * there. Returns how many.
   */
  makeDue(which: MailId | "failed", at: number): Promise<number>;
  /**
   * Makes mails due at `at` that wait for a later time, a thousand at most, except those that are taken until
   * `until` or a time before. Returns how many.
   */
  bringForward(at: number, until: number): Promise<number>;
  /** Drops the waiting copies of mails to everybody for this address (in the form of `mailKey`). */
  dropWaitingCopies(mailKey: string): Promise<void>;
  /**
   * Treats mails to one person that were posted in the future, before the clock was set back, as posted now.
   * They become due at the time given, when a try that may be under way has ended.
   */
  bringToNow(now: number, dueAt: number): Promise<void>;
  /**
   * Gives up waiting mails of the kind, posted before the time given, a thousand at most. Returns how many.
   */
  giveUpMails(kind: MailKind, postedBefore: number, at: number): Promise<number>;
  /**
   * Deletes the content of failed mails of the kind, posted before the time given, a thousand at most.
   * Returns how many.
   */
  wipeFailedMails(kind: MailKind, postedBefore: number): Promise<number>;
  /** Removes mails to one person that were sent, or failed, before the times given. */
  deleteOldMails(sentBefore: number, failedBefore: number): Promise<void>;
  /**
   * Removes mails to everybody that were posted before the time given, first their copies, some hundred rows
   * at most. Returns how many.
   */
  deleteOldBulkMails(postedBefore: number): Promise<number>;
}

/**
 * Calls the listener whenever a transaction of this process has made a mail due, until what it returns is
 * disposed of.
 */
export type OnMailDue = (listener: () => void) => Disposable;
