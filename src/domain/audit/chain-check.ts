import type { Clock } from "../../kernel/clock.ts";
import type { Reads } from "../ports/stores.ts";
import { verifyChain, type ChainReport } from "./verify-chain.ts";

/** How long entries that were found valid are not read again. A million take some seconds. */
const trustedSeconds = 5 * 60;

/**
 * Makes the check of the audit's chain for a running server. Callers at once share one run. For five minutes
 * after a run only the entries that were added since are verified, and what was found invalid is not looked
 * for again.
 */
export function createChainCheck({
  reads: { audit },
  clock,
}: {
  readonly reads: Pick<Reads, "audit">;
  readonly clock: Clock;
}): () => Promise<ChainReport> {
  let last: { readonly at: number; readonly report: ChainReport } | null = null;
  let underway: Promise<ChainReport> | null = null;

  const run = async (): Promise<ChainReport> => {
    const now = clock.steadySeconds();
    const known = last !== null && now - last.at < trustedSeconds ? last : null;
    if (known !== null && known.report.fault !== null) return known.report;
    const from = known === null ? {} : { from: known.report.newest };
    const report = await verifyChain(audit, { noted: null, onProgress: () => undefined, ...from });
    last = { at: known?.at ?? now, report };
    return report;
  };
  return () => (underway ??= run().finally(() => (underway = null)));
}
