import { httpRefusals } from "./refusals.ts";
import { onBehalfOf } from "../kernel/on-behalf.ts";
import type { Waiter } from "../kernel/waiters.ts";
import type { Readiness } from "../domain/health/readiness.ts";
import { clientNetworks } from "../domain/limits/address-limit.ts";
import { createAdmission, createAttempts, createUploadGuard } from "./admission.ts";
import { createAnswers } from "./answers.ts";
import { mayGoOn } from "./body.ts";
import { compress } from "./codings.ts";
import { createCookies } from "./cookies.ts";
import { createCors } from "./cors.ts";
import { createEventStreams, type EventPace } from "./events/streams.ts";
import { spellType } from "./json-type.ts";
import { createGuards } from "./guards.ts";
import { createResponseCache, type ResponseCache } from "./response-cache.ts";
import {
  createObserver,
  createRequestStatistics,
  type LoggedRequests,
  type Observer,
  type RequestStatistics,
} from "./observe.ts";
import { createOtherSites } from "./other-sites.ts";
import { createOwnPages } from "./own-pages.ts";
import type { Http, Requests, Site } from "./http.ts";
import type { SurfaceOf } from "./surface.ts";
import type { RateLimits } from "../domain/limits/rate-limits.ts";
import type { ChangeFeed } from "../domain/ports/change-feed.ts";
import type { OnEvents } from "../domain/ports/event-store.ts";
import type { Services } from "../domain/use-cases/services.ts";
import type { Logger } from "../kernel/log.ts";
import {
  createRequestContexts,
  preflightRoute,
  type RequestContext,
  type RequestContexts,
} from "./request-context.ts";
import { createRouter } from "./router.ts";
import type { Route } from "./routing/route.ts";
import { createSecurityHeaders } from "./security-headers.ts";
import { isAddressed, withFindablePath } from "./target.ts";
import { createClaimsReader, createTokens } from "./tokens.ts";

/** The whole HTTP side as a function from request to answer. It listens to nothing. */
export type App = {
  /** `startedAt` is of `performance.now()`, for callers that know it. */
  readonly fetch: (request: Request, startedAt?: number) => Response | Promise<Response>;
  /** The answer when `fetch` itself throws. */
  readonly fail: (error: unknown) => Response;
  /** Every address that the router knows. */
  readonly routes: () => readonly (Pick<Route, "method" | "path"> & {
    /** The path of the route that this one answers as; null: it has answers of its own. */
    readonly alias: string | null;
    /** Whether a protocol beside the API owns it. */
    readonly isOfProtocol: boolean;
  })[];
  /** Counts of the answers so far. */
  readonly statistics: RequestStatistics;
  /** The answer of `/health/ready`. */
  readonly readiness: () => Promise<Readiness>;
  /** Streams of events that are open. */
  readonly countStreams: () => number;
  /** Ends what would not end by itself: streams of events. */
  readonly endStreams: () => void;
  /** Writes what the log has yet to say of requests. */
  readonly flushLog: () => void;
};

/** What the HTTP side is made of. */
export type AppOptions = {
  readonly services: Services;
  readonly site: Site;
  readonly changes: ChangeFeed;
  readonly onEvents: OnEvents;
  readonly log: Logger;
  readonly logRequests: LoggedRequests;
  /** The client's address, behind trusted proxies too. */
  readonly clientAddress: (request: Request) => string;
  /** Has the connection of a request end after so many seconds without traffic; 0: never. */
  readonly idleAfter: (request: Request, seconds: number) => void;
  /** The key of session tokens and the name of their issuer. */
  readonly jwt: { readonly secret: string; readonly issuer: string };
  /** What tests hurry. */
  readonly eventPace?: Partial<EventPace>;
  /** Surfaces beside the API and the pages. */
  readonly surfaces?: readonly SurfaceOf[];
};

/** Puts the surfaces together. Answers that were given before and still hold never reach the router. */
export function createApp(options: AppOptions): App {
  const { services, site, surfaces = [] } = options;
  const contexts = createRequestContexts();
  const statistics = createRequestStatistics();
  const addSecurityHeaders = createSecurityHeaders(site.publicUrl);
  const fail = (error: unknown, context: RequestContext): Response => {
    const answer = answerFailure(error, context);
    spellType(answer.headers);
    addSecurityHeaders(answer.headers);
    return answer;
  };
  const observer = createObserver({ ...options, ...services, contexts, statistics, fail });
  const complete = (answer: Outside): void => {
    addSecurityHeaders(answer.headers);
    if (isForVisitors(answer)) setAll(answer.headers, router.visitorHeaders());
  };
  const completeRemembered = (headers: Headers) => complete({ status: 200, headers });
  const responseCache = createResponseCache({
    ...options,
    observer,
    complete: completeRemembered,
  });
  const http = createHttp(options, { contexts, responseCache, observer });
  const { requests } = http;
  const router = createRouter(services, http, surfaces);
  const { answerFailure } = router;

  const cors = createCors(site.corsOrigins, router.methodsOf, router.surfaceOf);
  const otherSites = createOtherSites({ ...cors, ...router, ownOrigin: site.ownOrigin });
  const admit = createAdmission({ ...requests, limits: services.limits, otherSites });
  const respond = (request: Request, context: RequestContext): Response | Promise<Response> => {
    if (!isAddressed(context.arrived)) throw noHost;
    const granted = cors.preflight(request);
    if (granted === undefined) return admit(request, () => router.handle(request));
    context.route = preflightRoute;
    return granted;
  };
  const handle = async (request: Request, context: RequestContext): Promise<Response> => {
    const findable = withFindablePath(request);
    contexts.attach(findable, context);
    let answer: Response;
    try {
      answer = await compress(findable, await respond(findable, context));
    } catch (error) {
      answer = answerFailure(error, context);
    }
    if (answer.status === 404) answer = await router.shownToPeople(findable, answer);
    spellType(answer.headers);
    complete(answer);
    cors.open(findable, answer.headers);
    if (mayGoOn(request)) answer.headers.set("connection", "close");
    return answer;
  };
  const handleForClient: typeof handle = (request, context) =>
    onBehalfOf(new RequestWaiter(request, options.clientAddress), () => handle(request, context));
  return {
    fetch: (request, at) => responseCache.answer(request, at) ?? observer.observe(request, handleForClient),
    fail: (error) => fail(error, contexts.begin(new Request("http://localhost/"))),
    routes: () => router.routes().map(presentRoute),
    statistics,
    readiness: services.health.readiness,
    countStreams: http.eventStreams.count,
    endStreams: http.eventStreams.close,
    flushLog: observer.flush,
  };
}

function createHttp(
  { services, site, ...options }: AppOptions,
  made: {
    readonly contexts: RequestContexts;
    readonly responseCache: ResponseCache;
    readonly observer: Pick<Observer, "logFailure">;
  },
): Http {
  const { clock, limits, reads, sessions, serviceTokens, textures } = services;
  const { responseCache } = made;
  const requests = createRequests({ ...options, limits, ...made });
  const { waiterOf, contexts } = requests;
  const arrivedOf = (request: Request) => contexts.of(request).arrived;
  const ownPages = createOwnPages({ origin: site.ownOrigin, isOn: site.console !== null, arrivedOf });
  const cookies = createCookies(site.publicUrl);
  const tokens = createTokens({ ...options.jwt, clock });
  const claimsOf = createClaimsReader({ tokens, ownPages, cookies });
  const { noteUser } = requests;
  return {
    requests,
    access: { tokens, claimsOf, ownPages, cookies },
    guards: createGuards({ reads, sessions, serviceTokens, clock, claimsOf, noteUser }, site),
    site,
    answers: createAnswers({ ...site, ...options, ...textures, clock, responseCache, waiterOf }),
    responseCache,
    eventStreams: createEventStreams({ ...site, ...options, reads, clock }),
    changes: options.changes,
  };
}

function createRequests(
  deps: Pick<AppOptions, "clientAddress" | "idleAfter" | "log"> & {
    readonly limits: RateLimits;
    readonly contexts: RequestContexts;
    readonly observer: Pick<Observer, "logFailure">;
  },
): Requests {
  const { contexts } = deps;
  const arrivedOf = (request: Request) => contexts.of(request).arrived;
  const clientAddress = (request: Request) => deps.clientAddress(arrivedOf(request));
  return {
    contexts,
    clientAddress,
    clientOf: (request) => ({
      address: clientAddress(request),
      userAgent: request.headers.get("user-agent") ?? "",
    }),
    waiterOf: (request) => new RequestWaiter(arrivedOf(request), deps.clientAddress),
    arrivalOf: (request) => contexts.of(request).arrival ?? uncounted(),
    attemptBy: createAttempts({ ...deps, clientAddress }),
    uploadGuard: createUploadGuard(contexts),
    noteUser: (request, user) => void (contexts.of(request).user = user),
    idleAfter: (request, seconds) => deps.idleAfter(arrivedOf(request), seconds),
    logFailure: deps.observer.logFailure,
    log: deps.log,
  };
}

function uncounted(): never {
  throw new Error("A route takes an arrival that was not counted");
}

function presentRoute({ method, path, alias, protocol }: Route): ReturnType<App["routes"]>[number] {
  return { method, path, alias: alias ?? null, isOfProtocol: alias !== undefined || protocol === true };
}

/** An answer without its body. */
type Outside = Pick<Response, "status" | "headers">;

function setAll(headers: Headers, given: readonly (readonly [string, string])[]): void {
  for (const [name, value] of given) headers.set(name, value);
}

/** Pages, and addresses where nothing is: what a visitor meets who only knows the name of the server. */
function isForVisitors({ status, headers }: Outside): boolean {
  return status === 404 || headers.get("content-type")?.startsWith("text/html") === true;
}

const noHost = httpRefusals.noHost();

/**
 * The client that waits for the answer to a request, under the key by which the limits count it. Its properties are found only where
 * something waits for it: the address alone costs a tenth of a short answer.
 */
class RequestWaiter implements Waiter {
  readonly #arrived: Request;
  readonly #addressOf: AppOptions["clientAddress"];
  #networks?: readonly string[];

  constructor(arrived: Request, addressOf: AppOptions["clientAddress"]) {
    this.#arrived = arrived;
    this.#addressOf = addressOf;
  }

  get client(): string {
    return this.#found[0] ?? "";
  }

  get within(): readonly string[] {
    return this.#found.slice(1);
  }

  get gone(): AbortSignal {
    return this.#arrived.signal;
  }

  get #found(): readonly string[] {
    return (this.#networks ??= clientNetworks({ address: this.#addressOf(this.#arrived) }));
  }
}
