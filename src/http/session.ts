import { Elysia } from "elysia";
import type { Clock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { AccountId } from "../kernel/ids.ts";
import { playerOf, type Level } from "../domain/model/account.ts";
import { memberActor } from "../domain/model/actor.ts";
import { levelNeeded, mayAct, type StaffAction } from "../domain/model/policy.ts";
import type { Right, TransactBy } from "../domain/sessions/rights.ts";
import type { SessionActivity } from "../domain/sessions/activity.ts";
import { resumeSession, type SignedInMember } from "../domain/sessions/session.ts";
import type { Reads } from "../domain/ports/stores.ts";
import type { Tokens } from "./tokens.ts";

export type GuardDeps = {
  readonly reads: Reads;
  /** Guarded routes have no other way to change anything. */
  readonly transactBy: TransactBy;
  readonly clock: Clock;
  readonly activity: SessionActivity;
  readonly tokens: Tokens;
  readonly noteUser: NoteUser;
};

/** Keeps who a request comes from, for its line in the log. */
export type NoteUser = (request: Request, user: AccountId | string) => void;

/**
 * Lets only requests through that have the right, and gives handlers what it gives and the `transact` that goes with it. A
 * guard looks before the body is read and before anything is validated, so a stranger learns nothing but 401. It looks again
 * when the body has come, which may be a minute later, and `transact` a last time.
 */
export function guard<Given extends object>(
  deps: Pick<GuardDeps, "reads" | "transactBy">,
  rightOf: (request: Request) => Promise<Right<Given>>,
) {
  const look = async (request: Request) => {
    const right = await rightOf(request);
    return { ...(await right(deps.reads)), transact: deps.transactBy(right) };
  };
  return new Elysia()
    .onParse({ as: "scoped" }, async ({ request }) => void (await look(request)))
    .derive({ as: "scoped" }, ({ request }) => look(request));
}

/** Lets only signed-in members through and gives handlers the `member`. */
export function memberGuard(deps: GuardDeps) {
  return sessionGuard(deps, (member) => ({ member }));
}

/** Lets only members through whose registration is finished (others: 403) and gives handlers their `player` as well. */
export function playerGuard(deps: GuardDeps) {
  return sessionGuard(deps, (member) => ({ member, player: playerOf(member) }));
}

/**
 * Lets only members through whose level in force allows this (others: 403) and gives handlers the `actor` and
 * the session. It runs before anything is looked up, so who may not learns nothing of what there is.
 */
export function staffGuard(deps: GuardDeps, action: StaffAction) {
  return sessionGuard(deps, (member) => {
    const actor = memberActor(member);
    if (!mayAct(member.level, action)) throw staffRefusal(action, member.level);
    return { actor, sessionId: member.sessionId };
  });
}

/** The refusal of a member whose level is too low. */
export function staffRefusal(action: StaffAction, level: Level): AppError {
  const levels = "(1 player, 2 moderator, 3 administrator)";
  return new AppError("forbidden", `This needs level ${levelNeeded(action)} ${levels}; yours is ${level}`);
}

function sessionGuard<Given extends object>(deps: GuardDeps, admit: (member: SignedInMember) => Given) {
  const { clock, activity, tokens, noteUser } = deps;
  return guard(deps, async (request) => {
    const claims = await tokens.read(request.headers.get("authorization"));
    return async (reads) => {
      const member = await resumeSession({ reads, clock, activity }, claims);
      noteUser(request, member.account.id);
      return admit(member);
    };
  });
}
