/**
 * Mails on their way. A mail is written in the transaction of its cause and sent afterwards (`jobs/mail-outbox.ts`), so
 * that no request waits for a mail server and none is lost with it.
 */
import type { Uuid } from "../../kernel/ids.ts";
import type { Language, Mail, MailTemplate, PersonalMail } from "../model/mail.ts";

declare const mailId: unique symbol;
/** A mail's number in the outbox: autoincrement, never used again. */
export type MailId = number & { readonly [mailId]: true };

declare const bulkMailId: unique symbol;
/** The number of a mail to everybody: autoincrement, never used again. */
export type BulkMailId = number & { readonly [bulkMailId]: true };

/** Mails that one person gets and may be waiting for, and copies of a mail to everybody. */
export type MailKind = "personal" | "bulk";

/** In the order in which they are sent: what somebody waits for never stands behind what everybody gets. */
export const mailKinds: readonly MailKind[] = ["personal", "bulk"];

/** Where a mail is. A failed one has been given up: refused for good, or not taken in its time (`schedule.ts`). */
export type MailState = "waiting" | "sent" | "failed";

/** A mail to be sent. `at` is in Unix seconds. */
export type Post = {
  readonly to: string;
  readonly language: Language;
  readonly at: number;
  readonly mail: PersonalMail;
};

/** The words of a mail to everybody. */
export type BulkText = { readonly subject: string; readonly message: string };

/** A mail to everybody, to be sent. `issuer` is the actor's name; `at` is in Unix seconds. */
export type BulkPost = BulkText & { readonly issuer: string; readonly at: number };

/** How far a mail to everybody has come: its copies by their state. */
export type BulkProgress = {
  readonly id: BulkMailId;
  readonly subject: string;
  readonly issuer: string;
  /** Unix seconds. */
  readonly createdAt: number;
} & Readonly<Record<MailState, number>>;

/**
 * What the outbox keeps to make a mail from. A copy holds nothing of its own: its words are kept once, for all copies, and
 * whose it is its address tells.
 */
export type OutboxContent = PersonalMail | { readonly template: "bulk" };

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
  /** What it is a copy of; null for a mail to one person. */
  readonly bulk: BulkMailId | null;
};

/** A mail whose turn has come, with what it is made from; of a copy, whose account it goes to. */
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
  /** Counted to `limits.countedMax`. */
  readonly mails: number;
  /** When the oldest was posted, in Unix seconds; null when none waits. */
  readonly oldestAt: number | null;
};

/** What is read of the outbox. */
export interface OutboxReads {
  /** When, from `since` on, mails with codes or in their place were posted to this address (in `mailKey`'s form). */
  codeSendsSince(mailKey: string, since: number): Promise<readonly number[]>;
  /** What waits of a kind. */
  queue(kind: MailKind): Promise<MailQueue>;
  /** Whether a mail of one of these kinds is due. */
  hasDue(kinds: readonly MailKind[], at: number): Promise<boolean>;
  /** How many mails wait that are due at this time or before, counted to `limits.countedMax`. */
  countDue(at: number): Promise<number>;
  /** The mail with this number; null when there is none. */
  findMail(id: MailId): Promise<OutboxEntry | null>;
  /** Mails by ascending number, from the one after `afterId` on, `rows` at most; `state` null means all. */
  listMails(page: {
    readonly state: MailState | null;
    /** Of the copies of mails to everybody: all, those that failed, or nothing but the copies of this mail. */
    readonly copies: "all" | "failed" | BulkMailId;
    readonly afterId: number;
    readonly rows: number;
  }): Promise<readonly OutboxEntry[]>;
  /** Every mail to everybody that is remembered, the first one first. */
  bulkProgress(): Promise<readonly BulkProgress[]>;
  /** Whether everybody was written these very words after the time given. */
  hasBulkMail(text: BulkText, after: number): Promise<boolean>;
}

/** What is written of the outbox. */
export interface OutboxStore extends OutboxReads {
  /** Posts a mail, within the transaction of its cause. */
  insertMail(post: Post): Promise<void>;
  /**
   * Writes a mail to everybody: its words once, and a copy for each account that wants such mails and has a verified address.
   * Tells how many. It takes steps of some milliseconds, between which others have the event loop.
   */
  insertBulkMail(post: BulkPost): Promise<{ readonly id: BulkMailId; readonly copies: number }>;
  /**
   * Takes the mail that is due longest, of the first of these kinds of which one is, and counts a try; null when none is.
   * Until `until` nobody else takes it: a process that dies meanwhile leaves it to be taken again then. A copy whose address
   * is no account's by now, or no verified one, or of one that wants no such mails any more, is dropped instead.
   */
  claimDue(kinds: readonly MailKind[], at: number, until: number): Promise<DueMail | null>;
  /** Notes what came of a try. The content of a sent mail goes in the same breath. */
  recordResult(id: MailId, result: DeliveryResult): Promise<void>;
  /**
   * Makes a mail, or failed ones, due at once if it still has its content, as if never tried; tells how many. Of failed ones
   * it takes a thousand at most.
   */
  makeDue(which: MailId | "failed", at: number): Promise<number>;
  /** Makes mails due at `at` that wait for a time after `after`, a thousand at most; tells how many. */
  bringForward(after: number, at: number): Promise<number>;
  /** Drops the copies of mails to everybody that wait to go to this address (in `mailKey`'s form). */
  dropWaitingCopies(mailKey: string): Promise<void>;
  /**
   * Takes mails to one person that were posted in the future, before the clock was set back, for posted now; they are due
   * at the time given, when whoever may be sending one of them is done.
   */
  bringToNow(now: number, dueAt: number): Promise<void>;
  /** Gives up waiting mails of the kind, posted before the time given, a thousand at most; tells how many. */
  giveUpMails(kind: MailKind, postedBefore: number, at: number): Promise<number>;
  /** Takes the content from failed mails of the kind, posted before the time given, a thousand at most; tells how many. */
  wipeFailedMails(kind: MailKind, postedBefore: number): Promise<number>;
  /** Removes mails to one person that were sent, or failed, before the times given. */
  deleteOldMails(sentBefore: number, failedBefore: number): Promise<void>;
  /**
   * Removes mails to everybody that were posted before the time given, first their copies, some hundred rows at most; tells
   * how many.
   */
  deleteOldBulkMails(postedBefore: number): Promise<number>;
}

/** Calls the listener whenever a transaction of this process has made a mail due, until what it returns is disposed of. */
export type OnMailDue = (listener: () => void) => Disposable;
