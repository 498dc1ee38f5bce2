import { Registry, type Metric as RegistryMetric } from "prom-client";
import type { HistogramReading } from "../../kernel/histogram.ts";

export type Labels = Readonly<Record<string, string>>;
type Sample = { readonly labels: Labels; readonly value: number };

/** A measured value of the service. The name says what it is and its unit. It is read at each request. */
export type Metric = { readonly name: string; readonly help: string } & (
  | {
      readonly type: "counter" | "gauge";
      readonly read: () => readonly Sample[] | Promise<readonly Sample[]>;
    }
  | {
      readonly type: "histogram";
      readonly read: () => readonly { readonly labels: Labels; readonly seconds: HistogramReading }[];
    }
);

export type Exposition = { readonly contentType: string; readonly text: () => Promise<string> };

/**
 * Exposes metrics in Prometheus's text format, which prom-client writes. Its own counters are not used: they check and join the
 * labels at each call, which costs 0.8 µs, a tenth of a cached picture.
 */
export function createExposition(metrics: readonly Metric[]): Exposition {
  const registry = new Registry();
  for (const metric of metrics) {
    const { name, help, type } = metric;
    const get = async () => ({ name, help, type, aggregator: "sum", values: await valuesOf(metric) });
    // The boundary to prom-client: its registry uses only the name and `get` of a metric.
    registry.registerMetric({ name, get } as unknown as RegistryMetric);
  }
  return { contentType: registry.contentType, text: () => registry.metrics() };
}

type Value = Sample & { readonly metricName?: string };

async function valuesOf(metric: Metric): Promise<readonly Value[]> {
  if (metric.type !== "histogram") return metric.read();
  return metric.read().flatMap(({ labels, seconds }) => bucketsOf(metric.name, labels, seconds));
}

function bucketsOf(name: string, labels: Labels, seconds: HistogramReading): readonly Value[] {
  const bucket = (le: string, value: number): Value => ({
    metricName: `${name}_bucket`,
    labels: { ...labels, le },
    value,
  });
  return [
    ...seconds.bounds.map((bound, at) => bucket(String(bound), seconds.counts[at] ?? 0)),
    bucket("+Inf", seconds.count),
    { metricName: `${name}_sum`, labels, value: seconds.sum },
    { metricName: `${name}_count`, labels, value: seconds.count },
  ];
}
