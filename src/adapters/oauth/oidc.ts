import {
  providerFailed,
  providerRefused,
  type ProviderAnswer,
  type SocialProvider,
} from "../../domain/social/provider.ts";
import { issuerMetadata, type IssuerMetadata } from "./discovery.ts";
import type { Resolve } from "./host-places.ts";
import { idTokenVerifier } from "./id-token.ts";
import { authorizationUrl, redeemCode, type Endpoints } from "./oauth-client.ts";
import { profileOf, type RawProfile } from "./profile.ts";
import type { ProviderAccess } from "./provider-access.ts";
import { askRecord, type ProviderCall, type JsonRecord } from "./provider-http.ts";

/**
 * Any OpenID Connect issuer. Its configuration is read at the first sign-in, so the server starts even while
 * the issuer is down.
 */
export function oidcProvider(
  access: ProviderAccess,
  { timeLimitMs, resolve }: { readonly timeLimitMs: number; readonly resolve: Resolve },
): SocialProvider {
  const { provider: name, label, issuer, baseUrl, clientId } = access;
  const begin = (): ProviderCall => ({ provider: name, signal: AbortSignal.timeout(timeLimitMs) });
  const metadataOf = issuerMetadata({ issuer, baseUrl, resolve });
  const verify = idTokenVerifier();

  return {
    name,
    label,
    issuer,
    authorization: async (login, redirectUri) => {
      const metadata = await metadataOf(begin());
      const url = authorizationUrl(endpointsOf(metadata), access, login, redirectUri);
      url.searchParams.set("nonce", nonceOf(login.verifier));
      return url;
    },
    exchange: async (answer, redirectUri) => {
      const call = begin();
      const metadata = await metadataOf(call);
      checkIssuer(name, issuer, metadata, answer);
      const tokens = await redeemCode(call, endpointsOf(metadata), access, {
        ...answer,
        redirectUri,
      });
      const nonce = answer.login === null ? null : nonceOf(answer.login.verifier);
      const claims =
        "id_token" in tokens.data
          ? await verify(call, String(tokens.data.id_token), metadata, { issuer, clientId, nonce })
          : null;
      const userinfo = await askUserinfo(call, metadata, tokens.accessToken());
      return profileOf(access, rawProfile(call, claims, userinfo));
    },
  };
}

function endpointsOf({ authorization, token, takesBasic }: IssuerMetadata): Endpoints {
  const authentication = takesBasic ? "basic" : "form";
  return { authorization, token, scopes: ["openid", "profile", "email"], authentication };
}

/** Ties the ID token to the login. Derived from the verifier, so it need not be stored. */
function nonceOf(verifier: string): string {
  return new Bun.CryptoHasher("sha256").update(`nonce ${verifier}`).digest("base64url");
}

/**
 * A code from another issuer must not be sent to this one (RFC 9207). A website that began the login itself
 * sends only the code, after it checked the issuer.
 */
function checkIssuer(
  provider: string,
  issuer: string,
  { namesItself }: IssuerMetadata,
  answer: ProviderAnswer,
): void {
  if (answer.issuer === issuer) return;
  if (answer.issuer === null && (!namesItself || answer.login === null)) return;
  throw providerRefused(provider, "another issuer answers");
}

async function askUserinfo(
  call: ProviderCall,
  { userinfo }: IssuerMetadata,
  token: string,
): Promise<JsonRecord | null> {
  if (userinfo === null) return null;
  return askRecord(call, userinfo, { headers: { authorization: `Bearer ${token}` } });
}

/** Userinfo about another person than the ID token must not be used (OpenID Connect Core 5.3.2). */
function rawProfile(
  { provider }: ProviderCall,
  claims: JsonRecord | null,
  userinfo: JsonRecord | null,
): RawProfile {
  if (claims !== null && userinfo !== null && claims["sub"] !== userinfo["sub"]) {
    throw providerFailed(provider, "userinfo is about another person than the ID token");
  }
  const raw = { ...claims, ...userinfo };
  // Each document vouches for its own address only. Userinfo is the newer one.
  const voucher = [userinfo, claims].find((document) => document?.["email_verified"] !== undefined);
  return {
    id: raw["sub"],
    username: raw["preferred_username"] ?? raw["nickname"] ?? raw["name"],
    avatar: raw["picture"],
    verifiedMail: voucher?.["email_verified"] === true ? voucher["email"] : null,
  };
}
