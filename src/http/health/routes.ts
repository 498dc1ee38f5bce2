import { Elysia } from "elysia";
import { isReady, neededParts, type Readiness } from "../../domain/health/readiness.ts";
import { emptyEnvelope, ok, type Envelope } from "../envelope.ts";
import { describe } from "../openapi/describe.ts";
import { readinessEnvelope } from "./schema.ts";

export type HealthDeps = {
  readonly readiness: () => Promise<Readiness>;
};

/** `/health`: what balancers, containers and monitors ask. Flags alone: the reasons are in the log. */
export function healthRoutes({ readiness }: HealthDeps) {
  return new Elysia({ prefix: "/health", tags: ["Health"] })
    .headers({ "cache-control": "no-store" })
    .get("/live", () => ok("Alive", {}), {
      response: { 200: emptyEnvelope },
      detail: describe({
        operationId: "getLiveness",
        summary: "Whether the process answers",
        who: "everybody",
        msg: "Alive",
      }),
    })
    .get(
      "/ready",
      async ({ status }) => {
        const found = await readiness();
        return isReady(found) ? ok("Ready", found) : status(503, notReady(found));
      },
      {
        response: { 200: readinessEnvelope, 503: readinessEnvelope },
        detail: describe({
          operationId: "getReadiness",
          summary: "Whether requests should be sent here",
          description: "What it says is 5 seconds old at most.",
          who: "everybody",
          msg: "Ready",
          answers: {
            503: {
              description: "Not now: `data` tells what is missing, the log why",
              headers: ["X-Request-Id"],
            },
          },
        }),
      },
    );
}

function notReady(found: Readiness): Envelope<Readiness> {
  const missing = neededParts.filter((part) => !found[part]);
  return { error: true, msg: `Not ready: ${missing.join(", ")}`, url: null, data: found };
}
