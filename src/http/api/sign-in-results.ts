import type { RequestStatistics } from "../observe.ts";
import { statusOf } from "../surface.ts";

/** How many sign-ins of one way had one result. */
export type SignInResult = {
  readonly way: "password" | "social";
  readonly result: string;
  readonly count: number;
};

/** The routes that sign in to accounts that exist. The console has one that links and creates. */
const wayOf: Readonly<Record<string, SignInResult["way"]>> = {
  "POST /api/auth/login": "password",
  "POST /console/session": "password",
  "GET /auth/social/callback": "social",
  "POST /api/auth/login/social": "social",
  "POST /console/social": "social",
};

/** The result of a sign-in, by the status that its answer means. */
const resultOf: Readonly<Record<number, string>> = {
  200: "succeeded",
  [statusOf.unauthenticated]: "wrong",
  [statusOf.forbidden]: "unconfirmed",
  [statusOf.not_found]: "unlinked",
  [statusOf.limited]: "limited",
};

/** Sign-ins by way and result, with a count of 0 for what has not happened yet. */
export function signInResults(statistics: RequestStatistics): readonly SignInResult[] {
  const seen = statistics.read().flatMap(({ method, route, meanings }) =>
    Array.from(meanings, ([status, count]) => ({
      way: wayOf[`${method} ${route}`],
      result: resultOf[status] ?? "failed",
      count,
    })),
  );
  const results = [...Object.values(resultOf), "failed"];
  return (["password", "social"] as const).flatMap((way) =>
    results.map((result) => {
      const own = seen.filter((one) => one.way === way && one.result === result);
      return { way, result, count: own.reduce((sum, { count }) => sum + count, 0) };
    }),
  );
}
