import { signal } from "@preact/signals";

/** A removal that waits while it can be undone. */
type Waiting = {
  /** Sends the request, with `keepalive`: the page may be going away. Returns whether the thing is gone. */
  readonly commit: () => Promise<boolean>;
  left: number;
  /** What keeps its time still. */
  readonly holds: Set<"pointer" | "focus">;
};

/** `waiting`: it is shown, with Undo. `gone`: it is not shown, because its removal is on its way or done. */
type Removal = "waiting" | "gone";

/** Removals of this page's life, by the id of what is removed. */
export const removals = signal<ReadonlyMap<string, Removal>>(new Map());

const waiting = new Map<string, Waiting>();
/** Removals whose answers have not come yet. */
const sending = new Set<Promise<void>>();
/** How long a removal waits: long enough to see it and to reach Undo. */
const waitMs = 10_000;
const stepMs = 250;
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * Removes a thing in ten seconds, or at once when the page is left. It is shown again when `commit` did not
 * remove it.
 */
export function removeLater(id: string, commit: Waiting["commit"]): void {
  waiting.set(id, { commit, left: waitMs, holds: new Set() });
  mark(id, "waiting");
  timer ??= setInterval(step, stepMs);
}

export function undoRemoval(id: string): void {
  if (waiting.delete(id)) mark(id, null);
}

/** The time of a removal stands still while the pointer or the focus is at its Undo. */
export function holdRemoval(id: string, by: "pointer" | "focus", isHeld: boolean): void {
  const holds = waiting.get(id)?.holds;
  if (isHeld) holds?.add(by);
  else holds?.delete(by);
}

/** Sends what still waits. Resolves when all removals were answered. */
export async function settle(): Promise<void> {
  for (const id of waiting.keys()) send(id);
  await Promise.all(sending);
}

function step(): void {
  for (const [id, removal] of waiting) {
    if (removal.holds.size === 0) removal.left -= stepMs;
    if (removal.left <= 0) send(id);
  }
  if (waiting.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

function send(id: string): void {
  const removal = waiting.get(id);
  if (removal === undefined) return;
  waiting.delete(id);
  mark(id, "gone");
  const sent = finish(id, removal);
  sending.add(sent);
  void sent.finally(() => sending.delete(sent));
}

async function finish(id: string, { commit }: Waiting): Promise<void> {
  const isGone = await commit();
  if (!isGone) mark(id, null);
}

function mark(id: string, removal: Removal | null): void {
  const marked = new Map(removals.peek());
  if (removal === null) marked.delete(id);
  else marked.set(id, removal);
  removals.value = marked;
}

addEventListener("pagehide", () => void settle());
