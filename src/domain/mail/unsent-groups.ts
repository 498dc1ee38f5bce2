import type { BulkMailId, UnsentMails } from "../ports/outbox-store.ts";

/** Mails of one state, of those to one person, of all copies, or of the copies of one mail to everybody. */
export type UnsentGroup = {
  readonly state: UnsentMails["states"][number];
  readonly of: "personal" | "every bulk mail" | BulkMailId;
};

/**
 * The parts that unsent mails consist of. A store lists each by number and merges them, because an index
 * holds each in order.
 */
export function groupsOfUnsent({ states, bulk }: UnsentMails): readonly UnsentGroup[] {
  return states.flatMap((state): readonly UnsentGroup[] => {
    if (bulk !== null) return [{ state, of: bulk }];
    const personal = { state, of: "personal" } as const;
    return state === "failed" ? [personal, { state, of: "every bulk mail" }] : [personal];
  });
}
