import type { Visitor } from "./console-browser.ts";

/**
 * The windows in which pages are looked at: wide and narrow, light and dark. The gate takes each of these
 * once, `bun run test:browser` all four pairs.
 */
export const looks = [
  { width: 1280, theme: "light" },
  { width: 320, theme: "dark" },
  ...(process.env["BROWSER_TESTS"] === "all"
    ? ([
        { width: 1280, theme: "dark" },
        { width: 320, theme: "light" },
      ] as const)
    : []),
] as const;

/**
 * What is wrong with what is shown now, in all of these windows: what axe finds, and a page that is wider
 * than its window. Needs a visitor with `bypassCSP`.
 */
export async function faultsEverywhere({ page, faults }: Visitor): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { width, theme } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: theme });
    found.push(...(await faults()).map((fault) => `${width} ${theme}: ${fault}`));
    const over = await page.evaluate<number>(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    if (over > 0) found.push(`${width}: ${over} pixels too wide`);
  }
  return found;
}
