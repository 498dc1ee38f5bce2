/** What containers and monitors run: whether the server of these settings is ready. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { makeCertificate } from "../support/certificates.ts";
import { holdClosedPort } from "../support/closed-port.ts";
import { openHarness, publicUrl } from "../support/harness.ts";
import { isLeftOut } from "../support/storages.ts";
import { run, runProcess, temporaryFolder } from "./run-program.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder[Symbol.asyncDispose]());

const allWell = { database: true, disk: true, textures: true, outbox: true };

/** Asks with the settings of the server, and the port that it took. */
async function askWith(settings: Record<string, string>, address: string) {
  const { port } = URL.canParse(address) ? new URL(address) : { port: "" };
  const environment = { ...settings, ...(port === "" ? {} : { PORT: port }) };
  const plain = await run(["health"], { environment });
  const json = await run(["health", "--json"], { environment });
  return { plain, record: JSON.parse(json.out), code: json.code, error: json.error };
}

describe("health ends with 0 and says so where the server is ready", () => {
  test.each<[string, Record<string, string>]>([
    ["on a port", {}],
    ["on all addresses", { HOST: "0.0.0.0" }],
    ["on all addresses of IPv6", { HOST: "::" }],
    ["on an address of IPv6", { HOST: "[::1]" }],
    ["on a name", { HOST: "localhost" }],
  ])("%s", async (_, settings) => {
    await using harness = await openHarness({ settings });
    const { plain, record, code } = await askWith(settings, harness.listen().address);
    expect(plain).toEqual({ code: 0, out: "ready\n", error: "" });
    expect({ code, ...record }).toMatchObject({ code: 0, ready: true, parts: allWell, problem: null });
  });

  test("by https, with a certificate for another name", async () => {
    const { certFile, keyFile } = await makeCertificate(folder.path, "skins.example.org");
    const settings = { TLS_CERT: certFile, TLS_KEY: keyFile };
    await using harness = await openHarness({ settings });
    expect((await askWith(settings, harness.listen().address)).plain).toMatchObject({
      code: 0,
      out: "ready\n",
    });
  });

  test("on a socket file", async () => {
    const settings = { LISTEN_UNIX: join(folder.path, "health.sock"), PUBLIC_URL: publicUrl };
    await using harness = await openHarness({ settings });
    const { plain, record } = await askWith(settings, harness.listen().address);
    expect(plain).toEqual({ code: 0, out: "ready\n", error: "" });
    expect(record).toMatchObject({ place: settings.LISTEN_UNIX });
  });

  test("past a proxy that the environment names", async () => {
    await using harness = await openHarness();
    using nowhere = await holdClosedPort();
    const proxy = `http://127.0.0.1:${nowhere.port}`;
    const { port } = new URL(harness.listen().address);
    const environment = { PORT: port, HTTP_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy };
    const outcome = await runProcess(["health"], { folder: folder.path, environment });
    expect(outcome).toEqual({ code: 0, out: "ready\n", error: "" });
  });
});

describe("health ends with 1 and says why where", () => {
  test("no server answers", async () => {
    using closed = await holdClosedPort();
    const { plain, record, code } = await askWith({ PORT: String(closed.port) }, "");
    const problem = `no server answers on port ${closed.port}: nothing listens there (ECONNREFUSED)`;
    expect(plain).toEqual({ code: 1, out: "", error: `cloakroom: ${problem}\n` });
    expect({ code, ...record }).toEqual({
      code: 1,
      ready: false,
      place: `port ${closed.port}`,
      parts: null,
      problem,
    });
  });

  test("there is no socket file", async () => {
    const settings = { LISTEN_UNIX: join(folder.path, "none.sock"), PUBLIC_URL: publicUrl };
    const { plain } = await askWith(settings, "");
    expect(plain).toMatchObject({ code: 1, out: "" });
    expect(plain.error).toContain(`no server answers on ${settings.LISTEN_UNIX}: `);
  });

  test.skipIf(isLeftOut("sqlite", "the database of PostgreSQL is no file of ours"))(
    "the server is not ready, and names what is missing",
    async () => {
      await using harness = await openHarness();
      const { address } = harness.listen();
      const database = join(harness.folder, "cloakroom.db");
      await rename(database, `${database}.moved`);
      const { plain, record } = await askWith({}, address);
      await rename(`${database}.moved`, database);
      const { port } = new URL(address);
      const problem = `the server on port ${port} is not ready: database; its log says more`;
      expect(plain).toEqual({ code: 1, out: "", error: `cloakroom: ${problem}\n` });
      expect(record).toMatchObject({ ready: false, parts: { ...allWell, database: false }, problem });
    },
  );

  test.each<[string, () => Response, string]>([
    ["something else does", () => new Response("<h1>It works</h1>"), "something else answers"],
    ["a redirect does", () => Response.redirect("http://127.0.0.1/"), "something else answers"],
    ["something endless does", () => new Response("x".repeat(70_000)), "something else answers"],
    [
      "a server of ours refuses",
      () => Response.json({ error: true, msg: "\u001b[2J", url: null, data: {} }, { status: 429 }),
      "is not ready: it answers with status 429",
    ],
  ])("%s", async (_, answer, words) => {
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
    const { plain } = await askWith({}, server.url.href);
    expect(plain.error).not.toContain("\u001b");
    expect(plain).toMatchObject({ code: 1, out: "", error: expect.stringContaining(words) });
  });

  test("the port is unknown", async () => {
    const { plain } = await askWith({ PORT: "0" }, "");
    expect(plain).toMatchObject({ code: 1, out: "", error: expect.stringContaining("PORT is 0") });
  });
});

test("health ends with 2 where the settings cannot be used", async () => {
  expect(await run(["health"], { environment: { PORT: "x" } })).toMatchObject({ code: 2, out: "" });
});
