import { findMember } from "../../../domain/accounts/identifier.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import type { SessionId } from "../../../kernel/ids.ts";
import { readUuid } from "../../fields.ts";
import type { Http } from "../../http.ts";
import { examples } from "../../openapi/examples.ts";
import { refusalsOf } from "../../openapi/refusal-groups.ts";
import { pageAnswer, pageOf, uuidPlaceQuery } from "../../paging.ts";
import { identifierParams } from "../../resources/user-params.ts";
import { sidParams, presentSession, sessionsEnvelope } from "../../resources/session.ts";
import { route } from "../../routing/route.ts";
import { t } from "../../routing/schema.ts";
import { rules } from "../../rules.ts";

/** Where users are signed in (docs/contract/admin.md#sessions). */
export function userSessionRoutes({ sessions, reads }: Services, { guards }: Http) {
  return [
    route("GET", "/user/:identifier/sessions", {
      guard: guards.staff("inspect"),
      params: identifierParams,
      query: uuidPlaceQuery,
      envelope: sessionsEnvelope,
      operationId: "listUserSessions",
      summary: "Where a user is signed in, the last used first",
      msg: "Sessions",
      errors: [refusals.unknownUser(examples.user)],
      answers: pageAnswer,
      refuses: [rules.lostRow, ...refusalsOf.identifier],
      handle: async ({ params, sessionId, query, set, path }) => {
        const member = await findMember(reads.accounts, params.identifier);
        const page = pageOf(await sessions.list(member), { query, set, path });
        return page.map((session) => presentSession(session, sessionId));
      },
    }),
    route("DELETE", "/user/:identifier/sessions", {
      guard: guards.staff("end sessions"),
      params: identifierParams,
      operationId: "endUserSessions",
      summary: "End all sessions of a user, of the website and of games",
      description: `${ofStaff} The session of the request itself stays.`,
      errors: [refusals.unknownUser(examples.user), refusals.sessionsOfStaff()],
      empty: "The sessions have ended",
      refuses: [...refusalsOf.identifier],
      handle: ({ actor, params: { identifier }, sessionId }) =>
        sessions.endAllOf(actor, { identifier, keptSession: sessionId }),
    }),
    route("DELETE", "/user/:identifier/sessions/:sid", {
      guard: guards.staff("end sessions"),
      params: t.Object({ ...identifierParams.properties, ...sidParams.properties }),
      operationId: "endUserSession",
      summary: "End a session of a user, of the website or of a game",
      description: ofStaff,
      errors: [refusals.unknownUser(examples.user), refusals.noSuchSession(), refusals.sessionsOfStaff()],
      empty: "The session has ended",
      refuses: [...refusalsOf.identifier],
      handle: async ({ actor, params }) => {
        const sessionId = readUuid("sid", params.sid) as string as SessionId; // ids of sessions are UUIDs
        await sessions.endOf(actor, { identifier: params.identifier, sessionId });
      },
    }),
  ];
}

const ofStaff =
  "Moderators may for users of level 1; sessions of moderators and administrators take level 3.";
