import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Transact } from "../stores.ts";
import { inSteps } from "./in-steps.ts";
import type { MailId } from "./outbox.ts";

type Deps = { readonly transact: Transact; readonly clock: Clock };

/**
 * Has a mail tried at once, whether it failed or waits; a running server takes it within seconds. Fails with not_found for
 * a number that no mail has, with conflict when it was sent or its content is gone. Only operators do this.
 */
export async function retryMail({ transact, clock }: Deps, id: MailId): Promise<void> {
  await transact(async ({ outbox }) => {
    const entry = await outbox.findMail(id);
    if (entry === null) throw new AppError("not_found", `There is no mail ${id} in the outbox`);
    if (entry.state === "sent") throw new AppError("conflict", `Mail ${id} was sent already`);
    if (!entry.hasContent) {
      throw new AppError("conflict", `Mail ${id} is too old: its content is gone, so it cannot be sent`);
    }
    await outbox.makeDue(id, clock.nowSeconds());
  });
}

/** Has every failed mail tried at once that still has its content; tells how many. Only operators do this. */
export async function retryFailedMails({ transact, clock }: Deps): Promise<number> {
  return inSteps(transact, ({ outbox }) => outbox.makeDue("failed", clock.nowSeconds()));
}
