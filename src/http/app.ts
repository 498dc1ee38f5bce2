import { AppError } from "../kernel/errors.ts";
import { onBehalfOf } from "../kernel/on-behalf.ts";
import type { Waiter } from "../kernel/waiters.ts";
import { pagesOf } from "../domain/accounts/pages.ts";
import { createReadiness, type Readiness } from "../domain/health/readiness.ts";
import { createCertificates } from "../domain/game/certificate.ts";
import { createProfiles } from "../domain/game/profile.ts";
import { clientNetworks } from "../domain/limits/address-limit.ts";
import { createAdmission, createAttempts, createUploadGuard } from "./admission.ts";
import { createAnswers } from "./answers.ts";
import { mayGoOn } from "./body.ts";
import { compress } from "./codings.ts";
import { createCookies } from "./cookies.ts";
import { createCors } from "./cors.ts";
import { createEventStreams } from "./events/streams.ts";
import { spellType } from "./json-type.ts";
import { createResponseCache, type ResponseCache } from "./response-cache.ts";
import { createObserver, createRequestStatistics, type Observer, type RequestStatistics } from "./observe.ts";
import { createOtherSites } from "./other-sites.ts";
import { createOwnPages } from "./own-pages.ts";
import type { AppDeps, Parts } from "./parts.ts";
import { createRequestContexts, preflightRoute, type RequestContext } from "./request-context.ts";
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

/** Puts the surfaces together. Answers that were given before and still hold never reach the router. */
export function createApp(deps: AppDeps): App {
  const contexts = createRequestContexts();
  const statistics = createRequestStatistics();
  const addSecurityHeaders = createSecurityHeaders(deps.publicUrl);
  const fail = (error: unknown, context: RequestContext): Response => {
    const answer = answerFailure(error, context);
    spellType(answer.headers);
    addSecurityHeaders(answer.headers);
    return answer;
  };
  const observer = createObserver({ ...deps, contexts, statistics, fail });
  const complete = (answer: Outside): void => {
    addSecurityHeaders(answer.headers);
    if (isForVisitors(answer)) setAll(answer.headers, router.visitorHeaders());
  };
  const completeRemembered = (headers: Headers) => complete({ status: 200, headers });
  const responseCache = createResponseCache({ ...deps, observer, complete: completeRemembered });
  const readiness = createReadiness(deps);
  const parts = createParts(deps, { contexts, responseCache, readiness, observer });
  const router = createRouter(parts);
  const { answerFailure } = router;

  const cors = createCors(deps.corsOrigins, router.methodsOf, router.surfaceOf);
  const otherSites = createOtherSites({ ...cors, ...router, ownOrigin: deps.ownOrigin });
  const admit = createAdmission({ ...parts, otherSites });
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
    onBehalfOf(new RequestWaiter(request, deps.clientAddress), () => handle(request, context));
  return {
    fetch: (request, at) => responseCache.answer(request, at) ?? observer.observe(request, handleForClient),
    fail: (error) => fail(error, contexts.begin(new Request("http://localhost/"))),
    routes: () => router.routes().map(presentRoute),
    statistics,
    readiness,
    countStreams: parts.eventStreams.count,
    endStreams: parts.eventStreams.close,
    flushLog: observer.flush,
  };
}

function createParts(
  deps: AppDeps,
  made: Pick<Parts, "contexts" | "readiness"> & {
    readonly responseCache: ResponseCache;
    readonly observer: Pick<Observer, "logFailure">;
  },
): Parts {
  const { contexts, responseCache, readiness, observer } = made;
  const clientAddress = (request: Request) => deps.clientAddress(contexts.of(request).arrived);
  const waiterOf = (request: Request) => new RequestWaiter(contexts.of(request).arrived, deps.clientAddress);
  const arrivedOf = (request: Request) => contexts.of(request).arrived;
  const ownPages = createOwnPages({ origin: deps.ownOrigin, isOn: deps.console !== null, arrivedOf });
  const cookies = createCookies(deps.publicUrl);
  const tokens = createTokens({ ...deps.jwt, clock: deps.clock });
  return {
    ...deps,
    tokens,
    claimsOf: createClaimsReader({ tokens, ownPages, cookies }),
    ownPages,
    cookies,
    answers: createAnswers({ ...deps, responseCache, waiterOf }),
    responseCache,
    profiles: createProfiles(deps),
    certificates: createCertificates(deps),
    waiterOf,
    clientAddress,
    idleAfter: (request, seconds) => deps.idleAfter(arrivedOf(request), seconds),
    clientOf: (request) => ({
      address: clientAddress(request),
      userAgent: request.headers.get("user-agent") ?? "",
    }),
    attemptBy: createAttempts({ ...deps, clientAddress, contexts }),
    uploadGuard: createUploadGuard(contexts),
    contexts,
    logFailure: observer.logFailure,
    arrivalOf: (request) => contexts.of(request).arrival ?? uncounted(),
    noteUser: (request, user) => void (contexts.of(request).user = user),
    eventStreams: createEventStreams(deps),
    pages: () => pagesOf(deps.siteUrl(), isOurSite(deps) ? "#" : "?"),
    readiness,
  };
}

/** Whether the console is the website that mails lead to. */
function isOurSite({ console, siteUrl, publicUrl }: AppDeps): boolean {
  return console !== null && siteUrl() === publicUrl();
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

const noHost = new AppError("invalid", "Host: must name one host, as in skins.example.org");

/**
 * The client that waits for the answer to a request, under the key by which the limits count it. Its properties are found only where
 * something waits for it: the address alone costs a tenth of a short answer.
 */
class RequestWaiter implements Waiter {
  readonly #arrived: Request;
  readonly #addressOf: AppDeps["clientAddress"];
  #networks?: readonly string[];

  constructor(arrived: Request, addressOf: AppDeps["clientAddress"]) {
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
