import { refusals } from "../model/refusals.ts";
import { AppError } from "../../kernel/errors.ts";
import { openSession, type Client, type SignedIn } from "../sessions/open-session.ts";
import { anonymous } from "../model/actor.ts";
import type { Transact, Tx } from "../ports/unit-of-work.ts";
import type { Person, SocialProfile } from "../model/identity.ts";
import type { Challenge, Proof } from "../model/session.ts";
import type { KeyedHash, LoginStates } from "./login-states.ts";
import { issueConnection, socialProof } from "./pending.ts";
import {
  chooseProvider,
  providerRefused,
  type LoginSecrets,
  type SocialProvider,
  type SocialProviders,
} from "./provider.ts";

type Deps = {
  readonly transact: Transact;
  readonly providers: SocialProviders;
  readonly loginStates: LoginStates;
  readonly connectionHash: KeyedHash;
  /** Whether a callback without a state is accepted, which another browser may have begun. */
  readonly bareCodes: boolean;
};

/** What a browser brings back from a provider. */
export type Callback = {
  readonly code: string | null;
  readonly state: string | null;
  /** Why there is no code, in the provider's words (RFC 6749 4.1.2.1). */
  readonly error: string | null;
  /** RFC 9207. */
  readonly issuer: string | null;
  /** The secret of the browser. */
  readonly browser: string | null;
};

/** A member who signed in through a provider. */
export type SocialSignedIn = SignedIn & { readonly person: Person };

/** The failure of a sign-in by a person whom no account is linked to. */
export class SocialNotConnected extends AppError {
  readonly challenge: Challenge;

  constructor(challenge: Challenge) {
    const { provider } = challenge.person;
    super(refusals.notConnected.of(), {
      report: { provider, reason: "no account is linked to this person" },
    });
    this.challenge = challenge;
  }
}

/**
 * Begins a login at a provider (null: the default) in this browser, and returns the address to send the
 * browser to.
 */
export async function beginLogin(
  deps: Pick<Deps, "providers" | "loginStates">,
  input: {
    readonly provider: string | null;
    readonly browser: string;
    /** Comes back with the login; null: nothing. */
    readonly note: string | null;
    readonly redirectUri: string;
  },
): Promise<URL> {
  const provider = chooseProvider(deps.providers, input.provider);
  const login = deps.loginStates.begin(provider.name, input.browser, input.note);
  return provider.authorization(login, input.redirectUri);
}

/** What a browser began that comes back. */
export type BegunLogin = {
  readonly provider: SocialProvider;
  /** Null when the website began the login itself. */
  readonly login: LoginSecrets | null;
  readonly note: string | null;
};

/**
 * Opens a session for a person who comes back from a provider and is linked to an account; name and avatar
 * are refreshed. Any other person fails with `SocialNotConnected`. Fails with invalid when the provider
 * refuses, and as the provider's `exchange` does.
 */
export async function connect(
  deps: Pick<Deps, "transact" | "connectionHash">,
  { provider, login }: BegunLogin,
  input: { readonly callback: Callback; readonly redirectUri: string; readonly client: Client },
): Promise<SocialSignedIn> {
  const { callback } = input;
  if (callback.error !== null) {
    throw providerRefused(provider.name, "the provider says no", { error_code: callback.error.slice(0, 64) });
  }
  if (callback.code === null) throw refusals.noProviderCode();
  const answer = { code: callback.code, login, issuer: callback.issuer };
  const profile = await provider.exchange(answer, input.redirectUri);
  const outcome = await deps.transact(anonymous, async (tx) => {
    const proven = await proveIdentity(tx, deps.connectionHash, profile);
    return "challenge" in proven ? proven : openSession(tx, proven, input.client);
  });
  // Thrown here, because a failure inside the transaction undoes it.
  if ("challenge" in outcome) throw new SocialNotConnected(outcome);
  return outcome;
}

/**
 * What a browser began that comes back, once. A website that began the login itself sends no state: it has
 * checked its own, and uses the default provider. Fails with invalid when the state does not fit.
 */
export async function redeemLogin(
  { providers, loginStates, bareCodes }: Pick<Deps, "providers" | "loginStates" | "bareCodes">,
  { state, browser }: Callback,
): Promise<BegunLogin> {
  if (state === null && !bareCodes) {
    throw refusals.noState({
      report: { reason: "no state, and SOCIAL_BARE_CODES is false" },
    });
  }
  if (state === null) return { provider: chooseProvider(providers, null), login: null, note: null };
  const { provider, login, note } = await loginStates.redeem(state, browser);
  return { provider: chooseProvider(providers, provider), login, note };
}

/** The member with this identity. A person without an account is challenged to link or create one. */
async function proveIdentity(
  tx: Tx,
  hash: KeyedHash,
  person: SocialProfile,
): Promise<(Proof & { readonly person: Person }) | Challenge> {
  const identity = await tx.identities.findIdentity(person);
  if (identity === null) {
    return { challenge: "connection", person, connectionId: await issueConnection(tx, hash, person) };
  }
  const member = await tx.accounts.findMember({ by: "id", value: identity.accountId });
  if (member === null) throw new Error(`Identity of account ${identity.accountId}, which is not there`);
  await tx.identities.refreshIdentity(identity.accountId, person);
  return { person, member, methods: [socialProof(person)], provedAt: tx.now };
}
