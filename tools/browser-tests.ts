/*
 * Tests the pages in a real browser: `bun run gate:browser` what the gate has time for, in a minute and a
 * half on two cores; `bun run test:browser` everything (`--all`). Uses the Chromium that `CHROMIUM_PATH`
 * names, or one in the `PATH`.
 *
 * Exits with 75 (try again later) without a Chromium: the gate then passes and says so. With
 * `REQUIRE_BROWSER=1` it fails.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium } from "../test/support/chromium.ts";
import { projectFolder } from "./bundle.ts";
import { exitCodes } from "./exit-codes.ts";

const browser = findChromium();
if (browser !== null) {
  process.exitCode = await tryPages(browser);
} else {
  console.error(
    "browser: NOT RUN, no Chromium is installed (apt install chromium, or name one in CHROMIUM_PATH)",
  );
  process.exitCode = process.env["REQUIRE_BROWSER"] === "1" ? exitCodes.failed : exitCodes.tryAgain;
}

async function tryPages(path: string): Promise<number> {
  // The browser is killed and leaves its profile behind.
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-browser-"));
  try {
    const isAll = process.argv.includes("--all");
    const wanted = isAll ? "*.{browser,browser-full}.ts" : "*.browser.ts";
    const files = [...new Bun.Glob(`test/browser/${wanted}`).scanSync({ cwd: projectFolder })];
    const child = Bun.spawn(
      [
        process.execPath,
        "test",
        "--parallel",
        "--only-failures",
        "--timeout",
        "60000",
        ...files.map((file) => `./${file}`),
      ],
      {
        cwd: projectFolder,
        env: { ...process.env, CHROMIUM_PATH: path, BROWSER_TESTS: isAll ? "all" : "gate", TMPDIR: folder },
        stdio: ["ignore", "inherit", "inherit"],
      },
    );
    return (await child.exited) === 0 ? exitCodes.passed : exitCodes.failed;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
