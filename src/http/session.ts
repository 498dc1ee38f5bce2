import { Elysia } from "elysia";
import type { Clock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { AccountId } from "../kernel/ids.ts";
import { playerOf, type Level } from "../domain/model/account.ts";
import { memberRecord, type ActorRecord } from "../domain/model/actor.ts";
import { levelNeeded, mayAct, type StaffAction } from "../domain/model/policy.ts";
import type { Reads } from "../domain/ports/stores.ts";
import type { Actor, RightReads, Transact } from "../domain/ports/unit-of-work.ts";
import type { SessionActivity } from "../domain/sessions/activity.ts";
import { resumeSession, type SignedInMember } from "../domain/sessions/session.ts";
import type { Tokens } from "./tokens.ts";

export type GuardDeps = {
  readonly reads: Reads;
  readonly transact: Transact;
  readonly clock: Clock;
  readonly activity: SessionActivity;
  readonly tokens: Tokens;
  readonly noteUser: NoteUser;
};

/** Keeps who a request comes from, for its line in the log. */
export type NoteUser = (request: Request, user: AccountId | string) => void;

/** How a guard decides: it finds who asks, notes that they do, and admits them or throws. */
type Right<Who, Given> = {
  readonly find: (reads: RightReads) => Promise<Who>;
  readonly note: (who: Who, now: number) => void;
  /** What handlers get. */
  readonly admit: (who: Who) => Given;
};

/**
 * Lets only requests through that have the right, and gives handlers the `actor`, in whose name transactions look the right up
 * a last time. A guard looks before the body is read and before anything is validated, so a stranger learns nothing but 401.
 * It looks again when the body has come, which may be a minute later.
 */
export function guard<Who, Given extends { readonly actor: ActorRecord }>(
  { reads, clock }: Pick<GuardDeps, "reads" | "clock">,
  rightOf: (request: Request) => Promise<Right<Who, Given>>,
) {
  const { sessions, serviceTokens } = reads;
  const look = async (request: Request): Promise<Given & { readonly actor: Actor }> => {
    const { find, note, admit } = await rightOf(request);
    const now = clock.nowSeconds();
    const who = await find({ sessions, serviceTokens, now });
    note(who, now);
    const given = admit(who);
    const check = async (within: RightReads) => admit(await find(within));
    return { ...given, actor: { ...given.actor, check } };
  };
  return new Elysia()
    .onParse({ as: "scoped" }, async ({ request }) => void (await look(request)))
    .derive({ as: "scoped" }, ({ request }) => look(request));
}

/** Lets only signed-in members through and gives handlers the `member` and the `actor`. */
export function memberGuard(deps: GuardDeps) {
  return sessionGuard(deps, (member) => ({ member, actor: memberRecord(member) }));
}

/** Lets only members through whose registration is finished (others: 403) and gives handlers their `player` as well. */
export function playerGuard(deps: GuardDeps) {
  return sessionGuard(deps, (member) => ({
    member,
    player: playerOf(member),
    actor: memberRecord(member),
  }));
}

/**
 * Lets only members through whose level in force allows this (others: 403) and gives handlers the `actor` and the session. It
 * runs before anything is looked up, so members without the level learn nothing of what there is.
 */
export function staffGuard(deps: GuardDeps, action: StaffAction) {
  return sessionGuard(deps, (member) => {
    playerOf(member);
    if (!mayAct(member.level, action)) throw new AppError("forbidden", staffRefusal(action, member.level));
    return { actor: memberRecord(member), sessionId: member.sessionId };
  });
}

/** The message to a member of this level who may not do this. */
export function staffRefusal(action: StaffAction, level: Level): string {
  return `This needs level ${levelNeeded(action)} (1 player, 2 moderator, 3 administrator); yours is ${level}`;
}

function sessionGuard<Given extends { readonly actor: ActorRecord }>(
  deps: GuardDeps,
  admit: (member: SignedInMember) => Given,
) {
  const { activity, tokens, noteUser } = deps;
  return guard(deps, async (request) => {
    const claims = await tokens.read(request.headers.get("authorization"));
    return {
      find: (reads) => resumeSession(reads, claims),
      note: (member: SignedInMember, now) => {
        activity.note({ id: member.sessionId, lastUsedAt: member.lastUsedAt }, now);
        noteUser(request, member.account.id);
      },
      admit,
    };
  });
}
