import { buildPlan, type Plan } from "./plan.ts";
import type { SceneKey } from "./scene.ts";

/**
 * Plans of the scenes that are asked for often, the least recently used first. This is a pure memo: without
 * it every picture is the same, only later. It has room for the sizes of a site; a body of 512 pixels takes
 * 1.3 MB.
 */
const plans = new Map<string, Plan>();
const bytesMax = 48 * 1024 * 1024;
let bytes = 0;

/**
 * How often each scene without a plan was asked for, the longest ago first. A thousand is more than a site
 * has sizes. If more are asked for in turn, each picture is drawn directly.
 */
const asked = new Map<string, number>();
const askedMax = 1000;
/** A plan takes the time of two drawings or more, so it is made when a scene is asked for a third time. */
const asksBefore = 2;

/**
 * Returns the plan of a scene that was asked for twice before, built now or from memory. Returns null if the
 * scene is best drawn directly. A plan that is larger than the whole memory serves once and is not built
 * again.
 */
export function planFor(key: SceneKey): Plan | null {
  const name = nameOf(key);
  const known = plans.get(name);
  if (known) {
    plans.delete(name);
    plans.set(name, known);
    return known;
  }
  const asks = asked.get(name) ?? 0;
  asked.delete(name);
  if (asks !== asksBefore) {
    asked.set(name, asks + 1);
    for (const [oldest] of asked) if (asked.size > askedMax) asked.delete(oldest);
    return null;
  }
  const plan = buildPlan(key);
  if (plan.bytes > bytesMax) asked.set(name, asksBefore + 1);
  else keep(name, plan);
  return plan;
}

function keep(name: string, plan: Plan): void {
  bytes += plan.bytes;
  plans.set(name, plan);
  for (const [oldest, { bytes: freed }] of plans) {
    if (bytes <= bytesMax) break;
    plans.delete(oldest);
    bytes -= freed;
  }
}

/** What `planFor` would do now: answer from memory, build a plan, or answer that there is none. */
export function planState(key: SceneKey): "kept" | "due" | "none" {
  const name = nameOf(key);
  if (plans.has(name)) return "kept";
  return asked.get(name) === asksBefore ? "due" : "none";
}

/** Forgets every plan and every scene, as at the start of the program. */
export function forgetPlans(): void {
  plans.clear();
  asked.clear();
  bytes = 0;
}

function nameOf({
  view,
  width,
  height = width * view.aspect,
  model,
  skinScale,
  capeScale,
}: SceneKey): string {
  return [view.name, width, height, model, skinScale, capeScale].join();
}
