import { SuspendedAccount } from "../../domain/model/suspension.ts";
import { SocialNotConnected, type BegunLogin, type connect } from "../../domain/social/connect.ts";
import { claimedNote } from "../../domain/social/login-states.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import { AppError } from "../../kernel/errors.ts";
import type { SessionId } from "../../kernel/ids.ts";
import { endSessionBefore, sessionCookie } from "../browser-session.ts";
import type { Http } from "../http.ts";
import { readOwnPath } from "../own-path.ts";
import { httpRefusals } from "../refusals.ts";
import { writeClaim } from "../resources/social-account.ts";
import { rules } from "../rules.ts";
import type { Site } from "../site.ts";

/**
 * Social logins whose callback leads to pages of the console: it answers with redirects, and with a cookie
 * instead of a token. The goal is the note of the login, so it comes back unchanged.
 */
export type ConsoleGoal = {
  readonly stay: boolean;
  /** A path of ours where the person goes on; null: the home page. */
  readonly next: string | null;
};

/** What comes back with the login: the goal, and the session that the browser had when it began. */
type Begun = ConsoleGoal & { readonly before: SessionId | null };

/** A failure that leads to a page. It counts, and is logged, as its cause. */
export class BackToConsole extends AppError {
  readonly location: string;
  readonly cookie: string | null;

  constructor(cause: unknown, location: string, cookie: string | null = null) {
    const known = cause instanceof AppError ? cause : httpRefusals.internal(String(cause));
    super(known, { cause, ...(known.report === null ? {} : { report: known.report }) });
    this.location = location;
    this.cookie = cookie;
  }
}

export function seeOther(location: string, cookie: string | null = null): Response {
  const headers = new Headers({ location, "cache-control": "no-store" });
  if (cookie !== null) headers.set("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}

/** The goal that a page asks for. Fails with invalid where there is no console. */
export function goalOf(
  { console }: Site,
  { stay, next }: { readonly stay?: "true"; readonly next?: string },
): ConsoleGoal {
  if (console === null) throw consoleIsOff();
  return { stay: stay === "true", next: next === undefined ? null : readOwnPath(next) };
}

/**
 * Browsers may leave the console's cookie out when another site sends them back, so the session that ends
 * then is noted.
 */
export function writeGoal({ stay, next }: ConsoleGoal, before: SessionId | null): string {
  return `${forConsole} ${stay ? "stay" : ""} ${next ?? ""} ${before ?? ""}`;
}

const forConsole = "console";

/** The goal of a login that comes back; null for one of a website. */
function readGoal(note: string | null): Begun | null {
  const [purpose, stay, next = "", before = ""] = (note ?? "").split(" ");
  if (purpose !== forConsole) return null;
  return {
    stay: stay === "stay",
    next: next === "" ? null : next,
    before: before === "" ? null : (before as SessionId), // `writeGoal` wrote it, under the seal of the state
  };
}

/**
 * Whether another site sends the browser here. A person begins a login by a click on our page, so that no
 * other site signs them in without their doing. Browsers that do not say where a request comes from are let
 * through.
 */
export function isLedByOthers({ headers }: Request): boolean {
  return !["same-origin", "none"].includes(headers.get("sec-fetch-site") ?? "none");
}

export function consoleIsOff(): AppError {
  return rules.noConsole();
}

/** The words for pages: why a social login came to nothing. */
function problemOf(
  cause: unknown,
): "expired" | "refused" | "suspended" | "unavailable" | "limited" | "failed" {
  if (!(cause instanceof AppError)) return "failed";
  if (cause instanceof SuspendedAccount) return "suspended";
  if (cause.kind === "limited") return "limited";
  if (cause.kind === "upstream" || cause.kind === "unavailable") return "unavailable";
  if (cause.kind !== "invalid") return "failed";
  return cause.field === "state" ? "expired" : "refused";
}

/** The sign-in page, which says what went wrong and goes on where the person wanted to. */
export function loginPage(goal: ConsoleGoal | null, problem?: unknown): string {
  return withQuery("/login", {
    problem: problem === undefined ? null : problemOf(problem),
    next: goal?.next ?? null,
  });
}

function withQuery(path: string, values: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== null) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/**
 * Redeems a callback's login. Returns it with its goal. One that seems to be the console's fails with
 * `BackToConsole`, because a person looks at the answer.
 */
export async function redeemFor(
  state: string | null,
  redeem: () => Promise<BegunLogin>,
): Promise<{ readonly begun: BegunLogin; readonly goal: Begun | null }> {
  try {
    const begun = await redeem();
    return { begun, goal: readGoal(begun.note) };
  } catch (cause) {
    const isForConsole = state !== null && readGoal(claimedNote(state)) !== null;
    throw isForConsole ? new BackToConsole(cause, loginPage(null, cause)) : cause;
  }
}

/**
 * Opens the console's session for a person who comes back from a provider and is linked, ends the one that
 * the browser had, and leads to the page where they go on. Any other person waits in a cookie, and is led to
 * the page that links or creates an account.
 */
export async function finishInConsole(
  { social, sessions }: Services,
  { requests, access }: Http,
  request: Request,
  {
    begun,
    goal,
    input,
  }: {
    readonly begun: BegunLogin;
    readonly goal: Begun;
    readonly input: Parameters<typeof connect>[2];
  },
): Promise<Response> {
  const client = { ...input.client, console: { stay: goal.stay } };
  try {
    const signedIn = await social.connect(begun, { ...input, client });
    requests.noteUser(request, signedIn.member.account.id);
    await endSessionBefore({ sessions }, access, request, goal.before);
    requests.contexts.of(request).meant = 200;
    return seeOther(goal.next ?? "/home", await sessionCookie(access, signedIn, goal.stay));
  } catch (cause) {
    if (!(cause instanceof SocialNotConnected)) throw new BackToConsole(cause, loginPage(goal, cause));
    const { person, connectionId } = cause.challenge;
    const claim = writeClaim({ subject: person.subject, connectionId });
    const page = withQuery("/social", { next: goal.next });
    throw new BackToConsole(cause, page, access.cookies.person.set(claim, waitSeconds));
  }
}

/** As long as a person waits to be linked (see `domain/social/pending.ts`). */
const waitSeconds = 600;
