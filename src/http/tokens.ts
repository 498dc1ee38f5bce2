import { httpRefusals } from "./refusals.ts";
import { jwt } from "@elysiajs/jwt";
import { BoundedMap } from "../kernel/bounded-map.ts";
import type { Clock } from "../kernel/clock.ts";
import type { AppError } from "../kernel/errors.ts";
import { parseUuid, type SessionId, type Uuid } from "../kernel/ids.ts";
import type { Carrier } from "../domain/model/session.ts";
import type { SignedIn } from "../domain/sessions/open-session.ts";
import type { Cookies } from "./cookies.ts";
import type { OwnPages } from "./own-pages.ts";

/** The account and the session of a token, and when it ends (Unix seconds). */
export type Claims = {
  readonly sessionId: SessionId;
  readonly accountUuid: Uuid;
  readonly expiresAt: number;
};

export type Tokens = {
  /** The JWT of a fresh session (docs/contract/auth.md#tokens: claims `sub`, `sid`, `iat`, `exp`, `iss`). */
  readonly issue: (signedIn: Pick<SignedIn, "session" | "member">) => Promise<string>;
  /** The claims of the token in an `Authorization: Bearer` header. Fails with unauthenticated. */
  readonly read: (authorization: string | null) => Promise<Claims>;
};

/** The session that a request is made through, and where its token came from. Fails with unauthenticated. */
export type ReadClaims = (request: Request) => Promise<Claims & { readonly carrier: Carrier }>;

/**
 * Takes the token of the `Authorization: Bearer` header or, in a request of our own pages without this
 * header, of the console's cookie. This is the only place where a cookie stands for a member
 * (SECURITY.md#browsers). Which of the two counts for a session is the session's: see `carrierOf`.
 */
export function createClaimsReader(deps: {
  readonly tokens: Pick<Tokens, "read">;
  readonly ownPages: Pick<OwnPages, "sent">;
  readonly cookies: Pick<Cookies, "session">;
}): ReadClaims {
  const { tokens, ownPages, cookies } = deps;
  return (request) => {
    const authorization = request.headers.get("authorization");
    const cookie = authorization === null && ownPages.sent(request) ? cookies.session.read(request) : null;
    if (cookie === null)
      return tokens.read(authorization).then((claims) => ({ ...claims, carrier: "header" }));
    return tokens.read(`Bearer ${cookie}`).then((claims) => ({ ...claims, carrier: "cookie" }));
  };
}

/** A JWT of ours has some 300 characters; longer ones are refused without a signature check. */
const tokenLengthMax = 2048;

/**
 * Tokens with a verified signature are remembered, some 5 MB of them: verifying one costs three times as much
 * as the rest of a request. Whether the session still runs is looked up each time.
 */
const verifiedMax = 10_000;

/**
 * Signs and verifies JWTs with HS256 only, whatever a token's header asks for. A token is this community's by
 * its signature and by its session, whose random id has a row here and nowhere else. So one that was issued
 * under another PUBLIC_URL stays good: `iss` has to be a name that this program gives itself, and is not
 * compared with the present one.
 */
export function createTokens(options: {
  readonly secret: string;
  readonly issuer: string;
  readonly clock: Clock;
}): Tokens {
  const { issuer, clock } = options;
  const { sign, verify } = jwt({ secret: options.secret, alg: "HS256", iss: issuer }).decorator.jwt;

  const check = async (token: string): Promise<Claims> => {
    const payload = await verify(token, {
      algorithms: ["HS256"],
      requiredClaims: ["exp", "iss", "sub", "sid"],
      currentDate: new Date(clock.nowSeconds() * 1000),
    });
    const accountUuid = payload === false ? null : parseUuid(payload.sub ?? "");
    if (payload === false || accountUuid === null || !isOwnName(payload.iss)) throw notValid();
    if (typeof payload["sid"] !== "string") throw notValid();
    const sessionId = payload["sid"] as SessionId; // we signed it, so it is the id that we put there
    return { accountUuid, sessionId, expiresAt: payload.exp ?? 0 };
  };
  const verified = new BoundedMap<string, Claims>(verifiedMax);

  return {
    // The plugin writes `iat` itself, from the machine's clock.
    issue: ({ session, member }) =>
      sign({ sub: member.account.uuid, sid: session.id, iss: issuer, exp: session.expiresAt }),
    read: async (authorization) => {
      const token = bearerToken(authorization);
      let known = verified.get(token);
      if (known === undefined) verified.set(token, (known = await check(token)));
      if (known.expiresAt <= clock.nowSeconds()) throw notValid();
      return known;
    },
  };
}

/** The issuer of tokens where PUBLIC_URL is not set. */
export const namelessIssuer = "cloakroom";

/** Whether tokens may name it as their issuer: a value that PUBLIC_URL can have, or the name without one. */
function isOwnName(issuer: unknown): boolean {
  return issuer === namelessIssuer || (typeof issuer === "string" && /^https?:\/\/[^/]/.test(issuer));
}

export function notValid(): AppError {
  return httpRefusals.tokenInvalid();
}

function bearerToken(authorization: string | null): string {
  const [, token] = /^Bearer +([A-Za-z0-9_.-]+)$/i.exec((authorization ?? "").slice(0, tokenLengthMax)) ?? [];
  if (token === undefined) throw httpRefusals.noToken();
  return token;
}
