/*
 * What others notice while one client asks the database for as much as it can: 2,500 connections of profiles
 * on PostgreSQL, and 256 connections of one member's selections on both engines.
 *
 *   bun run bench --only attack-database
 *   BASELINE=dist/older/cloakroom bun run bench --only attack-database     and the same of another program
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jwtSecret } from "../support/harness.ts";
import { testDatabase } from "../support/migrated-postgres.ts";
import { postgresMissing } from "../support/postgres.ts";
import type { AttackResult } from "./attacker.ts";
import { startAttacker } from "./peer.ts";
import { alsoOfBaseline } from "./baseline-program.ts";
import { digits, type Line } from "./report.ts";
import { median } from "./statistics.ts";
import { password, type Server, type Subject } from "./subject.ts";
import { paintedSkinFile } from "./textures.ts";

const [attackerAddress, victimAddress] = ["192.0.2.66", "198.51.100.7"];
const calmMilliseconds = 3_000;
const attackMilliseconds = 6_000;
const pauseMilliseconds = 50;

/** The attacks; with `BASELINE` on that program as well. */
export function benchDatabaseAttacks(subject: Subject): Promise<readonly Line[]> {
  return alsoOfBaseline(subject, attackAll);
}

/** Nothing of PostgreSQL where there is none. */
async function attackAll(subject: Subject): Promise<readonly Line[]> {
  const lines = await attackOn("SQLite", subject, {}, [selections]);
  if (postgresMissing !== null) {
    console.error(`bench: NOT RUN: attacks on PostgreSQL (${postgresMissing})`);
    return lines;
  }
  await using database = await testDatabase();
  const settings = { DATABASE_URL: database.url, JWT_SECRET: jwtSecret };
  return [...lines, ...(await attackOn("PostgreSQL", subject, settings, [profiles, selections]))];
}

type Attack = {
  readonly what: string;
  /** One request for each connection, which sends it again after each answer. */
  readonly requests: (attacker: Member) => readonly Uint8Array[];
};

const profiles: Attack = {
  what: "2,500 connections of profiles",
  requests: ({ authorization }) =>
    Array.from({ length: 2_500 }, () => requestOf("GET", "/api/home", authorization, "")),
};

const selections: Attack = {
  what: "256 connections of one member's selections",
  requests: ({ authorization, skins }) =>
    Array.from({ length: 256 }, (_, number) => {
      const body = JSON.stringify({ skinid: skins[number % skins.length] });
      return requestOf("POST", "/api/home/edit/skin/select", authorization, body);
    }),
};

function requestOf(method: string, path: string, authorization: string, body: string): Uint8Array {
  const head = [
    `${method} ${path} HTTP/1.1`,
    "Host: bench",
    `X-Forwarded-For: ${attackerAddress}`,
    `Authorization: ${authorization}`,
    ...(body === "" ? [] : ["Content-Type: application/json", `Content-Length: ${body.length}`]),
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}

type Settings = Readonly<Record<string, string>>;

async function attackOn(
  engine: string,
  subject: Subject,
  settings: Settings,
  attacks: readonly Attack[],
): Promise<readonly Line[]> {
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-attack-"));
  await using _gone = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
  const all = { ...settings, DATA_DIR: folder };
  for (const name of ["attacker", "victim"]) {
    const member = ["--mail", `${name}@example.org`, "--username", name, "--password", password];
    await Bun.$`${subject.binary} user create ${member}`.env(all).quiet();
  }
  await using server = await subject.serve(folder, { ...settings, TRUSTED_PROXIES: "127.0.0.1" });
  const [attacker, victim] = [await enter(server, "attacker"), await enter(server, "victim")];
  const lines: Line[] = [];
  for (const attack of attacks)
    lines.push(...(await measure(`${engine}, ${attack.what}`, { server, attack, attacker, victim })));
  return lines;
}

type Member = { readonly authorization: string; readonly skins: readonly string[] };

async function enter({ url }: Server, username: string): Promise<Member> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password }),
  });
  const { data } = (await answer.json()) as { readonly data: { readonly jwt: string } };
  const authorization = `Bearer ${data.jwt}`;
  const skins = [await upload(url, authorization), await upload(url, authorization)];
  return { authorization, skins: skins.map((one) => one.headers.get("location")?.split("/").at(-1) ?? "") };
}

let painted = 0;

function upload(url: string, authorization: string): Promise<Response> {
  const form = new FormData();
  form.append("skin", new File([paintedSkinFile((painted += 1))], "skin.png"));
  const headers = { authorization, "x-forwarded-for": victimAddress };
  return fetch(`${url}/api/home/edit/upload`, { method: "POST", headers, body: form });
}

type Measured = {
  readonly server: Server;
  readonly attack: Attack;
  readonly attacker: Member;
  readonly victim: Member;
};

async function measure(what: string, given: Measured): Promise<readonly Line[]> {
  const { server, attack, attacker, victim } = given;
  const headers = { authorization: victim.authorization, "x-forwarded-for": victimAddress };
  const select = (turn: number) =>
    fetch(`${server.url}/api/home/edit/skin/select`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ skinid: victim.skins[turn % 2] }),
    });
  const acts: readonly (readonly [string, (turn: number) => Promise<Response>])[] = [
    ["profile", () => fetch(`${server.url}/api/home`, { headers })],
    ["selection", select],
    ["upload", () => upload(server.url, victim.authorization)],
    ["readiness", () => fetch(`${server.url}/health/ready`, { headers })],
  ];
  using peer = startAttacker();
  await timeActs(acts, Bun.sleep(1_000));
  const calm = await timeActs(acts, Bun.sleep(calmMilliseconds));
  let result: AttackResult = {};
  const requests = attack.requests(attacker);
  const job = { port: server.port, requests, manner: "on", milliseconds: attackMilliseconds } as const;
  const attacked = await timeActs(
    acts,
    peer.ask(job).then((all) => void (result = all)),
  );
  const statuses = Object.entries(result).map(([status, { times }]) => `${times} times ${status}`);
  await Bun.sleep(1_000);
  return acts.map(([act], index) => {
    const [before = [], during = []] = [calm[index], attacked[index]];
    const answered = during.filter(({ isWell }) => isWell).length;
    return {
      measure: `${what}: another's ${act}`,
      measured: middle(during) / middle(before),
      unit: "times as much",
      detail:
        `${digits(middle(before))} against ${digits(middle(during))} ms, worst ${digits(worst(during))} ms; ` +
        `${answered} of ${during.length} answered; the attacker: ${statuses.join(", ")}`,
    };
  });
}

type Time = { readonly milliseconds: number; readonly isWell: boolean };

const middle = (times: readonly Time[]) => median(times.map(({ milliseconds }) => milliseconds));
const worst = (times: readonly Time[]) => Math.max(...times.map(({ milliseconds }) => milliseconds));

/** Does each act once in a while until the end, side by side. */
function timeActs(
  acts: readonly (readonly [string, (turn: number) => Promise<Response>])[],
  until: Promise<void>,
): Promise<readonly (readonly Time[])[]> {
  const over = new AbortController();
  void until.then(() => over.abort());
  return Promise.all(
    acts.map(async ([, act]) => {
      const times: Time[] = [];
      for (let turn = 0; !over.signal.aborted; turn++) {
        const startedAt = performance.now();
        const isWell = await act(turn).then(
          async (answer) => (await answer.bytes(), answer.ok),
          () => false,
        );
        times.push({ milliseconds: performance.now() - startedAt, isWell });
        await Bun.sleep(pauseMilliseconds);
      }
      return times;
    }),
  );
}
