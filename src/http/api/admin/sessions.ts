import { findMember } from "../../../domain/accounts/identifier.ts";
import { endAllSessionsOf, endSessionOf } from "../../../domain/members/end-session.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import { listSessions } from "../../../domain/sessions/session.ts";
import type { SessionId } from "../../../kernel/ids.ts";
import { ok } from "../../envelope.ts";
import { readUuid } from "../../fields.ts";
import { staffGuard } from "../../guards.ts";
import { examples } from "../../openapi/examples.ts";
import { pageAnswer, pageOf, uuidPlaceQuery } from "../../paging.ts";
import type { Parts } from "../../parts.ts";
import { identifierParams } from "../../resources/account.ts";
import { presentSession, sessionsEnvelope, sidParams } from "../../resources/session.ts";
import { route } from "../../routing/route.ts";
import { t } from "../../routing/schema.ts";

const said = { sessions: "Sessions" } as const;

/** Where users are signed in (docs/contract/admin.md#sessions). */
export function userSessionRoutes(parts: Parts) {
  return [lookRoute(parts), endRoute(parts), endAllRoute(parts)];
}

function lookRoute(parts: Parts) {
  return route({
    method: "GET",
    path: "/user/:identifier/sessions",
    guard: staffGuard(parts, "inspect"),
    params: identifierParams,
    query: uuidPlaceQuery,
    answer: sessionsEnvelope,
    operationId: "listUserSessions",
    summary: "Where a user is signed in, the last used first",
    msg: said.sessions,
    errors: [refusals.unknownUser(examples.user)],
    answers: pageAnswer,
    handle: async ({ params, sessionId, query, set, path }) => {
      const member = await findMember(parts.reads.accounts, params.identifier);
      const sessions = pageOf(await listSessions(parts, member), { query, set, path });
      return ok(
        said.sessions,
        sessions.map((session) => presentSession(session, sessionId)),
      );
    },
  });
}

const ofStaff =
  "Moderators may for users of level 1; sessions of moderators and administrators take level 3.";

function endAllRoute(parts: Parts) {
  return route({
    method: "DELETE",
    path: "/user/:identifier/sessions",
    guard: staffGuard(parts, "end sessions"),
    params: identifierParams,
    operationId: "endUserSessions",
    summary: "End all sessions of a user, of the website and of games",
    description: `${ofStaff} The session of the request itself stays.`,
    errors: [refusals.unknownUser(examples.user), refusals.sessionsOfStaff()],
    answers: { 204: { description: "The sessions have ended" } },
    handle: async ({ actor, params: { identifier }, sessionId, set }) => {
      await endAllSessionsOf(parts, actor, { identifier, keptSession: sessionId });
      set.status = 204;
    },
  });
}

function endRoute(parts: Parts) {
  return route({
    method: "DELETE",
    path: "/user/:identifier/sessions/:sid",
    guard: staffGuard(parts, "end sessions"),
    params: t.Object({ ...identifierParams.properties, ...sidParams.properties }),
    operationId: "endUserSession",
    summary: "End a session of a user, of the website or of a game",
    description: ofStaff,
    errors: [refusals.unknownUser(examples.user), refusals.noSuchSession(), refusals.sessionsOfStaff()],
    answers: { 204: { description: "The session has ended" } },
    handle: async ({ actor, params, set }) => {
      const sessionId = readUuid("sid", params.sid) as string as SessionId; // ids of sessions are UUIDs
      await endSessionOf(parts, actor, { identifier: params.identifier, sessionId });
      set.status = 204;
    },
  });
}
