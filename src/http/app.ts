import { Elysia } from "elysia";
import { AppError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/log.ts";
import type { Waiter } from "../kernel/waiters.ts";
import { pagesOf } from "../domain/accounts/pages.ts";
import { clientNetworks } from "../domain/limits/address-limit.ts";
import { createReadiness, type Readiness } from "../domain/health/readiness.ts";
import type { DeliveryVersion } from "../domain/ports/pictures.ts";
import type { StorageProbe } from "../domain/ports/storage-probe.ts";
import type { Pictures } from "../domain/textures/pictures.ts";
import { createAdmission } from "./admission.ts";
import { adminRoutes, type AdminDeps } from "./api/admin/routes.ts";
import { authRoutes, type AuthDeps } from "./api/auth/routes.ts";
import { editActions, homeRoutes, type HomeDeps } from "./api/home/routes.ts";
import { socialRoutes, type SocialDeps } from "./api/social/routes.ts";
import { serviceRoutes, type ServiceDeps } from "./api/service/routes.ts";
import { createAnswers } from "./api/textures/answer.ts";
import { textureRoutes, type TextureDeps } from "./api/textures/routes.ts";
import { createBodyChecks } from "./body-checks.ts";
import { mayGoOn } from "./body.ts";
import { compress } from "./codings.ts";
import { createCors } from "./cors.ts";
import { answerFailure, fault, refusal } from "./failures.ts";
import { healthRoutes, type HealthDeps } from "./health/routes.ts";
import { createHotAnswers } from "./hot-answers.ts";
import { mailPages, type MailPageDeps } from "./mail/routes.ts";
import { createObserver, type LoggedRequests } from "./observe.ts";
import type { DocumentOptions } from "./openapi/document.ts";
import { openApiRoutes } from "./openapi/routes.ts";
import { createAttempts } from "./password-attempts.ts";
import { createRequestNotes, type Notes, type RequestNotes } from "./request-notes.ts";
import { createRequestStatistics, preflightRoute, type RequestStatistics } from "./request-statistics.ts";
import { createHarden } from "./security-headers.ts";
import type { NoteUser } from "./session.ts";
import { isAddressed, withFindablePath } from "./target.ts";
import { createTokens } from "./tokens.ts";
import { createUploadGuard } from "./upload-guard.ts";

/** What the sections ask for. */
type SectionDeps = AuthDeps &
  SocialDeps &
  HomeDeps &
  AdminDeps &
  ServiceDeps &
  MailPageDeps &
  TextureDeps &
  HealthDeps;

export type AppDeps = Omit<
  SectionDeps,
  | "answers"
  | "tokens"
  | "pages"
  | "clientAddress"
  | "notes"
  | "noteUser"
  | "readiness"
  | "attemptBy"
  | "uploadGuard"
> & {
  readonly storage: StorageProbe;
  readonly pictures: Pictures;
  readonly deliveryVersion: DeliveryVersion;
  readonly log: Logger;
  readonly logRequests: LoggedRequests;
  /** Base of the website's pages. */
  readonly siteUrl: () => string;
  /** How pages speak of us; null: by the host of the website. */
  readonly communityName: string | null;
  /** Web pages that may use the API; `*` for all of them. */
  readonly corsOrigins: readonly string[];
  /** The release, as the API's document names it. */
  readonly version: string;
  /** Who sent a request, proxies that are trusted left aside. */
  readonly clientAddress: (request: Request) => string;
  /** The key of session tokens and the name of who issues them. */
  readonly jwt: { readonly secret: string; readonly issuer: string };
};

/** The whole HTTP surface as a function from request to answer. It listens to nothing. */
export type App = {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** The answer when `fetch` itself throws. */
  readonly fail: (error: unknown) => Response;
  /** Every address that the router knows. */
  readonly routes: readonly Route[];
  /** What was answered so far. */
  readonly statistics: RequestStatistics;
  /** What `/health/ready` says. */
  readonly readiness: () => Promise<Readiness>;
};

/** A method and the pattern of the paths that it goes with: `GET`, `/api/skin/head/:uuid`. */
export type Route = { readonly method: string; readonly path: string };

/** Puts the sections together. Answers that were given before and still hold never reach the router. */
export function createApp(deps: AppDeps): App {
  const notes = createRequestNotes();
  const statistics = createRequestStatistics();
  const harden = createHarden(deps.publicUrl);
  const fail = (error: unknown, own: Notes): Response => {
    const answer = fault(error, own, deps.log);
    harden(answer.headers);
    return answer;
  };
  const observer = createObserver({ ...deps, notes, statistics, fail });
  const hot = createHotAnswers({ ...deps, observer, harden });
  const clientAddress = (request: Request) => deps.clientAddress(notes.of(request).arrived);
  const waiterOf = (request: Request) => waiterBehind(notes.of(request).arrived, clientAddress(request));
  const noteUser: NoteUser = (request, user) => void (notes.of(request).user = user);
  const readiness = createReadiness(deps);
  const inside = {
    ...deps,
    tokens: createTokens({ ...deps.jwt, clock: deps.clock }),
    answers: createAnswers({ ...deps, hot, waiterOf }),
    clientAddress,
    attemptBy: createAttempts({ ...deps, clientAddress, notes }),
    uploadGuard: createUploadGuard(notes),
    notes,
    noteUser,
    pages: () => pagesOf(deps.siteUrl()),
    readiness,
  };

  const { router, methodsOf } = createRouter(inside);
  const cors = createCors(deps.corsOrigins, methodsOf);
  const admit = createAdmission({ ...deps, clientAddress });
  const respond = (request: Request, own: Notes): Response | Promise<Response> => {
    if (!isAddressed(own.arrived)) throw noHost;
    const granted = cors.preflight(request);
    if (granted === undefined) return admit(request, () => router.handle(request));
    own.route = preflightRoute;
    return granted;
  };
  const handle = async (request: Request, own: Notes): Promise<Response> => {
    const findable = withFindablePath(request);
    notes.attach(findable, own);
    let answer: Response;
    try {
      answer = await compress(findable, await respond(findable, own));
    } catch (error) {
      answer = refusal(error);
    }
    harden(answer.headers);
    cors.open(findable, answer.headers);
    if (mayGoOn(request)) answer.headers.set("connection", "close");
    return answer;
  };
  return {
    fetch: (request) => hot.answer(request) ?? observer.observe(request, handle),
    fail: (error) => fail(error, notes.begin(new Request("http://localhost/"))),
    routes: router.routes.map(({ method, path }) => ({ method, path })),
    statistics,
    readiness,
  };
}

/** The client that waits for the answer to a request, under the key by which the limits count it. */
function waiterBehind(arrived: Request, address: string): Waiter {
  const [client = address] = clientNetworks({ address });
  return { client, gone: arrived.signal };
}

/** All sections, and which methods each path takes. */
function createRouter(
  deps: SectionDeps & Pick<AppDeps, "log" | "version"> & { readonly notes: RequestNotes },
) {
  const { log, notes, version, usernamePattern } = deps;
  const router = new Elysia()
    // First, because even a global hook misses routes that were declared before it.
    .onError(
      { as: "global" },
      answerFailure({ log, notes, editActions, methodsOf: (path) => methodsOf(path) }),
    )
    .onTransform({ as: "global" }, ({ request, route, body }) => {
      notes.of(request).route = route;
      checkBody(request.method, route, body);
    })
    .use(authRoutes(deps))
    .use(socialRoutes(deps))
    .use(homeRoutes(deps))
    .use(adminRoutes(deps))
    .use(serviceRoutes(deps))
    .use(mailPages(deps))
    .use(healthRoutes(deps))
    .use(textureRoutes(deps))
    .use(openApiRoutes(() => documented()))
    .compile();
  const documented = (): DocumentOptions => ({
    routes: router.routes,
    version,
    editActions,
    usernamePattern,
  });
  const methodsOf = methodsByPath(router.routes);
  const checkBody = createBodyChecks(router.routes);
  return { router, methodsOf };
}

const noHost = new AppError("invalid", "Host: must name one host, as in skins.example.org");

/** Which methods a path takes, from the routes themselves: asked only when none of them fits. */
function methodsByPath(routes: readonly { readonly method: string; readonly path: string }[]) {
  const known = routes.map(({ method, path }) => ({ method, segments: path.split("/") }));
  return (path: string): readonly string[] => {
    const segments = path.replace(/(?<=.)\/$/, "").split("/");
    const fits = (pattern: readonly string[]) =>
      pattern.length === segments.length &&
      pattern.every((segment, at) => segment.startsWith(":") || segment === segments[at]);
    const methods = known.filter((route) => fits(route.segments)).map(({ method }) => method);
    return [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))];
  };
}
