import { api, ask } from "../../api/client.ts";
import type { Problem } from "../../api/problem.ts";

/** The people whom a change of a cape's owners concerns. */
export type Who = readonly number[] | "everybody" | `owners:${string}`;

/** Giving a cape, with the end of the new grants (Unix seconds or null), or taking it away. */
export type Change =
  | { readonly action: "give"; readonly who: Who; readonly end: number | null }
  | { readonly action: "take"; readonly who: Who };

type Outcome = {
  /** How many people were changed, also if a step failed. */
  readonly changed: number;
  readonly problem: Problem | null;
};

type Watch = {
  /** Called with the number of people changed so far. */
  readonly step?: (changed: number) => void;
  readonly isStopped?: () => boolean;
};

/**
 * Sends a change in batches, because the server changes a bounded number of people at once. Stops after the
 * current batch once `isStopped` returns true.
 */
export async function changeOwners(cape: string, change: Change, on: Watch = {}): Promise<Outcome> {
  let changed = 0;
  let after: number | null = 0;
  while (after !== null && on.isStopped?.() !== true) {
    const result = await sendStep(cape, change, after);
    if (!result.ok) return { changed, problem: result.problem };
    changed += result.body.data.changed;
    after = result.body.data.next;
    on.step?.(changed);
  }
  return { changed, problem: null };
}

function sendStep(cape: string, change: Change, after: number) {
  const params = { path: { cape } };
  const step = { who: typeof change.who === "string" ? change.who : [...change.who], after };
  if (change.action === "take")
    return ask(api.DELETE("/api/admin/cape/{cape}/owners", { params, body: step }));
  const end = change.end === null ? {} : { expired_at: change.end };
  return ask(api.POST("/api/admin/cape/{cape}/owners", { params, body: { ...step, ...end } }));
}

/** How many people have an account; null if not known now. */
export async function countUsers(): Promise<number | null> {
  const result = await ask(api.GET("/api/admin/users", { params: { query: { limit: 1 } } }));
  return result.ok ? Number(result.response.headers.get("x-total-count")) : null;
}
