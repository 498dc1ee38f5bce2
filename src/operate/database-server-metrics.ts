import type { Metric } from "../adapters/prometheus/exposition.ts";
import type { DatabaseStatistics } from "../boot/engines.ts";

type Servers = DatabaseStatistics["servers"];

/** How the servers of DATABASE_URL are. */
export function databaseServerMetrics(statistics: () => DatabaseStatistics | null): readonly Metric[] {
  const gauge = (name: string, help: string, valueOf: (servers: Servers) => number): Metric => ({
    name: `cloakroom_database_${name}`,
    help,
    type: "gauge",
    read: () => {
      const found = statistics();
      return found === null ? [] : [{ labels: {}, value: valueOf(found.servers) }];
    },
  });
  return [
    gauge(
      "writers",
      "Servers of DATABASE_URL that take writes, as far as they answer: 1 where all is well.",
      ({ writers }) => writers,
    ),
    gauge("read_only", "Whether the database was switched to reads only: 1 or 0.", ({ isReadOnly }) =>
      Number(isReadOnly),
    ),
    gauge(
      "damaged",
      "Whether the database could not read its own files in the last five minutes: 1 or 0.",
      ({ damage }) => Number(damage !== null),
    ),
  ];
}
