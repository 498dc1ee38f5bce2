import { system } from "../../src/domain/model/actor.ts";
import type { Actor } from "../../src/domain/ports/unit-of-work.ts";

/** An actor with a name and no right to check. */
export function named(name: string): Actor {
  return { ...system, name };
}
