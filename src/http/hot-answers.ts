import type { DeliveryVersion } from "../domain/ports.ts";
import { limits } from "../kernel/limits.ts";
import { etagMatches } from "./conditional.ts";
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

export function createHotAnswers(deliveryVersion: DeliveryVersion, harden: Harden): HotAnswers {
  const answers = new Map<string, HotAnswer & { readonly version: number }>();

  return {
    answer: (request) => {
      const known = answers.get(request.url);
      if (known === undefined || known.version !== deliveryVersion()) return undefined;
      if (request.method !== "GET" && request.method !== "HEAD") return undefined;
      const { headers } = known;
      if (etagMatches(request, known.etag)) return new Response(null, { status: 304, headers });
      const body = known.body();
      return body === undefined ? undefined : new Response(body, { headers });
    },
    remember: (request, version, answer) => {
      if (request.url.length > addressLengthMax) return;
      // Once here instead of at every answer.
      harden(answer.headers);
      answers.delete(request.url);
      answers.set(request.url, { ...answer, version });
      // Oldest first: a popular address that falls out is back after one request.
      for (const oldest of answers.keys()) {
        if (answers.size <= limits.hotAnswersMax) break;
        answers.delete(oldest);
      }
    },
  };
}
