import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Metric } from "../adapters/prometheus/exposition.ts";
import { counter, gauge, single } from "./metrics.ts";

/** How often the event loop is looked at. */
const resolutionMs = 20;
const percentiles = [50, 99, 100] as const;

/** What is measured of the process itself, by the names that all programs use, until it is disposed of. */
export function watchProcess(): Disposable & { readonly metrics: readonly Metric[] } {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const startedAt = Date.now() / 1000 - process.uptime();
  const delays = () => {
    const seen = percentiles.map((percentile) => ({
      labels: { percentile: String(percentile) },
      // Nothing was seen yet when the maximum is 0: then the percentiles are none either.
      value: delay.max === 0 ? 0 : delay.percentile(percentile) / 1e9,
    }));
    delay.reset();
    return seen;
  };
  return {
    metrics: [
      gauge(
        "cloakroom_event_loop_delay_seconds",
        "How late timers were since the last time it was read.",
        delays,
      ),
      counter("process_cpu_seconds_total", "Processor time.", () => single(cpuSeconds())),
      gauge("process_resident_memory_bytes", "Memory.", () => single(process.memoryUsage.rss())),
      gauge("process_start_time_seconds", "When it started, in Unix seconds.", () => single(startedAt)),
    ],
    [Symbol.dispose]: () => void delay.disable(),
  };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
