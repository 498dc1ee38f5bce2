import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from "jose";
import { clientId } from "./provider-shapes.ts";

/** What an issuer of OpenID Connect answers; tests change what they are about. */
export type IssuerAnswers = {
  metadata: Record<string, unknown>;
  /** The claims of the ID token; null: none comes. */
  claims: JWTPayload | null;
  userinfo: unknown;
  /** Makes the ID token of the claims. */
  sign: (claims: JWTPayload) => Promise<string> | string;
  keys: readonly JWK[];
};

export type FakeIssuer = AsyncDisposable & {
  readonly url: string;
  readonly answers: IssuerAnswers;
  /** The paths that were asked for, in order. */
  readonly asked: readonly string[];
  /** Another signing key, under this name, and its public half. */
  readonly newKey: (kid: string) => Promise<{ sign: IssuerAnswers["sign"]; key: JWK }>;
};

/** An issuer that says whatever a test wants. It takes every code. */
export async function startFakeIssuer(): Promise<FakeIssuer> {
  const asked: string[] = [];
  const { sign, key } = await newKey("first");
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      if (pathname === "/.well-known/openid-configuration") return Response.json(answers.metadata);
      if (pathname === "/keys") return Response.json({ keys: answers.keys });
      if (pathname === "/me") return Response.json(answers.userinfo);
      if (pathname !== "/token") return new Response("not here", { status: 404 });
      const { claims } = answers;
      const idToken = claims === null ? {} : { id_token: await answers.sign(claims) };
      return Response.json({ access_token: "t", token_type: "Bearer", ...idToken });
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  const now = Math.floor(Date.now() / 1000);
  const answers: IssuerAnswers = {
    metadata: {
      issuer: url,
      authorization_endpoint: `${url}/auth`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/keys`,
      userinfo_endpoint: `${url}/me`,
    },
    claims: { iss: url, aud: clientId, sub: "anna", iat: now, exp: now + 600 },
    userinfo: { sub: "anna", preferred_username: "anna" },
    sign,
    keys: [key],
  };
  return { url, answers, asked, newKey, [Symbol.asyncDispose]: () => server.stop(true) };
}

async function newKey(kid: string): Promise<{ sign: IssuerAnswers["sign"]; key: JWK }> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  return {
    sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid }).sign(privateKey),
    key: { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" },
  };
}
