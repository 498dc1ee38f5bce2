import { refusals } from "../model/refusals.ts";
import type { Member } from "../model/account.ts";
import { mayBeUsername, nameKey } from "../model/username.ts";
import type { Identity } from "../model/identity.ts";
import { isDisowned } from "../social/issuers.ts";
import type { SocialProviders } from "../social/provider.ts";
import type { Reads } from "../ports/stores.ts";

/**
 * An account with the player that was asked for (its main one when it was asked for otherwise), and who it is
 * at the social provider; null when it is not linked.
 */
export type FoundAccount = { readonly member: Member; readonly identity: Identity | null };

/** What a service asks for; null where it does not ask by this. */
export type AccountQuery = { readonly socialId: string | null; readonly username: string | null };

type Deps = {
  readonly reads: Reads;
  readonly providers: SocialProviders;
};

/**
 * The account that a service asks for, by its id at a social provider, by its username, or by both, which
 * then must mean the same account. Fails with invalid when nothing is asked for or the two mean different
 * accounts, with not_found, and with conflict when people of several providers have the id, but not one of
 * the default provider. An identity of an issuer that its provider no longer has counts as not linked: the
 * same id may be another person's today.
 */
export async function findAccount(deps: Deps, { socialId, username }: AccountQuery): Promise<FoundAccount> {
  if (username !== null) return findByName(deps, username, socialId);
  if (socialId !== null) return findBySocialId(deps, socialId);
  throw refusals.noAccountKey();
}

async function findByName(deps: Deps, username: string, socialId: string | null): Promise<FoundAccount> {
  if (!mayBeUsername(username)) throw refusals.notMayBeUsername();
  const { accounts } = deps.reads;
  const member = await accounts.findMember({ by: "name", value: nameKey(username) });
  const identity = member === null ? null : await findIdentityOf(deps, member);
  if (socialId !== null && identity?.subject !== socialId) {
    const others = await findIdentities(deps, socialId);
    if (member !== null || others.length > 0) {
      throw refusals.otherAccount();
    }
  }
  if (member === null) throw refusals.unknownAccount();
  const named = await deps.reads.players.findLook({ by: "name", value: nameKey(username) });
  return { member: { ...member, player: named?.player ?? member.player }, identity };
}

async function findBySocialId(deps: Deps, socialId: string): Promise<FoundAccount> {
  const identities = await findIdentities(deps, socialId);
  const preferred = identities.find(({ provider }) => provider === deps.providers[0]?.name);
  const identity = preferred ?? identities[0];
  if (preferred === undefined && identities.length > 1) throw refusals.ambiguousPerson();
  const key = identity === undefined ? null : ({ by: "id", value: identity.accountId } as const);
  const member = key === null ? null : await deps.reads.accounts.findMember(key);
  if (identity === undefined || member === null) throw refusals.unknownAccount();
  return { member, identity };
}

async function findIdentityOf({ reads, providers }: Deps, { account }: Member): Promise<Identity | null> {
  const identity = await reads.identities.findIdentityOf(account.id);
  return identity === null || isDisowned(identity, providers) ? null : identity;
}

async function findIdentities({ reads, providers }: Deps, socialId: string): Promise<readonly Identity[]> {
  const identities = await reads.identities.findIdentitiesById(socialId);
  return identities.filter((identity) => !isDisowned(identity, providers));
}
