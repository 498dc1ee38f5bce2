import type { Actor } from "../../src/domain/actor.ts";

/** Somebody of whom the audit knows the name alone. */
export function named(name: string): Actor {
  return { name, accountId: null, via: null };
}
