import { Elysia } from "elysia";
import type { Clock } from "../../../kernel/clock.ts";
import type { PasswordHasher } from "../../../domain/ports.ts";
import { signIn } from "../../../domain/sessions/sign-in.ts";
import { signOut } from "../../../domain/sessions/session.ts";
import type { Reads, Transact } from "../../../domain/stores.ts";
import { jsonReader } from "../../body.ts";
import { emptyEnvelope, ok } from "../../envelope.ts";
import { memberGuard } from "../../session.ts";
import type { Tokens } from "../../tokens.ts";
import { loginBody, tokenEnvelope } from "./schema.ts";

export type AuthDeps = {
  readonly reads: Reads;
  readonly transact: Transact;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  readonly tokens: Tokens;
  /** Base of the pages that `url` values point to. */
  readonly siteUrl: () => string;
};

/** `/api/auth` (contract, Auth). */
export function authRoutes(deps: AuthDeps) {
  const open = new Elysia().use(jsonReader()).post(
    "/login",
    async ({ body }) => {
      const signedIn = await signIn(deps, { login: body.username, password: body.password });
      const unfinished = signedIn.member.player === null;
      const next = unfinished ? `${deps.siteUrl()}/registerfinish` : null;
      return ok("Login successful", { jwt: await deps.tokens.issue(signedIn) }, next);
    },
    {
      body: loginBody,
      response: { 200: tokenEnvelope },
      detail: { summary: "Sign in with a username or mail address and a password" },
    },
  );

  const signedIn = new Elysia().use(memberGuard(deps)).post(
    "/logout",
    async ({ member }) => {
      await signOut(deps, member.sessionId);
      return ok("Logout successful", {});
    },
    { response: { 200: emptyEnvelope }, detail: { summary: "End this session" } },
  );

  return new Elysia({ prefix: "/api/auth", tags: ["Auth"] })
    .headers({ "cache-control": "no-store" })
    .use(open)
    .use(signedIn);
}
