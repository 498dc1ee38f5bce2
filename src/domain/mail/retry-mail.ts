import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { commandLine } from "../model/actor.ts";
import type { Reads } from "../ports/stores.ts";
import type { Transact } from "../ports/unit-of-work.ts";
import { inSteps } from "./in-steps.ts";
import type { MailId, OutboxEntry } from "../ports/outbox-store.ts";
import { claimSeconds } from "./schedule.ts";

/**
 * Makes a mail due at once, whether it failed or waits; a running server takes it within seconds. A mail that may be on its way
 * just now stays as it is, so that it does not go out twice: `soon`, because it is due within a minute in any case. Fails with
 * not_found for a number that no mail has, with conflict when it was sent or its content is gone. Only operators do this.
 */
export async function retryMail(
  { transact }: { readonly transact: Transact },
  id: MailId,
): Promise<"now" | "soon"> {
  return transact(commandLine, async ({ outbox, now }) => {
    const entry = await outbox.findMail(id);
    if (entry === null) throw new AppError("not_found", `There is no mail ${id} in the outbox`);
    if (entry.state === "sent") throw new AppError("conflict", `Mail ${id} was sent already`);
    if (!entry.hasContent) {
      throw new AppError("conflict", `Mail ${id} is too old: its content is gone, so it cannot be sent`);
    }
    if (mayBeOnItsWay(entry, now)) return "soon";
    await outbox.makeDue(id, now);
    return "now";
  });
}

/** A sender that takes a mail postpones it by this time. */
function mayBeOnItsWay({ state, attempts, dueAt }: OutboxEntry, now: number): boolean {
  return state === "waiting" && attempts > 0 && dueAt > now && dueAt <= now + claimSeconds;
}

/**
 * Makes every waiting mail due at once, and every failed one that still has its content. Returns how many are due now, including
 * those that were due before, and how many are on their way or due within a minute, which stay as they are. Only operators do
 * this.
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
  await inSteps(transact, ({ outbox }) => outbox.makeDue("failed", at));
  await inSteps(transact, ({ outbox }) => outbox.bringForward(at + claimSeconds, at));
  const now = await reads.outbox.countDue(at);
  return { now, soon: (await reads.outbox.countDue(at + claimSeconds)) - now };
}
