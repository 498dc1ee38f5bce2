import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { join } from "node:path";
import { makeCertificate } from "../support/certificates.ts";
import { holdClosedPort } from "../support/closed-port.ts";
import { runProcess, temporaryFolder } from "../cli/run-program.ts";
import { parsePrometheusText } from "../support/prometheus-text.ts";
import { program } from "../support/program.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder[Symbol.asyncDispose]());

/** The program with metrics on a free port, which its log names. */
async function serveMetrics(settings: Readonly<Record<string, string>> = {}) {
  const child = Bun.spawn([...program, "serve"], {
    cwd: folder.path,
    env: { PATH: process.env["PATH"] ?? "", PORT: "0", METRICS_PORT: "0", ...settings },
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

    expect((await fetch(program.address, { method: "HEAD" })).status).toBe(200);
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

const readAt = async (address: string) => parsePrometheusText(await (await fetch(address)).text());

test("backups that were made before the start have their age, and the certificate in use its end", async () => {
  const [dataDir, backups] = [join(folder.path, "dated"), join(folder.path, "backups")];
  await Bun.write(join(backups, "cloakroom-2026-01-02T03-04-05Z.tar.zst"), "x");
  const { certFile, keyFile } = await makeCertificate(folder.path, "localhost", 30);
  using program = await serveMetrics({
    DATA_DIR: dataDir,
    BACKUP_SCHEDULE: "0 0 1 1 *",
    BACKUP_DIR: backups,
    TLS_CERT: certFile,
    TLS_KEY: keyFile,
  });
  const metrics = await readAt(program.address);
  expect(metrics.get("cloakroom_backup_newest_timestamp_seconds")?.samples).toMatchObject([
    { labels: { kind: "complete" }, value: Date.parse("2026-01-02T03:04:05Z") / 1000 },
  ]);
  expect(metrics.get("cloakroom_backup_due_timestamp_seconds")?.samples[0]?.value).toBe(
    new Date(2027, 0, 1).getTime() / 1000,
  );
  expect(metrics.get("cloakroom_backup_last_succeeded")?.samples).toEqual([]);
  const end = new X509Certificate(await Bun.file(certFile).text()).validToDate.getTime() / 1000;
  expect(metrics.get("cloakroom_certificate_end_timestamp_seconds")?.samples[0]?.value).toBe(end);

  const { certFile: renewed } = await makeCertificate(folder.path, "renewed", 60);
  await Bun.write(keyFile, Bun.file(join(folder.path, "renewed.key")));
  await Bun.write(certFile, Bun.file(renewed));
  const later = new X509Certificate(await Bun.file(renewed).text()).validToDate.getTime() / 1000;
  const read = async () =>
    (await readAt(program.address)).get("cloakroom_certificate_end_timestamp_seconds")?.samples[0]?.value;
  while ((await read()) !== later) await Bun.sleep(200);
});

test("a bucket that does not answer is down, and all other metrics have values", async () => {
  using closed = await holdClosedPort();
  using program = await serveMetrics({
    DATA_DIR: join(folder.path, "bucket"),
    BLOBS: "s3://skins/here",
    S3_ENDPOINT: `http://127.0.0.1:${closed.port}`,
    S3_ACCESS_KEY_ID: "key",
    S3_SECRET_ACCESS_KEY: "secret",
  });
  const metrics = await readAt(program.address);
  expect(metrics.get("cloakroom_bucket_up")?.samples).toMatchObject([{ value: 0 }]);
  expect(metrics.get("cloakroom_leader")?.samples).toMatchObject([{ value: 1 }]);
});

test("a client that asks again and again gets one text a second, and costs no more", async () => {
  using program = await serveMetrics({ DATA_DIR: join(folder.path, "often") });
  const asked = performance.now();
  const texts = new Set<string>();
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(program.address)));
    for (const answer of answers) texts.add(await answer.text());
  }
  const seconds = (performance.now() - asked) / 1000;
  expect(texts.size).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
  const large = { method: "POST", body: "x".repeat(100_000) };
  expect((await fetch(program.address, large)).status).toBe(413);
});
