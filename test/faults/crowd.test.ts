import { expect, test } from "bun:test";
import { mainFile } from "../cli/run-program.ts";
import { crowd } from "./crowd.ts";
import { serveForCrowd } from "./crowd-server.ts";

const megabyte = 1024 * 1024;

/** Short, and without a word about time; `bun run test:faults` has 2,000 clients, 10 GB and the others' latency. */
test("refuses what is too much and keeps little of it, among clients that never come to an end", async () => {
  await using server = await serveForCrowd([process.execPath, mainFile]);
  const report = await crowd({ ...server, clients: 200, uploadBytes: 256 * megabyte, milliseconds: 50 });
  expect(report).toMatchObject({ uploads: ["413", "413"], floods: ["431", "431", "431"] });
  expect(report.bytesUploading - report.bytesAlone).toBeLessThan(128 * megabyte);
});
