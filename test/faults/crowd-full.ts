/* The long form of `crowd.test.ts`, part of `bun run test:faults`: 2,000 clients, 10 GB twice, and the others' latency. */
import { expect, test } from "bun:test";
import { mainFile } from "../cli/run-program.ts";
import { crowd } from "./crowd.ts";
import { serveForCrowd } from "./crowd-server.ts";

const megabyte = 1024 * 1024;

test("2,000 slow clients and 10 GB uploads leave the others alone", async () => {
  await using server = await serveForCrowd([process.execPath, mainFile]);
  const size = { clients: 2000, uploadBytes: 10_000 * megabyte, milliseconds: 2000 };
  const report = await crowd({ ...server, ...size });
  console.log(report);
  expect(report).toMatchObject({ uploads: ["413", "413"], floods: ["431", "431", "431"] });
  // Below a millisecond it is the machine's scheduler that is measured.
  expect(report.p99Crowded).toBeLessThan(3 * Math.max(report.p99Alone, 1000));
  expect(report.bytesCrowded - report.bytesAlone).toBeLessThan(64 * megabyte);
  expect(report.bytesUploading - report.bytesAlone).toBeLessThan(128 * megabyte);
}, 300_000);
