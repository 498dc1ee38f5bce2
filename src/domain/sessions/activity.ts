import type { SessionId } from "../../kernel/ids.ts";
import { system } from "../model/actor.ts";
import type { Transact } from "../ports/unit-of-work.ts";
import type { LiveSession } from "../ports/session-store.ts";

/** Uses of sessions that are not written to the database yet. */
export type SessionActivity = {
  /** Notes that a session is used now (Unix seconds). Does nothing if it was used within the last minute. */
  readonly note: (session: Pick<LiveSession, "id" | "lastUsedAt">, now: number) => void;
  /** When the session was last used, written or not (Unix seconds). */
  readonly lastUsedAt: (session: Pick<LiveSession, "id" | "lastUsedAt">) => number;
  /** Writes what was noted, in one transaction. After a failure it is kept for the next flush. */
  readonly flush: () => Promise<void>;
};

/** How exact `lastUsedAt` is. Writing every use would be most of the database's work. */
const exactSeconds = 60;
/** Sessions noted between two flushes. Uses of further sessions are noted a minute later. */
const notedMax = 50_000;

/** Collects in memory what `flush` writes. A process that dies loses the last uses, never a session. */
export function trackSessionActivity(deps: { readonly transact: Transact }): SessionActivity {
  const noted = new Map<SessionId, number>();
  return {
    note: (session, now) => {
      if (now - session.lastUsedAt < exactSeconds || noted.size >= notedMax) return;
      noted.set(session.id, now);
    },
    lastUsedAt: ({ id, lastUsedAt }) => noted.get(id) ?? lastUsedAt,
    flush: async () => {
      if (noted.size === 0) return;
      const uses = new Map(noted);
      await deps.transact(system, ({ sessions }) => sessions.setLastUsed(uses));
      for (const [id, at] of uses) if (noted.get(id) === at) noted.delete(id);
    },
  };
}
