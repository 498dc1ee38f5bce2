import { Elysia } from "elysia";
import type { Clock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { AccountId } from "../kernel/ids.ts";
import { playerOf, type Level } from "../domain/accounts/account.ts";
import { levelNeeded, mayAct, type StaffAction } from "../domain/policy.ts";
import type { Issuer } from "../domain/audit/audit.ts";
import type { SessionActivity } from "../domain/sessions/activity.ts";
import { resumeSession, type SignedInMember } from "../domain/sessions/session.ts";
import type { Reads } from "../domain/stores.ts";
import type { Tokens } from "./tokens.ts";

export type GuardDeps = {
  readonly reads: Reads;
  readonly clock: Clock;
  readonly activity: SessionActivity;
  readonly tokens: Tokens;
  readonly noteUser: NoteUser;
};

/** Keeps who a request comes from, for its line in the log. */
export type NoteUser = (request: Request, user: AccountId | Issuer) => void;

/**
 * Lets only signed-in members through and gives handlers the `member`. Like every guard it runs before the body is read
 * and before anything is validated, so a stranger learns nothing but 401.
 */
export function memberGuard(deps: GuardDeps) {
  const member = oncePerRequest((request) => resume(deps, request));
  return new Elysia()
    .onParse({ as: "scoped" }, async ({ request }) => void (await member(request)))
    .derive({ as: "scoped" }, async ({ request }) => ({ member: await member(request) }));
}

/** Lets only members through whose registration is finished (others: 403) and gives handlers their `player` as well. */
export function playerGuard(deps: GuardDeps) {
  const found = oncePerRequest(async (request) => {
    const member = await resume(deps, request);
    return { member, player: playerOf(member) };
  });
  return new Elysia()
    .onParse({ as: "scoped" }, async ({ request }) => void (await found(request)))
    .derive({ as: "scoped" }, async ({ request }) => ({ ...(await found(request)) }));
}

/**
 * Lets only members through whose level in force allows this (others: 403) and gives handlers the `issuer`, the audit's word
 * for who acts, and the session. It runs before anything is looked up, so who may not learns nothing of what there is.
 */
export function staffGuard(deps: GuardDeps, action: StaffAction) {
  const found = oncePerRequest(async (request) => {
    const member = await resume(deps, request);
    const { name } = playerOf(member);
    if (!mayAct(member.level, action)) throw new AppError("forbidden", staffRefusal(action, member.level));
    return { issuer: name, sessionId: member.sessionId };
  });
  return new Elysia()
    .onParse({ as: "scoped" }, async ({ request }) => void (await found(request)))
    .derive({ as: "scoped" }, async ({ request }) => ({ ...(await found(request)) }));
}

/** What somebody of this level is told who may not do this. */
export function staffRefusal(action: StaffAction, level: Level): string {
  return `This needs level ${levelNeeded(action)} (1 player, 2 moderator, 3 administrator); yours is ${level}`;
}

async function resume(deps: GuardDeps, request: Request): Promise<SignedInMember> {
  const member = await resumeSession(deps, await deps.tokens.read(request.headers.get("authorization")));
  deps.noteUser(request, member.account.id);
  return member;
}

/** Asked at both moments at which a guard is, it works at the first. */
export function oncePerRequest<Value>(find: (request: Request) => Promise<Value>) {
  const found = new WeakMap<Request, Promise<Value>>();
  return (request: Request): Promise<Value> => {
    const known = found.get(request);
    if (known !== undefined) return known;
    const value = find(request);
    found.set(request, value);
    return value;
  };
}
