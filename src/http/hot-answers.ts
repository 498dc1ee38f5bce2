import type { DeliveryVersion } from "../domain/ports/pictures.ts";
import { limits } from "../kernel/limits.ts";
import { etagMatches } from "./negotiation.ts";
import type { Observer } from "./observe.ts";
import type { Harden } from "./security-headers.ts";

/** An answer that can be given again as long as nothing has changed. */
export type HotAnswer = {
  /** In quotes, as headers have it. */
  readonly etag: string;
  readonly headers: Headers;
  /** The body; undefined when it is no longer in memory. */
  readonly body: () => Blob | string | undefined;
};

/**
 * Ready answers of delivery by address. Launchers and pages ask for the same few thousand pictures over and over; for
 * them routing, parsing and the database are work that was done before. An answer holds until the delivery version
 * moves, so a changed skin shows at once.
 */
export type HotAnswers = {
  /** The answer to a request that was answered before; undefined sends it the long way. */
  readonly answer: (request: Request) => Response | undefined;
  /** Keeps an answer. `version` is the delivery version from before its data was read. */
  readonly remember: (request: Request, version: number, answer: HotAnswer) => void;
};

/** Longer addresses than any of ours are somebody's attempt to fill the memory. */
const addressLengthMax = 256;

type Remembered = HotAnswer & {
  readonly version: number;
  readonly observers: ReturnType<Observer["ofReady"]>;
};

type Deps = {
  readonly deliveryVersion: DeliveryVersion;
  readonly observer: Observer;
  readonly harden: Harden;
};

export function createHotAnswers({ deliveryVersion, observer, harden }: Deps): HotAnswers {
  const answers = new Map<string, Remembered>();

  return {
    answer: (request) => {
      const startedAt = performance.now();
      const known = answers.get(request.url);
      if (known === undefined || known.version !== deliveryVersion(startedAt)) return undefined;
      const { method } = request;
      if (method !== "GET" && method !== "HEAD") return undefined;
      const { headers } = known;
      const tell = known.observers[method];
      if (etagMatches(request, known.etag)) {
        tell(304, performance.now() - startedAt);
        return new Response(null, { status: 304, headers });
      }
      const body = known.body();
      if (body === undefined) return undefined;
      tell(200, performance.now() - startedAt);
      return new Response(body, { headers });
    },
    remember: (request, version, answer) => {
      if (request.url.length > addressLengthMax) return;
      // Once here instead of at every answer.
      harden(answer.headers);
      answers.delete(request.url);
      answers.set(request.url, { ...answer, version, observers: observer.ofReady(request) });
      // Oldest first: a popular address that falls out is back after one request.
      for (const oldest of answers.keys()) {
        if (answers.size <= limits.hotAnswersMax) break;
        answers.delete(oldest);
      }
    },
  };
}
