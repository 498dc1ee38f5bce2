import { refusals } from "../../../domain/model/refusals.ts";
import type { Services } from "../../../domain/use-cases/services.ts";
import { limits } from "../../../kernel/limits.ts";
import { createOneByOne, type OneByOne } from "../../../kernel/one-by-one.ts";
import type { Http } from "../../http.ts";
import { refusalsOf } from "../../openapi/refusal-groups.ts";
import { pacedBody } from "../../paced-body.ts";
import { currentPasswordBody } from "../../resources/credentials.ts";
import { leavingEnvelope } from "../../resources/leaving.ts";
import { route } from "../../routing/route.ts";

/** What a member takes along, and the end of their account (docs/contract/home.md#leaving). */
export function leavingRoutes(services: Services, http: Http) {
  return [exportRoute(services, http), ...deletionRoutes(services, http)];
}

function exportRoute({ members, clock }: Services, { guards, requests }: Http) {
  const inTurn = createOneByOne();
  return route("GET", "/export", {
    guard: guards.member,
    operationId: "exportOwnData",
    summary: "Everything that is kept about you, as a file",
    description:
      "A Zip archive with your profile, players, skins, capes, sessions, mails and audit entries. It takes a sign-in of the last 15 minutes, three times a day. An answer that breaks off is incomplete: the archive's directory is missing.",
    errors: [refusals.signInTooOld(limits.freshSignInSeconds / 60), refusals.tooMany("exports", 3600)],
    answers: {
      200: {
        description: "The file",
        type: "application/zip",
        headers: ["Content-Disposition"],
        headerExamples: { "Content-Disposition": 'attachment; filename="my-data-2026-01-01.zip"' },
      },
    },
    handle: async ({ actor, member, request }) => {
      const day = new Date(clock.nowSeconds() * 1000).toISOString().slice(0, 10);
      const headers = {
        "content-type": "application/zip",
        "content-disposition": `attachment; filename="my-data-${day}.zip"`,
        "cache-control": "no-store",
      };
      if (request.method === "HEAD") return new Response(null, { headers });
      const archive = takingTurns(await members.exportOwn(actor, member), inTurn);
      const name = "a member's export";
      return new Response(pacedBody(requests, archive, { request, leave: () => undefined, name }), {
        headers,
      });
    },
  });
}

/**
 * Makes a piece of one export at a time. A piece is read, compared and summed up in milliseconds: a hundred
 * at once would hold other requests up for seconds.
 */
async function* takingTurns(
  archive: AsyncGenerator<Uint8Array>,
  inTurn: OneByOne,
): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const piece = await inTurn("", () => archive.next());
      if (piece.done === true) return;
      yield piece.value;
    }
  } finally {
    await archive.return(undefined);
  }
}

function deletionRoutes({ members }: Services, { guards, requests }: Http) {
  return [
    route("POST", "/delete", {
      guard: guards.member,
      body: currentPasswordBody,
      envelope: leavingEnvelope,
      operationId: "deleteOwnAccount",
      summary: "Have your account deleted, after some days in which you can keep it",
      description:
        "Ends all your sessions, those of games too. Until then you can sign in and keep the account. ACCOUNT_DELETE_DAYS says how long; with 0 it is gone at once.",
      msg: "Account deletion",
      errors: [refusals.lastAdministrator()],
      refuses: [...refusalsOf.ownPassword],
      handle: async ({ actor, member, body, request }) => {
        const attempt = requests.attemptBy(request, member.account.id);
        return { deletes_at: await members.askToLeave(actor, member, { ...body, attempt }) };
      },
    }),
    route("DELETE", "/delete", {
      guard: guards.member,
      operationId: "keepOwnAccount",
      summary: "Keep your account, whose deletion you asked for",
      empty: "The account stays",
      handle: ({ actor, member }) => members.takeLeaveBack(actor, member),
    }),
  ];
}
