/**
 * Mutated PNGs through the real upload: every answer is 2xx or 4xx, and whatever is taken can be drawn. The
 * gate sends 1,500; `CORPUS=20000 bun test test/http/corpus.test.ts` sends that many to a process of its own
 * and measures its memory.
 */
import { expect, test } from "bun:test";
import { run, temporaryFolder } from "../cli/run-program.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, upload, uploadForm } from "../support/members.ts";
import { corpus } from "../support/png-corpus.ts";
import { program } from "../support/program.ts";

const seed = 20_260_101;
const gateCount = 1_500;
const fullCount = Number(process.env["CORPUS"] ?? 0);
const memoryMax = 256 * 1024 * 1024;
const wardrobe = { WARDROBE_MAX: "10000" };

test(`${gateCount} mutated files are taken or refused, never a fault`, async () => {
  await using harness = await openHarness({ settings: wardrobe });
  const member = await addMember(harness, "Alice");
  const answers = { taken: 0, refused: 0 };
  for (const file of corpus(gateCount, seed)) {
    const response = await upload(harness, member, { file });
    const { msg } = await readJson<Envelope<object>>(response);
    expect([response.status, msg]).toEqual(
      response.status === 200
        ? [200, expect.any(String)]
        : [400, expect.stringMatching(/^Skin upload failed: /)],
    );
    if (response.status === 200)
      await draw(response.headers.get("location") ?? "", (path) => harness.fetch(path));
    answers[response.status === 200 ? "taken" : "refused"] += 1;
  }
  expect(harness.takeComplaints()).toEqual([]);
  // Were all refused at the door, the corpus would test nothing.
  expect(answers.taken).toBeGreaterThan(gateCount / 20);
  expect(answers.refused).toBeGreaterThan(gateCount / 2);
}, 180_000);

if (fullCount > 0) {
  test(`${fullCount} mutated files leave the process alive and below 256 MiB`, async () => {
    await using folder = await temporaryFolder();
    const environment = { DATA_DIR: folder.path, PORT: "0", ...wardrobe };
    const create = [
      "user",
      "create",
      "--username",
      "Alice",
      "--mail",
      "alice@example.org",
      "--password",
      "a long password",
    ];
    expect(await run(create, { environment })).toMatchObject({ code: 0 });
    const server = Bun.spawn([...program, "serve"], {
      env: { PATH: process.env["PATH"] ?? "", ...environment, LOG_LEVEL: "warn" },
      stdout: "pipe",
      stderr: "pipe",
    });
    const address = await addressOf(server.stdout);
    const authorization = `Bearer ${await login(address)}`;

    const statuses: Record<number, number> = {};
    const files = corpus(fullCount, seed);
    const sendAll = async () => {
      for (const file of files) {
        const body = uploadForm({ file });
        const response = await fetch(`${address}/api/home/edit/upload`, {
          method: "POST",
          headers: { authorization },
          body,
        });
        await response.arrayBuffer();
        statuses[response.status] = (statuses[response.status] ?? 0) + 1;
        if (response.status === 200)
          await draw(response.headers.get("location") ?? "", (path) => fetch(address + path));
      }
    };
    await Promise.all([1, 2, 3, 4].map(sendAll));

    server.kill("SIGTERM");
    const complaints = await server.stderr.text();
    expect(await server.exited).toBe(0);
    const peak = server.resourceUsage()?.maxRSS ?? Infinity;
    console.log(
      `corpus: ${fullCount} files, answers ${JSON.stringify(statuses)}, peak RSS ${(peak / 2 ** 20).toFixed(0)} MiB`,
    );
    expect(complaints).toBe("");
    expect(Object.keys(statuses).sort()).toEqual(["200", "400"]);
    expect(peak).toBeLessThan(memoryMax);
  }, 900_000);
}

async function draw(location: string, get: (path: string) => Promise<Response>): Promise<void> {
  const uuid = location.slice(-36);
  for (const path of [`/api/skin/head/${uuid}?size=8`, `/api/skin/body/${uuid}?type=player&size=16`]) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    await response.arrayBuffer();
  }
}

/** The address in the first line that the server prints. */
async function addressOf(output: ReadableStream<Uint8Array>): Promise<string> {
  const reader = output.getReader();
  let line = "";
  while (!line.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the server ended: ${line}`);
    line += new TextDecoder().decode(value);
  }
  reader.releaseLock();
  return /http:\S+/.exec(line)?.[0] ?? "";
}

async function login(address: string): Promise<string> {
  const response = await fetch(`${address}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "Alice", password: "a long password" }),
  });
  return (await readJson<Envelope<{ jwt: string }>>(response)).data.jwt;
}
