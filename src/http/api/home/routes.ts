import { refusals } from "../../../domain/model/refusals.ts";
import { endSession, listSessions } from "../../../domain/sessions/session.ts";
import type { SessionId } from "../../../kernel/ids.ts";
import { ok } from "../../envelope.ts";
import { readUuid } from "../../fields.ts";
import { pageAnswer, pageOf, uuidPlaceQuery } from "../../paging.ts";
import type { Parts } from "../../parts.ts";
import { presentSession, sessionParams, sessionsEnvelope } from "../../resources/session.ts";
import { playerGuard } from "../../guards.ts";
import { accountRoutes } from "./account.ts";
import { playerRoutes } from "./players.ts";
import { wardrobeRoutes } from "./wardrobe.ts";
import { below, route } from "../../routing/route.ts";

const said = { sessions: "Sessions" } as const;

/** `/api/home` (docs/contract/home.md). Every route needs a session; all edits need a finished registration. */
export function homeRoutes(parts: Parts) {
  return below("/api/home", "Home", [
    ...accountRoutes(parts),
    ...playerRoutes(parts),
    ...sessionRoutes(parts),
    ...wardrobeRoutes(parts),
  ]);
}

/** The member's sign-ins: our addition to the contract. */
function sessionRoutes(parts: Parts) {
  return [
    route({
      method: "GET",
      path: "/sessions",
      guard: playerGuard(parts),
      query: uuidPlaceQuery,
      answer: sessionsEnvelope,
      operationId: "listSessions",
      summary: "Where you are signed in, the last used first",
      msg: said.sessions,
      answers: pageAnswer,
      handle: async ({ member, query, set, path }) => {
        const sessions = pageOf(await listSessions(parts, member), { query, set, path });
        return ok(
          said.sessions,
          sessions.map((session) => presentSession(session, member.sessionId)),
        );
      },
    }),
    route({
      method: "DELETE",
      path: "/sessions/:id",
      guard: playerGuard(parts),
      params: sessionParams,
      operationId: "endSession",
      summary: "End one of your sessions",
      errors: [refusals.unknownSession()],
      answers: { 204: { description: "The session has ended" } },
      handle: async ({ actor, member, params, set }) => {
        const id = readUuid("id", params.id) as string as SessionId; // ids of sessions are UUIDs
        await endSession(parts, actor, member, id);
        set.status = 204;
      },
    }),
  ];
}
