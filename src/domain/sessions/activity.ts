import type { SessionId } from "../../kernel/ids.ts";
import type { Transact } from "../stores.ts";
import type { LiveSession } from "./store.ts";

/** Sessions used since they were last written down. */
export type SessionActivity = {
  /** Notes that a session is being used now (Unix seconds). Costs nothing when it was within the last minute. */
  readonly note: (session: LiveSession, now: number) => void;
  /** Writes down what was noted, in one transaction. */
  readonly flush: () => Promise<void>;
};

/** How exact `lastUsedAt` is: a write for every request would be most of what the database does. */
const exactSeconds = 60;
/** Beyond this many sessions between two flushes, those that come later are written down a minute later. */
const notedMax = 50_000;

/** Collects in memory what `flush` writes. A process that dies loses the last uses, never a session. */
export function trackSessionActivity(deps: { readonly transact: Transact }): SessionActivity {
  let noted = new Map<SessionId, number>();
  return {
    note: (session, now) => {
      if (now - session.lastUsedAt < exactSeconds || noted.size >= notedMax) return;
      noted.set(session.id, now);
    },
    flush: async () => {
      if (noted.size === 0) return;
      const uses = noted;
      noted = new Map();
      await deps.transact((stores) => stores.sessions.setLastUsed(uses));
    },
  };
}
