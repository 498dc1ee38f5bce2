/*
 * How soon the console's pages show what matters, on a telephone with a poor connection, and what their
 * scripts weigh. A browser plays the telephone: 150 ms, 1.6 Mbit/s, a processor four times slower, nothing in
 * the cache.
 */
import { chromium, type Browser, type BrowserContext } from "playwright-core";
import { findChromium } from "../support/chromium.ts";
import type { Line } from "./report.ts";
import { median } from "./statistics.ts";
import { password, type Server } from "./subject.ts";

const visits = 5;
const paintMax = 1500;
const shiftMax = 0.02;
const firstScriptMax = 60;
const wardrobeScriptMax = 25;

type Visit = {
  /** Milliseconds to the largest paint. */
  readonly paint: number;
  readonly shift: number;
  /** Bytes of scripts as they were sent. */
  readonly script: number;
};

/** Needs a Chromium; without one there are no lines. */
export async function benchPages(server: Server): Promise<readonly Line[]> {
  const executablePath = findChromium();
  if (executablePath === null) return [];
  const flags = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
  await using browser = await chromium.launch({ executablePath, args: flags });
  const pages = [
    { path: "/", isMember: false },
    { path: "/login", isMember: false },
    { path: "/home", isMember: true },
    { path: "/u/Bench", isMember: false },
  ];
  const lines: Line[] = [];
  const scripts = new Map<string, number>();
  for (const { path, isMember } of pages) {
    const taken: Visit[] = [];
    for (let visit = 0; visit < visits; visit++) taken.push(await open(browser, server, path, isMember));
    const script = taken[0]?.script ?? 0;
    scripts.set(path, script);
    lines.push({
      measure: `largest paint of ${path} on a telephone`,
      goal: { atMost: paintMax },
      measured: median(taken.map(({ paint }) => paint)),
      unit: "ms",
      detail: `layout shift ${Math.max(...taken.map(({ shift }) => shift)).toFixed(3)} (at most ${shiftMax}); ${kilobytes(script).toFixed(1)} kB of scripts`,
    });
  }
  const login = scripts.get("/login") ?? 0;
  return [
    ...lines,
    {
      measure: "scripts of /login, compressed",
      goal: { atMost: firstScriptMax },
      measured: kilobytes(login),
      unit: "kB",
    },
    {
      measure: "further scripts of /home, with the viewer",
      goal: { atMost: wardrobeScriptMax },
      measured: kilobytes((scripts.get("/home") ?? 0) - login),
      unit: "kB",
    },
  ];
}

const kilobytes = (bytes: number) => bytes / 1000;

async function open(browser: Browser, { url }: Server, path: string, isMember: boolean): Promise<Visit> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 412, height: 823 } });
  try {
    if (isMember) await signIn(context);
    const page = await context.newPage();
    const tools = await context.newCDPSession(page);
    await tools.send("Network.enable");
    await tools.send("Network.setCacheDisabled", { cacheDisabled: true });
    const bytesEachSecond = 1.6e6 / 8;
    await tools.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 150,
      downloadThroughput: bytesEachSecond,
      uploadThroughput: bytesEachSecond,
    });
    await tools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await page.addInitScript(`
      window.measured = { paint: 0, shift: 0 };
      new PerformanceObserver((list) => list.getEntries().forEach(({ startTime }) => (measured.paint = startTime)))
        .observe({ type: "largest-contentful-paint", buffered: true });
      new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (measured.shift += value)))
        .observe({ type: "layout-shift", buffered: true });
    `);
    await page.goto(path, { waitUntil: "networkidle" });
    const script = await page.evaluate<number>(
      "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)",
    );
    const { paint, shift } = await page.evaluate<Visit>("measured");
    return { paint, shift, script };
  } finally {
    await context.close();
  }
}

async function signIn(context: BrowserContext): Promise<void> {
  const answer = await context.request.post("/console/session", {
    headers: { "X-Cloakroom-Console": "1" },
    data: { username: "Bench", password, stay: false },
  });
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()}`);
}
