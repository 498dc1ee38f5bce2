import type { RequestStatistics } from "../observe.ts";
import { statusOf } from "../surface.ts";

/** How many sign-ins in one way ended how. */
export type SignInResult = {
  readonly way: "password" | "social";
  readonly result: string;
  readonly count: number;
};

/** Where accounts that exist are signed in to. */
const wayOf: Readonly<Record<string, SignInResult["way"]>> = {
  "/api/auth/login": "password",
  "/auth/social/callback": "social",
  "/api/auth/login/social": "social",
};

/** What comes of a sign-in, by the status that says so. */
const resultOf: Readonly<Record<number, string>> = {
  200: "succeeded",
  [statusOf.unauthenticated]: "wrong",
  [statusOf.forbidden]: "unconfirmed",
  [statusOf.not_found]: "unlinked",
  [statusOf.limited]: "limited",
};

/** Sign-ins by way and result; every pair is there, also those that never came. */
export function signInResults(statistics: RequestStatistics): readonly SignInResult[] {
  const seen = statistics.read().flatMap(({ route, answers }) =>
    Array.from(answers, ([status, count]) => ({
      way: wayOf[route],
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
