import { CodeChallengeMethod, OAuth2Client, OAuth2Tokens } from "arctic";
import {
  providerFailed,
  providerRefused,
  type LoginSecrets,
  type ProviderAnswer,
} from "../../domain/social/provider.ts";
import type { ProviderAccess } from "./provider-access.ts";
import { askJson, recordOf, textOf, unexpected, type ProviderCall } from "./provider-http.ts";

/** A provider's OAuth 2.0 endpoints and what they require. */
export type Endpoints = {
  readonly authorization: string;
  readonly token: string;
  readonly scopes: readonly string[];
  /** How the client authenticates: in a header, or in the form (RFC 6749 2.3.1). */
  readonly authentication: "basic" | "form";
};

/** The client's credentials at the provider. */
export type ClientAccess = Pick<ProviderAccess, "clientId" | "clientSecret">;

/** The address to send the browser to, with PKCE by S256 (RFC 7636). */
export function authorizationUrl(
  { authorization, scopes }: Endpoints,
  { clientId }: ClientAccess,
  { state, verifier }: LoginSecrets,
  redirectUri: string,
): URL {
  const client = new OAuth2Client(clientId, null, redirectUri);
  const { S256 } = CodeChallengeMethod;
  return client.createAuthorizationURLWithPKCE(authorization, state, S256, verifier, [...scopes]);
}

/**
 * Redeems a code (RFC 6749 4.1.3). The request is our own: arctic's follows redirects with the secret in it,
 * and limits neither time nor bytes. Fails as `providerRefused` does when the provider rejects the code, else
 * as `providerFailed`.
 */
export async function redeemCode(
  call: ProviderCall,
  endpoints: Endpoints,
  access: ClientAccess,
  { code, login, redirectUri }: ProviderAnswer & { readonly redirectUri: string },
): Promise<OAuth2Tokens> {
  const { headers, fields } = credentials(endpoints, access);
  const proof = login === null ? {} : { code_verifier: login.verifier };
  const grant = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
  const form = new URLSearchParams({ ...grant, ...proof, ...fields });
  const answer = await askJson(call, endpoints.token, { headers, form });
  const body = recordOf(answer.body) ?? {};
  const error = textOf(body["error"]);
  if (answer.status === 200 && error === null) return readTokens(call, body);
  // GitHub rejects a code with status 200, Twitch without an error code.
  const isAboutCode = [200, 400].includes(answer.status) && !aboutClient.has(error ?? "");
  if (!isAboutCode) throw unexpected(call, endpoints.token, answer);
  const facts = { status: answer.status, error_code: error?.slice(0, 64) ?? null };
  throw providerRefused(call.provider, "the provider does not take the code", facts);
}

/** Errors that only the operator can fix, whatever the code. */
const aboutClient: ReadonlySet<string> = new Set([
  "incorrect_client_credentials",
  "invalid_client",
  "invalid_scope",
  "redirect_uri_mismatch",
  "unauthorized_client",
  "unsupported_grant_type",
]);

function readTokens({ provider }: ProviderCall, body: object): OAuth2Tokens {
  const tokens = new OAuth2Tokens(body);
  const token = "access_token" in body ? textOf(body.access_token) : null;
  // Other characters are not allowed in a header (RFC 6750 2.1).
  if (token === null || !/^[\x21-\x7e]+$/.test(token)) throw providerFailed(provider, "no access token");
  return tokens;
}

function credentials(
  { authentication }: Endpoints,
  { clientId, clientSecret }: ClientAccess,
): { readonly headers: Record<string, string>; readonly fields: Record<string, string> } {
  if (authentication === "form") {
    return { headers: {}, fields: { client_id: clientId, client_secret: clientSecret } };
  }
  const pair = [clientId, clientSecret].map(formEncode).join(":");
  return { headers: { authorization: `Basic ${btoa(pair)}` }, fields: {} };
}

/** Both halves are form-encoded before they are joined (RFC 6749 2.3.1). */
function formEncode(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}
