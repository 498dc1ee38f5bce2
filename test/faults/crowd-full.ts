/*
 * Everybody else is served while a crowd holds connections, uploads without end or floods with headers.
 *
 *   bun run test:faults
 *
 * The waits are measured and held against calm ones of the same minute, so let nothing else run beside it.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startLoad } from "../bench/peer.ts";
import { requestText } from "../bench/http.bench.ts";
import { residentMebibytes } from "../bench/start.bench.ts";
import { median } from "../bench/statistics.ts";
import { buildSubject, createPlayer, type Player, type Server, type Subject } from "../bench/subject.ts";
import { dawdlers, gather, headerFlood, idlers, uploader, type Crowd } from "./crowd.ts";

const timeoutMs = 5 * 60_000;
const rounds = 5;
const roundMs = 1500;
/** What others may wait, against a calm minute. */
const slowdownMax = 3;
/** More memory than a calm server's by so much at most, two thousand connections included. */
const memoryMax = 200;

let subject: Subject;
let server: Server;
let player: Player;

beforeAll(async () => {
  subject = await buildSubject();
  server = await subject.serve();
  player = await createPlayer(subject, server, 0);
}, timeoutMs);

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await subject[Symbol.asyncDispose]();
});

const crowds: readonly (readonly [string, (port: number) => Promise<Crowd>])[] = [
  ["2,000 idle connections", (port) => gather(port, idlers(2000))],
  ["2,000 connections that send a byte now and then", (port) => gather(port, dawdlers(2000))],
  ["an upload that declares ten gigabytes", async (port) => gather(port, uploader(await signIn(), true))],
  ["an upload of ten gigabytes in chunks", async (port) => gather(port, uploader(await signIn(), false))],
  ["the same, declared, at full speed", async (port) => gather(port, uploader(await signIn(), true, "all"))],
  [
    "the same, in chunks, at full speed",
    async (port) => gather(port, uploader(await signIn(), false, "all")),
  ],
  ["a flood of headers", (port) => gather(port, headerFlood(20))],
];

test.each(crowds)(
  "others hardly notice %s",
  async (name, come) => {
    using load = startLoad();
    const job = {
      port: server.port,
      request: requestText(`/api/skin/head/${player.uuid}?size=100`),
      status: 200,
      connections: 32,
      milliseconds: roundMs,
      pace: "steady",
    } as const;
    await load.ask(job);
    const memory = (await residentMebibytes(server.pid)) ?? 0;
    const calm: number[] = [];
    const crowded: number[] = [];
    let most = 0;
    let present = 0;
    for (let round = 0; round < rounds; round++) {
      calm.push((await load.ask(job)).p99);
      await using crowd = await come(server.port);
      crowded.push((await load.ask(job)).p99);
      present += crowd.joined();
      most = Math.max(most, (await residentMebibytes(server.pid)) ?? 0);
    }
    const ratio = median(crowded.map((value, round) => value / (calm[round] ?? Number.NaN)));
    console.log({ name, calm: median(calm), crowded: median(crowded), ratio, present, memory, most });
    expect(present).toBeGreaterThan(0);
    expect(ratio).toBeLessThan(slowdownMax);
    expect(most - memory).toBeLessThan(memoryMax);
  },
  timeoutMs,
);

async function signIn(): Promise<string> {
  const answer = await fetch(`${server.url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "Bench", password: "a bench's own password" }),
  });
  const { data } = (await answer.json()) as { readonly data: { readonly jwt: string } };
  return data.jwt;
}
