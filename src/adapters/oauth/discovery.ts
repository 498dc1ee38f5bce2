import { providerFailed } from "../../domain/social/provider.ts";
import { isLoopback, isNearby, isPrivateAddress } from "./provider-access.ts";
import { askRecord, textOf, type Conversation, type JsonRecord } from "./provider-http.ts";

/** What an issuer says of itself (OpenID Connect Discovery 3). */
export type IssuerMetadata = {
  readonly authorization: string;
  readonly token: string;
  readonly keys: string;
  readonly userinfo: string | null;
  readonly takesBasic: boolean;
  /** Whether it names itself in every answer (RFC 9207 3). */
  readonly namesItself: boolean;
};

/** An issuer may move its endpoints and change its keys; an hour later we follow. */
const keptMs = 60 * 60 * 1000;

/** Remembers what `load` gave for an hour, and asks again after a failure. */
export function remembered<Value, Subject extends readonly unknown[]>(
  load: (conversation: Conversation, ...subject: Subject) => Promise<Value>,
) {
  let kept: { readonly value: Value; readonly until: number } | null = null;
  return {
    get: async (conversation: Conversation, ...subject: Subject): Promise<Value> => {
      if (kept !== null && kept.until > performance.now()) return kept.value;
      const value = await load(conversation, ...subject);
      kept = { value, until: performance.now() + keptMs };
      return value;
    },
    forget: (): void => {
      kept = null;
    },
  };
}

/** Asks an issuer about itself, at another address where one is given. Whoever answers must be the issuer by its own words. */
export async function discover(
  conversation: Conversation,
  issuer: string,
  baseUrl: string | null,
): Promise<IssuerMetadata> {
  const base = (baseUrl ?? issuer).replace(/\/$/, "");
  const document = await askRecord(conversation, `${base}/.well-known/openid-configuration`);
  if (document["issuer"] !== issuer) throw providerFailed(conversation.provider, "another issuer answers");
  const endpoint = (name: string) => endpointOf(conversation, document, name, isOfThisMachine(issuer));
  const methods = document["token_endpoint_auth_methods_supported"];
  return {
    authorization: endpoint("authorization_endpoint"),
    token: endpoint("token_endpoint"),
    keys: endpoint("jwks_uri"),
    userinfo: document["userinfo_endpoint"] === undefined ? null : endpoint("userinfo_endpoint"),
    // What holds when the document does not say.
    takesBasic: !Array.isArray(methods) || methods.includes("client_secret_basic"),
    namesItself: document["authorization_response_iss_parameter_supported"] === true,
  };
}

function isOfThisMachine(issuer: string): boolean {
  return isLoopback(new URL(issuer).hostname);
}

/** An issuer elsewhere must not send us to this machine or its link, where other services listen. */
function endpointOf(
  { provider }: Conversation,
  document: JsonRecord,
  name: string,
  mayBeHere: boolean,
): string {
  const text = textOf(document[name]) ?? "";
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && isPrivateAddress(url) && (mayBeHere || !isNearby(url.hostname))) return text;
  throw providerFailed(provider, `no usable ${name} in the issuer's configuration`);
}
