import { expect, test } from "bun:test";
import { trackSessionActivity } from "../../src/domain/sessions/activity.ts";
import type { LiveSession } from "../../src/domain/ports/session-store.ts";
import type { Transact, Tx } from "../../src/domain/ports/unit-of-work.ts";
import type { AccountId, SessionId } from "../../src/kernel/ids.ts";

const session = (id: string): LiveSession => ({
  id: id as SessionId,
  accountId: 1 as AccountId,
  createdAt: 0,
  expiresAt: 1000,
  lastUsedAt: 0,
  idleSeconds: null,
  kind: "web",
});

/** Activity over a store that records its calls, after `before` has resolved. */
function open(before: () => Promise<void>) {
  const kept: string[] = [];
  const sessions = {
    setLastUsed: async (uses: ReadonlyMap<SessionId, number>) => {
      await before();
      for (const [id, at] of uses) kept.push(`${id} ${at}`);
    },
  };
  const transact: Transact = (_, work) => work({ sessions } as Tx); // nothing else is asked for
  return { kept, activity: trackSessionActivity({ transact }) };
}

test("uses that could not be written down are written the next time", async () => {
  let tries = 0;
  const { activity, kept } = open(async () => {
    if (++tries === 1) throw new Error("no space");
  });
  activity.note(session("a"), 60);
  expect(await activity.flush().catch(String)).toBe("Error: no space");
  expect(activity.lastUsedAt(session("a"))).toBe(60);
  await activity.flush();
  await activity.flush();
  expect(kept).toEqual(["a 60"]);
});

test("a use that is noted while others are being written is written the next time", async () => {
  const { activity, kept } = open(async () => {
    activity.note(session("a"), 61);
    activity.note(session("b"), 61);
  });
  activity.note(session("a"), 60);
  await activity.flush();
  expect(kept).toEqual(["a 60"]);
  expect(activity.lastUsedAt(session("a"))).toBe(61);
  await activity.flush();
  expect(kept).toEqual(["a 60", "a 61", "b 61"]);
});
