import { resumeGameSession } from "../domain/game/session.ts";
import { playerOf, type Level } from "../domain/model/account.ts";
import { memberRecord, type ActorRecord } from "../domain/model/actor.ts";
import { levelNeeded, mayAct, type StaffAction } from "../domain/model/policy.ts";
import { refusals } from "../domain/model/refusals.ts";
import { launchServerName, type ServiceRight } from "../domain/model/service-token.ts";
import type { LaunchKey, SpokenFor } from "../domain/ports/launch-key.ts";
import type { ChangeFeed } from "../domain/ports/change-feed.ts";
import type { FoundGameSession } from "../domain/ports/session-store.ts";
import type { Actor, RightReads } from "../domain/ports/unit-of-work.ts";
import type { SignedInMember } from "../domain/sessions/session.ts";
import type { Services } from "../domain/use-cases/services.ts";
import { AppError } from "../kernel/errors.ts";
import type { Access } from "./access.ts";
import { bearerToken, serviceToken } from "./authorization.ts";
import { sessionIn } from "./browser-session.ts";
import type { Audience } from "./openapi/describe.ts";
import { isInBackground } from "./own-pages.ts";
import { httpRefusals } from "./refusals.ts";
import type { Requests } from "./requests.ts";
import type { Guard } from "./routing/route.ts";
import type { Site } from "./site.ts";

/** What guards look a request's sender up with, and note it by. */
type Deps = Pick<Services, "reads" | "sessions" | "serviceTokens" | "clock"> &
  Pick<Access, "claimsOf"> &
  Pick<Requests, "noteUser" | "noteFound"> & { readonly changes: Pick<ChangeFeed, "version"> };

/** The guards of all surfaces. */
export type Guards = ReturnType<typeof createGuards>;

/** Makes each guard that is the same for all of its routes once. */
export function createGuards(deps: Deps, { launchKey }: Pick<Site, "launchKey">) {
  return {
    member: memberGuard(deps),
    player: playerGuard(deps),
    staff: (action: StaffAction) => staffGuard(deps, action),
    game: gameGuard(deps),
    service: (right: ServiceRight) => serviceGuard(deps, right),
    launcher: launcherGuard(deps, launchKey),
    visitor: (request: Request) => visitorOf(deps, request),
  };
}

/** How a guard decides: it finds the sender, notes the request, and admits the sender or throws. */
type Right<Who, Given> = {
  readonly find: (reads: RightReads) => Promise<Who>;
  readonly note: (who: Who, now: number) => void;
  /** What handlers get. */
  readonly admit: (who: Who) => Given;
};

/**
 * The guard of every surface: admits only requests that have the right, and gives handlers the `actor`, in
 * whose name transactions look the right up a last time.
 */
function guard<Who, Given extends { readonly actor: ActorRecord }>(
  { reads, clock }: Pick<Deps, "reads" | "clock">,
  who: Audience,
  rightOf: (request: Request) => Promise<Right<Who, Given>>,
): Guard<Given & { readonly actor: Actor }> {
  const { sessions, serviceTokens } = reads;
  const look = async (request: Request) => {
    const { find, note, admit } = await rightOf(request);
    const now = clock.nowSeconds();
    const found = await find({ sessions, serviceTokens, now });
    note(found, now);
    const given = admit(found);
    const check = async (within: RightReads) => admit(await find(within)).actor;
    return { ...given, actor: { ...given.actor, check } };
  };
  return { who, look };
}

/** Admits signed-in members and gives handlers the `member` and the `actor`. */
function memberGuard(deps: Deps) {
  return sessionGuard(deps, "members", (member) => ({ member, actor: memberRecord(member) }));
}

/** Admits members with a finished registration (others: 403) and gives handlers their `player` as well. */
function playerGuard(deps: Deps) {
  return sessionGuard(deps, "players", (member) => ({
    member,
    player: playerOf(member),
    actor: memberRecord(member),
  }));
}

/**
 * Admits members whose level in force allows the action (others: 403) and gives handlers the `actor` and the
 * session. It runs before anything is looked up, so members without the level learn nothing of what exists.
 */
function staffGuard(deps: Deps, action: StaffAction) {
  const who = levelNeeded(action) === 2 ? "moderators" : "administrators";
  return sessionGuard(deps, who, (member) => {
    playerOf(member);
    if (!mayAct(member.level, action)) throw staffRefusal(action, member.level);
    return { actor: memberRecord(member), sessionId: member.sessionId };
  });
}

/** The refusal of a member whose level is too low. */
export function staffRefusal(action: StaffAction, level: Level): AppError {
  return httpRefusals.levelTooLow(levelNeeded(action), level);
}

/** The refusal of a service without the right that a route needs. */
export function missingRight(right: ServiceRight, may: readonly ServiceRight[]): AppError {
  return refusals.missingRight(right, [...may, right].join(","));
}

function sessionGuard<Given extends { readonly actor: ActorRecord }>(
  deps: Deps,
  who: Audience,
  admit: (member: SignedInMember) => Given,
) {
  return guard(deps, who, async (request) => {
    const claims = await deps.claimsOf(request);
    const version = deps.changes.version();
    return {
      find: (reads) => deps.sessions.resume(reads, claims),
      note: (member: SignedInMember, now) => {
        noteMember(deps, request, member, now);
        const session = { id: member.sessionId, lastUsedAt: member.lastUsedAt };
        const endsAt = Math.min(member.endsAt, claims.expiresAt);
        deps.noteFound(request, { version, session, endsAt });
      },
      admit,
    };
  });
}

function noteMember(
  { sessions, noteUser }: Pick<Deps, "sessions" | "noteUser">,
  request: Request,
  { sessionId, lastUsedAt, account }: SignedInMember,
  now: number,
): void {
  if (!isInBackground(request)) sessions.noteUse({ id: sessionId, lastUsedAt }, now);
  noteUser(request, account.id);
}

/**
 * The member whose browser sends a request that needs no session, and whose use is noted; null for everybody
 * else.
 */
async function visitorOf(deps: Deps, request: Request): Promise<SignedInMember | null> {
  const { reads, sessions, clock } = deps;
  const now = clock.nowSeconds();
  try {
    const claims = await sessionIn(deps, request);
    if (claims === null) return null;
    const member = await sessions.resume({ sessions: reads.sessions, now }, claims);
    noteMember(deps, request, member, now);
    return member;
  } catch (cause) {
    if (cause instanceof AppError && cause.kind === "unauthenticated") return null;
    throw cause;
  }
}

/**
 * Admits launchers and games by the game token in `Authorization: Bearer <token>`, and gives handlers the
 * `member`, the `player` that the token is bound to (null: no player), the `session` and the `actor`. A web
 * session's JWT opens nothing here.
 */
function gameGuard(deps: Deps) {
  return guard(deps, "games", async (request) => {
    const token = bearerToken(request);
    if (token === "") throw httpRefusals.noGameToken();
    return {
      find: (reads) => resumeGameSession(reads, token),
      note: ({ session, member }: FoundGameSession, now) => {
        deps.sessions.noteUse(session, now);
        deps.noteUser(request, member.account.id);
      },
      admit: ({ session, member, player }) => ({
        session,
        member,
        player,
        actor: memberRecord({ ...member, sessionId: session.id }),
      }),
    };
  });
}

/**
 * Admits services by the token in `Authorization: <token>` or `Authorization: Bearer <token>`, if it has the
 * right (others: 403), and gives handlers the `actor`. It runs before anything is looked up, as `staffGuard`
 * does.
 */
function serviceGuard(deps: Deps, right: ServiceRight) {
  return guard(deps, `services:${right}`, async (request) => {
    const token = serviceToken(request);
    if (token === "") throw httpRefusals.noServiceToken();
    return {
      find: (reads) => deps.serviceTokens.find(reads, token),
      note: ({ actor, used }, now) => {
        deps.serviceTokens.noteUse(used, now);
        deps.noteUser(request, actor.name);
      },
      admit: ({ actor, may }) => {
        if (!may.includes(right)) throw missingRight(right, may);
        return { actor };
      },
    };
  });
}

/**
 * Admits what GravitLauncher's launcher shows with an upload, and gives handlers the player that it is for
 * and the `actor`: a token that the operator's launch server signed, or the game token of a player who signed
 * in here (others: 401). A signed token cannot be taken back: each has an end, which the launch server
 * chooses. Null: the launch server signs no tokens.
 */
function launcherGuard(deps: Deps, key: LaunchKey | null) {
  return guard(deps, "launchServers", async (request): Promise<Right<Uploader, UploadsFor>> => {
    const token = bearerToken(request);
    const speaker = key === null ? null : await key.read(token);
    return {
      find: async (reads) => speaker ?? resumeGameSession(reads, token),
      note: (who, now) => noteUploader(deps, request, who, now),
      admit: (who) => {
        if (!("session" in who)) {
          return { speaksFor: who, actor: { ...launchServer, speaksFor: spokenName(who) } };
        }
        const { session, member, player } = who;
        if (player === null) throw refusals.unboundToken();
        return {
          speaksFor: { uuid: player.uuid, name: null },
          actor: memberRecord({ ...member, sessionId: session.id }),
        };
      },
    };
  });
}

type Uploader = SpokenFor | FoundGameSession;
type UploadsFor = { readonly speaksFor: SpokenFor; readonly actor: ActorRecord };

function noteUploader(deps: Deps, request: Request, who: Uploader, now: number): void {
  if (!("session" in who)) {
    deps.noteUser(request, `${launchServer.name} for ${spokenName(who)}`);
    return;
  }
  deps.sessions.noteUse(who.session, now);
  deps.noteUser(request, who.member.account.id);
}

function spokenName({ uuid, name }: SpokenFor): string {
  return uuid ?? name ?? "";
}

const launchServer: ActorRecord = {
  name: `service:${launchServerName}`,
  accountId: null,
  via: `token:${launchServerName}`,
};
