import type { ChangeFeed } from "../domain/ports/change-feed.ts";
import type { OnEvents } from "../domain/ports/event-store.ts";
import type { Services } from "../domain/use-cases/services.ts";
import { createAccess, type Access } from "./access.ts";
import { createAnswers, type Answers } from "./answers.ts";
import { createEventStreams, type EventPace, type EventStreams } from "./events/streams.ts";
import { createGuards, type Guards } from "./guards.ts";
import type { RequestContexts } from "./request-context.ts";
import type { FailureLog } from "./request-log.ts";
import { createRequests, type Requests } from "./requests.ts";
import type { ResponseCache } from "./response-cache.ts";
import type { Site } from "./site.ts";

/** What surfaces share beside the services. */
export type Http = {
  readonly requests: Requests;
  readonly access: Access;
  readonly guards: Guards;
  readonly site: Site;
  readonly answers: Answers;
  readonly responseCache: ResponseCache;
  readonly eventStreams: EventStreams;
  readonly changes: ChangeFeed;
};

/** What HTTP's own is made of. */
export type HttpOptions = Pick<Requests, "clientAddress" | "idleAfter" | "log"> & {
  readonly services: Services;
  readonly site: Site;
  readonly changes: ChangeFeed;
  readonly onEvents: OnEvents;
  /** The key of session tokens and the name of their issuer. */
  readonly jwt: { readonly secret: string; readonly issuer: string };
  /** What tests hurry. */
  readonly eventPace?: Partial<EventPace>;
};

export function createHttp(
  { services, site, ...options }: HttpOptions,
  made: {
    readonly contexts: RequestContexts;
    readonly responseCache: ResponseCache;
    readonly logFailure: FailureLog["write"];
  },
): Http {
  const { clock, limits, reads, sessions, serviceTokens, textures } = services;
  const { contexts, responseCache, logFailure } = made;
  const requests = createRequests({ ...options, limits, contexts, logFailure });
  const access = createAccess({ ...options, site, contexts, clock });
  const { waiterOf } = requests;
  const guarded = { ...requests, ...access, ...options, reads, sessions, serviceTokens, clock };
  return {
    requests,
    access,
    guards: createGuards(guarded, site),
    site,
    answers: createAnswers({ ...site, ...options, ...textures, clock, responseCache, waiterOf }),
    responseCache,
    eventStreams: createEventStreams({ ...site, ...options, reads, clock }),
    changes: options.changes,
  };
}
