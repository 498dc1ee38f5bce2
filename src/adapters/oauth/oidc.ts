import {
  providerFailed,
  providerRefused,
  type ProviderAnswer,
  type SocialProvider,
} from "../../domain/social/provider.ts";
import { discover, remembered, type IssuerMetadata } from "./discovery.ts";
import type { Resolve } from "./host-places.ts";
import { idTokenVerifier } from "./id-token.ts";
import { authorizationUrl, redeemCode, type Endpoints } from "./oauth-client.ts";
import { profileOf, type ToldProfile } from "./profile.ts";
import type { ProviderAccess } from "./provider-access.ts";
import { askRecord, type Conversation, type JsonRecord } from "./provider-http.ts";

/**
 * Any issuer of OpenID Connect. What it says of itself is asked for when somebody first signs in, so that an issuer that is
 * down keeps nobody from starting.
 */
export function oidcProvider(
  access: ProviderAccess,
  { timeLimitMs, resolve }: { readonly timeLimitMs: number; readonly resolve: Resolve },
): SocialProvider {
  const { provider: name, issuer, baseUrl, clientId } = access;
  const begin = (): Conversation => ({ provider: name, signal: AbortSignal.timeout(timeLimitMs) });
  const metadataOf = remembered((conversation) => discover(conversation, { issuer, baseUrl, resolve }));
  const verify = idTokenVerifier();

  return {
    name,
    issuer,
    authorization: async (login, redirectUri) => {
      const metadata = await metadataOf.get(begin());
      const url = authorizationUrl(endpointsOf(metadata), access, login, redirectUri);
      url.searchParams.set("nonce", nonceOf(login.verifier));
      return url;
    },
    exchange: async (answer, redirectUri) => {
      const conversation = begin();
      const metadata = await metadataOf.get(conversation);
      checkIssuer(name, issuer, metadata, answer);
      const tokens = await redeemCode(conversation, endpointsOf(metadata), access, {
        ...answer,
        redirectUri,
      });
      const nonce = answer.login === null ? null : nonceOf(answer.login.verifier);
      const claims =
        "id_token" in tokens.data
          ? await verify(conversation, String(tokens.data.id_token), metadata, { issuer, clientId, nonce })
          : null;
      const userinfo = await askUserinfo(conversation, metadata, tokens.accessToken());
      return profileOf(access, toldProfile(conversation, claims, userinfo));
    },
  };
}

function endpointsOf({ authorization, token, takesBasic }: IssuerMetadata): Endpoints {
  const authentication = takesBasic ? "basic" : "form";
  return { authorization, token, scopes: ["openid", "profile", "email"], authentication };
}

/** Ties the ID token to the login. Made from the verifier, so that nothing more has to be kept. */
function nonceOf(verifier: string): string {
  return new Bun.CryptoHasher("sha256").update(`nonce ${verifier}`).digest("base64url");
}

/**
 * A code that another issuer gave must not be sent to this one (RFC 9207). A website that began the login itself brings the code alone and
 * has looked at the issuer.
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
  conversation: Conversation,
  { userinfo }: IssuerMetadata,
  token: string,
): Promise<JsonRecord | null> {
  if (userinfo === null) return null;
  return askRecord(conversation, userinfo, { headers: { authorization: `Bearer ${token}` } });
}

/** Userinfo about somebody else than the ID token must not be used (OpenID Connect Core 5.3.2). */
function toldProfile(
  { provider }: Conversation,
  claims: JsonRecord | null,
  userinfo: JsonRecord | null,
): ToldProfile {
  if (claims !== null && userinfo !== null && claims["sub"] !== userinfo["sub"]) {
    throw providerFailed(provider, "userinfo is about another person than the ID token");
  }
  const told = { ...claims, ...userinfo };
  return {
    id: told["sub"],
    username: told["preferred_username"] ?? told["nickname"] ?? told["name"],
    avatar: told["picture"],
    verifiedMail: told["email_verified"] === true ? told["email"] : null,
  };
}
