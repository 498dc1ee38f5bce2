/**
 * What the answer for a texture says of PUBLIC_URL: only cloakroom's own 404 says that the data is another.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Finding } from "../../../src/operate/doctor/finding.ts";
import { makeData, texturesOf } from "../../backup/data-world.ts";
import { temporaryFolder } from "../../cli/run-program.ts";
import { examineIn, serveIn, type ServedFolder } from "./beside-server.ts";

const opened = new AsyncDisposableStack();
let dataDir: string;
let server: ServedFolder;
beforeAll(async () => {
  dataDir = join(opened.use(await temporaryFolder()).path, "data");
  await makeData(dataDir);
  server = opened.use(await serveIn(dataDir, { environment: { PROTOCOLS: "none" } }));
}, 30_000);
afterAll(() => opened.disposeAsync());

type Answer = (passed: Response) => Response | Promise<Response>;

/** What doctor says of an address before the server that answers so for textures. */
async function lookThrough(answer: Answer, { path = "/textures/", from = dataDir } = {}) {
  using proxy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async ({ url }) => {
      const { pathname } = new URL(url);
      const passed = await fetch(server.url + pathname, { redirect: "manual" });
      return pathname.startsWith(path) ? answer(passed) : passed;
    },
  });
  const PUBLIC_URL = `http://127.0.0.1:${proxy.port}`;
  const { of } = await examineIn(from, { ...server.environment, PUBLIC_URL });
  return of("public address").map(({ state, message, remedy }) => ({
    state,
    message: message.replace(PUBLIC_URL, "URL"),
    remedy: remedy ?? "",
  }));
}

const envelope = (status: number) =>
  Response.json({ error: true, msg: "x", url: "", data: null }, { status });

async function withoutLength(answer: Response): Promise<Response> {
  const bytes = await answer.bytes();
  const { status, headers } = answer;
  headers.delete("content-length");
  return new Response(
    async function* () {
      yield bytes.subarray(0, 10);
      // In one turn Bun would put both together, and say their length.
      await setImmediate();
      yield bytes.subarray(10);
    },
    { status, headers },
  );
}

const other = "leads to a cloakroom with other data: it does not know a texture that is here";

describe("PUBLIC_URL, where a texture", () => {
  test.each<[string, Answer, [Finding["state"], string, RegExp]]>([
    ["comes", (passed) => passed, ["ok", "URL leads to this server", /^$/]],
    [
      "comes through a proxy that weakens its tag",
      async (passed) =>
        new Response(await passed.bytes(), { headers: { etag: `W/${passed.headers.get("etag")}` } }),
      ["ok", "URL leads to this server", /^$/],
    ],
    [
      "is not known",
      () => envelope(404),
      ["problem", `URL ${other}`, /^check DATA_DIR or DATABASE_URL, and where/],
    ],
    [
      "is not known, through a proxy that says no lengths",
      () => withoutLength(envelope(404)),
      ["problem", `URL ${other}`, /^check DATA_DIR/],
    ],
    [
      "cannot be had now",
      () => envelope(503),
      [
        "problem",
        "URL/textures/… answers with status 503 for a texture that is here",
        /^the server's log says why/,
      ],
    ],
    [
      "is not passed on",
      () => new Response("no", { status: 404 }),
      [
        "problem",
        "URL/textures/… is answered by something else (status 404)",
        /^let the proxy forward every path/,
      ],
    ],
    [
      "is elsewhere",
      () => Response.redirect("http://127.0.0.1:9/"),
      ["problem", "URL/textures/… is answered by something else (status 302)", /\/textures too$/],
    ],
    [
      "is made smaller on its way",
      () => new Response("smaller", { headers: { etag: '"other"' } }),
      [
        "warning",
        "URL/textures/… answers with another file than is here, or without its ETag",
        /^let no proxy or CDN/,
      ],
    ],
  ])("%s", async (_, answer, [state, message, remedy]) => {
    expect(await lookThrough(answer)).toEqual([{ state, message, remedy: expect.stringMatching(remedy) }]);
  });

  test("is asked for of a proxy that says no lengths at all", async () => {
    expect(await lookThrough(withoutLength, { path: "/" })).toMatchObject([{ state: "ok" }]);
  });

  test("is lost or damaged here, is looked at by another one, and by none where all are", async () => {
    const from = `${dataDir} copied`;
    await cp(dataDir, from, { recursive: true });
    const [first = "", second = "", ...more] = await texturesOf(from);
    await rm(first);
    await truncate(second, 10);
    expect(await lookThrough((passed) => passed, { from })).toMatchObject([{ state: "ok" }]);
    for (const path of more) await rm(path);
    expect(await lookThrough(() => envelope(404), { from })).toEqual([
      { state: "ok", message: "URL answers as cloakroom", remedy: "" },
    ]);
  });
});
