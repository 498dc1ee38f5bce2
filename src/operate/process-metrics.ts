import { monitorEventLoopDelay } from "node:perf_hooks";
import { counter, gauge, single, type Metric } from "../adapters/prometheus/exposition.ts";

/** How often the event loop is sampled. */
const resolutionMs = 20;
const percentiles = [50, 99, 100] as const;

/** The metrics of the process, by the names that all programs use, until it is disposed of. */
export function watchProcess(): Disposable & { readonly metrics: readonly Metric[] } {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const startedAt = Date.now() / 1000 - process.uptime();
  const delays = () => {
    const seen = percentiles.map((percentile) => ({
      labels: { percentile: String(percentile) },
      // A maximum of 0 means that there is no sample yet, and then percentiles have no value.
      value: delay.max === 0 ? 0 : delay.percentile(percentile) / 1e9,
    }));
    delay.reset();
    return seen;
  };
  return {
    metrics: [
      gauge("cloakroom_event_loop_delay_seconds", "How late timers were since the last reading.", delays),
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
