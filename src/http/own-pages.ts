import type { AppError } from "../kernel/errors.ts";
import { httpRefusals } from "./refusals.ts";
import type { RequestContexts } from "./request-context.ts";
import type { Guard } from "./routing/route.ts";
import { statusOf } from "./surface.ts";

/**
 * The header that scripts of our own pages add. Pages of other origins cannot: CORS grants it to none (see
 * `cors.ts`).
 */
const consoleHeader = "x-cloakroom-console";

/** The header of what a page sends by itself, as a timer does. */
const backgroundHeader = "x-cloakroom-background";

/**
 * Whether no person caused a request: it is no use of a session. Any client may say so, and can but shorten
 * its own session by it.
 */
export function isInBackground({ headers }: Request): boolean {
  return headers.has(backgroundHeader);
}

/** Which requests come from our own pages, so that a browser's cookie may count (SECURITY.md#browsers). */
export type OwnPages = {
  readonly sent: (request: Request) => boolean;
  /** That of PUBLIC_URL; null where it is not set. */
  readonly origin: string | null;
};

/**
 * A request of our own pages has the console's header, names no other site in `Sec-Fetch-Site` (Fetch
 * Metadata) and no other origin in `Origin`. Either may be missing: browsers leave the first out on plain
 * http under a name, and the second in reads of one's own origin. `origin` is that of PUBLIC_URL; where it is
 * not set (null), ours is the address that the request was sent to. Headers of proxies play no part, so a
 * server behind one that speaks TLS needs PUBLIC_URL. Where the console is off there are no such pages, so a
 * cookie from earlier counts for nothing.
 */
export function createOwnPages(options: {
  readonly origin: string | null;
  /** Whether there is a console. */
  readonly isOn: boolean;
  /** The request as it came in. */
  readonly arrivedOf: (request: Request) => Request;
}): OwnPages {
  const sent: OwnPages["sent"] = (request) => {
    const { headers } = request;
    if (!options.isOn || headers.get(consoleHeader) !== "1") return false;
    if ((headers.get("sec-fetch-site") ?? "same-origin") !== "same-origin") return false;
    const origin = headers.get("origin");
    return origin === null || origin === (options.origin ?? addressed(options.arrivedOf(request)));
  };
  return { sent, origin: options.origin };
}

/** The origin that a request was sent to; null for one without a host, which may come by HTTP/1.0. */
function addressed({ url }: Request): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

export function refused(origin: string | null): AppError {
  return origin === null ? httpRefusals.notOwnPageAnywhere() : httpRefusals.notOwnPage(origin);
}

/**
 * Admits requests of our own pages alone, before their body is read. Others count as requests that were not
 * understood.
 */
export function ownPagesGuard({
  access: { ownPages },
  requests: { contexts },
}: {
  readonly access: { readonly ownPages: OwnPages };
  readonly requests: { readonly contexts: RequestContexts };
}): Guard {
  const look = async (request: Request) => {
    if (ownPages.sent(request)) return {};
    contexts.of(request).meant = statusOf.invalid;
    throw refused(ownPages.origin);
  };
  return { who: "everybody", look };
}
