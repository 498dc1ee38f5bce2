import type { Actor } from "../../src/domain/model/actor.ts";

/** An actor with a name and nothing else. */
export function named(name: string): Actor {
  return { name, accountId: null, via: null };
}
