import { limits } from "../../kernel/limits.ts";
import { collectUseTimes, type UseTimes } from "../../kernel/use-times.ts";
import { system } from "../model/actor.ts";
import type { Transact } from "../ports/unit-of-work.ts";

/** Uses of service tokens, by number; the token of the settings by its name. */
export type TokenActivity = UseTimes<number | string>;

/**
 * Collects in memory when service tokens are used. The token that is a setting has no row, so its last use is
 * forgotten at a restart.
 */
export function trackTokenActivity({ transact }: { readonly transact: Transact }): TokenActivity {
  const ofSettings = new Map<string, number>();
  const made = collectUseTimes<number>({
    notedMax: limits.serviceTokensMax,
    write: (uses) => transact(system, ({ serviceTokens }) => serviceTokens.setLastUsed(uses)),
  });
  return {
    note: ({ id, lastUsedAt }, now) => {
      if (typeof id === "number") made.note({ id, lastUsedAt }, now);
      else ofSettings.set(id, now);
    },
    lastUsedAt: ({ id, lastUsedAt }) =>
      typeof id === "number" ? made.lastUsedAt({ id, lastUsedAt }) : (ofSettings.get(id) ?? lastUsedAt),
    flush: made.flush,
  };
}
