import type { RateLimits } from "../domain/limits/rate-limits.ts";
import { AppError } from "../kernel/errors.ts";
import { mayGoOn, onSlowBody, passOver } from "./body.ts";
import { statusOf } from "./envelope.ts";

/** Answers a request by `handle`, or refuses it before anything of its body is read. */
export type Admit = (request: Request, handle: Handle) => Promise<Response>;

type Handle = () => Promise<Response>;

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
 * Holds whoever sends bodies to two limits of their address, signed in or not, whatever the route: how many were no good of late,
 * and how many are on their way at once. Fails with limited.
 */
export function createAdmission({ limits, clientAddress }: Deps): Admit {
  const admit = async (request: Request, handle: Handle): Promise<Response> => {
    const client = { address: clientAddress(request) };
    limits.broken.check(client);
    let isRefused = false;
    onSlowBody(request, () => {
      const end = limits.beginBody(client);
      isRefused = end === null;
      return end ?? tooManyAtOnce();
    });
    const answer = await handle();
    if (brokenStatuses.has(answer.status)) limits.broken.count(client);
    // What still trickles in would keep the connection.
    if (isRefused) answer.headers.set("connection", "close");
    else if (mayGoOn(request)) await passOver(request);
    return answer;
  };
  return (request, handle) => (request.body === null ? handle() : admit(request, handle));
}

function tooManyAtOnce(): never {
  const message = `Too many requests are on their way at once; try again in ${retryAfterSeconds} seconds`;
  throw new AppError("limited", message, { retryAfterSeconds });
}
