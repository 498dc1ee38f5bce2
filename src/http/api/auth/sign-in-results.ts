import { statusOf } from "../../envelope.ts";
import type { RequestStatistics } from "../../request-statistics.ts";

/** What comes of a sign-in, by the status that says so. */
const resultOf: Readonly<Record<number, string>> = {
  200: "succeeded",
  [statusOf.unauthenticated]: "wrong",
  [statusOf.forbidden]: "unconfirmed",
  [statusOf.limited]: "limited",
};

/** How many sign-ins with a password ended how; every result is there, also those that never came. */
export function signInResults(statistics: RequestStatistics): ReadonlyMap<string, number> {
  const results = new Map([...Object.values(resultOf), "failed"].map((result) => [result, 0]));
  const signIns = statistics.read().filter(({ route }) => route === "/api/auth/login");
  for (const [status, answers] of signIns.flatMap((one) => [...one.answers])) {
    const result = resultOf[status] ?? "failed";
    results.set(result, (results.get(result) ?? 0) + answers);
  }
  return results;
}
