import { refusals } from "../../../domain/model/refusals.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import type { SessionId } from "../../../kernel/ids.ts";
import { readUuid } from "../../fields.ts";
import type { Http } from "../../http.ts";
import { pageAnswer, pageOf, uuidPlaceQuery } from "../../paging.ts";
import { presentSession, sessionParams, sessionsEnvelope } from "../../resources/session.ts";
import { below, route, type Route } from "../../routing/route.ts";
import { rules } from "../../rules.ts";
import { accountRoutes } from "./account.ts";
import { aliasRoutes } from "./aliases.ts";
import { leavingRoutes } from "./leaving.ts";
import { playerRoutes } from "./players.ts";
import { wardrobeRoutes } from "./wardrobe.ts";

/**
 * `/api/home` (docs/contract/home.md). Every route needs a session; all edits need a finished registration.
 */
export function homeRoutes(services: Services, http: Http) {
  return below("/api/home", "Home", [
    ...accountRoutes(services, http).map(asEdit),
    ...wardrobeRoutes(services, http).map(asEdit),
    ...playerRoutes(services, http),
    ...aliasRoutes(services, http),
    ...sessionRoutes(services, http),
    ...leavingRoutes(services, http),
  ]);
}

/**
 * An action of the account or the wardrobe is an edit: its failures name it (docs/contract/home.md#edits).
 */
function asEdit(one: Route): Route {
  return one.action === undefined ? one : { ...one, isEdit: true };
}

/** The member's sign-ins: our addition to the contract. */
function sessionRoutes({ sessions }: Services, { guards }: Http) {
  return [
    route("GET", "/sessions", {
      guard: guards.player,
      query: uuidPlaceQuery,
      envelope: sessionsEnvelope,
      operationId: "listSessions",
      refuses: [rules.lostRow],
      summary: "Where you are signed in, the last used first",
      msg: "Sessions",
      answers: pageAnswer,
      handle: async ({ member, query, set, path }) => {
        const page = pageOf(await sessions.list(member), { query, set, path });
        return page.map((session) => presentSession(session, member.sessionId));
      },
    }),
    route("DELETE", "/sessions/:id", {
      guard: guards.player,
      params: sessionParams,
      operationId: "endSession",
      summary: "End one of your sessions",
      errors: [refusals.unknownSession()],
      empty: "The session has ended",
      handle: async ({ actor, member, params }) => {
        const id = readUuid("id", params.id) as string as SessionId; // ids of sessions are UUIDs
        await sessions.end(actor, member, id);
      },
    }),
  ];
}
