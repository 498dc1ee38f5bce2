/** Doctor shows the limit of the server that runs, not its own. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { NamedFinding } from "../../../src/operate/doctor/examine.ts";
import { runProcess, temporaryFolder } from "../../cli/run-program.ts";
import { serveIn } from "./beside-server.ts";

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
    // As the program itself: a listener of another program is not taken for the server.
    const { out } = await runProcess(["doctor", "--json", "--data-dir", dataDir], {
      folder: folder.path,
      environment: { PORT: "0", ...server.environment },
    });
    const { findings } = JSON.parse(out) as { readonly findings: readonly NamedFinding[] };
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
