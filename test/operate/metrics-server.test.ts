import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { runProcess, temporaryFolder } from "../cli/run-program.ts";
import { parsePrometheusText } from "../support/prometheus-text.ts";
import { program } from "../support/program.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder[Symbol.asyncDispose]());

/** The program with metrics on a free port, which its log names. */
async function serveMetrics() {
  const child = Bun.spawn([...program, "serve"], {
    cwd: folder.path,
    env: { PATH: process.env["PATH"] ?? "", PORT: "0", METRICS_PORT: "0" },
    stdout: "pipe",
    stderr: "pipe",
  });
  let log = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stderr) {
    log += decoder.decode(chunk);
    const [, address] = /"metrics are served","address":"([^"]+)"/.exec(log) ?? [];
    const [, publicUrl] = /"publicUrl":"([^"]+)"/.exec(log) ?? [];
    if (address !== undefined && publicUrl !== undefined) {
      return { address, publicUrl, child, [Symbol.dispose]: () => child.kill("SIGKILL") };
    }
  }
  throw new Error(`the program ended: ${log}`);
}

describe("METRICS_PORT", () => {
  test("serves metrics there, of the process too, and nowhere else", async () => {
    using program = await serveMetrics();
    await fetch(`${program.publicUrl}/api/nowhere`);
    const response = await fetch(program.address);
    expect(response.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
    const metrics = parsePrometheusText(await response.text());
    expect(metrics.get("cloakroom_http_requests_total")?.samples).toMatchObject([
      { labels: { route: "unknown", status: "404" }, value: 1 },
    ]);
    for (const name of [
      "process_cpu_seconds_total",
      "process_resident_memory_bytes",
      "process_start_time_seconds",
    ])
      expect(metrics.get(name)?.samples[0]?.value).toBeGreaterThan(0);
    const delays = metrics.get("cloakroom_event_loop_delay_seconds")?.samples ?? [];
    expect(delays.map(({ labels }) => labels["percentile"])).toEqual(["50", "99", "100"]);
    expect(delays.every(({ value }) => value >= 0 && value < 60)).toBe(true);

    expect((await fetch(program.address.replace("/metrics", "/"))).status).toBe(404);
    expect((await fetch(program.address, { method: "POST" })).status).toBe(404);
    expect((await fetch(`${program.publicUrl}/metrics`)).status).toBe(404);
    program.child.kill("SIGTERM");
    expect(await program.child.exited).toBe(0);
  });

  test("that is in use ends the start, and says so", async () => {
    using program = await serveMetrics();
    const { port } = new URL(program.address);
    const args = ["serve", "--port", "0", "--metrics-port", port, "--data-dir", "another"];
    const { code, error } = await runProcess(args, { folder: folder.path });
    expect(code).toBe(1);
    expect(error).toContain(`cannot listen on 127.0.0.1, port ${port}: it is in use`);
    expect(error).toContain("--metrics-port");
  });
});
