import type { Clock } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/log.ts";
import { system } from "../model/actor.ts";
import type { Reads } from "../ports/stores.ts";
import type { Transact } from "../ports/unit-of-work.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { composeMail } from "./compose.ts";
import { inSteps } from "./in-steps.ts";
import { maskMail, type Language, type Mail } from "../model/mail.ts";
import type { Delivery, Mailer } from "../ports/mailer.ts";
import { type DueMail, type MailKind, mailKinds, type Settlement } from "../ports/outbox-store.ts";
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

/** What sending takes. */
export type SendDeps = {
  readonly reads: Reads;
  readonly transact: Transact;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly texts: MailTexts;
  /** The name by which mails speak of us. */
  readonly site: string;
  /** What Message-IDs end with (RFC 5322 3.6.4). */
  readonly messageDomain: string;
  /** The page that ends mails to everybody for this account. */
  readonly unsubscribeLink: (account: Uuid) => string;
  readonly log: Logger;
};

/** What the sender is told by whoever runs it. */
export type Turn = {
  /** Once it is aborted the hand-over ends, and the mail waits for its next try. */
  readonly cut: AbortSignal;
  /** What it may send, the more urgent first. */
  readonly kinds: readonly MailKind[];
  /** Begins one mail when one more may begin. Null, which takes nobody's turn: there is none to begin. */
  readonly pace: <Begun>(begin: () => Promise<Begun | null>) => Promise<Begun | null>;
  /** Waits before something that failed is tried again. */
  readonly rest: () => Promise<void>;
};

/** Longer words of a server are cut. */
const replyLengthMax = 500;

/**
 * Sends the mail that is due longest, of the most urgent kind of which one is; false when none is. Which one that is is
 * decided when it may begin, so that whatever somebody waits for overtakes. What the server refuses for good fails at once,
 * all else is tried again later. When the server took the mail but the process dies before that is written down, the mail
 * goes out twice, with the same Message-ID.
 */
export async function sendNextMail(deps: SendDeps, turn: Turn): Promise<boolean> {
  if (!(await deps.reads.outbox.hasDue(turn.kinds, deps.clock.nowSeconds()))) return false;
  const mail = await turn.pace(() => claim(deps, turn.kinds));
  if (mail === null) return false;
  const delivery = await handOver(deps, mail, turn.cut);
  const settlement = settlementOf(mail, delivery, deps.clock.nowSeconds());
  report(deps.log, mail, settlement);
  await settle(deps, turn, mail, settlement);
  return true;
}

function claim({ transact }: SendDeps, kinds: readonly MailKind[]): Promise<DueMail | null> {
  return transact(system, ({ outbox, now }) => outbox.claimDue(kinds, now, now + claimSeconds));
}

/** Sends a test mail at once, past the outbox, and tells what the server says. */
export async function sendTestMail(
  deps: Pick<SendDeps, "mailer" | "texts" | "site" | "messageDomain" | "clock">,
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

/** Gives up what is too old to be sent, and forgets what is too old to be remembered, until it is done or `isOver` says so. */
export async function sweepOutbox({ transact, clock, log }: SendDeps, isOver: () => boolean): Promise<void> {
  const at = clock.nowSeconds();
  await transact(system, ({ outbox }) => outbox.bringToNow(at, at + claimSeconds));
  for (const kind of mailKinds) {
    const before = at - waitMax[kind];
    const mails = await inSteps(transact, ({ outbox }) => outbox.giveUpMails(kind, before, at), isOver);
    if (mails > 0) log.warn("mails given up: not sent in their time", { kind, mails });
    await inSteps(transact, ({ outbox }) => outbox.wipeFailedMails(kind, before), isOver);
  }
  await transact(system, ({ outbox }) => outbox.deleteOldMails(at - sentKeptSeconds, at - failedKeptSeconds));
  await inSteps(transact, ({ outbox }) => outbox.deleteOldBulkMails(at - bulkKeptSeconds), isOver);
}

async function handOver(deps: SendDeps, due: DueMail, cut: AbortSignal): Promise<Delivery> {
  try {
    const { to, language, createdAt } = due;
    const mail = toMail(deps, due);
    return await deliver(deps, { name: String(due.id), to, language, date: createdAt, mail }, cut);
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
  { mailer, texts, site, messageDomain }: Pick<SendDeps, "mailer" | "texts" | "site" | "messageDomain">,
  letter: { name: string; to: string; language: Language; date: number; mail: Mail },
  cut: AbortSignal,
): Promise<Delivery> {
  const { mail, ...envelope } = letter;
  const messageId = `${letter.date}.${letter.name}@${messageDomain}`;
  const unsubscribe = mail.template === "bulk" ? mail.unsubscribe : null;
  const written = composeMail(texts, { ...envelope, site, mail });
  const outgoing = { ...envelope, messageId, unsubscribe, ...written };
  const late = new AbortController();
  const message = `no end after ${deliverySeconds} seconds`;
  const timer = setTimeout(() => late.abort(new Error(message)), deliverySeconds * 1000);
  try {
    const { outcome, reply } = await mailer.deliver(outgoing, AbortSignal.any([cut, late.signal]));
    return { outcome, reply: withoutSecrets(reply, mail) };
  } finally {
    clearTimeout(timer);
  }
}

function settlementOf(mail: DueMail, { outcome, reply }: Delivery, at: number): Settlement {
  if (outcome === "accepted") return { state: "sent", dueAt: at, reply };
  if (outcome === "refused") return { state: "failed", dueAt: at, reply };
  return { state: "waiting", dueAt: at + retryDelaySeconds(mail.attempts), reply };
}

/** A mail that went out must not be forgotten because the disk is full: whoever sent it does nothing else meanwhile. */
async function settle(deps: SendDeps, turn: Turn, { id }: DueMail, settlement: Settlement): Promise<void> {
  for (;;) {
    try {
      return await deps.transact(system, ({ outbox }) => outbox.settle(id, settlement));
    } catch (error) {
      if (turn.cut.aborted) throw error;
      deps.log.error("what came of a mail could not be written, it is tried again", { id, error });
    }
    await turn.rest();
  }
}

/** Filters quote what they dislike: a link with its code, say. Neither is kept where operators read. */
function withoutSecrets(reply: string, mail: Mail): string {
  const line = reply.replaceAll(/\p{Cc}+/gu, " ").trim();
  if (mail.template === "bulk") return line.replaceAll(mail.unsubscribe, "[link]").slice(0, replyLengthMax);
  if (!("code" in mail)) return line.slice(0, replyLengthMax);
  const plain = mail.code.replaceAll("-", "");
  return line.replaceAll(mail.code, "[code]").replaceAll(plain, "[code]").slice(0, replyLengthMax);
}

function report(log: Logger, { id, to, attempts, mail }: DueMail, { state, dueAt, reply }: Settlement): void {
  const masked = reply.replaceAll(to, maskMail(to));
  const facts = { id, template: mail.template, to: maskMail(to), attempts, reply: masked };
  if (state === "sent") return log.info("mail sent", facts);
  if (state === "failed") return log.warn("mail refused; see cloakroom mail list", facts);
  log.warn("mail not taken, it is tried again", { ...facts, again: new Date(dueAt * 1000).toISOString() });
}
