import { AppError } from "../../kernel/errors.ts";
import type { Member } from "../accounts/account.ts";
import { mayBeUsername, nameKey } from "../accounts/username.ts";
import type { Identity } from "../social/identity.ts";
import type { Reads } from "../stores.ts";

/** An account and who it is at the social provider; null when it is not linked. */
export type FoundAccount = { readonly member: Member; readonly identity: Identity | null };

/** What a service knows of the account that it looks for; null: not this. */
export type AccountClues = { readonly socialId: string | null; readonly username: string | null };

type Deps = {
  readonly reads: Reads;
  /** The social providers that are on, the default one first. */
  readonly socialProviders: readonly string[];
};

/**
 * The account that a service asks for, by its id at a social provider, by its username, or by both, which then must mean the
 * same account. Fails with invalid when nothing is asked for or the two mean different accounts, with not_found when nobody is
 * found, and with conflict when people of several providers have the id and none of these is the default one.
 */
export async function findAccount(deps: Deps, { socialId, username }: AccountClues): Promise<FoundAccount> {
  if (username !== null) return findByName(deps, username, socialId);
  if (socialId !== null) return findBySocialId(deps, socialId);
  throw new AppError("invalid", "body: must hold Social_id or Playername");
}

async function findByName({ reads }: Deps, username: string, socialId: string | null): Promise<FoundAccount> {
  if (!mayBeUsername(username)) throw new AppError("invalid", "Playername: must be a username");
  const member = await reads.accounts.findMember({ by: "name", value: nameKey(username) });
  const identity = member === null ? null : await reads.identities.findIdentityOf(member.account.id);
  if (socialId !== null && identity?.subject !== socialId) {
    const others = await reads.identities.findIdentitiesById(socialId);
    if (member !== null || others.length > 0) {
      throw new AppError("invalid", "Playername: must mean the same account as Social_id");
    }
  }
  if (member === null) throw nobody();
  return { member, identity };
}

async function findBySocialId({ reads, socialProviders }: Deps, socialId: string): Promise<FoundAccount> {
  const identities = await reads.identities.findIdentitiesById(socialId);
  const preferred = identities.find(({ provider }) => provider === socialProviders[0]);
  const identity = preferred ?? identities[0];
  if (preferred === undefined && identities.length > 1) {
    throw new AppError("conflict", "Social_id: people of several social providers have this id");
  }
  const key = identity === undefined ? null : ({ by: "id", value: identity.accountId } as const);
  const member = key === null ? null : await reads.accounts.findMember(key);
  if (identity === undefined || member === null) throw nobody();
  return { member, identity };
}

function nobody(): AppError {
  return new AppError("not_found", "No account is known by this");
}
