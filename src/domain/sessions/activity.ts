import type { SessionId } from "../../kernel/ids.ts";
import { collectUseTimes, type UseTimes } from "../../kernel/use-times.ts";
import { system } from "../model/actor.ts";
import type { Transact } from "../ports/unit-of-work.ts";

/** Uses of sessions that are not written to the database yet. */
export type SessionActivity = UseTimes<SessionId>;

/** Sessions noted between two flushes. */
const notedMax = 50_000;

/** Collects in memory when sessions are used. A process that dies loses the last uses, never a session. */
export function trackSessionActivity({ transact }: { readonly transact: Transact }): SessionActivity {
  return collectUseTimes({
    notedMax,
    write: (uses) => transact(system, ({ sessions }) => sessions.setLastUsed(uses)),
  });
}
