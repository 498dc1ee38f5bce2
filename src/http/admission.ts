import type { Client } from "../domain/limits/address-limit.ts";
import type { RateLimits } from "../domain/limits/rate-limits.ts";
import { breathe } from "../kernel/breathe.ts";
import { onceBodyIsRead } from "./body.ts";
import { failure, statusOf } from "./envelope.ts";

/** Answers a request by `handle`, or refuses it before anything of its body is read. */
export type Admit = (request: Request, handle: () => Promise<Response>) => Promise<Response>;

type Deps = {
  readonly limits: Pick<RateLimits, "broken" | "beginBody">;
  readonly clientAddress: (request: Request) => string;
};

/** What comes of a body that is no good: it was broken, too slow, too large, or of another type. */
const brokenStatuses: ReadonlySet<number> = new Set([
  statusOf.invalid,
  statusOf.too_slow,
  statusOf.too_large,
  statusOf.unsupported_type,
]);

/** A slow body is cut after half a minute or a minute; most are here sooner. */
const retryAfterSeconds = 5;

/**
 * A body that came with its head is read within a turn of the event loop: of many whole requests at once the last ones wait so
 * many turns before they count as too many.
 */
const turnsMax = 16;

/**
 * Holds whoever sends bodies to two limits of their address, signed in or not, whatever the route: how many are on their way at
 * once, and how many were no good of late. Fails with limited.
 */
export function createAdmission({ limits, clientAddress }: Deps): Admit {
  const begin = async (client: Client) => {
    for (let turn = 0; turn < turnsMax; turn++) {
      const end = limits.beginBody(client);
      if (end !== null) return end;
      await breathe();
    }
    return null;
  };
  return async (request, handle) => {
    if (request.body === null) return handle();
    const client = { address: clientAddress(request) };
    limits.broken.check(client);
    const end = await begin(client);
    if (end === null) return tooManyAtOnce();
    onceBodyIsRead(request, end);
    try {
      const answer = await handle();
      if (brokenStatuses.has(answer.status)) limits.broken.count(client);
      return answer;
    } finally {
      end();
    }
  };
}

/** What still trickles in would keep the connection. */
function tooManyAtOnce(): Response {
  const message = `Too many requests are on their way at once; try again in ${retryAfterSeconds} seconds`;
  return failure(statusOf.limited, message, {
    "retry-after": String(retryAfterSeconds),
    connection: "close",
  });
}
