import type { Arrival, Client } from "../domain/limits/address-limit.ts";
import { createInFlight } from "../domain/limits/in-flight.ts";
import { passwordAttempt, type Counted, type PasswordAttempt } from "../domain/limits/password-attempt.ts";
import type { RateLimits } from "../domain/limits/rate-limits.ts";
import { refusals } from "../domain/model/refusals.ts";
import type { FailureOptions } from "../kernel/errors.ts";
import type { AccountId } from "../kernel/ids.ts";
import { limits } from "../kernel/limits.ts";
import type { Logger } from "../kernel/log.ts";
import { mayGoOn, onSlowBody, passOver, refuseBody, requireJson } from "./body.ts";
import { otherSite, type OtherSites } from "./other-sites.ts";
import { httpRefusals } from "./refusals.ts";
import { unknownRoute, type RequestContexts } from "./request-context.ts";
import type { BeforeBody } from "./routing/route.ts";
import { statusOf } from "./surface.ts";

/**
 * What decides, before any use case, whether a request is served: limits of its client's address and of its
 * account.
 */

type OfClient = { readonly clientAddress: (request: Request) => string };

/** Answers a request by `handle`, or refuses it before anything of its body is read. */
export type Admit = (request: Request, handle: Handle) => Promise<Response>;

type Handle = () => Promise<Response>;

/**
 * Answers to a body that was broken, too slow or too large. One of another type is refused by its head alone,
 * and any page can have its visitors' browsers send it.
 */
const brokenStatuses: ReadonlySet<number> = new Set([
  statusOf.invalid,
  statusOf.too_slow,
  statusOf.too_large,
]);

/** A slow body is cut after half a minute or a minute; most are here sooner. */
const retryAfterSeconds = 5;

/**
 * Holds clients that send bodies to two limits of their address, signed in or not, whatever the route: recent
 * broken bodies, and bodies under way at once. Fails with limited. What a page of another site has a browser
 * send is refused where its body would be read, or its address counted: the visitor knows nothing of it, so
 * it counts for no limit.
 */
export function createAdmission(
  deps: OfClient & {
    readonly limits: Pick<RateLimits, "broken" | "beginBody">;
    readonly otherSites: OtherSites;
  },
): Admit {
  const admit = async (request: Request, handle: Handle): Promise<Response> => {
    const client = { address: deps.clientAddress(request) };
    deps.limits.broken.check(client);
    let isRefused = false;
    onSlowBody(request, () => {
      const end = deps.limits.beginBody(client);
      isRefused = end === null;
      return end ?? tooManyAtOnce();
    });
    const answer = await handle();
    // The rest of the body would keep the connection.
    if (isRefused) answer.headers.set("connection", "close");
    const passed = isRefused || !mayGoOn(request) || (await passOver(request));
    if (!passed || brokenStatuses.has(answer.status)) await deps.limits.broken.count(client);
    return answer;
  };
  return (request, handle) => {
    if (deps.otherSites.sent(request)) {
      refuseBody(request, otherSite());
      return handle();
    }
    return request.body === null ? handle() : admit(request, handle);
  };
}

function tooManyAtOnce(): never {
  throw httpRefusals.tooManyAtOnce(retryAfterSeconds);
}

/**
 * Counts a request with a body of JSON for its client's address before the body is read, so that a refused
 * body is not read and a broken one has counted. It goes after a guard, so that requests without a right
 * count for no account, and before a reader. What is no JSON counts for nothing: any page can have its
 * visitors' browsers send that.
 */
export function limitByAddress(
  { clientAddress }: OfClient,
  take: (client: Client) => Promise<void>,
): BeforeBody {
  return (request) => {
    requireJson(request);
    return take({ address: clientAddress(request) });
  };
}

/**
 * Counts a request for its client's address as `limitByAddress` does, on this node alone at first. The route
 * takes the arrival with what the body says, in one step for all nodes; what it does not take counts for them
 * when the request is answered.
 */
export function arriveByAddress(
  { clientAddress, contexts }: OfClient & { readonly contexts: RequestContexts },
  takeHere: (client: Client) => Arrival,
): BeforeBody {
  return (request) => {
    requireJson(request);
    contexts.of(request).arrival = takeHere({ address: clientAddress(request) });
  };
}

/**
 * One try at a password by the sender of a request. `account` is what the client calls the account, or the
 * number of its own. `counted.address` is the client's where a launch server says it.
 */
export type AttemptBy = (
  request: Request,
  account: string | AccountId,
  counted?: Counted & Partial<Client>,
) => PasswordAttempt;

/**
 * Makes tries that log each wrong password, with the address that a firewall needs. The line leaves out the
 * name that the client gave: people type passwords into that field.
 */
export function createAttempts({
  limits,
  clientAddress,
  contexts,
  log,
}: OfClient & {
  readonly limits: RateLimits;
  readonly contexts: RequestContexts;
  readonly log: Logger;
}): AttemptBy {
  return (request, account, counted = {}) => {
    const { address = clientAddress(request) } = counted;
    return passwordAttempt(limits, { ...counted, account, address }, (user, isHeld = false) => {
      const { id: requestId, route } = contexts.of(request);
      const line = { requestId, route: route ?? unknownRoute, client: address };
      const reason = isHeld ? "tried too often under several names" : "does not match";
      if (user === null) log.info("password refused", { ...line, reason: "unknown account" });
      else log.info("password refused", { ...line, reason, user });
    });
  };
}

/**
 * Stands between the guard of an upload and the reader of its form. It bounds the uploads that an account has
 * under way, from the head of the request to its answer, because their bodies are in memory. `admit` may
 * refuse an upload before its body is read; it is not asked about a launch server, which uploads for its
 * players.
 */
export type UploadGuard = ReturnType<typeof createUploadGuard>;

/** The refusal of one upload more than an account may have under way. */
export const uploadsUnderWay = (options?: FailureOptions) =>
  refusals.tooManyUploads(limits.uploadsAtOnceMax, options);

/** Makes the guard that all uploads share. */
export function createUploadGuard({ of }: Pick<RequestContexts, "of">) {
  const enter = createInFlight({ atOnceMax: limits.uploadsAtOnceMax, refusal: uploadsUnderWay });

  return (admit: (account: AccountId) => Promise<void> = async () => {}): BeforeBody =>
    async (request) => {
      const context = of(request);
      const { user } = context;
      if (user === null) throw new Error("An upload without a sender was not refused");
      context.holds = enter(String(user));
      if (typeof user === "number") await admit(user);
    };
}
