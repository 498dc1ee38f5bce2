/** Doctor shows the limit of the server that runs, not its own. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { examineIn, serveIn } from "./beside-server.ts";
import { temporaryFolder } from "../../cli/run-program.ts";

describe.skipIf(process.platform !== "linux")("the limit of open files", () => {
  test.each([
    ["a port", () => ({})],
    [
      "a socket file",
      (folder: string) => ({ LISTEN_UNIX: join(folder, "s"), PUBLIC_URL: "http://127.0.0.1:9" }),
    ],
  ])("is that of the server on %s", async (_, place) => {
    await using folder = await temporaryFolder();
    const dataDir = join(folder.path, "data");
    await using server = await serveIn(dataDir, { environment: place(folder.path), openFiles: 1024 });
    const { findings } = await examineIn(dataDir, server.environment);
    expect(findings.filter(({ check }) => check === "open files")).toEqual([
      {
        check: "open files",
        state: "warning",
        message: `the server (process ${server.pid}) may open only 1024 files at once, connections included`,
        remedy: expect.stringContaining("LimitNOFILE"),
      },
    ]);
  });
});
