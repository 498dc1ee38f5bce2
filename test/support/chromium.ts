/**
 * Chromium where it is installed: the one that `CHROMIUM_PATH` names, or one in the `PATH`; null: there is
 * none.
 */
export function findChromium(): string | null {
  const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
  const found = process.env["CHROMIUM_PATH"] ?? names.map((name) => Bun.which(name)).find(Boolean);
  return found ?? null;
}
