import type { Clock } from "../../kernel/clock.ts";
import { commandLine } from "../model/actor.ts";
import { refusals } from "../model/refusals.ts";
import type { Reads } from "../ports/stores.ts";
import type { Actor, Transact } from "../ports/unit-of-work.ts";
import { inBatches } from "./in-batches.ts";
import type { MailId, OutboxEntry } from "../ports/outbox-store.ts";
import { claimSeconds } from "./schedule.ts";

/**
 * Makes a failed or waiting mail due now; a running server sends it within seconds. A mail that may be under way stays as it is,
 * so that it is not sent twice: the result is then `soon`, because it is due within a minute. Fails with not_found for an unknown
 * mail, with conflict for a sent mail or one without content. Operators and administrators do this. Writes audit.
 */
export async function retryMail(
  { transact }: { readonly transact: Transact },
  actor: Actor,
  id: MailId,
): Promise<{ readonly due: "now" | "soon"; readonly entry: OutboxEntry }> {
  return transact(actor, async ({ outbox, audit, now }) => {
    const entry = await outbox.findMail(id);
    if (entry === null) throw refusals.unknownOutboxMail(id);
    if (entry.state === "sent") throw refusals.sentMail(id);
    if (!entry.hasContent) throw refusals.wipedMail(id);
    audit("mail.retry", null, { new: { mail: id, template: entry.template } });
    if (mayBeUnderWay(entry, now)) return { due: "soon", entry };
    await outbox.makeDue(id, now);
    return { due: "now", entry: { ...entry, state: "waiting", attempts: 0, dueAt: now } };
  });
}

/** A sender that claims a mail postpones it by this time. */
function mayBeUnderWay({ state, attempts, dueAt }: OutboxEntry, now: number): boolean {
  return state === "waiting" && attempts > 0 && dueAt > now && dueAt <= now + claimSeconds;
}

/**
 * Makes every waiting mail due now, and every failed one that still has its content. Returns how many are due now, including
 * those that were before, and how many stay as they are because they are under way or due within a minute. Only operators do
 * this. Writes audit.
 */
export async function retryAllMails({
  reads,
  transact,
  clock,
}: {
  readonly reads: Pick<Reads, "outbox">;
  readonly transact: Transact;
  readonly clock: Clock;
}): Promise<{
  readonly now: number;
  readonly soon: number;
}> {
  const at = clock.nowSeconds();
  await transact(commandLine, async ({ audit }) => audit("mail.retry", null, { new: { mail: "all" } }));
  await inBatches(transact, ({ outbox }) => outbox.makeDue("failed", at));
  await inBatches(transact, ({ outbox }) => outbox.bringForward(at + claimSeconds, at));
  const now = await reads.outbox.countDue(at);
  return { now, soon: (await reads.outbox.countDue(at + claimSeconds)) - now };
}
