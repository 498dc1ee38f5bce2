import type { KeyedHash } from "../../../domain/social/login-states.ts";
import type { OnceStore } from "../../../domain/ports/once-store.ts";
import type { Sender } from "../../sql/sender.ts";

const text =
  "INSERT INTO used_once (key, ends_at) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING RETURNING key";

/**
 * Remembers in the database what was used, for all nodes. Fails with unavailable while it cannot be asked.
 */
export function shareOnce({ db, hash }: { readonly db: Sender; readonly hash: KeyedHash }): OnceStore {
  return {
    use: async (key, endsAt) => {
      const rows = await db.send(text, [hash(`once ${key}`), endsAt]);
      return rows.length === 1;
    },
  };
}
