/*
 * What the worst bodies cost: one after another against one password hash, and what others wait for a cached
 * picture while one client sends two megabytes of them a second.
 */
import { readOptions } from "../../tools/options.ts";
import { requestText } from "./http.bench.ts";
import { startLoad } from "./peer.ts";
import { digits } from "./report.ts";
import { median } from "./statistics.ts";
import { buildSubject, createPlayer, type Server, type Subject } from "./subject.ts";
import { formShapes, formType, jsonShapes, type Shape } from "./worst-bodies.ts";

const usage = `Measures the worst bodies and prints what they cost: bun test/bench/attack-bodies.ts

  --times 3      how often each body is sent; the least counts
  --rounds 5     how often calm and attack take turns

It judges nothing: look for the worst body against the hash, and for the ratio of each attack.`;

const options = readOptions(usage, {
  times: { type: "string", default: "3" },
  rounds: { type: "string", default: "5" },
});

const password = "a bench's own password";
const serviceToken = "a token of the bench, long enough for the setting";
const attackBytesPerSecond = 2_000_000;
const attackConnections = 8;
const roundMilliseconds = 2000;

type Request = {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};
type Cost = { readonly request: Request; readonly milliseconds: number; readonly status: number };

await using subject = await buildSubject();
const costs = await measureCosts(subject);
const isOpen = ({ request: { headers } }: Cost) => headers["authorization"] === undefined;
// A body that is no sign-in: those cost a hash, and are limited as such.
const stranger = costs.find((cost) => isOpen(cost) && cost.status !== 401);
const insider = costs.find((cost) => !isOpen(cost));
for (const limitFactor of ["0", "1"]) {
  for (const cost of [stranger, insider]) {
    if (cost !== undefined) await measureNeighbours(subject, cost.request, limitFactor);
  }
}

/** Every body to every route that takes one, where no limit answers in the place of the server. */
async function measureCosts(on: Subject): Promise<readonly Cost[]> {
  await using server = await on.serve(undefined, { RATE_LIMIT_FACTOR: "0", SERVICE_API_TOKEN: serviceToken });
  await createPlayer(on, server, 0);
  const routes = await routesOf(on, server);
  const { milliseconds: hash } = await leastTime(server, routes.hash);
  const found: Cost[] = [];
  for (const request of routes.requests) {
    found.push({ request, ...(await leastTime(server, request)) });
  }
  const worst = found.toSorted((a, b) => b.milliseconds - a.milliseconds);
  console.log(`${found.length} bodies; a sign-in with a wrong password, one hash: ${digits(hash)} ms\n`);
  for (const { request, milliseconds, status } of worst.slice(0, 12)) {
    console.log(`${digits(milliseconds).padStart(7)} ms  ${status}  ${request.what}`);
  }
  return worst;
}

/** The least of some times, which other work of the machine disturbs the least. */
async function leastTime({ url }: Server, request: Request) {
  const times: number[] = [];
  let status = 0;
  for (let time = 0; time < Number(options.times); time++) {
    const { method, path, headers, body } = request;
    const startedAt = performance.now();
    const answer = await fetch(url + path, { method, headers, body });
    await answer.bytes();
    ({ status } = answer);
    times.push(performance.now() - startedAt);
  }
  return { milliseconds: Math.min(...times), status };
}

async function routesOf(on: Subject, server: Server) {
  const boss = await signUp(on, server, "Boss", "3");
  const member = await signUp(on, server, "Member", "1");
  const open = ["login", "register", "confirm", "forgetpass", "forgetpass/validate", "forgetpass/update"];
  const social = ["login/social", "register/social"];
  const edits = ["PATCH edit/username", "PATCH edit/password", "PUT edit/skin", "POST mail/request"];
  const requests = [
    ...[...open, ...social].flatMap((name) => jsonTo(`POST /api/auth/${name}`, null)),
    ...edits.flatMap((edit) => jsonTo(edit.replace(" ", " /api/home/"), member.authorization)),
    ...jsonTo("POST /api/home/registerfinish", member.authorization),
    ...jsonTo(`DELETE /api/home/sessions/${member.uuid}`, member.authorization),
    ...formTo("POST /api/home/edit/upload", member.authorization, 1024),
    ...jsonTo(`PATCH /api/admin/user/${boss.uuid}`, boss.authorization),
    ...jsonTo(`POST /api/admin/user/cape/${boss.uuid}`, boss.authorization),
    ...jsonTo(`POST /api/admin/user/role/${boss.uuid}`, boss.authorization),
    ...jsonTo(`PATCH /api/admin/players/${boss.uuid}`, boss.authorization),
    ...jsonTo("POST /api/admin/mail", boss.authorization),
    ...formTo("POST /api/admin/user/cape/upload", boss.authorization, 1280),
    ...jsonTo("POST /api/service/user", serviceToken),
    ...jsonTo("POST /api/service/permission", serviceToken),
    ...jsonTo("POST /api/service/cape", serviceToken),
  ];
  const body = new TextEncoder().encode(JSON.stringify({ username: "Member", password: "a wrong password" }));
  const headers = { "content-type": "application/json" };
  const hash: Request = { what: "hash", method: "POST", path: "/api/auth/login", headers, body };
  return { hash, requests };
}

function jsonTo(route: string, authorization: string | null): readonly Request[] {
  return [8, 512].flatMap((size) =>
    requestsOf(route, authorization, { type: "application/json", shapes: jsonShapes, size }),
  );
}

function formTo(route: string, authorization: string, size: number): readonly Request[] {
  return requestsOf(route, authorization, { type: formType, shapes: formShapes, size });
}

/** `size` is in KiB. */
function requestsOf(
  route: string,
  authorization: string | null,
  { type, shapes, size }: { readonly type: string; readonly shapes: readonly Shape[]; readonly size: number },
): readonly Request[] {
  const [method = "", path = ""] = route.split(" ");
  const headers = { "content-type": type, ...(authorization === null ? {} : { authorization }) };
  return shapes.map(({ name, make }) => {
    const body = make(size * 1024);
    return { what: `${route}: ${name}, ${body.length} bytes`, method, path, headers, body };
  });
}

async function signUp(on: Subject, { url }: Server, username: string, level: string) {
  const identity = ["--mail", `${username}@example.org`, "--username", username, "--password", password];
  const { uuid } = await on.command("user", "create", ...identity, "--level", level);
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ username, password });
  const answer = await fetch(`${url}/api/auth/login`, { method: "POST", headers, body });
  const { data } = (await answer.json()) as { readonly data: { readonly jwt: string } };
  return { uuid: String(uuid), authorization: `Bearer ${data.jwt}` };
}

/**
 * What a visitor waits for a cached head while somebody sends this body without end, against a calm server.
 */
async function measureNeighbours(on: Subject, request: Request, limitFactor: string): Promise<void> {
  await using server = await on.serve(undefined, {
    RATE_LIMIT_FACTOR: limitFactor,
    SERVICE_API_TOKEN: serviceToken,
  });
  using load = startLoad();
  const path = "/api/skin/head/Bench?size=100";
  await fetch(server.url + path);
  const measure = async () => {
    const job = { port: server.port, request: requestText(path), status: 200, connections: 32 } as const;
    return (await load.ask({ ...job, milliseconds: roundMilliseconds, pace: "steady" })).p90;
  };
  await measure();
  const calm: number[] = [];
  const attacked: number[] = [];
  for (let round = 0; round < Number(options.rounds); round++) {
    calm.push(await measure());
    attacked.push(await whileSending(server, request, measure));
  }
  const ratio = median(attacked.map((value, round) => value / (calm[round] ?? Number.NaN)));
  console.log(
    `\nRATE_LIMIT_FACTOR=${limitFactor}, ${request.what}\n  cached head p90: ${digits(median(attacked))} µs ` +
      `against ${digits(median(calm))} µs calm, ${digits(ratio)} times as much`,
  );
}

/** Sends as many bodies as the attack's bytes allow, on a few connections, until the work is done. */
async function whileSending<T>({ url }: Server, request: Request, work: () => Promise<T>): Promise<T> {
  const { method, path, headers, body } = request;
  const startedAt = performance.now();
  const ending = new AbortController();
  let sent = 0;
  const sendOn = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const due = startedAt + (sent / attackBytesPerSecond) * 1000;
      sent += body.length;
      await Bun.sleep(Math.max(0, due - performance.now()));
      // A connection that is closed on the attacker is answer enough.
      const answer = await fetch(url + path, { method, headers, body }).catch(() => null);
      await answer?.bytes().catch(() => null);
    }
  };
  const senders = Array.from({ length: attackConnections }, sendOn);
  const worked = await work().finally(() => ending.abort());
  // What the server has taken in it works on: the next round is calm only afterwards.
  await Promise.all(senders);
  return worked;
}
