import { nextPath } from "../../shell/next.ts";

/** Where a sign-in through a provider begins; it ends at `next`, or where the console leads. */
export function providerLink(provider: string, next: string | undefined): string {
  const query = new URLSearchParams({ provider, to: "console" });
  if (next !== undefined) query.set("next", nextPath(next));
  return `/auth/social/login?${query}`;
}
