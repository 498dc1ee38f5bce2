import type { Clock } from "../../kernel/clock.ts";
import { commandLine } from "../model/actor.ts";
import { refusals } from "../model/refusals.ts";
import type { Reads } from "../ports/stores.ts";
import type { Actor, Transact } from "../ports/unit-of-work.ts";
import { inBatches } from "./in-batches.ts";
import type { MailId, OutboxEntry } from "../ports/outbox-store.ts";
import { claimSeconds } from "./schedule.ts";

/**
 * Makes a failed or waiting mail due now; a running server sends it within seconds. A mail that is being sent
 * stays as it is, so that it is not sent twice: the result is then `sending`. It is due again within a minute
 * if that fails. Fails with not_found for an unknown mail, with conflict for a sent mail or one without
 * content. Operators and administrators do this. Writes audit.
 */
export async function retryMail(
  { transact }: { readonly transact: Transact },
  actor: Actor,
  id: MailId,
): Promise<{ readonly due: "now" | "sending"; readonly entry: OutboxEntry }> {
  return transact(actor, async ({ outbox, audit, now }) => {
    const entry = await outbox.findMail(id);
    if (entry === null) throw refusals.unknownOutboxMail(id);
    if (entry.state === "sent") throw refusals.sentMail(id);
    if (!entry.hasContent) throw refusals.wipedMail(id);
    audit("mail.retry", null, { new: { mail: id, template: entry.template } });
    if (isBeingSent(entry, now)) return { due: "sending", entry };
    await outbox.makeDue(id, now);
    return { due: "now", entry: { ...entry, state: "waiting", attempts: 0, dueAt: now } };
  });
}

/** A sender that takes a mail postpones it by this time and clears its last reply. */
function isBeingSent({ state, attempts, dueAt, lastReply }: OutboxEntry, now: number): boolean {
  const isTaken = state === "waiting" && attempts > 0 && lastReply === null;
  return isTaken && dueAt > now && dueAt <= now + claimSeconds;
}

/**
 * Makes every waiting mail due now, and every failed one that still has its content. Returns how many are due
 * now, including those that were before, and how many stay as they are because they are being sent. Only
 * operators do this. Writes audit.
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
  readonly sending: number;
}> {
  const at = clock.nowSeconds();
  await transact(commandLine, async ({ audit }) => audit("mail.retry", null, { new: { mail: "all" } }));
  await inBatches(transact, ({ outbox }) => outbox.makeDue("failed", at));
  await inBatches(transact, ({ outbox }) => outbox.bringForward(at, at + claimSeconds));
  const now = await reads.outbox.countDue(at);
  return { now, sending: (await reads.outbox.countDue(at + claimSeconds)) - now };
}
