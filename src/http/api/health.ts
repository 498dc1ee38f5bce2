import { Elysia, t } from "elysia";
import { isReady, neededParts } from "../../domain/health/readiness.ts";
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
      textures: givenFlag("A texture can be written.", true),
      outbox: givenFlag("Mails are sent. A warning: the service stays ready without it.", true),
    },
    { component: "Readiness" },
  ),
);

/** `/health`: for balancers, containers and monitors. Flags alone: the reasons are in the log. */
export function healthRoutes({ readiness }: Pick<Parts, "readiness">) {
  return new Elysia({ prefix: "/health", tags: ["Health"] })
    .headers({ "cache-control": "no-store" })
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
      async ({ status }) => {
        const found = await readiness();
        if (isReady(found)) return ok(said.ready, found);
        const missing = neededParts.filter((part) => !found[part]);
        return status(503, failedEnvelope(`Not ready: ${missing.join(", ")}`, found));
      },
      {
        response: { 200: readinessEnvelope, 503: readinessEnvelope },
        detail: describe({
          operationId: "getReadiness",
          summary: "Whether requests should be sent here",
          description: "The answer is 5 seconds old at most.",
          who: "everybody",
          msg: said.ready,
          answers: {
            503: {
              description: "Not now: `data` says what is missing, the log why",
              headers: ["X-Request-Id"],
            },
          },
        }),
      },
    );
}
