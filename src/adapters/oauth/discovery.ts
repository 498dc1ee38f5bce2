import { providerFailed } from "../../domain/social/provider.ts";
import { isNearer, placeOfHost, type Resolve } from "./host-places.ts";
import { isPrivateAddress } from "./provider-access.ts";
import { askRecord, textOf, type ProviderCall } from "./provider-http.ts";

/** An issuer's configuration (OpenID Connect Discovery 3). */
export type IssuerMetadata = {
  readonly authorization: string;
  readonly token: string;
  readonly keys: string;
  readonly userinfo: string | null;
  readonly takesBasic: boolean;
  /** Whether every answer names the issuer (RFC 9207 3). */
  readonly namesItself: boolean;
};

/** Where an issuer's configuration is read. */
type IssuerAddress = {
  readonly issuer: string;
  /** The base address of its configuration; null: the issuer's own. */
  readonly baseUrl: string | null;
  readonly resolve: Resolve;
};

/** An issuer may move its endpoints. */
const keptMs = 60 * 60 * 1000;

/** Reads an issuer's configuration and caches it for an hour. Failures are not cached. */
export function issuerMetadata(address: IssuerAddress): (call: ProviderCall) => Promise<IssuerMetadata> {
  let kept: { readonly value: IssuerMetadata; readonly until: number } | null = null;
  return async (call) => {
    if (kept !== null && kept.until > performance.now()) return kept.value;
    const value = await discover(call, address);
    kept = { value, until: performance.now() + keptMs };
    return value;
  };
}

/** Reads an issuer's configuration. The document must name this issuer. */
async function discover(
  call: ProviderCall,
  { issuer, baseUrl, resolve }: IssuerAddress,
): Promise<IssuerMetadata> {
  const base = (baseUrl ?? issuer).replace(/\/$/, "");
  const document = await askRecord(call, `${base}/.well-known/openid-configuration`);
  if (document["issuer"] !== issuer) throw providerFailed(call.provider, "another issuer answers");
  const own = new URL(issuer).hostname;
  const place = (hostname: string) => inTime(call, placeOfHost(hostname, resolve));
  const issuerPlace = await place(own);
  const endpoint = async (name: string): Promise<string> => {
    const text = textOf(document[name]) ?? "";
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url !== null && isPrivateAddress(url)) {
      // An issuer must not direct our requests to hosts nearer to us than itself: internal services listen
      // there.
      const isNear = url.hostname !== own && isNearer(await place(url.hostname), issuerPlace);
      if (!isNear) return text;
    }
    throw providerFailed(call.provider, `no usable ${name} in the issuer's configuration`);
  };
  const methods = document["token_endpoint_auth_methods_supported"];
  return {
    authorization: await endpoint("authorization_endpoint"),
    token: await endpoint("token_endpoint"),
    keys: await endpoint("jwks_uri"),
    userinfo: document["userinfo_endpoint"] === undefined ? null : await endpoint("userinfo_endpoint"),
    // The default when the document does not say.
    takesBasic: !Array.isArray(methods) || methods.includes("client_secret_basic"),
    namesItself: document["authorization_response_iss_parameter_supported"] === true,
  };
}

/** Bounds the time of name lookups, which the system does not. */
async function inTime<Value>({ provider, signal }: ProviderCall, work: Promise<Value>): Promise<Value> {
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
