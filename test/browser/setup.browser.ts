/** The set-up of a new server, in a real browser: `bun run gate:browser`. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { loadConfig } from "../../src/boot/config.ts";
import { temporaryFolder } from "../cli/run-program.ts";
import { openConsole, type Visit } from "../support/console-browser.ts";
import { addMember } from "../support/members.ts";
import { alertOf, field, fill, heading, press, refused, status } from "../support/page-parts.ts";

/** A server that has begun its set-up, as `serve` does, and a window that opened the link. */
async function openNew(visit: Visit = {}, settings: Record<string, string> = {}) {
  await using opened = new AsyncDisposableStack();
  const world = opened.use(await openConsole({ settings: { COMMUNITY_NAME: "Lantern", ...settings } }));
  const secret = await world.harness.services.setup.begin();
  const visitor = opened.use(await world.visit(visit));
  await visitor.open(`/setup#${secret}`);
  await heading(visitor.page, "Set up").waitFor();
  const closing = opened.move();
  return { world, visitor, page: visitor.page, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

const olga = { "E-mail": "olga@example.org", "Player name": "Olga", Password: "a password of Olga" };

test("the link makes an administrator, who reads what to do next", async () => {
  await using started = await openNew({ expects: refused }, { SMTP_URL: "smtp://127.0.0.1:1" });
  const { page } = started;
  await fill(page, { ...olga, "Player name": "No" });
  await press(page.getByRole("main"), "Create administrator");
  await page.getByText("3 to 16").first().waitFor();
  await fill(page, olga);
  await press(page.getByRole("main"), "Create administrator");
  await status(page, "Welcome, Olga.").waitFor();
  expect(new URL(page.url()).hash).toBe("");
  await page.getByRole("heading", { name: "What to do next" }).waitFor();
  const steps = page.getByRole("list", { name: "What to do next" }).getByRole("listitem");
  // It is known once the overview has answered.
  await steps.nth(5).getByText("To do").waitFor();
  const states = (await steps.allInnerTexts()).map((text) => text.split("\n").filter(Boolean).slice(0, 2));
  expect(states).toEqual([
    ["Introduce your community", "Done"],
    ["Set the public address", "To do"],
    ["Send mail", "Done"],
    ["Speak https", "To do"],
    ["Plan backups", "See for yourself"],
    ["Invite people", "To do"],
  ]);
  await steps.nth(2).getByText("cloakroom mail test you@example.org --data-dir /var/lib/skins").waitFor();
  await page.getByRole("link", { name: "Administration", exact: true }).waitFor();
});

test("what is filled in stands in the lines to copy, which a start takes as they are", async () => {
  await using started = await openNew();
  const { page } = started;
  await fill(page, olga);
  await press(page.getByRole("main"), "Create administrator");
  const block = page.getByRole("region", { name: "Lines for the file" });
  const before = await block.innerText();
  expect(before).toContain("# public_url = 'https://skins.example.org'");
  expect(before.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([]);
  // COMMUNITY_NAME is set, in the environment: a line in the file would have no effect.
  expect(before).not.toContain("community_name");
  await page.getByText(/which beat the file: .*COMMUNITY_NAME/).waitFor();
  await page.getByLabel("Colour of buttons and links").fill("#b42318");
  await page.getByLabel("A backup every night").check();
  await fill(page, { "Address that players reach": "ftp://skins.example.org" });
  await page.getByText("Write an address such as").waitFor();
  expect(await block.innerText()).toContain("# public_url");
  await fill(page, { "Address that players reach": "skins.example.org" });
  expect(await block.innerText()).toContain("\npublic_url = 'https://skins.example.org'");
  expect(await page.getByText("Write an address such as").count()).toBe(0);
  await fill(page, { "Address that players reach": "https://o'brien.example.org" });
  const text = await block.innerText();
  expect(text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([
    "community_accent = '#b42318'",
    'public_url = "https://o\'brien.example.org"',
    "backup_schedule = '30 4 * * *'",
    "backup_keep = '14'",
  ]);
  await page.getByText("/var/lib/skins/cloakroom.toml", { exact: true }).waitFor();
  await page.getByText("systemctl restart cloakroom").waitFor();
  await using folder = await temporaryFolder();
  await Bun.write(join(folder.path, "cloakroom.toml"), text);
  const { config } = await loadConfig({
    flags: { DATA_DIR: folder.path },
    environment: {},
    file: null,
    logsToTerminal: false,
  });
  expect(config).toMatchObject({ publicUrl: "https://o'brien.example.org", backup: { keep: 14 } });
  const file = join(started.world.harness.folder, "cloakroom.toml");
  await Bun.write(file, text);
  await page.reload();
  await page.getByText("The file was changed since this server started").waitFor();
  await page.getByText("The file is there already").waitFor();
  expect(await block.innerText()).not.toMatch(/public_url|backup_keep/);
  await Bun.write(file, text + text);
  await page.reload();
  await page.getByText(/community_accent twice/).waitFor();
  expect(await block.count()).toBe(0);
});

test("a link that is not valid is refused, and the input stays", async () => {
  await using started = await openNew({ expects: refused });
  const { page, visitor } = started;
  await visitor.open("/");
  await visitor.open(`/setup#${"x".repeat(43)}`);
  await fill(page, olga);
  await press(page.getByRole("main"), "Create administrator");
  await alertOf(page, "This link is not valid").waitFor();
  expect(await field(page, "E-mail").inputValue()).toBe("olga@example.org");
});

test("without the link the page says where it is; afterwards that it is done", async () => {
  await using started = await openNew();
  const { page, visitor, world } = started;
  await visitor.open("/");
  await page.getByText("This server has no administrator yet.").waitFor();
  await visitor.open("/setup");
  await page.getByText("Open the link that the server prints").waitFor();
  await addMember(world.harness, "Chief", { level: 3 });
  // The server remembers its pages for a second.
  world.harness.clock.advance(2);
  await page.reload();
  await page.getByText("This server has its administrator already.").waitFor();
});

test.each([
  [320, "dark"],
  [1280, "light"],
] as const)("form and list have no fault at %i px in the %s theme", async (width, theme) => {
  await using started = await openNew({ width, theme, bypassCSP: true });
  const { page, visitor } = started;
  await field(page, "E-mail").waitFor();
  expect(await visitor.faults()).toEqual([]);
  await fill(page, olga);
  await press(page.getByRole("main"), "Create administrator");
  await page.getByRole("heading", { name: "What to do next" }).waitFor();
  expect(await visitor.faults()).toEqual([]);
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(width);
});
