import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { webhookHash, webhookName } from "../../src/domain/events/webhook-address.ts";
import { run, temporaryFolder } from "./run-program.ts";

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;
let folder: Folder;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder[Symbol.asyncDispose]());

const urls = ["https://one.example/hooks/12/hidden-word", "http://robot:letmein@10.0.0.7:8080/"] as const;

async function dataFolder(): Promise<string> {
  const dataDir = join(folder.path, crypto.randomUUID());
  await run(["migrate", "--data-dir", dataDir]);
  return dataDir;
}
const webhook = (dataDir: string, args: readonly string[], environment: Record<string, string> = {}) =>
  run(["webhook", ...args, "--data-dir", dataDir], {
    environment: { WEBHOOK_URLS: urls.join(","), ...environment },
  });

/** As a server leaves it that could not reach the first address. */
function begun(dataDir: string): void {
  using database = new Database(join(dataDir, "cloakroom.db"));
  database.run("INSERT INTO webhooks VALUES (?, 3, 2, 4102444800, 4102440000, 'status 503')", [
    webhookHash(urls[0]),
  ]);
  database.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('events', 10)");
}

describe("webhook list", () => {
  test("shows how far each address has come, and nothing of it beyond its host", async () => {
    const dataDir = await dataFolder();
    begun(dataDir);
    const { code, out, error } = await webhook(dataDir, ["list"]);
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toContain(`${webhookName(urls[0])}   3          7       2`);
    expect(out).toContain("status 503");
    expect(out).toMatch(/http:\/\/10\.0\.0\.7:8080\/ \([0-9a-f]{8}\) +not begun/);
    expect(out).not.toMatch(/hidden-word|letmein|robot/);
    const records = JSON.parse((await webhook(dataDir, ["list", "--json"])).out);
    expect(records[0]).toEqual({
      address: webhookName(urls[0]),
      position: 3,
      behind: 7,
      attempts: 2,
      next_try: 4102444800,
      delivered: 4102440000,
      last_error: "status 503",
    });
  });
});

describe("webhook retry", () => {
  test.each([[], [urls[0]], [webhookName(urls[0])]])("makes %j due at once", async (...args) => {
    const dataDir = await dataFolder();
    begun(dataDir);
    const wanted = args.filter((one) => typeof one === "string");
    const { code, out } = await webhook(dataDir, ["retry", ...wanted]);
    expect([code, out]).toEqual([
      0,
      wanted.length === 0 ? "2 addresses are due now\n" : "1 address is due now\n",
    ]);
    const [record] = JSON.parse((await webhook(dataDir, ["list", "--json"])).out);
    expect(record).toMatchObject({ next_try: null, attempts: 2 });
  });

  test("refuses an address that is not set, without repeating it", async () => {
    const dataDir = await dataFolder();
    const { code, error } = await webhook(dataDir, ["retry", "https://other.example/?key=hidden-word"]);
    expect([code, error]).toEqual([1, expect.stringContaining("WEBHOOK_URLS holds no such address")]);
    expect(error).not.toContain("hidden-word");
  });
});

describe("webhook secret", () => {
  test("is made once, as a key that only its owner can read", async () => {
    const dataDir = await dataFolder();
    const first = await webhook(dataDir, ["secret"]);
    expect(first.out).toMatch(/^whsec_[A-Za-z0-9+/]{43}=\n$/);
    expect((await webhook(dataDir, ["secret"])).out).toBe(first.out);
    expect((await stat(join(dataDir, "secrets", "webhook-secret"))).mode & 0o777).toBe(0o600);
  });

  test("is that of the settings, where there is one", async () => {
    const dataDir = await dataFolder();
    const given = `whsec_${crypto.getRandomValues(Buffer.alloc(24)).toString("base64")}`;
    expect((await webhook(dataDir, ["secret"], { WEBHOOK_SECRET: given })).out).toBe(`${given}\n`);
    expect(await Bun.file(join(dataDir, "secrets", "webhook-secret")).exists()).toBe(false);
  });
});
