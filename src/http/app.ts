import type { Readiness } from "../domain/health/readiness.ts";
import { AppError } from "../kernel/errors.ts";
import { onBehalfOf } from "../kernel/on-behalf.ts";
import { createAdmission } from "./admission.ts";
import { mayGoOn } from "./body.ts";
import { compress } from "./codings.ts";
import { createCors } from "./cors.ts";
import { createHttp, type HttpOptions } from "./http.ts";
import { spellType } from "./json-type.ts";
import { createMemberAnswers } from "./member-answers.ts";
import {
  createObserver,
  createRequestStatistics,
  type LoggedRequests,
  type RequestStatistics,
} from "./observe.ts";
import { createOtherSites } from "./other-sites.ts";
import type { SurfaceOf } from "./protocols.ts";
import { httpRefusals } from "./refusals.ts";
import {
  createRequestContexts,
  preflightRoute,
  type RequestContext,
  type RequestContexts,
} from "./request-context.ts";
import { RequestWaiter } from "./requests.ts";
import { createResponseCache } from "./response-cache.ts";
import { createRouter } from "./router.ts";
import type { Route } from "./routing/route.ts";
import { createSecurityHeaders } from "./security-headers.ts";
import { isAddressed, withFindablePath } from "./target.ts";

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
  /**
   * Asks a route as a request would, so that the first one does not wait for what it needs. Nothing counts
   * it, and what it asks for need not exist.
   */
  readonly prepare: (path: string) => Promise<void>;
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
export type AppOptions = HttpOptions & {
  readonly logRequests: LoggedRequests;
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
    const answer = router.answerFailure(error, context);
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
  const responseCache = createResponseCache({ ...options, observer, complete: completeRemembered });
  const memberAnswers = createMemberAnswers({ ...options, ...services, observer });
  const http = createHttp(options, { contexts, responseCache, logFailure: observer.logFailure });
  const router = createRouter(services, http, surfaces);

  const cors = createCors(site.corsOrigins, router.methodsOf, router.surfaceOf);
  const otherSites = createOtherSites({ ...cors, ...router, ownOrigin: site.ownOrigin });
  const admit = createAdmission({ ...http.requests, limits: services.limits, otherSites });
  const respond = responder(cors, (request) => admit(request, () => router.handle(request)));
  const handle = async (request: Request, context: RequestContext): Promise<Response> => {
    const findable = withFindablePath(request);
    contexts.attach(findable, context);
    let answer: Response;
    try {
      answer = await compress(findable, await respond(findable, context));
    } catch (error) {
      answer = router.answerFailure(error, context);
    }
    if (answer.status === 404) answer = await router.shownToPeople(findable, answer);
    spellType(answer.headers);
    complete(answer);
    cors.open(findable, answer.headers);
    answer = await memberAnswers.remember(findable, context, answer);
    if (mayGoOn(request)) answer.headers.set("connection", "close");
    return answer;
  };
  const handleForClient: typeof handle = (request, context) =>
    onBehalfOf(new RequestWaiter(request, options.clientAddress), () => handle(request, context));
  return {
    fetch: (request, at) =>
      responseCache.answer(request, at) ??
      memberAnswers.answer(request, at) ??
      observer.observe(request, handleForClient),
    fail: (error) => fail(error, contexts.begin(new Request("http://localhost/"))),
    routes: () => router.routes().map(presentRoute),
    prepare: (path) => prepare(path, contexts, router),
    statistics,
    readiness: services.health.readiness,
    countStreams: http.eventStreams.count,
    endStreams: http.eventStreams.close,
    flushLog: observer.flush,
  };
}

async function prepare(
  path: string,
  contexts: RequestContexts,
  router: Pick<ReturnType<typeof createRouter>, "handle" | "answerFailure">,
): Promise<void> {
  const request = new Request(`http://localhost${path}`);
  const context = contexts.begin(request);
  contexts.attach(request, context);
  try {
    await router.handle(request);
  } catch (error) {
    if (!(error instanceof AppError && error.kind === "not_found")) throw error;
    router.answerFailure(error, context);
  }
}

/** Answers preflights and has other requests admitted. Fails with invalid for a request without a host. */
function responder(
  cors: ReturnType<typeof createCors>,
  admit: (request: Request) => Response | Promise<Response>,
): (request: Request, context: RequestContext) => Response | Promise<Response> {
  return (request, context) => {
    if (!isAddressed(context.arrived)) throw noHost;
    const granted = cors.preflight(request);
    if (granted === undefined) return admit(request);
    context.route = preflightRoute;
    return granted;
  };
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
