import { createLocalJWKSet, errors, jwtVerify, type JSONWebKeySet } from "jose";
import { providerFailed } from "../../domain/social/provider.ts";
import { askRecord, type Conversation, type JsonRecord } from "./provider-http.ts";
import { remembered, type IssuerMetadata } from "./discovery.ts";

/** Signatures by keys that only the issuer has; those by shared secrets and "none" are refused. */
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
/** How far two machines' clocks may be apart. */
const clockToleranceSeconds = 60;

/** What an ID token must be for. */
export type IdTokenRules = {
  readonly issuer: string;
  readonly clientId: string;
  /** What the login was begun with; null when others began it. */
  readonly nonce: string | null;
};

type FindKey = (...token: Parameters<ReturnType<typeof createLocalJWKSet>>) => Promise<CryptoKey>;

export type VerifyIdToken = (
  conversation: Conversation,
  token: string,
  metadata: IssuerMetadata,
  rules: IdTokenRules,
) => Promise<JsonRecord>;

/**
 * Checks ID tokens (OpenID Connect Core 3.1.3.7) with the issuer's keys, and gives their claims. Keys are remembered, and asked for
 * again when a token is signed by one that is not among them.
 */
export function idTokenVerifier(): VerifyIdToken {
  const keys = remembered(loadKeys);

  return async (conversation, token, metadata, rules) => {
    const keyFor: FindKey = async (header, input) => {
      const find = async () => createLocalJWKSet(await keys.get(conversation, metadata))(header, input);
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
      throw refused(conversation, cause);
    }
  };
}

async function loadKeys(
  conversation: Conversation,
  { keys: address }: IssuerMetadata,
): Promise<JSONWebKeySet> {
  const { keys } = await askRecord(conversation, address);
  return { keys } as JSONWebKeySet; // jose looks at what it is given
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
function refused({ provider }: Conversation, cause: unknown): unknown {
  if (!(cause instanceof errors.JOSEError)) return cause;
  const { code, message } = cause;
  return providerFailed(provider, "the ID token is not valid", {
    error_code: code,
    detail: message.slice(0, 200),
  });
}
