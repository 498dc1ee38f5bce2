import type { ChangeFeed } from "../domain/ports/change-feed.ts";
import type { Services } from "../domain/use-cases/services.ts";
import { limits } from "../kernel/limits.ts";
import { mayGoOn } from "./body.ts";
import { variantOf, type Variant } from "./negotiation.ts";
import type { Observer, ReadyObserver } from "./observe.ts";
import { isInBackground } from "./own-pages.ts";
import type { FoundMember, RequestContext } from "./request-context.ts";
import { targetOf } from "./target.ts";

/**
 * Answers to members, by address and token, for as long as nothing at all is committed: so session, level and
 * data are what they would be if they were read, whichever process changes them. Where the engine has no
 * number of its commits, nothing is remembered.
 */
export type MemberAnswers = {
  /** The remembered answer; undefined where the router must answer. `startedAt` is of `performance.now()`. */
  readonly answer: (request: Request, startedAt?: number) => Response | undefined;
  /** Keeps a complete answer that its route lets be kept (`holdsUntil`), and returns it. */
  readonly remember: (request: Request, context: RequestContext, answer: Response) => Promise<Response>;
};

/** The measured cost of an answer beside its body and its token. */
const answerBytes = 2048;

type Remembered = Pick<FoundMember, "session"> & {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Headers;
  readonly coding: Variant["coding"];
  /** Unix seconds: before `from` the clock was set back. */
  readonly from: number;
  readonly until: number;
  readonly count: ReadyObserver;
};

type Deps = {
  readonly changes: Pick<ChangeFeed, "version">;
  readonly observer: Pick<Observer, "ofReady">;
  readonly clock: Services["clock"];
  readonly sessions: Pick<Services["sessions"], "noteUse">;
};

export function createMemberAnswers({ changes, observer, clock, sessions }: Deps): MemberAnswers {
  const memory = createMemory();

  return {
    answer: (request, startedAt = performance.now()) => {
      const known = memory.find(request);
      if (known === undefined || !mayBeAnswered(request, known)) return undefined;
      const now = clock.nowSeconds();
      if (now < known.from || now >= known.until || !memory.isOf(changes.version())) return undefined;
      if (!isInBackground(request)) sessions.noteUse(known.session, now);
      known.count(200, performance.now() - startedAt);
      return new Response(known.body, { headers: known.headers });
    },
    remember: async (request, { found, holdsUntil }, answer) => {
      if (found === null || holdsUntil === null || answer.status !== 200) return answer;
      const { version, session, endsAt } = found;
      const { coding } = variantOf(request);
      if (version === null || !mayBeAnswered(request, { coding })) return answer;
      // What was read before a commit must not be kept after it.
      if (version !== changes.version()) return answer;
      const body = new Uint8Array(await answer.arrayBuffer());
      const { headers } = answer;
      const until = Math.min(endsAt, holdsUntil);
      const count = observer.ofReady(request).GET;
      memory.set(request, version, {
        session,
        body,
        headers,
        coding,
        from: clock.nowSeconds(),
        until,
        count,
      });
      return new Response(body, { headers });
    },
  };
}

/**
 * Whether the answer would be the same but for the token. An answer to another site's page has more headers.
 */
function mayBeAnswered(request: Request, { coding }: Pick<Remembered, "coding">): boolean {
  if (request.method !== "GET" || request.headers.has("origin") || mayGoOn(request)) return false;
  return variantOf(request).coding === coding;
}

/** Answers by address and token, all of one version of the database. */
function createMemory() {
  const byTarget = new Map<string, Map<string, Remembered>>();
  let version: number | null = null;
  let bytes = 0;
  const clear = (): void => {
    byTarget.clear();
    bytes = 0;
  };

  return {
    find: (request: Request): Remembered | undefined => {
      if (bytes === 0) return undefined;
      const ofTarget = byTarget.get(targetOf(request) ?? "");
      return ofTarget?.get(request.headers.get("authorization") ?? "");
    },
    /** Whether the database is what it was. If it is another one, nothing is known any more. */
    isOf: (current: number | null): boolean => {
      if (current !== null && current !== version) clear();
      return current === version;
    },
    set: (request: Request, of: number, answer: Remembered): void => {
      const target = targetOf(request);
      const token = request.headers.get("authorization");
      // Anybody can make up any number of addresses with a query.
      if (target === null || token === null || target.includes("?")) return;
      const cost = answerBytes + token.length + answer.body.length;
      // Those that are asked for again are back after one request.
      if (of !== version || bytes + cost > limits.memberAnswersBytesMax) clear();
      version = of;
      bytes += cost;
      const ofTarget = byTarget.get(target) ?? new Map<string, Remembered>();
      byTarget.set(target, ofTarget.set(token, answer));
    },
  };
}
