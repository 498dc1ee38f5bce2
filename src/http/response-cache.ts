import type { ChangeFeed, Subject } from "../domain/ports/change-feed.ts";
import { limits } from "../kernel/limits.ts";
import { mayGoOn } from "./body.ts";
import { etagMatches, variantOf, type Variant } from "./negotiation.ts";
import type { Observer } from "./observe.ts";
import { targetOf } from "./target.ts";

/** An answer that holds until one of its subjects changes. */
export type CachedResponse = {
  /** In quotes, as headers have it. */
  readonly etag: string;
  readonly headers: Headers;
  /** The body, or what looks it up; undefined when it is no longer in memory. */
  readonly body: string | (() => Blob | undefined);
  /** Everything that was read to make the answer: a change of any of them makes it another. */
  readonly subjects: readonly Subject[];
  /** Whether it holds apart from them. Asked at every answer. */
  readonly holds: () => boolean;
  /** Whether it answers requests of the same language and coding alone (`variantOf`). */
  readonly varies?: true;
  /** Bytes of a body that is kept for this answer alone. */
  readonly ownBytes?: number;
};

/**
 * Answers by address, whichever host it is asked of: delivery's, and the console's pages and files. Launchers
 * and pages request the same few thousand pictures over and over; a cached answer needs no routing, no
 * parsing and no database. A change drops the answers that it may have changed and no others, so a new skin
 * shows at once.
 */
export type ResponseCache = {
  /** The cached answer; undefined where the router must answer. `startedAt` is of `performance.now()`. */
  readonly answer: (request: Request, startedAt?: number) => Response | undefined;
  /**
   * Keeps an answer, unless anything changed since the feed was at `position`: before the answer's data was
   * read.
   */
  readonly remember: (request: Request, position: number, answer: CachedResponse) => void;
};

/** No address of ours is longer; a longer one is an attempt to fill the memory. */
const targetLengthMax = 256;
/** The measured cost of an answer beside its body and address, and of each of its subjects. */
const answerBytes = 1280;
const subjectBytes = 512;

type Remembered = CachedResponse & {
  readonly target: string;
  /** Null: it answers requests of every language and coding. */
  readonly variant: Variant | null;
  readonly observers: ReturnType<Observer["ofReady"]>;
};

type Deps = {
  readonly changes: ChangeFeed;
  readonly observer: Pick<Observer, "ofReady">;
  /** Adds the headers that every answer of its kind has. */
  readonly complete: (headers: Headers) => void;
};

export function createResponseCache({ changes, observer, complete }: Deps): ResponseCache {
  const answers = createAnswerMemory();
  changes.subscribe((change) => {
    if (change === "interrupted") answers.clear();
    else for (const subject of change) answers.drop(subject);
  });

  return {
    answer: (request, startedAt = performance.now()) => {
      // Drops first what another process has changed.
      changes.position(startedAt);
      // The way through the router ends at the database, which says that it is away.
      if (!changes.isFresh(startedAt)) return undefined;
      const { method } = request;
      if (method !== "GET" && method !== "HEAD") return undefined;
      const target = targetOf(request);
      if (target === null) return undefined;
      const known = answers.find(target, request);
      if (known === undefined || !known.holds()) return undefined;
      // The way through the router ends the connection. Otherwise Bun reads it for as long as the client
      // sends.
      if (mayGoOn(request)) return undefined;
      const { headers } = known;
      const count = known.observers[method];
      if (etagMatches(request, known.etag)) {
        count(304, performance.now() - startedAt);
        return new Response(null, { status: 304, headers });
      }
      const body = typeof known.body === "string" ? known.body : known.body();
      if (body === undefined) return undefined;
      count(200, performance.now() - startedAt);
      return new Response(body, { headers });
    },
    remember: (request, position, answer) => {
      const target = targetOf(request);
      // What was read before a change must not be kept after it. The next request reads again.
      if (target === null || target.length > targetLengthMax || position !== changes.position()) return;
      // Once here instead of with every answer.
      complete(answer.headers);
      const variant = answer.varies ? variantOf(request) : null;
      answers.set({ ...answer, target, variant, observers: observer.ofReady(request) });
    },
  };
}

/** Answers by address and by subject, `limits.responseCacheBytesMax` at most; the oldest go first. */
function createAnswerMemory() {
  const all = new Set<Remembered>();
  // Where answers vary, a map of their own: keys made of both would be a twentieth of a page's answer.
  const byTarget = new Map<string, Remembered | Map<Variant, Remembered>>();
  const bySubject = new Map<Subject, Set<Remembered>>();
  let bytes = 0;
  // Continues where it stopped: a new iterator would pass over the gaps of all removed answers.
  let oldest = all.values();

  const remove = (answer: Remembered): void => {
    const { target, variant } = answer;
    all.delete(answer);
    const found = byTarget.get(target);
    if (found instanceof Map && variant !== null) found.delete(variant);
    if (found === answer || (found instanceof Map && found.size === 0)) byTarget.delete(target);
    bytes -= costOf(answer);
    for (const subject of answer.subjects) {
      const others = bySubject.get(subject);
      if (others?.delete(answer) && others.size === 0) bySubject.delete(subject);
    }
  };

  return {
    find: (target: string, request: Request): Remembered | undefined => {
      const found = byTarget.get(target);
      return found instanceof Map ? found.get(variantOf(request)) : found;
    },
    set: (answer: Remembered): void => {
      const { target, variant } = answer;
      const found = byTarget.get(target);
      const known = found instanceof Map ? variant && found.get(variant) : found;
      if (known) remove(known);
      all.add(answer);
      if (variant === null) byTarget.set(target, answer);
      else byTarget.set(target, variantsOf(byTarget.get(target)).set(variant, answer));
      bytes += costOf(answer);
      for (const subject of answer.subjects) {
        const others = bySubject.get(subject);
        if (others === undefined) bySubject.set(subject, new Set([answer]));
        else others.add(answer);
      }
      // A popular address that is evicted is back after one request.
      while (bytes > limits.responseCacheBytesMax) {
        const { value } = oldest.next();
        if (value === undefined) oldest = all.values();
        else remove(value);
      }
    },
    drop: (subject: Subject): void => {
      for (const answer of bySubject.get(subject) ?? []) remove(answer);
    },
    clear: (): void => {
      all.clear();
      byTarget.clear();
      bySubject.clear();
      bytes = 0;
      oldest = all.values();
    },
  };
}

/** An address whose answers vary has none for all requests. */
function variantsOf(found: Remembered | Map<Variant, Remembered> | undefined): Map<Variant, Remembered> {
  return found instanceof Map ? found : new Map<Variant, Remembered>();
}

function costOf({ target, body, subjects, ownBytes = 0 }: Remembered): number {
  const text = typeof body === "string" ? body.length : 0;
  return answerBytes + target.length + text + ownBytes + subjects.length * subjectBytes;
}
