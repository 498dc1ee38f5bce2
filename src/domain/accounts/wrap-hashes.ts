import type { AccountId } from "../../kernel/ids.ts";
import { system } from "../model/actor.ts";
import type { HeldHash, HashReads } from "../ports/hash-reads.ts";
import type { PasswordHasher } from "../ports/password-hasher.ts";
import type { Transact } from "../ports/unit-of-work.ts";

type Deps = {
  readonly reads: { readonly accounts: Pick<HashReads, "listOtherHashes"> };
  readonly transact: Transact;
  readonly hasher: Pick<PasswordHasher, "wrap" | "isBusy">;
};

/** Reading so many takes a millisecond. */
const pageRows = 500;
/** Half a second of a core, which is lost when the process is killed. */
const batchMax = 16;

/** `last`: after which account to go on. `isThrough`: no account follows it. */
export type Wrapped = {
  readonly wrapped: number;
  readonly last: AccountId | null;
  readonly isThrough: boolean;
};

/**
 * Hashes some fast hashes of other systems again, slowly, because a thief of the database breaks fast ones
 * in hours. People notice nothing: the same passwords fit, and the first sign-in makes a hash of today. Looks
 * at one page of accounts. Stops early, with what it has, while sign-ins wait.
 */
export async function wrapSomeHashes(deps: Deps, after: AccountId | null): Promise<Wrapped> {
  const page = await deps.reads.accounts.listOtherHashes({ after, rows: pageRows });
  const { changes, last } = await wrapPage(deps.hasher, page, after);
  if (changes.length > 0)
    await deps.transact(system, async ({ accounts }) => {
      for (const { id, passwordHash: from, to } of changes) await accounts.replaceHash(id, { from, to });
    });
  const isThrough = page.length < pageRows && last === (page.at(-1)?.id ?? after);
  return { wrapped: changes.length, last, isThrough };
}

type Change = HeldHash & { readonly to: string };

async function wrapPage(
  hasher: Deps["hasher"],
  page: readonly HeldHash[],
  after: AccountId | null,
): Promise<{ readonly changes: readonly Change[]; readonly last: AccountId | null }> {
  const changes: Change[] = [];
  let last = after;
  for (const held of page) {
    if (changes.length === batchMax || hasher.isBusy()) break;
    const to = await hasher.wrap(held.passwordHash);
    if (to !== null) changes.push({ ...held, to });
    last = held.id;
  }
  return { changes, last };
}
