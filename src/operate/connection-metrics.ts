import type { Metric } from "../adapters/prometheus/exposition.ts";
import type { ConnectionStatistics } from "../boot/connections.ts";

/** How many connections clients have, and the files of this process; empty where the system shows neither. */
export function clientConnectionMetrics(connections: ConnectionStatistics): readonly Metric[] {
  if (connections.files() === null) return [];
  const files = (part: "open" | "max") => () => {
    const value = connections.files()?.[part];
    return value === undefined ? [] : [{ labels: {}, value }];
  };
  return [
    {
      name: "cloakroom_client_connections_open",
      help: "Connections of clients.",
      type: "gauge",
      read: async () => {
        const value = await connections.open();
        return value === null ? [] : [{ labels: {}, value }];
      },
    },
    {
      name: "cloakroom_client_connections_closed_total",
      help: "Connections of clients that were closed to bound an address, or for files, idle or busy.",
      type: "counter",
      read: () =>
        Object.entries(connections.closed()).map(([reason, value]) => ({ labels: { reason }, value })),
    },
    { name: "process_open_fds", help: "Open files.", type: "gauge", read: files("open") },
    { name: "process_max_fds", help: "Files that may be open.", type: "gauge", read: files("max") },
  ];
}
