import { openProviders } from "../adapters/oauth/providers.ts";
import { createLoginStates, type KeyedHash, type LoginStates } from "../domain/social/login-states.ts";
import type { SocialProviders } from "../domain/social/provider.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "./config.ts";
import { keyedHash, type Secret } from "./secrets.ts";

/** How long one sign-in may keep a provider busy, all its requests together (decisions, Social). */
const exchangeMs = 10_000;

/** What social login works with, beside the database. Nothing is asked of a provider before somebody signs in there. */
export function openSocial(options: {
  readonly config: Pick<Config, "social" | "socialBareCodes">;
  readonly jwtSecret: Secret;
  readonly clock: Clock;
  /** For tests that do not want to wait. */
  readonly timeLimitMs?: number;
  /** For tests without a network: the addresses of a name. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}): {
  readonly providers: SocialProviders;
  readonly loginStates: LoginStates;
  readonly connectionHash: KeyedHash;
  readonly bareCodes: boolean;
} {
  const { config, jwtSecret, clock } = options;
  const accesses = config.social.map(({ clientSecret, ...access }) => ({
    ...access,
    clientSecret: clientSecret.reveal(),
  }));
  return {
    providers: openProviders(accesses, {
      timeLimitMs: options.timeLimitMs ?? exchangeMs,
      ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
    }),
    loginStates: createLoginStates({ hash: keyedHash(jwtSecret, "cloakroom social logins"), clock }),
    bareCodes: config.socialBareCodes,
    connectionHash: keyedHash(jwtSecret, "cloakroom social connections"),
  };
}
