import { system } from "../model/actor.ts";
import type { Reads } from "../ports/stores.ts";
import type { Transact } from "../ports/unit-of-work.ts";
import type { ProviderIssuer } from "../model/identity.ts";
import type { SocialProviders } from "./provider.ts";

/**
 * Whether the provider now has another issuer than the person. Such a person cannot sign in, and their id may
 * be another person's today. False if the provider is not set up.
 */
export function isDisowned(person: ProviderIssuer, providers: SocialProviders): boolean {
  const today = providers.find(({ name }) => name === person.provider);
  return today !== undefined && today.issuer !== person.issuer;
}

/** Identities that were given an issuer. */
export type Adoption = ProviderIssuer & { readonly identities: number };

/**
 * Gives identities from before issuers were stored the issuer that their provider has now, once. As long as
 * their provider is not set up they have no issuer and match no sign-in.
 */
export async function adoptIdentities(
  { reads, transact }: { readonly reads: Reads; readonly transact: Transact },
  providers: readonly ProviderIssuer[],
): Promise<readonly Adoption[]> {
  const adoptions: Adoption[] = [];
  for (const { provider, issuer } of providers) {
    // A start writes nothing if there is nothing to do.
    if (!(await reads.identities.hasWithoutIssuer(provider))) continue;
    const identities = await transact(system, (tx) => tx.identities.setMissingIssuer({ provider, issuer }));
    adoptions.push({ provider, issuer, identities });
  }
  return adoptions;
}
