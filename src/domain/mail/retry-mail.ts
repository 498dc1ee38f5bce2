import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Reads, Transact } from "../ports/stores.ts";
import { inSteps } from "./in-steps.ts";
import type { MailId, OutboxEntry } from "../ports/outbox-store.ts";
import { claimSeconds } from "./schedule.ts";

type Deps = { readonly transact: Transact; readonly clock: Clock };

/**
 * Has a mail tried at once, whether it failed or waits; a running server takes it within seconds. One that may be on its way
 * just now stays as it is, lest it goes out twice: `soon`, for it is due within a minute in any case. Fails with not_found for a
 * number that no mail has, with conflict when it was sent or its content is gone. Only operators do this.
 */
export async function retryMail({ transact, clock }: Deps, id: MailId): Promise<"now" | "soon"> {
  const now = clock.nowSeconds();
  return transact(async ({ outbox }) => {
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

/** Whoever takes a mail puts its time off by as much. */
function mayBeOnItsWay({ state, attempts, dueAt }: OutboxEntry, now: number): boolean {
  return state === "waiting" && attempts > 0 && dueAt > now && dueAt <= now + claimSeconds;
}

/**
 * Has every mail tried at once that waits, and every failed one that still has its content. Returns how many are due now, those
 * that were due before included, and how many are on their way or due within a minute, which stay as they are. Only operators
 * do this.
 */
export async function retryAllMails({
  reads,
  transact,
  clock,
}: Deps & { readonly reads: Pick<Reads, "outbox"> }): Promise<{
  readonly now: number;
  readonly soon: number;
}> {
  const at = clock.nowSeconds();
  await inSteps(transact, ({ outbox }) => outbox.makeDue("failed", at));
  await inSteps(transact, ({ outbox }) => outbox.bringForward(at + claimSeconds, at));
  const now = await reads.outbox.countDue(at);
  return { now, soon: (await reads.outbox.countDue(at + claimSeconds)) - now };
}
