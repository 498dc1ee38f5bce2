/* Answers from memory against a bare `Bun.serve` handler that returns the same bytes and headers. */
import type { BaselineAnswer } from "./baseline.ts";
import type { LoadJob, LoadResult } from "./load.ts";
import { type Peer, startBaseline, startLoad } from "./peer.ts";
import type { Line } from "./report.ts";
import { median } from "./statistics.ts";
import type { Player, Server } from "./subject.ts";

/** Short and many, subject and baseline in turn, so that what else the machine does meets both alike. */
const rounds = 21;
const roundMilliseconds = 500;
const connections = 32;

export async function benchHttp(server: Server, player: Player): Promise<readonly Line[]> {
  const head = `/api/skin/head/${player.uuid}?size=100`;
  const launcher = `/api/skin/launcher/${player.uuid}`;
  const { headers } = await fetch(server.url + head);
  const condition = { "If-None-Match": headers.get("etag") ?? "" };
  const page = "/login";
  const script = await firstScript(server.url + page);
  const asBrowser = { "Accept-Encoding": "gzip, deflate, br, zstd", "Accept-Language": "en-GB,en;q=0.9" };
  using load = startLoad();
  const bench = { server, load };
  return [
    await compare(bench, { measure: "cached head, 100 px", goal: 0.8, path: head, headers: {} }),
    await compare(bench, { measure: "the same, 304", goal: 0.8, path: head, headers: condition }),
    await compare(bench, { measure: "launcher descriptor", goal: 0.6, path: launcher, headers: {} }),
    await compare(bench, { measure: "a page of the console", goal: 0.8, path: page, headers: asBrowser }),
    await compare(bench, {
      measure: "the page of a player",
      goal: 0.8,
      path: "/u/Bench",
      headers: asBrowser,
    }),
    await compare(bench, {
      measure: "the console's first script",
      goal: 0.8,
      path: script,
      headers: asBrowser,
    }),
  ];
}

async function firstScript(page: string): Promise<string> {
  const html = await (await fetch(page)).text();
  const [, path] = /<script type="module" crossorigin src="([^"]+)"/.exec(html) ?? [];
  if (path === undefined) throw new Error(`${page} has no script`);
  return path;
}

/** A server, and the load that is put on it. */
export type Bench = { readonly server: Server; readonly load: Peer<LoadJob, LoadResult> };
type Case = {
  readonly measure: string;
  readonly goal: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Compares one answer with that of a bare server. */
export async function compare(
  { server, load }: Bench,
  { measure, goal, path, headers = {} }: Case,
): Promise<Line> {
  using baseline = startBaseline();
  const answer = await answerOf(server.url + path, headers);
  const barePort = await baseline.ask(answer);
  await checkSameAnswer(answer, `http://127.0.0.1:${barePort}${path}`, headers);

  const job = {
    request: requestText(path, headers),
    status: answer.status,
    connections,
    pace: "full",
  } as const;
  const rate = async (port: number, milliseconds: number) =>
    (await load.ask({ ...job, port, milliseconds })).perSecond;
  for (const port of [server.port, barePort]) await rate(port, 2 * roundMilliseconds); // until the code is compiled

  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(await rate(server.port, roundMilliseconds));
    bare.push(await rate(barePort, roundMilliseconds));
  }
  const ratios = ours.map((value, round) => value / (bare[round] ?? Number.NaN));
  return {
    measure,
    goal: { atLeast: goal },
    measured: median(ratios),
    unit: "of bare",
    detail: `${thousands(median(ours))} against ${thousands(median(bare))} requests/s`,
  };
}

/** What the server answers, as the baseline shall answer it. */
export async function answerOf(url: string, headers: Record<string, string>): Promise<BaselineAnswer> {
  const answer = await fetch(url, { headers, decompress: false });
  const body = await answer.bytes();
  return {
    status: answer.status,
    // These two are the server's own; every server adds them by itself.
    headers: [...answer.headers].filter(([name]) => name !== "date" && name !== "content-length"),
    bodyBase64: body.toBase64(),
  };
}

async function checkSameAnswer(wanted: BaselineAnswer, url: string, headers: Record<string, string>) {
  if (!Bun.deepEquals(await answerOf(url, headers), wanted)) {
    throw new Error(`${url} answers otherwise than what it is compared with`);
  }
}

/** As a browser's connection pool sends it, without the headers that no server looks at. */
export function requestText(path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ Host: "127.0.0.1", ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `GET ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
}

function thousands(value: number): string {
  return `${Math.round(value / 1000)},000`;
}
