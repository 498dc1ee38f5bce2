/*
 * Photographs every page of the console in both themes and three widths: `bun run look`. The pictures and a
 * page that shows them all are in `dist/look`. `--documents` remakes the README's pictures instead.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fillCommunity, type Community } from "../test/support/community.ts";
import { openConsole, type Console, type Visit } from "../test/support/console-browser.ts";
import { consolePages, type ConsolePage } from "../test/support/console-pages.ts";
import { projectFolder } from "./bundle.ts";
import { readOptions } from "./options.ts";

const usage = `Photographs the console's pages.

  bun run look               every page, both themes, 1280, 390 and 320 pixels: dist/look/index.html
  bun run look --documents   the pictures of the README: docs/images/console-*.png`;

const options = readOptions(usage, { documents: { type: "boolean", default: false } });
const name = "Lantern";
const themes = ["light", "dark"] as const;

await using console_ = await openConsole({
  settings: { COMMUNITY_NAME: name, COMMUNITY_TEXT: "Skins and capes for our servers.", PLAYERS_MAX: "3" },
});
const community = await fillCommunity(console_.harness);
const pages = consolePages(name, community);
await (options.documents ? takeDocuments(console_) : takeAll(console_));

/** Every page, as the person with the least level that may open it. */
async function takeAll(opened: Console): Promise<void> {
  const folder = join(projectFolder, "dist/look");
  await mkdir(folder, { recursive: true });
  const taken: string[] = [];
  for (const theme of themes)
    for (const width of [1280, 390, 320])
      for (const page of pages) {
        const file = `${page.path.replaceAll("/", "-").slice(1) || "start"}-${theme}-${width}.png`;
        await photograph(opened, page, { theme, width }, join(folder, file));
        taken.push(file);
      }
  const figures = taken.map(
    (file) =>
      `<figure><img src="${file}" width="400" loading="lazy"><figcaption>${file}</figcaption></figure>`,
  );
  await Bun.write(
    join(folder, "index.html"),
    `<!doctype html><meta charset="utf-8"><title>Look</title><style>body{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0}</style>${figures.join("\n")}`,
  );
  console.log(`dist/look/index.html: ${taken.length} pictures`);
}

/** The wardrobe and the overview, in both themes. */
async function takeDocuments(opened: Console): Promise<void> {
  for (const { path, file } of [
    { path: "/home", file: "console-wardrobe" },
    { path: "/admin", file: "console-overview" },
  ]) {
    const page = pages.find((one) => one.path === path);
    if (page === undefined) throw new Error(`${path} is no page`);
    for (const theme of themes) {
      const target = join(projectFolder, `docs/images/${file}-${theme}.png`);
      await photograph(opened, page, { theme, width: 1280 }, target);
      console.log(target.slice(projectFolder.length + 1));
    }
  }
}

async function photograph(opened: Console, page: ConsolePage, visit: Visit, target: string): Promise<void> {
  const member = memberFor(page, community);
  await using visitor = await opened.visit({ ...visit, ...(member && { as: member }) });
  await visitor.open(page.path);
  await visitor.page.waitForLoadState("networkidle");
  // What is in view is there; pictures below it may wait until they are scrolled to. Figures are drawn after
  // their files have come.
  await visitor.page.evaluate(
    "Promise.all([...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight).map((image) => image.decode().catch(() => {})))",
  );
  await Bun.sleep(500);
  await visitor.page.screenshot({ path: target });
}

function memberFor({ level }: ConsolePage, { player, warden, chief }: Community) {
  return [undefined, player, warden, chief][level];
}
