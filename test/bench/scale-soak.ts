import { join } from "node:path";
import { readOptions } from "../../tools/options.ts";
import { fillAccounts, password, type SignedIn } from "./accounts-data.ts";
import { describeMachine, digits } from "./report.ts";
import { residentMebibytes } from "./start.bench.ts";
import { median } from "./statistics.ts";
import { buildSubject } from "./subject.ts";
import { paintedSkinFile } from "./textures.ts";

const usage = `Hours of everything at half of what the service can do: bun run soak.

  bun run soak --minutes 15          an hour when left out

The exit code is 1 when a request fails or memory grows by more than a tenth after the first fifth of the time.`;

const options = readOptions(usage, { minutes: { type: "string", default: "60" } });
const minutes = Number(options.minutes);

const accounts = 10_000;
const signedIn = 1000;
const clients = 16;
const capacitySeconds = 15;
/** Pixels of heads. */
const sizes = [64, 100, 160];
const growthMax = 1.1;

const machine = await describeMachine();
await using subject = await buildSubject();
const dataDir = join(subject.folder, "soak");
const members = await fillAccounts(dataDir, { accounts, signedIn, textureFiles: true });
await using server = await subject.serve(dataDir);

/** What clients did, the requests that it took, and how many of those failed. */
const tally = { acts: 0, done: 0, failed: 0, firstFailure: "" };
const capacity = (await runFor(capacitySeconds * 1000, Number.POSITIVE_INFINITY)) / capacitySeconds;
const rate = capacity / 2;
console.log(`capacity ${digits(capacity)} a second; ${minutes} minutes at ${digits(rate)}`);
const samples = await soak();
report(samples);

/** Memory in MiB, every five seconds. */
async function soak(): Promise<readonly number[]> {
  const memory: number[] = [];
  const sampler = setInterval(() => {
    void residentMebibytes(server.pid).then((mebibytes) => memory.push(mebibytes ?? Number.NaN));
  }, 5000);
  for (let minute = 1; minute <= minutes; minute++) {
    const done = await runFor(60_000, rate);
    console.log(
      `minute ${minute}: ${done} requests, ${tally.failed} failed, ${digits(memory.at(-1) ?? 0)} MiB`,
    );
  }
  clearInterval(sampler);
  return memory;
}

function report(memory: readonly number[]): void {
  const fifth = Math.max(1, Math.floor(memory.length / 5));
  // What is kept is kept by then: pictures, pages of the database, compiled code.
  const early = median(memory.slice(fifth, 2 * fifth));
  const late = median(memory.slice(-fifth));
  const growth = late / early;
  for (const [name, value] of Object.entries(machine)) console.log(`- ${name}: ${value}`);
  console.log(`- requests: ${tally.done}, failed: ${tally.failed} ${tally.firstFailure}`);
  console.log(
    `- memory: ${digits(early)} MiB in the second fifth, ${digits(late)} in the last, ${digits(growth)} times`,
  );
  process.exitCode = tally.failed > 0 || growth > growthMax ? 1 : 0;
}

/** Has the clients do so many things a second, each of one or more requests; returns how many they did. */
async function runFor(milliseconds: number, perSecond: number): Promise<number> {
  const start = performance.now();
  const before = tally.acts;
  let begun = 0;
  const askOn = async (client: number) => {
    for (;;) {
      const due = start + (begun * 1000) / perSecond;
      begun += 1;
      const now = performance.now();
      if (Math.max(due, now) >= start + milliseconds) return;
      if (due > now) await Bun.sleep(due - now);
      await act(client).catch((error: unknown) => fail(String(error)));
      tally.acts += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => askOn(client)));
  return tally.acts - before;
}

function fail(reason: string): void {
  tally.failed += 1;
  if (tally.firstFailure === "") tally.firstFailure = reason;
}

/** As a day has it: most look, some change something, few sign in. Each client has members of its own. */
async function act(client: number): Promise<void> {
  const member = members[client + clients * Math.floor(Math.random() * (signedIn / clients - 1))];
  if (member === undefined) return;
  const dice = Math.random();
  if (dice < 0.5) await ask("GET", `/api/skin/head/${member.uuid}?size=${sizes[member.name.length % 3]}`);
  else if (dice < 0.6) await ask("GET", `/api/skin/body/${member.uuid}?size=128&type=player`);
  else if (dice < 0.75) await ask("GET", `/api/skin/launcher/${member.uuid}`);
  else if (dice < 0.9) await ask("GET", "/api/home", { member });
  else if (dice < 0.93) await ask("GET", "/api/admin/users?limit=20", { member: members[0] });
  else if (dice < 0.95) await ask("GET", "/api/admin/audit?limit=20", { member: members[0] });
  else if (dice < 0.97) await rename(member);
  else if (dice < 0.99) await dressUp(member);
  else await ask("POST", "/api/auth/login", { json: { username: member.mail, password } });
}

async function rename(member: SignedIn): Promise<void> {
  const skin = await firstSkin(member);
  const json = { skinid: skin, name: `Skin ${Math.floor(Math.random() * 1000)}` };
  await ask("PUT", "/api/home/edit/skin", { member, json });
}

/** A new skin, which is worn a moment and thrown away. */
async function dressUp(member: SignedIn): Promise<void> {
  const form = new FormData();
  form.set("skin", new File([paintedSkinFile(2000 + Math.floor(Math.random() * 1000))], "skin.png"));
  const uploaded = await ask("POST", "/api/home/edit/upload", { member, form });
  const skinid = uploaded.headers.get("location")?.split("/").at(-1);
  await ask("POST", "/api/home/edit/skin/select", { member, json: { skinid } });
  await ask("DELETE", "/api/home/edit/skin", { member, json: { skinid } });
  await ask("POST", "/api/home/edit/skin/select", { member, json: { skinid: await firstSkin(member) } });
}

async function firstSkin(member: SignedIn): Promise<string | undefined> {
  const answer = await ask("GET", "/api/home", { member });
  const { data } = JSON.parse(answer.text) as {
    readonly data: { readonly Skin: readonly { readonly Uuid: string }[] };
  };
  return data.Skin[0]?.Uuid;
}

async function ask(
  method: string,
  path: string,
  {
    member,
    json,
    form,
  }: { readonly member?: SignedIn | undefined; readonly json?: object; readonly form?: FormData } = {},
) {
  const headers = {
    ...(member === undefined ? {} : { authorization: `Bearer ${member.token}` }),
    ...(json === undefined ? {} : { "content-type": "application/json" }),
  };
  const body = form ?? (json === undefined ? null : JSON.stringify(json));
  const answer = await fetch(server.url + path, { method, headers, ...(body === null ? {} : { body }) });
  const text = await answer.text();
  tally.done += 1;
  if (!answer.ok) fail(`${method} ${path}: ${answer.status} ${text}`);
  return { headers: answer.headers, text };
}
