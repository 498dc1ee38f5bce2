import { Elysia } from "elysia";
import type { SessionId } from "../../../kernel/ids.ts";
import { endSession, listSessions } from "../../../domain/sessions/session.ts";
import { unread } from "../../body.ts";
import { ok } from "../../envelope.ts";
import { readUuid } from "../../fields.ts";
import { describe } from "../../openapi/describe.ts";
import { playerGuard, type GuardDeps } from "../../session.ts";
import { presentSession } from "./present.ts";
import { sessionParams, sessionsEnvelope } from "./schema.ts";

/** The member's sign-ins: our addition to the contract. */
export function sessionRoutes(deps: GuardDeps) {
  return new Elysia()
    .use(playerGuard(deps))
    .get(
      "/sessions",
      async ({ member }) => {
        const sessions = await listSessions(deps, member);
        return ok(
          "Sessions",
          sessions.map((session) => presentSession(session, member.sessionId)),
        );
      },
      {
        response: { 200: sessionsEnvelope },
        detail: describe({
          operationId: "listSessions",
          summary: "Where you are signed in",
          who: "players",
          msg: "Sessions",
        }),
      },
    )
    .delete(
      "/sessions/:id",
      async ({ actor, member, params, set }) => {
        const id = readUuid("id", params.id) as string as SessionId; // ids of sessions are UUIDs
        await endSession(deps, actor, member, id);
        set.status = 204;
      },
      {
        ...unread,
        params: sessionParams,
        detail: describe({
          operationId: "endSession",
          summary: "End one of your sessions",
          who: "players",
          errors: { not_found: "You have no such session" },
          answers: { 204: { description: "The session has ended" } },
        }),
      },
    );
}
