import type { Visitor } from "./console-browser.ts";

const widths = [1280, 320];
const themes = ["light", "dark"] as const;

/**
 * What is wrong with what is shown now, wide and narrow, in both themes: what axe finds, and a page that is wider than its window.
 * Needs a visitor with `bypassCSP`.
 */
export async function faultsEverywhere({ page, faults }: Visitor): Promise<readonly string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await faults()).map((fault) => `${width} ${colorScheme}: ${fault}`));
    }
    const over = await page.evaluate<number>(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    if (over > 0) found.push(`${width}: ${over} pixels too wide`);
  }
  return found;
}
