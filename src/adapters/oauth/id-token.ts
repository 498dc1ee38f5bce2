import {
  createRemoteJWKSet,
  customFetch,
  errors,
  jwksCache,
  jwtVerify,
  type JWKSCacheInput,
  type JWTVerifyGetKey,
} from "jose";
import { providerFailed } from "../../domain/social/provider.ts";
import { askRecord, type ProviderCall, type JsonRecord } from "./provider-http.ts";
import type { IssuerMetadata } from "./discovery.ts";

/** Signatures with keys that only the issuer has; shared secrets and "none" are refused. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
/** How far the two machines' clocks may differ. */
const clockToleranceSeconds = 60;

/** What an ID token must name. */
export type IdTokenRules = {
  readonly issuer: string;
  readonly clientId: string;
  /** The login's nonce; null when a website began the login itself. */
  readonly nonce: string | null;
};

export type VerifyIdToken = (
  call: ProviderCall,
  token: string,
  metadata: IssuerMetadata,
  rules: IdTokenRules,
) => Promise<JsonRecord>;

/** An issuer may change its keys. */
const keysKeptMs = 60 * 60 * 1000;

/**
 * Verifies ID tokens (OpenID Connect Core 3.1.3.7) with the issuer's keys, and returns their claims. Keys are
 * cached, and fetched again for a token that is signed with an unknown key.
 */
export function idTokenVerifier(): VerifyIdToken {
  const cache: JWKSCacheInput = {};

  return async (call, token, metadata, rules) => {
    const keyFor = createRemoteJWKSet(new URL(metadata.keys), {
      [jwksCache]: cache,
      // Within the bounds of every request to a provider; jose's own would follow redirects.
      [customFetch]: async (url) => Response.json(await askRecord(call, url)),
      cacheMaxAge: keysKeptMs,
      cooldownDuration: 0,
    });
    try {
      return await checked(token, keyFor, rules);
    } catch (cause) {
      throw refused(call, cause);
    }
  };
}

async function checked(token: string, keyFor: JWTVerifyGetKey, rules: IdTokenRules): Promise<JsonRecord> {
  const { issuer, clientId, nonce } = rules;
  const { payload } = await jwtVerify(token, keyFor, {
    algorithms,
    issuer,
    audience: clientId,
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ["exp", "iat", "sub"],
  });
  const isForOthersToo = Array.isArray(payload.aud) && payload.aud.length > 1;
  const { azp } = payload;
  if ((isForOthersToo || azp !== undefined) && azp !== clientId) throw new errors.JWTInvalid("azp");
  if (nonce !== null && payload["nonce"] !== nonce) throw new errors.JWTInvalid("nonce");
  return payload;
}

/** jose's errors name a claim or a code, never the token. */
function refused({ provider }: ProviderCall, cause: unknown): unknown {
  if (!(cause instanceof errors.JOSEError)) return cause;
  const { code, message } = cause;
  return providerFailed(provider, "the ID token is not valid", {
    error_code: code,
    detail: message.slice(0, 200),
  });
}
