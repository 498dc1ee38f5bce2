import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { gauge, single, type Metric } from "../adapters/prometheus/exposition.ts";
import type { Ports } from "../boot/compose.ts";
import type { ClaimReads } from "../domain/ports/claim-store.ts";

/** An import brings many at once, and people take days: a reading of a minute ago does. */
const oldestSeconds = 60;

/** How many people can do nothing yet, because their accounts came without mail address and password. */
export function claimMetrics({ reads, clock }: Pick<Ports, "reads" | "clock">): readonly Metric[] {
  let counted: { readonly at: number; readonly accounts: number } | null = null;
  const read = async (): Promise<number> => {
    const at = clock.steadySeconds();
    if (counted === null || at >= counted.at + oldestSeconds)
      counted = { at, accounts: await countClaimable(reads.claims) };
    return counted.accounts;
  };
  return [
    gauge(
      "cloakroom_accounts_to_claim",
      "Accounts without mail address, password and social account, counted at most once a minute.",
      async () => single(await read()),
    ),
  ];
}

/** A page at a time, so that requests are answered meanwhile. */
async function countClaimable(claims: ClaimReads): Promise<number> {
  let sum = 0;
  for (let after: number | null = 0; after !== null;) {
    const page: Awaited<ReturnType<ClaimReads["countClaimable"]>> = await claims.countClaimable(after);
    sum += page.accounts;
    after = page.last;
    await yieldToEventLoop();
  }
  return sum;
}
