import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import { clientId, clientSecret } from "./provider-shapes.ts";

/**
 * An identity provider that is none of ours, certified, with its own login pages: any name and password are taken. PKCE is
 * required, and it names itself in its answers.
 */
export type OidcServer = AsyncDisposable & { readonly issuer: string };

export async function startOidcServer(redirectUri: string): Promise<OidcServer> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, so it has one
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    pkce: { required: () => true },
    cookies: { keys: ["a key for cookies that nobody has to trust"] },
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
  server.on("request", (request, response) => void handle(request, response));
  return {
    issuer,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
