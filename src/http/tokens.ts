import { jwt } from "@elysiajs/jwt";
import { AppError } from "../kernel/errors.ts";
import { parseUuid, type SessionId, type Uuid } from "../kernel/ids.ts";
import type { SignedIn } from "../domain/sessions/sign-in.ts";

/** What a token says: whose it is, and which session it belongs to. */
export type Claims = { readonly sessionId: SessionId; readonly accountUuid: Uuid };

export type Tokens = {
  /** The JWT of a fresh session (decisions, Accounts: claims `sub`, `sid`, `iat`, `exp`, `iss`). */
  readonly issue: (signedIn: SignedIn) => Promise<string>;
  /** The claims of the token in an `Authorization: Bearer` header. Fails with unauthenticated. */
  readonly read: (authorization: string | null) => Promise<Claims>;
};

/** A JWT of ours has some 300 characters; nothing longer is worth a signature check. */
const tokenLengthMax = 2048;

/** Signs and checks JWTs with HS256, and with nothing else that a header may ask for. */
export function createTokens(options: { readonly secret: string; readonly issuer: string }): Tokens {
  const { issuer } = options;
  const { sign, verify } = jwt({ secret: options.secret, alg: "HS256", iss: issuer }).decorator.jwt;

  return {
    // The plugin writes `iat` itself, from the machine's clock.
    issue: ({ session, member }) =>
      sign({ sub: member.account.uuid, sid: session.id, iss: issuer, exp: session.expiresAt }),
    read: async (authorization) => {
      const token = bearerToken(authorization);
      const claims = await verify(token, {
        algorithms: ["HS256"],
        issuer,
        requiredClaims: ["exp", "sub", "sid"],
      });
      const accountUuid = claims === false ? null : parseUuid(claims.sub ?? "");
      if (claims === false || accountUuid === null || typeof claims["sid"] !== "string") {
        throw new AppError("unauthenticated", "The token is not valid or has expired; sign in again");
      }
      return { accountUuid, sessionId: claims["sid"] as SessionId }; // signed by us, so it is what we put there
    },
  };
}

function bearerToken(authorization: string | null): string {
  const [, token] = /^Bearer +([A-Za-z0-9_.-]+)$/i.exec((authorization ?? "").slice(0, tokenLengthMax)) ?? [];
  if (token === undefined)
    throw new AppError("unauthenticated", "Sign in: the Authorization header must be Bearer <JWT>");
  return token;
}
