import { buildPlan, type Plan } from "./plan.ts";
import type { SceneKey } from "./scene.ts";

/**
 * Plans that were worked out, oldest use first. A pure memo: with or without it every picture is the same, only later.
 * It holds the sizes that a site really asks for; a body of 512 pixels takes 1.3 MB.
 */
const plans = new Map<string, Plan>();
const bytesMax = 48 * 1024 * 1024;
let bytes = 0;

/** The plan for a scene, from memory or built now. A plan larger than the whole memory is not kept. */
export function planFor(key: SceneKey): Plan {
  const name = nameOf(key);
  const known = plans.get(name);
  plans.delete(name);
  const plan = known ?? buildPlan(key);
  if (!known) bytes += plan.bytes;
  plans.set(name, plan);
  for (const [oldest, { bytes: freed }] of plans) {
    if (bytes <= bytesMax) break;
    plans.delete(oldest);
    bytes -= freed;
  }
  return plan;
}

/** Whether `planFor` would answer from memory. */
export function hasPlan(key: SceneKey): boolean {
  return plans.has(nameOf(key));
}

/** Forgets every plan, as at the start of the program. */
export function forgetPlans(): void {
  plans.clear();
  bytes = 0;
}

function nameOf({ view, width, model, skinScale, capeScale }: SceneKey): string {
  return [view.name, width, model, skinScale, capeScale].join();
}
