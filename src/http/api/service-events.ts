import { parseRowNumber, rowNumberMax } from "../../kernel/ids.ts";
import { tooManyStreams } from "../events/streams.ts";
import type { Http } from "../http.ts";
import { httpRefusals } from "../refusals.ts";
import { below, route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";
import { rules } from "../rules.ts";

const eventsQuery = t.Object({
  after: t.Optional(
    t.String({
      description:
        "The id of the last event seen: the stream begins after it. `Last-Event-ID` says the same, and counts first",
      rule: rules.eventId.of(),
      documented: { type: "integer", minimum: 0, maximum: rowNumberMax, examples: [1017] },
    }),
  ),
});

/** `GET /api/service/events` (docs/contract/service.md#events): what happens to players, as it happens. */
export function serviceEventRoutes({ guards, eventStreams }: Http) {
  return below("/api/service", "Service endpoints", [
    route("GET", "/events", {
      guard: guards.service("events"),
      query: eventsQuery,
      operationId: "followEvents",
      refuses: [httpRefusals.tooManyStreams],
      summary: "What happens to players, as it happens",
      description:
        "Server-sent events that do not end. Each has an id, higher than the one before, a type, and one line of JSON. After a reconnect the stream goes on where it was, for a day; older events are gone, which `reset` says.",
      errors: [tooManyStreams()],
      answers: {
        200: { description: "The stream", type: "text/event-stream", headers: ["X-Accel-Buffering"] },
      },
      handle: async ({ request, query, actor }) => {
        const after = readAfter(request.headers.get("last-event-id"), query.after);
        const body = request.method === "HEAD" ? null : await eventStreams.open(actor, after);
        return new Response(body, { headers: streamHeaders });
      },
    }),
  ]);
}

/** Proxies must neither keep nor collect what they pass on. */
const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/**
 * Browsers and libraries send the header by themselves when they come back, so it is newer than the address.
 */
function readAfter(header: string | null, query: string | undefined): number | null {
  const [name, text] = header ? ["Last-Event-ID", header] : ["after", query];
  if (text === undefined) return null;
  const id = text === "0" ? 0 : parseRowNumber(text);
  if (id === null) throw rules.eventId({ field: name });
  return id;
}
