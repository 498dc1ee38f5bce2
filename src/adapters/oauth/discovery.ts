import { providerFailed } from "../../domain/social/provider.ts";
import { isNearer, placeOfHost, type Resolve } from "./host-places.ts";
import { isPrivateAddress } from "./provider-access.ts";
import { askRecord, textOf, type Conversation } from "./provider-http.ts";

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

/** Where an issuer is asked about itself. */
export type IssuerAddress = {
  readonly issuer: string;
  /** Where its configuration is found; null: at the issuer's own address. */
  readonly baseUrl: string | null;
  readonly resolve: Resolve;
};

/** Asks an issuer about itself, at another address where one is given. Whoever answers must be the issuer by its own words. */
export async function discover(
  conversation: Conversation,
  { issuer, baseUrl, resolve }: IssuerAddress,
): Promise<IssuerMetadata> {
  const base = (baseUrl ?? issuer).replace(/\/$/, "");
  const document = await askRecord(conversation, `${base}/.well-known/openid-configuration`);
  if (document["issuer"] !== issuer) throw providerFailed(conversation.provider, "another issuer answers");
  const own = new URL(issuer).hostname;
  const place = (hostname: string) => inTime(conversation, placeOfHost(hostname, resolve));
  const issuerPlace = await place(own);
  const endpoint = async (name: string): Promise<string> => {
    const text = textOf(document[name]) ?? "";
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url !== null && isPrivateAddress(url)) {
      // Nobody may send us nearer than they are themselves: other services listen there.
      const isNear = url.hostname !== own && isNearer(await place(url.hostname), issuerPlace);
      if (!isNear) return text;
    }
    throw providerFailed(conversation.provider, `no usable ${name} in the issuer's configuration`);
  };
  const methods = document["token_endpoint_auth_methods_supported"];
  return {
    authorization: await endpoint("authorization_endpoint"),
    token: await endpoint("token_endpoint"),
    keys: await endpoint("jwks_uri"),
    userinfo: document["userinfo_endpoint"] === undefined ? null : await endpoint("userinfo_endpoint"),
    // What holds when the document does not say.
    takesBasic: !Array.isArray(methods) || methods.includes("client_secret_basic"),
    namesItself: document["authorization_response_iss_parameter_supported"] === true,
  };
}

/** The system asks for names as long as it likes. */
async function inTime<Value>({ provider, signal }: Conversation, work: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const stop = () => reject(providerFailed(provider, "no answer in time"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) stop();
    return await Promise.race([work, late]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
