import type { ErrorKind } from "../kernel/errors.ts";
import type { Route } from "./routing/route.ts";
import type { ShownCode } from "./x-error.ts";

/**
 * One protocol that the server speaks: where it lives, its routes with their guards, and how its failures
 * look. Surfaces share the use cases, the limits, the log and the metrics.
 */
export type Surface = {
  /** The paths that belong to it: these and all below them. */
  readonly prefixes: readonly string[];
  /** Whether a path below no prefix belongs to it. */
  readonly owns?: (path: string) => boolean;
  /**
   * Makes its routes: those of a protocol beside the API at the first request below its paths, because a
   * tenth of a millisecond for each route would be a fifth of the start.
   */
  readonly routes: () => readonly Route[];
  /** Headers of pages and of 404s, at any address: they say where the protocol lives. */
  readonly forVisitors?: () => Readonly<Record<string, string>>;
  /** Whether pages of every origin may read its answers, as they may read delivery's. */
  readonly isOpen?: true;
  /** Whether no page of another origin may, whatever CORS_ORIGINS says. */
  readonly isClosed?: true;
  /**
   * Whether pages of every site may send it changes. They count for no limit, and a browser's session plays
   * no part.
   */
  readonly isPostable?: true;
  /** Answers a failed request, also one that failed before its route was looked up. Must not throw. */
  readonly presentFailure: (failure: Failure) => Response;
};

export type Failure = {
  readonly kind: ErrorKind;
  /** The status of the API's table. A protocol may have its own. */
  readonly status: number;
  /** For people. Names the field in the words of the route's schemas. */
  readonly message: string;
  /** The same for programs, for the header `X-Error`. Surfaces of foreign protocols do not send it. */
  readonly coded: ShownCode;
  /** What the answer says in headers: `Retry-After`, `Allow`, `X-Request-Id`, `Connection`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly request: Request;
  /** Null when the request failed before its route was found. */
  readonly route: Route | null;
  /** What was thrown. Show nothing of it but facts that are meant for clients. */
  readonly error: unknown;
};

/** The one table from what failed to the status that says so (docs/contract/answers.md#statuses). */
export const statusOf = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  wrong_method: 405,
  too_slow: 408,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  limited: 429,
  internal: 500,
  upstream: 502,
  unavailable: 503,
  no_space: 507,
} as const satisfies Record<Failure["kind"], number>;

/**
 * The surface that a path belongs to: the one with the longest prefix that fits. The first also has every
 * path of no surface.
 */
export function surfaceFinder(surfaces: readonly [Surface, ...Surface[]]): (path: string) => Surface {
  const longestFirst = surfaces
    .flatMap((surface) => surface.prefixes.map((prefix) => ({ prefix, surface })))
    .toSorted((one, other) => other.prefix.length - one.prefix.length);
  return (path) => {
    const fits = ({ prefix }: { readonly prefix: string }) =>
      path === prefix || path.startsWith(`${prefix}/`);
    return longestFirst.find(fits)?.surface ?? surfaces.find(({ owns }) => owns?.(path)) ?? surfaces[0];
  };
}
