import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/log.ts";
import { system } from "../model/actor.ts";
import type { Reads } from "../ports/stores.ts";
import type { Transact } from "../ports/unit-of-work.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { composeMail } from "./compose.ts";
import type { MailColours } from "./html.ts";
import { inBatches } from "./in-batches.ts";
import { maskMail, type Language, type Mail } from "../model/mail.ts";
import type { Delivery, Mailer } from "../ports/mailer.ts";
import { type DueMail, type MailKind, mailKinds, type DeliveryResult } from "../ports/outbox-store.ts";
import {
  bulkKeptSeconds,
  bulkSecondsMax,
  claimSeconds,
  deliverySeconds,
  failedKeptSeconds,
  mailSecondsMax,
  retryDelaySeconds,
  sentKeptSeconds,
} from "./schedule.ts";
import type { MailTexts } from "./templates.ts";

/** What the sender uses. */
export type SendDeps = {
  readonly reads: Reads;
  readonly transact: Transact;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly texts: MailTexts;
  /** The site's name in mails. */
  readonly site: string;
  /** The colours of mails. */
  readonly look: MailColours;
  /** The page with the steps for launchers; null: there is none. */
  readonly play: string | null;
  /** The domain of Message-IDs (RFC 5322 3.6.4). */
  readonly messageDomain: string;
  /** The page on which this account unsubscribes from bulk mails. */
  readonly unsubscribeLink: (account: Uuid) => string;
  readonly log: Logger;
};

/** One of the slots in which mails are sent at once. */
export type SendSlot = {
  /** Aborting it interrupts a delivery; the mail waits for its next attempt. */
  readonly interrupt: AbortSignal;
  /** The kinds of mail that the slot sends, the most urgent first. */
  readonly kinds: readonly MailKind[];
  /**
   * Begins a mail as soon as the rate allows it. A null result counts nothing: there was no mail to begin.
   */
  readonly atRate: <Begun>(begin: () => Promise<Begun | null>) => Promise<Begun | null>;
  /** Waits before a failed write is retried. */
  readonly rest: () => Promise<void>;
};

/** Longer replies of a server are truncated. */
const replyLengthMax = 500;

/**
 * Sends the longest-due mail of the most urgent kind; returns false without a due mail. The mail is chosen
 * once the rate allows it, so that personal mails overtake. A final refusal fails at once, everything else is
 * retried later. If the process dies after the server accepted the mail but before that is stored, the mail
 * goes out twice, with the same Message-ID.
 */
export async function sendNextMail(deps: SendDeps, slot: SendSlot): Promise<boolean> {
  if (!(await deps.reads.outbox.hasDue(slot.kinds, deps.clock.nowSeconds()))) return false;
  const mail = await slot.atRate(() => claim(deps, slot.kinds));
  if (mail === null) return false;
  const delivery = await sendDue(deps, mail, slot.interrupt);
  const result = resultOf(mail, delivery, deps.clock.nowSeconds());
  report(deps.log, mail, result);
  await record(deps, slot, mail, result);
  return true;
}

function claim({ transact }: SendDeps, kinds: readonly MailKind[]): Promise<DueMail | null> {
  return transact(system, ({ outbox, now }) => outbox.claimDue(kinds, now, now + claimSeconds));
}

/** Sends a test mail at once, without the outbox, and resolves to the server's answer. */
export async function sendTestMail(
  deps: Pick<SendDeps, "mailer" | "texts" | "site" | "look" | "play" | "messageDomain" | "clock">,
  to: string,
  language: Language,
): Promise<Delivery> {
  const date = deps.clock.nowSeconds();
  const name = `test-${crypto.randomUUID()}`;
  return deliver(
    deps,
    { name, to, language, date, mail: { template: "test" } },
    new AbortController().signal,
  );
}

const waitMax: Readonly<Record<MailKind, number>> = { personal: mailSecondsMax, bulk: bulkSecondsMax };

/**
 * Gives up mails that are too old to be sent, and deletes those that are too old to be kept, until done or
 * `isOver` returns true.
 */
export async function sweepOutbox({ transact, clock, log }: SendDeps, isOver: () => boolean): Promise<void> {
  const at = clock.nowSeconds();
  await transact(system, ({ outbox }) => outbox.bringToNow(at, at + claimSeconds));
  for (const kind of mailKinds) {
    const before = at - waitMax[kind];
    const mails = await inBatches(transact, ({ outbox }) => outbox.giveUpMails(kind, before, at), isOver);
    if (mails > 0) log.warn("mails given up: not sent in their time", { kind, mails });
    await inBatches(transact, ({ outbox }) => outbox.wipeFailedMails(kind, before), isOver);
  }
  await transact(system, ({ outbox }) => outbox.deleteOldMails(at - sentKeptSeconds, at - failedKeptSeconds));
  await inBatches(transact, ({ outbox }) => outbox.deleteOldBulkMails(at - bulkKeptSeconds), isOver);
}

async function sendDue(deps: SendDeps, due: DueMail, interrupt: AbortSignal): Promise<Delivery> {
  try {
    const { to, language, createdAt } = due;
    const mail = toMail(deps, due);
    return await deliver(deps, { name: String(due.id), to, language, date: createdAt, mail }, interrupt);
  } catch (error) {
    deps.log.error("a mail could not be handed over", { id: due.id, template: due.mail.template, error });
    return { outcome: "deferred", reply: "internal fault, see the log" };
  }
}

function toMail({ unsubscribeLink }: SendDeps, { mail }: DueMail): Mail {
  if (mail.template !== "bulk") return mail;
  const { account, ...words } = mail;
  return { ...words, unsubscribe: unsubscribeLink(account) };
}

async function deliver(
  {
    mailer,
    texts,
    site,
    look,
    play,
    messageDomain,
  }: Pick<SendDeps, "mailer" | "texts" | "site" | "look" | "play" | "messageDomain">,
  letter: { name: string; to: string; language: Language; date: number; mail: Mail },
  interrupt: AbortSignal,
): Promise<Delivery> {
  const { mail, ...envelope } = letter;
  const messageId = `${letter.date}.${letter.name}@${messageDomain}`;
  const unsubscribe = mail.template === "bulk" ? mail.unsubscribe : null;
  const written = composeMail(texts, { ...envelope, site, look, play, mail });
  const outgoing = { ...envelope, messageId, unsubscribe, ...written };
  const late = new AbortController();
  const message = `no end after ${deliverySeconds} seconds`;
  const timer = setTimeout(() => late.abort(new Error(message)), deliverySeconds * 1000);
  try {
    const { outcome, reply } = await mailer.deliver(outgoing, AbortSignal.any([interrupt, late.signal]));
    return { outcome, reply: withoutSecrets(reply, mail) };
  } finally {
    clearTimeout(timer);
  }
}

function resultOf(mail: DueMail, { outcome, reply }: Delivery, at: number): DeliveryResult {
  if (outcome === "accepted") return { state: "sent", dueAt: at, reply };
  if (outcome === "refused") return { state: "failed", dueAt: at, reply };
  return { state: "waiting", dueAt: at + retryDelaySeconds(mail.attempts), reply };
}

/**
 * Retries until the result is stored, so that a full disk does not make a mail go out twice. The slot waits
 * meanwhile.
 */
async function record(
  deps: SendDeps,
  slot: SendSlot,
  { id }: DueMail,
  result: DeliveryResult,
): Promise<void> {
  for (;;) {
    try {
      return await deps.transact(system, ({ outbox }) => outbox.recordResult(id, result));
    } catch (error) {
      if (slot.interrupt.aborted) throw error;
      const isAway = error instanceof AppError && error.kind === "unavailable";
      const failure = "the result of a mail could not be written, it is tried again";
      deps.log[isAway ? "warn" : "error"](failure, { id, error });
    }
    await slot.rest();
  }
}

/** Spam filters quote what they refuse, such as a link with its code, which operators must not see. */
function withoutSecrets(reply: string, mail: Mail): string {
  const line = reply.replaceAll(/\p{Cc}+/gu, " ").trim();
  if (mail.template === "bulk") return line.replaceAll(mail.unsubscribe, "[link]").slice(0, replyLengthMax);
  if (!("code" in mail)) return line.slice(0, replyLengthMax);
  const plain = mail.code.replaceAll("-", "");
  return line.replaceAll(mail.code, "[code]").replaceAll(plain, "[code]").slice(0, replyLengthMax);
}

function report(
  log: Logger,
  { id, to, attempts, mail }: DueMail,
  { state, dueAt, reply }: DeliveryResult,
): void {
  const masked = reply.replaceAll(to, maskMail(to));
  const facts = { id, template: mail.template, to: maskMail(to), attempts, reply: masked };
  if (state === "sent") return log.info("mail sent", facts);
  if (state === "failed") return log.warn("mail refused; see cloakroom mail list", facts);
  log.warn("mail not taken, it is tried again", { ...facts, again: new Date(dueAt * 1000).toISOString() });
}
