import type { SurplusReason } from "../domain/limits/surplus-connections.ts";
import type { Logger } from "../kernel/log.ts";
import { moreFiles } from "../domain/health/machine-texts.ts";

/** Connections that were closed, by reason. */
export type ClosedCounts = Readonly<Record<SurplusReason, number>>;

export const closedCounts = {
  none: { address: 0, idle: 0, busy: 0 },
  sum: ({ address, idle, busy }: ClosedCounts) => address + idle + busy,
  add: (one: ClosedCounts, other: ClosedCounts): ClosedCounts => ({
    address: one.address + other.address,
    idle: one.idle + other.idle,
    busy: one.busy + other.busy,
  }),
} as const;

/** How long lines about the same are apart. */
const reportMs = 60_000;

type Report = (
  seen: { readonly closed: ClosedCounts; readonly isShort: boolean },
  files: { readonly open: number; readonly max: number },
) => void;

/** Logs what was closed, and why: at once, and then once a minute while it goes on. */
export function createConnectionReport(log: Logger): Report {
  let reportedAt = -Infinity;
  let closed: ClosedCounts = closedCounts.none;
  return (seen, { open, max }) => {
    closed = closedCounts.add(closed, seen.closed);
    const isWorthALine = seen.isShort || closedCounts.sum(seen.closed) > 0;
    if (!isWorthALine || performance.now() - reportedAt < reportMs) return;
    reportedAt = performance.now();
    const { address, idle, busy } = closed;
    closed = closedCounts.none;
    if (address > 0)
      log.warn("idle connections were closed: an address had more than CONNECTIONS_PER_ADDRESS", {
        closed: address,
        remedy: "if it is a proxy of yours, name it in TRUSTED_PROXIES",
      });
    if (seen.isShort || idle + busy > 0)
      log.warn("connections take up the files that this process may open", {
        closedIdle: idle,
        closedBusy: busy,
        openFiles: open,
        openFilesMax: max,
        remedy: `allow it more: ${moreFiles}; and let the proxy or firewall bound the connections of one client`,
      });
  };
}
