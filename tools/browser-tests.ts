/*
 * Tests the pages in a real browser: `bun run gate:browser`. Uses the installed Chromium, or the one that `BUN_CHROME_PATH`
 * names.
 *
 * Exits with 75 (try again later) without a Chromium. The gate then passes and says so.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "./bundle.ts";
import { exitCodes } from "./exit-codes.ts";

/** The names of Chromium that `Bun.WebView` looks for. */
const names = ["google-chrome-stable", "google-chrome", "chromium-browser", "chromium"];

const browser = process.env["BUN_CHROME_PATH"] ?? names.map((name) => Bun.which(name)).find(Boolean);
if (typeof browser === "string") {
  process.exitCode = await tryPages(browser);
} else {
  console.error(
    "browser: NOT CHECKED, no Chromium is installed (apt-get install chromium, or name one in BUN_CHROME_PATH)",
  );
  process.exitCode = exitCodes.tryAgain;
}

async function tryPages(path: string): Promise<number> {
  // The browser is killed and leaves its profile behind.
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-browser-"));
  try {
    const child = Bun.spawn(
      [process.execPath, "test", "--timeout", "60000", "./test/browser/swagger.browser.ts"],
      {
        cwd: projectFolder,
        env: { ...process.env, BUN_CHROME_PATH: path, TMPDIR: folder },
        stdio: ["ignore", "inherit", "inherit"],
      },
    );
    return (await child.exited) === 0 ? exitCodes.passed : exitCodes.failed;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
