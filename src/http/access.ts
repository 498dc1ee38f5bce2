import type { Clock } from "../kernel/clock.ts";
import { createCookies, type Cookies } from "./cookies.ts";
import { createOwnPages, type OwnPages } from "./own-pages.ts";
import type { RequestContexts } from "./request-context.ts";
import type { Site } from "./site.ts";
import { createClaimsReader, createTokens, type ReadClaims, type Tokens } from "./tokens.ts";

/** How requests show whose they are: tokens, cookies, and our own pages. */
export type Access = {
  readonly tokens: Tokens;
  readonly claimsOf: ReadClaims;
  readonly ownPages: OwnPages;
  readonly cookies: Cookies;
};

export function createAccess(options: {
  readonly site: Pick<Site, "ownOrigin" | "console" | "publicUrl">;
  readonly contexts: RequestContexts;
  readonly clock: Clock;
  /** The key of session tokens and the name of their issuer. */
  readonly jwt: { readonly secret: string; readonly issuer: string };
}): Access {
  const { site, contexts, clock, jwt } = options;
  const arrivedOf = (request: Request) => contexts.of(request).arrived;
  const ownPages = createOwnPages({ origin: site.ownOrigin, isOn: site.console !== null, arrivedOf });
  const cookies = createCookies(site.publicUrl);
  const tokens = createTokens({ ...jwt, clock });
  return { tokens, claimsOf: createClaimsReader({ tokens, ownPages, cookies }), ownPages, cookies };
}
