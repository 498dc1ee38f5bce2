import { Elysia } from "elysia";
import { guarding, unread } from "../../routing/legacy.ts";
import { refusals } from "../../../domain/model/refusals.ts";
import { endSession, listSessions } from "../../../domain/sessions/session.ts";
import type { SessionId } from "../../../kernel/ids.ts";
import { ok } from "../../envelope.ts";
import { readUuid } from "../../fields.ts";
import { describe } from "../../openapi/describe.ts";
import { pageAnswer, pageOf, uuidPlaceQuery } from "../../paging.ts";
import type { Parts } from "../../parts.ts";
import { presentSession, sessionParams, sessionsEnvelope } from "../../resources/session.ts";
import { playerGuard } from "../../guards.ts";
import { accountRoutes } from "./account.ts";
import { playerRoutes } from "./players.ts";
import { wardrobeRoutes } from "./wardrobe.ts";

const said = { sessions: "Sessions" } as const;

/** `/api/home` (docs/contract/home.md). Every route needs a session; all edits need a finished registration. */
export function homeRoutes(parts: Parts) {
  return new Elysia({ prefix: "/api/home", tags: ["Home"] })
    .use(accountRoutes(parts))
    .use(playerRoutes(parts))
    .use(sessionRoutes(parts))
    .use(wardrobeRoutes(parts));
}

/** The member's sign-ins: our addition to the contract. */
function sessionRoutes(parts: Parts) {
  return new Elysia()
    .use(guarding(playerGuard(parts)))
    .get(
      "/sessions",
      async ({ member, query, set, path }) => {
        const sessions = pageOf(await listSessions(parts, member), { query, set, path });
        return ok(
          said.sessions,
          sessions.map((session) => presentSession(session, member.sessionId)),
        );
      },
      {
        query: uuidPlaceQuery,
        response: { 200: sessionsEnvelope },
        detail: describe({
          operationId: "listSessions",
          summary: "Where you are signed in, the last used first",
          who: "players",
          msg: said.sessions,
          answers: pageAnswer,
        }),
      },
    )
    .delete(
      "/sessions/:id",
      async ({ actor, member, params, set }) => {
        const id = readUuid("id", params.id) as string as SessionId; // ids of sessions are UUIDs
        await endSession(parts, actor, member, id);
        set.status = 204;
      },
      {
        ...unread,
        params: sessionParams,
        detail: describe({
          operationId: "endSession",
          summary: "End one of your sessions",
          who: "players",
          errors: [refusals.unknownSession()],
          answers: { 204: { description: "The session has ended" } },
        }),
      },
    );
}
