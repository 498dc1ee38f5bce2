/** How capes and their owners are named on the command line. */
import { capeKey } from "../boot/config/kinds.ts";
import { required } from "../boot/config/options.ts";
import type { Services } from "../boot/services.ts";
import { findMember } from "../domain/accounts/identifier.ts";
import { AppError } from "../kernel/errors.ts";
import type { AccountId } from "../kernel/ids.ts";

export const cape = required(capeKey, "the cape's uuid or id");

/** The accounts that these identifiers name, each once. Fails with not_found for the first that names none. */
export async function findOwners(
  { reads }: Services,
  identifiers: readonly string[],
): Promise<readonly AccountId[]> {
  const members = await Promise.all(identifiers.map((one) => findMember(reads.accounts, one)));
  return [...new Set(members.map(({ account }) => account.id))];
}

/** Fails with invalid for an end that has passed. */
export function refusePast(until: number | null, now: number): void {
  if (until !== null && until <= now) throw new AppError("invalid", "--until must lie in the future");
}
