/*
 * What requests cost that are made to be dear: small chunks, colours that collide, a customer's 65,536
 * networks, headers of commas.
 *
 *   bun run bench --only attack-http
 *   BASELINE=dist/older/cloakroom bun run bench --only attack-http     and the same of another program
 */
import { connect } from "node:net";
import { encodePng } from "../../src/render/png-encode.ts";
import { processorMicroseconds } from "./processor-time.ts";
import { alsoOfBaseline } from "./baseline-program.ts";
import { digits, type Line } from "./report.ts";
import { median } from "./statistics.ts";
import { createPlayer, password, type Server, type Subject } from "./subject.ts";

const rounds = 5;
const [attackerNetwork, otherAddress] = ["2001:db8:66", "198.51.100.7"];

/** The attacks; with `BASELINE` on that program as well. */
export function benchHttpAttacks(subject: Subject): Promise<readonly Line[]> {
  return alsoOfBaseline(subject, attackAll);
}

type Attacked = { readonly server: Server; readonly authorization: string; readonly uuid: string };

async function attackAll(subject: Subject): Promise<readonly Line[]> {
  await using server = await subject.serve(undefined, {
    TRUSTED_PROXIES: "127.0.0.1",
    SKIN_WIDTH_MAX: "1024",
  });
  const { uuid } = await createPlayer(subject, server, 0);
  const attacked = { server, authorization: await signIn(server), uuid };
  return [
    await smallChunks(attacked, "POST /api/no/such/place", "that no route reads"),
    await smallChunks(attacked, "POST /api/auth/login", "of a sign-in"),
    await collidingColours(attacked),
    await commas(attacked),
    await networks(attacked),
  ];
}

async function signIn({ url }: Server): Promise<string> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ username: "Bench", password });
  const answer = await fetch(`${url}/api/auth/login`, { method: "POST", headers, body });
  const { data } = (await answer.json()) as { readonly data: { readonly jwt: string } };
  return `Bearer ${data.jwt}`;
}

/** The processor time of the server for one of both, in milliseconds, by turns. */
async function costs({ pid }: Server, calm: () => Promise<unknown>, attack: () => Promise<unknown>) {
  const costOf = async (work: () => Promise<unknown>) => {
    const before = await processorMicroseconds(pid);
    await work();
    return ((await processorMicroseconds(pid)) - before) / 1000;
  };
  const found: { readonly calm: number[]; readonly attack: number[] } = { calm: [], attack: [] };
  for (let round = 0; round < rounds; round++) {
    found.calm.push(await costOf(calm));
    found.attack.push(await costOf(attack));
  }
  return { calm: median(found.calm), attack: median(found.attack) };
}

/** 600 kB in chunks of one byte, against the same bytes in one chunk. */
async function smallChunks({ server }: Attacked, request: string, what: string): Promise<Line> {
  const send = (chunks: Buffer) => sendWhole(server.port, request, chunks);
  const small = Buffer.from(`${"1\r\n \r\n".repeat(100_000)}0\r\n\r\n`);
  const large = Buffer.from(`${(100_000).toString(16)}\r\n${" ".repeat(100_000)}\r\n0\r\n\r\n`);
  const { calm, attack } = await costs(
    server,
    () => send(large),
    () => send(small),
  );
  return {
    measure: `600 kB in chunks of one byte, ${what}: processor time`,
    goal: { atMost: 20 },
    measured: attack,
    unit: "ms",
    detail: `${digits(calm)} → ${digits(attack)} ms, against one chunk`,
  };
}

/**
 * Resolves when the server has answered and closed the connection. The rest of the body follows once the head
 * was read.
 */
function sendWhole(port: number, request: string, body: Buffer): Promise<void> {
  const { promise, resolve: done } = Promise.withResolvers<void>();
  const head = [`${request} HTTP/1.1`, "Host: localhost", "Content-Type: application/json"];
  const socket = connect(port, "127.0.0.1", () => {
    socket.write(`${[...head, "Transfer-Encoding: chunked"].join("\r\n")}\r\n\r\n1\r\n \r\n`);
    setTimeout(() => void socket.write(body), 20);
  });
  socket.on("data", () => {});
  socket.on("error", () => {});
  socket.on("close", () => done());
  return promise;
}

/**
 * A skin of 256 colours: those of other pictures, or such as fall together under a multiplier that is known.
 */
async function collidingColours({ server, authorization }: Attacked): Promise<Line> {
  const known: number[] = [];
  for (let colour = 0; known.length < 256; colour++) {
    const word = (0xff000000 | colour) >>> 0;
    if (Math.imul(word, 0x9e3779b1) >>> 22 === 0) known.push(word);
  }
  const usual = known.map((_, index) => (0xff000000 | (index * 65_793)) >>> 0);
  let seed = 0;
  const upload = async (words: readonly number[]) => {
    seed += 1;
    const form = new FormData();
    form.append("skin", new File([new Uint8Array(hdSkin(words, seed))], "skin.png"));
    const init = { method: "POST", headers: { authorization }, body: form };
    const answer = await fetch(`${server.url}/api/home/edit/upload`, init);
    if (!answer.ok) throw new Error(`upload: ${answer.status} ${await answer.text()}`);
  };
  await upload(usual);
  const { calm, attack } = await costs(
    server,
    () => upload(usual),
    () => upload(known),
  );
  return {
    measure: "an HD skin whose 256 colours collide: processor time of its import",
    goal: { atMost: 2 },
    measured: attack / calm,
    unit: "of calm",
    detail: `${digits(calm)} → ${digits(attack)} ms`,
  };
}

/** Its rows repeat, so the file is small. */
function hdSkin(words: readonly number[], seed: number): Uint8Array {
  const width = 1024;
  const pixels = new Uint32Array(width * width);
  for (let x = 0; x < width; x++) pixels[x] = words[(x * 37 + seed) % words.length] ?? 0;
  for (let y = 1; y < width; y++) pixels.copyWithin(y * width, 0, width);
  pixels[width * width - 1] = words[seed % words.length] ?? 0;
  return encodePng({ width, height: width, data: new Uint8Array(pixels.buffer) });
}

/** A page with the headers of a browser, against one with 8 kB of commas. */
async function commas({ server }: Attacked): Promise<Line> {
  const ask = (headers: Record<string, string>) => async () => {
    for (let n = 0; n < 100; n++) await (await fetch(`${server.url}/login`, { headers })).bytes();
  };
  const usual = {
    "accept-encoding": "gzip, deflate, br, zstd",
    "accept-language": "de-DE,de;q=0.9,en;q=0.8",
  };
  const dear = { ...usual, "accept-encoding": `gzip${",".repeat(8000)}x` };
  await ask(usual)();
  const { calm, attack } = await costs(server, ask(usual), ask(dear));
  return {
    measure: "a page asked for with 8 kB of commas in Accept-Encoding: processor time",
    goal: { atMost: 3 },
    measured: attack / calm,
    unit: "of calm",
    detail: `${digits(calm * 10)} → ${digits(attack * 10)} µs a page`,
  };
}

/** Thirteen pictures of another address, while each network of a /48 asks for one. */
async function networks({ server, authorization, uuid }: Attacked): Promise<Line> {
  const form = new FormData();
  form.append("skin", new File([new Uint8Array(hdSkin([0xff0000ff, 0xff00ff00], 9))], "skin.png"));
  form.append("name", "Fine");
  await fetch(`${server.url}/api/home/edit/upload`, {
    method: "POST",
    headers: { authorization },
    body: form,
  });
  const found = await fetch(`${server.url}/api/home`, { headers: { authorization } });
  const { data } = (await found.json()) as { readonly data: { readonly Skin: readonly { Uuid: string }[] } };
  const skin = data.Skin.at(-1)?.Uuid ?? uuid;
  let size = 400;
  const ask = async (client: string): Promise<number> => {
    size -= 1;
    const answer = await fetch(`${server.url}/api/skin/body/${skin}?type=player&size=${size}`, {
      headers: { "x-forwarded-for": client },
    });
    await answer.bytes();
    return answer.status;
  };
  const thirteen = () => Promise.all(Array.from({ length: 13 }, () => ask(otherAddress)));
  const calm = drawn(await thirteen());
  const attack = Array.from({ length: 250 }, (_, n) => ask(`${attackerNetwork}:${n.toString(16)}::1`));
  const beside = drawn(await thirteen());
  const ofAttack = drawn(await Promise.all(attack));
  // The /48 is four clients at most, so the other is one of five.
  const fair = Math.max(1, Math.min(calm, Math.floor((beside + ofAttack) / 5)));
  return {
    measure: "13 pictures of another beside 250 networks of one /48: drawn, against a fifth of all",
    goal: { atLeast: 0.9 },
    measured: beside / fair,
    unit: "times as much",
    detail: `${calm} → ${beside} of 13 drawn, the others refused; of the /48's ${ofAttack} of 250`,
  };
}

function drawn(statuses: readonly number[]): number {
  return statuses.filter((status) => status === 200).length;
}
