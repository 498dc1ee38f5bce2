import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { findChromium } from "./chromium.ts";
import { openHarness, type Harness, type HarnessOptions } from "./harness.ts";
import type { Member } from "./members.ts";

/** The service on a free port, and a browser. */
export type Console = AsyncDisposable & {
  readonly harness: Harness;
  readonly browser: Browser;
  /** Where the service listens: `http://127.0.0.1:<port>`. */
  readonly address: string;
  /** Opens a window of its own. */
  readonly visit: (options?: Visit) => Promise<Visitor>;
};

export type Visit = {
  /** Who is signed in. */
  readonly as?: Member;
  readonly width?: number;
  readonly theme?: "light" | "dark";
  readonly language?: string;
  /** Lets scripts of the test into the page: for axe alone. Nothing else may lift the page's policy. */
  readonly bypassCSP?: boolean;
  readonly scripts?: boolean;
  /** As on a telephone: taps by fingers. */
  readonly touch?: boolean;
  readonly motion?: "reduce" | "no-preference";
  /** Complaints that the test itself causes. */
  readonly expects?: RegExp;
};

/**
 * A window that is held to strict rules. Disposing of it fails when the page wrote an error on the console,
 * failed in a script, broke its policy or sent a request to another host.
 */
export type Visitor = AsyncDisposable & {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Opens a path of the service. */
  readonly open: (path: string) => Promise<void>;
  /** What axe finds by its default rules and `target-size`, one line each. Needs `bypassCSP`. */
  readonly faults: () => Promise<readonly string[]>;
  /** The serious and critical ones among them, without `target-size`: for pages that are not ours to draw. */
  readonly graveFaults: () => Promise<readonly string[]>;
  readonly complaints: readonly string[];
};

const flags = [
  // Containers have no namespaces to make a sandbox of, and the pages are our own.
  "--no-sandbox",
  // WebGL is drawn in software. Pages that are drawn by it, too, take a fifth longer.
  "--disable-gpu",
  "--enable-unsafe-swiftshader",
  "--disable-dev-shm-usage",
];

/** Opens the service and a browser. Addresses follow the request, as without a public URL. */
export async function openConsole(options: HarnessOptions = {}): Promise<Console> {
  await using opened = new AsyncDisposableStack();
  const settings = { PUBLIC_URL: undefined, SITE_URL: undefined, ...options.settings };
  const harness = opened.use(await openHarness({ ...options, settings }));
  const { address } = harness.listen();
  const browser = await chromium.launch({ executablePath: findChromium() ?? "chromium", args: flags });
  opened.defer(() => browser.close());
  const closing = opened.move();
  return {
    harness,
    browser,
    address,
    visit: (visit = {}) => openVisitor(browser, address, visit),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

async function openVisitor(browser: Browser, address: string, visit: Visit): Promise<Visitor> {
  const {
    as,
    width = 1280,
    theme = "light",
    language = "en",
    bypassCSP = false,
    scripts = true,
    touch = false,
  } = visit;
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width, height: 900 },
    colorScheme: theme,
    locale: language,
    bypassCSP,
    javaScriptEnabled: scripts,
    hasTouch: touch,
    isMobile: touch,
    reducedMotion: visit.motion ?? "reduce",
  });
  // Sooner than the test ends: the failure then says what was waited for.
  context.setDefaultTimeout(20_000);
  const complaints = watch(context, address);
  if (as !== undefined) await signIn(context, as);
  const page = await context.newPage();
  return {
    page,
    context,
    open: async (path) => void (await page.goto(path)),
    faults: async () => linesOf(await findFaults(page, true)),
    graveFaults: async () => {
      const found = await findFaults(page, false);
      return linesOf(found.filter(({ impact }) => impact === "serious" || impact === "critical"));
    },
    complaints,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      const unexpected = complaints.filter((one) => visit.expects?.test(one) !== true);
      if (unexpected.length > 0) throw new Error(`the page complained:\n${unexpected.join("\n")}`);
    },
  };
}

/** Collects what strict pages must not do. */
function watch(context: BrowserContext, address: string): string[] {
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()} ${message.location().url}`);
  });
  context.on("weberror", (fault) => complaints.push(`script: ${fault.error().message}`));
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    const isOwn = origin === address || protocol === "blob:" || protocol === "data:";
    if (!isOwn) complaints.push(`foreign request: ${request.url()}`);
  });
  return complaints;
}

async function signIn(context: BrowserContext, { name, mail, password }: Member): Promise<void> {
  const answer = await context.request.post("/console/session", {
    headers: { "X-Cloakroom-Console": "1" },
    data: { username: name === "" ? mail : name, password, stay: false },
  });
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`);
}

const axePath = Bun.fileURLToPath(import.meta.resolve("axe-core/axe.min.js"));

async function findFaults(page: Page, measuresTargets: boolean): Promise<Violations> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.addScriptTag({ path: axePath });
  // What is behind a dialog is out of reach, and was looked at before.
  return page.evaluate<Violations>(
    `axe.run(document.querySelector("dialog[open]") ?? document, { rules: { 'target-size': { enabled: ${measuresTargets} } }, resultTypes: ['violations'] }).then((all) => all.violations)`,
  );
}

function linesOf(found: Violations): readonly string[] {
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

type Violations = readonly {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}[];
