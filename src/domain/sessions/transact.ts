import { refusals } from "../model/refusals.ts";
import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { behalf, payerOf } from "../../kernel/on-behalf.ts";
import { createSemaphores, type Semaphores } from "../../kernel/semaphore.ts";
import { createSlowRefusals } from "../../kernel/slow-refusals.ts";
import { anonymous, type ActorRecord } from "../model/actor.ts";
import type { AuditEntry } from "../ports/audit-store.ts";
import type { Atomically, Stores } from "../ports/stores.ts";
import type { Transact, Tx } from "../ports/unit-of-work.ts";
import { refuseSuspended } from "./suspended.ts";

/**
 * Makes the transactions of use cases. Each run looks up the actor's right, does the work and then writes the
 * audit entries that the work collected: entries form a chain, whose head is thus held for a moment only. A
 * writer has few of them under way, so that many at once make only this writer wait.
 */
export function createTransact({
  atomically,
  clock,
}: {
  readonly atomically: Atomically;
  readonly clock: Clock;
}): Transact {
  const turns = { one: turnsOf(limits.writesOfOne), many: turnsOf(limits.writesOfMany) };
  const refuseSlowly = createSlowRefusals();
  const refuse = async (error: unknown): Promise<never> => {
    if (error instanceof AppError && error.code === refusals.tooManyWrites.code)
      await refuseSlowly(behalf()?.gone ?? null);
    throw error;
  };

  return (actor, work) => {
    const writer = writerOf(actor);
    const begin = () => {
      let begun: number | null = null;
      return atomically(async (stores) => {
        const now = (begun ??= clock.nowSeconds());
        const rights = { sessions: stores.sessions, serviceTokens: stores.serviceTokens, now };
        const found = (await actor.check(rights)) ?? actor;
        if (actor.inNameOf !== undefined) await refuseSuspended({ ...stores, now }, actor.inNameOf);
        const entries: AuditEntry[] = [];
        const result = await work(openTx(stores, found, now, entries));
        for (const entry of entries) await stores.audit.append(entry);
        return result;
      }, writer.key);
    };
    return writer.is === "program" ? begin() : turns[writer.is](writer.key, begin).catch(refuse);
  };
}

function turnsOf(bounds: (typeof limits)["writesOfOne" | "writesOfMany"]): Semaphores {
  return createSemaphores({ ...bounds, refusal: refusals.tooManyWrites });
}

/**
 * The source of a change: one person; a service or an address that may stand for many; or the program itself,
 * which has bounds of its own.
 */
type Writer = { readonly is: "one" | "many" | "program"; readonly key: string };

/**
 * A member is its account, whatever sessions and players it uses, and so are staff. A launch server passes on
 * what players send, so there it is the player. Where no session is needed it is the client, which may be a
 * school or a launch server.
 */
function writerOf({ name, accountId, via, speaksFor }: ActorRecord): Writer {
  if (accountId !== null) return { is: "one", key: `account ${accountId}` };
  if (speaksFor !== undefined) return { is: "one", key: `player ${speaksFor}` };
  if (via !== null) return { is: "many", key: `service ${via}` };
  if (name === anonymous.name) return { is: "many", key: `client ${payerOf(behalf())}` };
  return { is: "program", key: name };
}

function openTx(
  stores: Stores,
  { name, accountId, via }: ActorRecord,
  now: number,
  entries: AuditEntry[],
): Tx {
  const actor = { name, accountId, via };
  return {
    ...stores,
    now,
    actor,
    audit: (action, about, detail, by) => {
      const recorded = by === undefined ? actor : { name: by.name, accountId: by.accountId, via: by.via };
      entries.push({ actor: recorded, action, forAccountId: about, at: now, detail });
    },
    mail: async ({ mail: to, language }, mail) =>
      to === null ? null : stores.outbox.insertMail({ to, language, at: now, mail }),
  };
}
