import { createLocalJWKSet, errors, jwtVerify, type JSONWebKeySet } from "jose";
import { providerFailed } from "../../domain/social/provider.ts";
import { askRecord, type ProviderCall, type JsonRecord } from "./provider-http.ts";
import { cached, type IssuerMetadata } from "./discovery.ts";

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

type FindKey = (...token: Parameters<ReturnType<typeof createLocalJWKSet>>) => Promise<CryptoKey>;

export type VerifyIdToken = (
  call: ProviderCall,
  token: string,
  metadata: IssuerMetadata,
  rules: IdTokenRules,
) => Promise<JsonRecord>;

/**
 * Verifies ID tokens (OpenID Connect Core 3.1.3.7) with the issuer's keys, and returns their claims. Keys are cached, and
 * fetched again for a token that is signed with an unknown key.
 */
export function idTokenVerifier(): VerifyIdToken {
  const keys = cached(loadKeys);

  return async (call, token, metadata, rules) => {
    const keyFor: FindKey = async (header, input) => {
      const find = async () => createLocalJWKSet(await keys.get(call, metadata))(header, input);
      try {
        return await find();
      } catch (cause) {
        if (!(cause instanceof errors.JWKSNoMatchingKey)) throw cause;
        keys.forget();
        return find();
      }
    };
    try {
      return await checked(token, keyFor, rules);
    } catch (cause) {
      throw refused(call, cause);
    }
  };
}

async function loadKeys(call: ProviderCall, { keys: address }: IssuerMetadata): Promise<JSONWebKeySet> {
  const { keys } = await askRecord(call, address);
  return { keys } as JSONWebKeySet; // jose validates it
}

async function checked(token: string, keyFor: FindKey, rules: IdTokenRules): Promise<JsonRecord> {
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
