import type { AppError } from "../../kernel/errors.ts";
import type { LogFields } from "../../kernel/log-fields.ts";
import type { SocialProfile } from "../model/identity.ts";
import { refusals } from "../model/refusals.ts";

/** What ties an answer of a provider to the browser that was sent there. */
export type LoginSecrets = {
  /** Comes back with the answer (RFC 6749 10.12). */
  readonly state: string;
  /** Proves to the provider that the code is redeemed by the one that began the login (RFC 7636). */
  readonly verifier: string;
};

/** A code that a provider gave to a browser. */
export type ProviderAnswer = {
  readonly code: string;
  /** Null when the website began the login itself and keeps what it began with. */
  readonly login: LoginSecrets | null;
  /** The issuer that the answer names (RFC 9207); null when it names none. */
  readonly issuer: string | null;
};

/**
 * A sign-in at another service. Both operations fail with upstream when the provider is down, slow (10
 * seconds in all) or sends an invalid answer, and `exchange` with invalid when the provider refuses the code.
 * The report names the provider and the reason, and never holds a code, a token or a secret.
 */
export interface SocialProvider {
  /** Its name in the settings: `discord`, `oidc` … */
  readonly name: string;
  /** Its name for people, which buttons have. */
  readonly label: string;
  /** The issuer of its people's ids (see `PersonKey`). */
  readonly issuer: string;
  /** Where the browser is sent. The provider sends it back to `redirectUri`. */
  authorization(login: LoginSecrets, redirectUri: string): Promise<URL>;
  /** Redeems the code, once whatever happens, and asks for the person's profile. */
  exchange(answer: ProviderAnswer, redirectUri: string): Promise<SocialProfile>;
}

/** The providers that are set up; the first is the default. */
export type SocialProviders = readonly SocialProvider[];

/**
 * The provider of this name; null: the default. Fails with invalid when this provider, or any, is not set up.
 */
export function chooseProvider(providers: SocialProviders, name: string | null): SocialProvider {
  const [first] = providers;
  if (first === undefined) throw refusals.noProvider();
  const found = name === null ? first : providers.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw refusals.unknownProvider(providers.map((one) => one.name).join(" or "));
}

/** The failure for a provider that is down, slow or sends an invalid answer. `facts` never holds a secret. */
export function providerFailed(provider: string, reason: string, facts: LogFields = {}): AppError {
  return refusals.providerFails(provider, { report: { provider, reason, ...facts } });
}

/** The failure for a provider that refuses, or whose answer belongs to another browser. */
export function providerRefused(provider: string, reason: string, facts: LogFields = {}): AppError {
  return refusals.providerRefuses(provider, { report: { provider, reason, ...facts } });
}
