import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { KoaContextWithOIDC } from "oidc-provider";
import { createMemoryAdapter } from "oidc-provider/lib/adapters/memory_adapter.js";
import { Provider } from "oidc-provider/lib/provider.js";
import { clientId, clientSecret } from "./provider-shapes.ts";

/**
 * An identity provider that is not ours, certified. Its login page takes any name and password and asks for
 * nothing else. PKCE is required, and it names itself in its answers.
 */
export type OidcServer = AsyncDisposable & { readonly issuer: string };

const loginPath = "/login/";

export async function startOidcServer(redirectUri: string): Promise<OidcServer> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, so it has one
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    adapter: createMemoryAdapter(),
    jwks: { keys: [{ ...newKey(), use: "sig", alg: "RS256" }] },
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `${loginPath}${uid}` },
    loadExistingGrant: grantAll,
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
    claims: {
      openid: ["sub"],
      profile: ["preferred_username", "picture"],
      email: ["email", "email_verified"],
    },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        preferred_username: id,
        picture: `https://pictures.example/${id}`,
        email: `${id}@example.net`,
        email_verified: true,
      }),
    }),
  });
  const handle = provider.callback();
  server.on("request", (request, response) => {
    const isLogin = request.url?.startsWith(loginPath) === true;
    void (isLogin ? logIn(provider, request, response) : handle(request, response));
  });
  return {
    issuer,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function newKey() {
  return generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });
}

/** Who signs in agrees to everything that is asked for. */
async function grantAll({ oidc }: KoaContextWithOIDC) {
  const { account, client, provider, params } = oidc;
  if (account === undefined || client === undefined) return undefined;
  const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
  grant.addOIDCScope(String(params?.["scope"]));
  await grant.save();
  return grant;
}

/** The login page, what its form sends, and its way back. */
async function logIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url?.endsWith("/abort") === true)
    return provider.interactionFinished(request, response, { error: "access_denied" });
  if (request.method !== "POST") {
    response.setHeader("content-type", "text/html");
    response.end(
      `<form action="${request.url}" method="post"></form><a href="${request.url}/abort">Turn back</a>`,
    );
    return;
  }
  const fields = new URLSearchParams(Buffer.concat(await Array.fromAsync(request)).toString());
  const accountId = fields.get("login") ?? "";
  await provider.interactionFinished(request, response, { login: { accountId } });
}
