import { Elysia } from "elysia";
import {
  changePassword,
  changeUsername,
  confirmMailChange,
  requestMailChange,
} from "../../../domain/accounts/change-account.ts";
import type { Pages } from "../../../domain/accounts/pages.ts";
import { finishRegistration } from "../../../domain/accounts/register.ts";
import type { CodeSending } from "../../../domain/accounts/issue-code.ts";
import type { RateLimits } from "../../../domain/limits/rate-limits.ts";
import type { PasswordHasher } from "../../../domain/ports/password-hasher.ts";
import type { SignedInMember } from "../../../domain/sessions/session.ts";
import { limitByAddress } from "../../address-limits.ts";
import { jsonReader } from "../../body.ts";
import { emptyEnvelope, ok } from "../../envelope.ts";
import { describe } from "../../openapi/describe.ts";
import type { AttemptBy } from "../../password-attempts.ts";
import { memberGuard, playerGuard, type GuardDeps } from "../../session.ts";
import { finishBody, mailBody, mailCodeBody, passwordBody, usernameBody } from "./schema.ts";

export type AccountDeps = GuardDeps & {
  readonly hasher: PasswordHasher;
  readonly codes: CodeSending;
  readonly uniformAnswers: boolean;
  readonly pages: () => Pages;
  readonly limits: RateLimits;
  readonly attemptBy: AttemptBy;
  readonly usernamePattern: RegExp;
  readonly nameHoldSeconds: number;
  readonly renameSeconds: number;
  readonly clientAddress: (request: Request) => string;
};

/** Finishing a registration, and changes of name, password and mail (contract, Home). */
export function accountRoutes(deps: AccountDeps) {
  return new Elysia().use(finishRoute(deps)).use(credentialRoutes(deps)).use(mailRoutes(deps));
}

function finishRoute(deps: AccountDeps) {
  return new Elysia()
    .use(memberGuard(deps))
    .use(limitByAddress(deps, deps.limits.finish.take))
    .use(jsonReader())
    .post(
      "/registerfinish",
      async ({ actor, member, body }) => {
        await finishRegistration(deps, actor, member, body);
        return ok("Registration finished", {});
      },
      {
        body: finishBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "finishRegistration",
          summary: "Choose a name and a password, once",
          who: "members",
          msg: "Registration finished",
          errors: { conflict: "This registration is finished already" },
        }),
      },
    );
}

function credentialRoutes(deps: AccountDeps) {
  return new Elysia()
    .use(playerGuard(deps))
    .use(jsonReader())
    .patch(
      "/edit/username",
      async ({ actor, member, body, request }) => {
        await changeUsername({ ...deps, attempt: attemptOf(deps, request, member) }, actor, member, body);
        return ok("Username change successfully", {});
      },
      {
        body: usernameBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "changeUsername",
          summary: "Take another name",
          description:
            "The old name is held for a while, so that nobody passes for you. Once in 24 hours, unless the operator says otherwise; staff are not bound.",
          who: "players",
          msg: "Username change successfully",
        }),
      },
    )
    .patch(
      "/edit/password",
      async ({ actor, member, body, request }) => {
        const input = { password: body.password, newPassword: body.newpassword };
        await changePassword({ ...deps, attempt: attemptOf(deps, request, member) }, actor, member, input);
        return ok("Password change successfully", {});
      },
      {
        body: passwordBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "changePassword",
          summary: "Set a new password",
          description: "Ends all other sessions of yours.",
          who: "players",
          msg: "Password change successfully",
        }),
      },
    );
}

function mailRoutes(deps: AccountDeps) {
  const requesting = new Elysia()
    .use(playerGuard(deps))
    .use(jsonReader())
    .post(
      "/mail/request",
      async ({ actor, member, body, request }) => {
        const attempt = attemptOf(deps, request, member);
        const input = { ...body, address: deps.clientAddress(request) };
        await requestMailChange({ ...deps, pages: deps.pages(), attempt }, actor, member, input);
        return ok("Mail change request successfully", {});
      },
      {
        body: mailBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "requestMailChange",
          summary: "Mail a code to a new address",
          who: "players",
          msg: "Mail change request successfully",
        }),
      },
    );
  const validating = new Elysia()
    .use(playerGuard(deps))
    .use(limitByAddress(deps, deps.limits.code.take))
    .use(jsonReader())
    .post(
      "/mail/validate",
      async ({ actor, member, body, request }) => {
        const attempt = attemptOf(deps, request, member);
        await confirmMailChange({ ...deps, attempt }, actor, member, body);
        return ok("Mail change successfully", {});
      },
      {
        body: mailCodeBody,
        response: { 200: emptyEnvelope },
        detail: describe({
          operationId: "confirmMailChange",
          summary: "Take the new address",
          description: "Ends all other sessions of yours, and tells the old address.",
          who: "players",
          msg: "Mail change successfully",
        }),
      },
    );
  return new Elysia().use(requesting).use(validating);
}

/** A try at the member's current password. */
export function attemptOf(deps: Pick<AccountDeps, "attemptBy">, request: Request, member: SignedInMember) {
  return deps.attemptBy(request, member.account.uuid);
}
