import { codedAt } from "../route-table.ts";
import { httpRefusals } from "../refusals.ts";
import { xError } from "../x-error.ts";
import { Elysia, t } from "elysia";
import { emptyEnvelope, envelopeOf, failedEnvelope, ok } from "../envelope.ts";
import { givenFlag } from "../fields.ts";
import { describe } from "../openapi/describe.ts";
import type { Parts } from "../parts.ts";

const said = { alive: "Alive", ready: "Ready" } as const;

const readinessEnvelope = envelopeOf(
  t.Object(
    {
      database: givenFlag("A row can be written.", true),
      disk: givenFlag("The disks of the data folder and of the textures have room.", true),
      textures: givenFlag("A texture can be written. A warning where textures are in a bucket.", true),
      outbox: givenFlag("Mails are sent. A warning: the service stays ready without it.", true),
    },
    { component: "Readiness" },
  ),
);

/** `/health`: for balancers, containers and monitors. Flags alone: the reasons are in the log. */
export function healthRoutes({ readiness }: Pick<Parts, "readiness">) {
  return new Elysia({ prefix: "/health", tags: ["Health"] })
    .get("/live", () => ok(said.alive, {}), {
      response: { 200: emptyEnvelope },
      detail: describe({
        operationId: "getLiveness",
        summary: "Whether the process answers",
        who: "everybody",
        msg: said.alive,
      }),
    })
    .get(
      "/ready",
      async ({ set, status }) => {
        const { parts, missing } = await readiness();
        if (missing.length === 0) return ok(said.ready, parts);
        const refusal = httpRefusals.notReady(missing.join(", "));
        set.headers["x-error"] = xError(codedAt(null, refusal));
        return status(503, failedEnvelope(refusal.message, parts));
      },
      {
        response: { 200: readinessEnvelope, 503: readinessEnvelope },
        detail: describe({
          operationId: "getReadiness",
          summary: "Whether requests should be sent here",
          description:
            "The answer is a second old, while a look takes long 15 seconds at most. Once a server has the signal to stop it is not ready, and it serves on for DRAIN_SECONDS.",
          who: "everybody",
          msg: said.ready,
          answers: {
            503: {
              description: "Not now: `data` says what is missing, the log why",
              headers: ["X-Error", "X-Request-Id"],
              headerExamples: { "X-Error": 'not_ready; parts="database"' },
            },
          },
        }),
      },
    );
}
