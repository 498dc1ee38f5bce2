import type { Services } from "../../domain/use-cases/services.ts";
import { emptyEnvelope, envelopeOf, failedEnvelope, ok } from "../envelope.ts";
import { givenFlag } from "../fields.ts";
import { httpRefusals } from "../refusals.ts";
import { codedAt } from "../route-table.ts";
import { below, route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";
import { xError } from "../x-error.ts";

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
export function healthRoutes({ health }: Services) {
  return below("/health", "Health", [
    route("GET", "/live", {
      envelope: emptyEnvelope,
      operationId: "getLiveness",
      summary: "Whether the process answers",
      msg: "Alive",
      handle: () => ({}),
    }),
    route("GET", "/ready", {
      answer: readinessEnvelope,
      operationId: "getReadiness",
      refuses: [httpRefusals.notReady],
      summary: "Whether requests should be sent here",
      description:
        "The answer is a second old, while a look takes long 15 seconds at most. Once a server has the signal to stop it is not ready, and it serves on for DRAIN_SECONDS.",
      msg: "Ready",
      answers: {
        503: {
          description: "Not now: `data` says what is missing, the log why",
          headers: ["X-Error", "X-Request-Id"],
          headerExamples: { "X-Error": 'not_ready; parts="database"' },
          schema: readinessEnvelope,
        },
      },
      handle: async ({ set }) => {
        const { parts, missing } = await health.readiness();
        if (missing.length === 0) return ok("Ready", parts);
        const refusal = httpRefusals.notReady(missing.join(", "));
        set.status = 503;
        set.headers["x-error"] = xError(codedAt(null, refusal));
        return failedEnvelope(refusal.message, parts);
      },
    }),
  ]);
}
