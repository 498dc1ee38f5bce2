/*
 * Tries the pages in a real browser: `bun run gate:browser`. It takes the Chromium that is installed, or the one that
 * `BUN_CHROME_PATH` names.
 *
 * Exits with 75 (try again later) when there is none. The gate passes then, and says so.
 */
import { projectFolder } from "./bundle.ts";
import { exitCodes } from "./exit-codes.ts";

/** What `Bun.WebView` looks for, as far as it is Chromium. */
const names = ["google-chrome-stable", "google-chrome", "chromium-browser", "chromium"];

const installed = process.env["BUN_CHROME_PATH"] ?? names.map((name) => Bun.which(name)).find(Boolean);
if (installed === undefined || installed === null) {
  console.error(
    "browser: NOT CHECKED, no Chromium is installed (apt-get install chromium, or name one in BUN_CHROME_PATH)",
  );
  process.exitCode = exitCodes.tryAgain;
} else {
  const { exitCode } = Bun.spawnSync(
    [process.execPath, "test", "--timeout", "60000", "./test/browser/swagger.browser.ts"],
    {
      cwd: projectFolder,
      env: { ...process.env, BUN_CHROME_PATH: installed },
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  process.exitCode = exitCode === 0 ? exitCodes.passed : exitCodes.failed;
}
