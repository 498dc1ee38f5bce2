/*
 * What one member costs the followers of events, and an account's sessions cost the server.
 *
 *   bun run bench --only attack-events
 *   BASELINE=dist/older/cloakroom bun run bench --only attack-events     and the same of another program
 */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { alsoOfBaseline } from "./baseline-program.ts";
import { digits, type Line } from "./report.ts";
import { median } from "./statistics.ts";
import { password, type Server, type Subject } from "./subject.ts";
import { paintedSkinFile } from "./textures.ts";

const calmMilliseconds = 12_000;
const attackMilliseconds = 24_000;
/** Another member changes so often, which is less than a member may. */
const otherPauseMilliseconds = 2_000;
const attackersAtOnce = 8;
/** What a receiver takes for an event: some 65 a second. */
const receiverMilliseconds = 15;
/** As many as a day of sign-ins left, by one address. */
const sessions = 28_800;
const looks = 15;

/** The attacks; with `BASELINE` on that program as well. */
export function benchEventAttacks(subject: Subject): Promise<readonly Line[]> {
  return alsoOfBaseline(subject, attackAll);
}

async function attackAll(subject: Subject): Promise<readonly Line[]> {
  return [...(await delayEvents(subject)), ...(await listSessions(subject))];
}

/**
 * How late a webhook gets another member's changes while one member selects skins as fast as the server lets
 * it.
 */
async function delayEvents(subject: Subject): Promise<readonly Line[]> {
  const cameAt = new Map<string, number>();
  using receiver = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const event = (await request.json()) as ReceivedEvent;
      await pause(receiverMilliseconds);
      if (event.player.name === "Other" && event.skin) cameAt.set(event.skin.url, performance.now());
      return new Response(null, { status: 204 });
    },
  });
  const dataDir = join(subject.folder, "events");
  const members = ["Attacker", "Other"];
  for (const name of members)
    await Bun.$`${subject.binary} user create --mail ${name}@example.org --username ${name} --password ${password}`
      .env({ DATA_DIR: dataDir })
      .quiet();
  await using server = await subject.serve(dataDir, {
    RATE_LIMIT_FACTOR: "1",
    WEBHOOK_URLS: `http://127.0.0.1:${receiver.port}/`,
  });
  const [attacker, other] = [await signIn(server, "Attacker"), await signIn(server, "Other")];
  const own = [await attacker.upload(1), await attacker.upload(2)];
  const skins: string[] = [];
  for (let n = 0; n < 24; n++) skins.push(await other.upload(100 + n));

  const sentAt: number[] = [];
  const urls: string[] = [];
  const changeFor = async (milliseconds: number): Promise<readonly number[]> => {
    const from = sentAt.length;
    const end = performance.now() + milliseconds;
    while (performance.now() < end) {
      const at = performance.now();
      await other.select(skins[(sentAt.length + 1) % skins.length] ?? "");
      urls.push(await other.shown());
      sentAt.push(at);
      await pause(otherPauseMilliseconds);
    }
    const left = performance.now() + 5_000;
    const isComing = () => urls.slice(from).some((url) => !cameAt.has(url)) && performance.now() < left;
    while (isComing()) await pause(50);
    // What has not come yet is as late as it is by now.
    return urls
      .slice(from)
      .map((url, n) => (cameAt.get(url) ?? performance.now()) - (sentAt[from + n] ?? Number.NaN));
  };
  const calm = await changeFor(calmMilliseconds);
  let changes = 0;
  let refused = 0;
  const stopAt = performance.now() + attackMilliseconds;
  const attack = async (place: number): Promise<void> => {
    for (let n = place; performance.now() < stopAt; n++)
      if ((await attacker.select(own[n % 2] ?? "")) === 200) changes += 1;
      else refused += 1;
  };
  const [attacked] = await Promise.all([
    changeFor(attackMilliseconds),
    ...Array.from({ length: attackersAtOnce }, (_, place) => attack(place)),
  ]);
  return [
    {
      measure: `another member's event at a webhook, while one member selects skins`,
      goal: { atMost: 1_000 },
      measured: Math.max(...attacked),
      unit: "ms",
      detail: `the latest; median ${digits(median(calm))} calm → ${digits(median(attacked))}; ${changes} of ${changes + refused} selections passed`,
    },
  ];
}

type ReceivedEvent = {
  readonly player: { readonly name: string };
  readonly skin?: { readonly url: string } | null;
};

/**
 * What a list costs after a day of sign-ins: rows that are written past the server, as an earlier release
 * left them, and one sign-in.
 */
async function listSessions(subject: Subject): Promise<readonly Line[]> {
  const dataDir = join(subject.folder, "sessions");
  await Bun.$`${subject.binary} user create --mail anna@example.org --username Anna --password ${password}`
    .env({ DATA_DIR: dataDir })
    .quiet();
  await using server = await subject.serve(dataDir);
  const few = await timeList(server);
  const database = new Database(join(dataDir, "cloakroom.db"));
  database.run("PRAGMA busy_timeout = 5000");
  database.run(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${sessions})
    INSERT INTO sessions (id, account_id, created_at, expires_at, last_used_at, address, user_agent, methods)
    SELECT lower(hex(randomblob(16))), 1, unixepoch() - 1, unixepoch() + 86400, unixepoch() - 1, '192.0.2.66',
      '${"x".repeat(200)}', '["password"]' FROM numbers`);
  database.close(true);
  const many = await timeList(server);
  return [
    {
      measure: `GET /api/home/sessions after a day of sign-ins`,
      goal: { atMost: 10 },
      measured: many.milliseconds,
      unit: "ms",
      detail: `${digits(few.milliseconds)} ms and ${digits(few.bytes / 1000)} kB calm → ${digits(many.bytes / 1000)} kB`,
    },
  ];
}

async function timeList(server: Server): Promise<{ readonly milliseconds: number; readonly bytes: number }> {
  const anna = await signIn(server, "Anna");
  const times: number[] = [];
  let bytes = 0;
  for (let n = 0; n < looks; n++) {
    const start = performance.now();
    bytes = (await anna.sessions()).byteLength;
    times.push(performance.now() - start);
  }
  return { milliseconds: median(times), bytes };
}

async function signIn({ url }: Server, username: string) {
  const json = { "content-type": "application/json" };
  const body = JSON.stringify({ username, password });
  const answer = await fetch(`${url}/api/auth/login`, { method: "POST", headers: json, body });
  const { data } = (await answer.json()) as { readonly data: { readonly jwt: string } };
  const authorization = `Bearer ${data.jwt}`;
  const { sub } = JSON.parse(Buffer.from(data.jwt.split(".")[1] ?? "", "base64url").toString()) as {
    readonly sub: string;
  };
  return {
    upload: async (number: number): Promise<string> => {
      const form = new FormData();
      form.append("skin", new File([paintedSkinFile(number)], "skin.png"));
      const uploaded = await fetch(`${url}/api/home/edit/upload`, {
        method: "POST",
        headers: { authorization },
        body: form,
      });
      return uploaded.headers.get("location")?.split("/").at(-1) ?? "";
    },
    select: async (skinid: string): Promise<number> => {
      const selected = await fetch(`${url}/api/home/edit/skin/select`, {
        method: "POST",
        headers: { ...json, authorization },
        body: JSON.stringify({ skinid }),
      });
      await selected.arrayBuffer();
      return selected.status;
    },
    shown: async (): Promise<string> => {
      const shown = await fetch(`${url}/api/skin/launcher/${sub}`);
      return ((await shown.json()) as { readonly SKIN?: { readonly url: string } }).SKIN?.url ?? "";
    },
    sessions: async (): Promise<ArrayBuffer> =>
      (await fetch(`${url}/api/home/sessions`, { headers: { authorization } })).arrayBuffer(),
  };
}
