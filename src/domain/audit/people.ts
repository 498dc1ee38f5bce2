import type { AuditPerson, AuditReads } from "../ports/audit-store.ts";

/**
 * The acting account and the account that it concerned. Both may be missing, and no account has the number 0.
 */
type Named = { readonly actorAccountId: number | null; readonly forAccountId: number | null };

/** The people that a page's entries name, by number, read with one statement. */
export async function peopleOf(
  audit: Pick<AuditReads, "listPeople">,
  entries: readonly Named[],
): Promise<ReadonlyMap<number, AuditPerson>> {
  const ids = entries.flatMap(({ actorAccountId, forAccountId }) => [actorAccountId, forAccountId]);
  const wanted = new Set(ids.filter((id): id is number => id !== null && id !== 0));
  return new Map((await audit.listPeople([...wanted])).map((person) => [person.id, person]));
}
