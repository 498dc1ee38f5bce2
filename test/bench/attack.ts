/* What others notice while one client asks for as much as it can. */
import { readOptions } from "../../tools/options.ts";
import { skinPng } from "../support/textures.ts";
import { processorSeconds } from "./accounts.bench.ts";
import type { AttackJob, AttackResult } from "./attacker.ts";
import { startAttacker } from "./peer.ts";
import { describeMachine, digits } from "./report.ts";
import { residentMebibytes } from "./start.bench.ts";
import { median } from "./statistics.ts";
import { buildSubject, type Server, type Subject } from "./subject.ts";
import { paintedSkinFile } from "./textures.ts";

const usage = `What others notice while one client asks for as much as it can: bun test/bench/attack.ts.

  bun test/bench/attack.ts --only pictures     one part: pictures or uploads

It attacks a server of its own on the loopback address. Attacker and victim are told apart by X-Forwarded-For.`;

const { only } = readOptions(usage, { only: { type: "string" } });

const [attackerAddress, victimAddress] = ["192.0.2.66", "198.51.100.7"];
const milliseconds = 8000;
const restMilliseconds = 10_000;
/** Between what a victim does. */
const pauseMilliseconds = 50;
/** An account has thirty uploads a minute. */
const uploadPauseMilliseconds = 500;
const password = "a bench's own password";
/** Pictures of each kind that a victim may ask for, each of a skin that was never drawn. */
const skinsMax = 1500;

const machine = await describeMachine();
for (const [name, value] of Object.entries(machine)) console.log(`- ${name}: ${value}`);
await using subject = await buildSubject();
const people = await fill(subject);
if (only !== "uploads") await attackPictures();
if (only !== "pictures") await attackUploads();

type People = {
  readonly attacker: string;
  readonly victim: string;
  readonly hdSkin: string;
  readonly skins: readonly string[];
};

/** An attacker with an HD skin, and a victim with many skins. */
async function fill(target: Subject): Promise<People> {
  await using server = await target.serve();
  const [attacker, victim] = ["attacker", "victim"].map((name) => ({ name, mail: `${name}@example.org` }));
  if (!attacker || !victim) throw new Error("two people");
  for (const { mail, name } of [attacker, victim]) {
    await target.command("user", "create", "--mail", mail, "--username", name, "--password", password);
  }
  const hdFile = new Uint8Array(skinPng(1, { width: 1024 }));
  const hdSkin = await upload(server, await signIn(server, attacker.mail), hdFile);
  const authorization = await signIn(server, victim.mail);
  const skins: string[] = [];
  for (let number = 0; number < skinsMax; number++) {
    skins.push(await upload(server, authorization, paintedSkinFile(number)));
  }
  return { attacker: attacker.mail, victim: victim.mail, hdSkin, skins };
}

async function signIn({ url }: Server, username: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password }),
  });
  const { data } = (await answer.json()) as { readonly data: { readonly jwt: string } };
  return `Bearer ${data.jwt}`;
}

async function upload({ url }: Server, authorization: string, file: Uint8Array<ArrayBuffer>) {
  const form = new FormData();
  form.append("skin", new File([file], "skin.png"));
  const answer = await fetch(`${url}/api/home/edit/upload`, {
    method: "POST",
    headers: { authorization },
    body: form,
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.headers.get("location")?.split("/").at(-1) ?? "";
}

async function attackPictures(): Promise<void> {
  const [plain = ""] = people.skins;
  const attacks = [
    ["258 large pictures", large(plain), "once"],
    ["258 large pictures, hung up on", large(plain), "leave"],
    ["258 large pictures of an HD skin", large(people.hdSkin), "once"],
    ["258 large pictures of an HD skin, hung up on", large(people.hdSkin), "leave"],
    ["258 small pictures", small(plain), "once"],
    ["258 small pictures, hung up on", small(plain), "leave"],
    ["258 large pictures, without pause", large(plain), "on"],
  ] as const;
  for (const [what, paths, manner] of attacks) {
    // Each on a server of its own, so that none meets what another has left.
    await using server = await subject.serve(undefined, { TRUSTED_PROXIES: "127.0.0.1" });
    const requests = paths.map((path) => Buffer.from(requestText(path)));
    await measureAttack({ what, server, job: { port: server.port, requests, manner, milliseconds } }, [
      ["flat head, 64 px", pictureOf(server, (skin) => `/api/skin/head/${skin}?size=64`)],
      ["3D head, 64 px", pictureOf(server, (skin) => `/api/skin/head/${skin}?size=64&type=player`)],
      ["3D body, 256 px", pictureOf(server, (skin) => `/api/skin/body/${skin}?size=256&type=player`)],
      ["cached head", pictureOf(server, () => `/api/skin/head/${plain}?size=64`)],
    ]);
  }
}

function large(skin: string): readonly string[] {
  return sizes(1024).map((size) => `/api/skin/body/${skin}?type=player&size=${size}`);
}

function small(skin: string): readonly string[] {
  return sizes(300).map((size) => `/api/skin/head/${skin}?type=player&size=${size}`);
}

/** 258 different ones, the largest of which is this. */
function sizes(last: number): readonly number[] {
  return Array.from({ length: 258 }, (_, index) => last - index);
}

function requestText(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: bench\r\nX-Forwarded-For: ${attackerAddress}\r\n\r\n`;
}

function pictureOf({ url }: Server, path: (skin: string) => string) {
  const unseen = people.skins.values();
  return async (): Promise<void> => {
    const { value: skin, done } = unseen.next();
    if (done) throw new Error("All skins have been drawn: raise skinsMax");
    const answer = await fetch(url + path(skin), { headers: { "x-forwarded-for": victimAddress } });
    if (!answer.ok) throw new Error(`The victim is answered with ${answer.status}`);
    await answer.bytes();
  };
}

async function attackUploads(): Promise<void> {
  const file = new Uint8Array(skinPng(1, { width: 1024 }));
  const attacks = [
    ["36 uploads of an HD skin, without pause", "on"],
    ["36 uploads of an HD skin, hung up on", "leave"],
  ] as const;
  for (const [what, manner] of attacks) {
    await using server = await subject.serve(undefined, { RATE_LIMIT_FACTOR: "1" });
    const request = await uploadRequest(await signIn(server, people.attacker), file);
    const requests = Array.from({ length: 36 }, () => request);
    const authorization = await signIn(server, people.victim);
    await measureAttack({ what, server, job: { port: server.port, requests, manner, milliseconds } }, [
      ["upload of an HD skin", () => upload(server, authorization, file), uploadPauseMilliseconds],
    ]);
  }
}

async function uploadRequest(authorization: string, file: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const form = new FormData();
  form.append("skin", new File([file], "skin.png"));
  const whole = new Response(form);
  // Asked first: a body that was read has no type any more.
  const type = whole.headers.get("content-type");
  const body = await whole.bytes();
  const head =
    `POST /api/home/edit/upload HTTP/1.1\r\nHost: bench\r\nX-Forwarded-For: ${attackerAddress}\r\n` +
    `Authorization: ${authorization}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

type Attack = { readonly what: string; readonly server: Server; readonly job: AttackJob };
type Act = readonly [what: string, act: () => Promise<unknown>, pause?: number];

/** What each act takes before and during the attack, and what of the attack is left some seconds after it. */
async function measureAttack({ what, server, job }: Attack, acts: readonly Act[]): Promise<void> {
  using attacker = startAttacker();
  await timeActs(acts, Bun.sleep(2000)); // compiled code, the worker threads
  const calm = await timeActs(acts, Bun.sleep(4000));
  const memory = (await residentMebibytes(server.pid)) ?? Number.NaN;
  let result: AttackResult = {};
  const attacked = await timeActs(
    acts,
    attacker.ask(job).then((all) => void (result = all)),
  );
  await Bun.sleep(restMilliseconds);
  const used = await processorSeconds(server.pid);
  await Bun.sleep(1000);
  const left = (await processorSeconds(server.pid)) - used;
  const memoryLeft = (await residentMebibytes(server.pid)) ?? Number.NaN;

  console.log(`\n${what}\n`);
  acts.forEach(([name], index) =>
    console.log(`  ${name.padEnd(22)} ${compared(calm[index], attacked[index])}`),
  );
  for (const [status, { times, medianMs }] of Object.entries(result))
    console.log(`  attacker: ${times} times ${status}, median ${digits(medianMs)} ms`);
  console.log(
    `  ${restMilliseconds / 1000} s after: ${digits(left * 100)} % of a core, ${digits(memoryLeft)} MiB (before: ${digits(memory)})`,
  );
}

/**
 * Does each act once in a while until the end, all of them side by side, and says how many milliseconds each
 * time took.
 */
function timeActs(acts: readonly Act[], until: Promise<void>): Promise<readonly (readonly number[])[]> {
  const over = new AbortController();
  void until.then(() => over.abort());
  return Promise.all(
    acts.map(async ([, act, pause = pauseMilliseconds]) => {
      const times: number[] = [];
      while (!over.signal.aborted) {
        const startedAt = performance.now();
        // One that waits for longer than the attack lasts counts with what it has waited.
        const failed = await Promise.race([act().then(() => null, String), until.then(() => null)]);
        times.push(failed === null ? performance.now() - startedAt : Number.POSITIVE_INFINITY);
        await Bun.sleep(pause);
      }
      return times;
    }),
  );
}

function compared(calm: readonly number[] = [], attacked: readonly number[] = []): string {
  const text = (times: readonly number[]) =>
    `${digits(median(times))} (p90 ${digits(p90(times))}, worst ${digits(Math.max(...times))})`;
  const ratio = `${digits(median(attacked) / median(calm))}x median, ${digits(p90(attacked) / p90(calm))}x p90`;
  return `calm ${text(calm)} ms, attacked ${text(attacked)} ms: ${ratio}, ${attacked.length} times`;
}

function p90(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.9)] ?? Number.NaN;
}
