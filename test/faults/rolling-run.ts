/*
 * Nodes behind a balancer are stopped and started one after the other, while members read and write through
 * it.
 */
import { openNodes, until, type NodeProcess, type Nodes } from "../nodes/node-processes.ts";
import { lentDatabase } from "../support/lent-postgres.ts";
import { startHaproxy } from "../support/poolers.ts";
import { freePort } from "../support/run-servers.ts";
import { emptyDatabase } from "../support/postgres.ts";
import { skinPng } from "../support/textures.ts";
import { formOf } from "./people.ts";
import { openPostOffice } from "./post-office.ts";
import { askAt, type Request } from "./service.ts";
import { settingsWith } from "./written-nodes.ts";
import { makeMember, type Member } from "./written-once.ts";

export type RollingReport = {
  readonly requests: number;
  /** Everything that was not answered with success. */
  readonly failed: readonly string[];
  readonly stops: number;
  readonly slowestMs: number;
};

export type Rolling = {
  /** Each node is stopped and started so often. */
  readonly rounds: number;
  readonly members: number;
  /** What the nodes run first; without it what they are started with later. */
  readonly before?: readonly string[];
};

/** Longer than two checks of the balancer, which it needs to leave a node out. */
const drainSeconds = "2";

export async function restartInTurn({ rounds, members, before }: Rolling): Promise<RollingReport> {
  await using office = await openPostOffice(Math.random);
  // The release before makes its own schema.
  await using database = before === undefined ? await lentDatabase() : await emptyDatabase();
  await using nodes = await openNodes(database.url);
  const ports = [freePort(), freePort()];
  const settings = { ...settingsWith(office), DRAIN_SECONDS: drainSeconds, WARDROBE_MAX: "10000" };
  const places = await startAll(nodes, ports, { settings, program: before });
  await using balancer = await startHaproxy(ports);
  const address = `http://127.0.0.1:${balancer.port}`;
  await until(async () => (await statusAt(address)) === 200);
  const [first] = places;
  if (first === undefined) throw new Error("there is no node");
  const people: Member[] = [];
  for (let number = 0; number < members; number++)
    people.push(await makeMember(nodes, first.node, `Member_${number}`));
  await using load = openLoad(address, people);
  let stops = 0;
  for (let round = 0; round < rounds; round++)
    for (const place of places) {
      place.node.signal("SIGTERM");
      await until(async () => place.node.hasEnded());
      place.node = await nodes.start(place.name, { ...settings, PORT: String(place.port) });
      stops += 1;
      await until(async () => (await statusAt(place.node.address)) === 200);
      // The balancer finds it again.
      await Bun.sleep(1000);
    }
  return { ...(await load.end()), stops };
}

type Place = { readonly name: string; readonly port: number; node: NodeProcess };

async function startAll(
  nodes: Nodes,
  ports: readonly number[],
  {
    settings,
    program,
  }: { settings: Readonly<Record<string, string>>; program: readonly string[] | undefined },
): Promise<readonly Place[]> {
  const places: Place[] = [];
  for (const [number, port] of ports.entries()) {
    const name = `node-${number}`;
    const node = await nodes.start(name, { ...settings, PORT: String(port) }, program);
    places.push({ name, port, node });
  }
  return places;
}

async function statusAt(address: string): Promise<number | null> {
  return fetch(`${address}/health/ready`, { keepalive: false }).then(
    ({ status }) => status,
    () => null,
  );
}

/** Each member reads and writes, one request after the other. */
function openLoad(address: string, members: readonly Member[]) {
  const over = new AbortController();
  const failed: string[] = [];
  let requests = 0;
  let slowestMs = 0;
  const ask = async (request: Request): Promise<void> => {
    const start = performance.now();
    requests += 1;
    try {
      const { status, msg } = await askAt(address, request);
      if (status !== 200 && status !== 204) failed.push(`${request.line}: ${status} ${msg}`);
    } catch (error) {
      failed.push(`${request.line}: ${String(error)}`);
    }
    slowestMs = Math.max(slowestMs, performance.now() - start);
  };
  const live = async ({ name, token }: Member): Promise<void> => {
    for (let number = 0; !over.signal.aborted; number++) {
      const form = () => formOf({ skin: skinPng(1 + (number % 20)), slim: "false", name: `Skin ${number}` });
      await ask({ line: "POST /api/home/edit/upload", form, token });
      await ask({ line: "GET /api/home", token });
      await ask({ line: `GET /csl/${name}.json` });
      await ask({ line: "PATCH /api/home/edit/language", json: { language: "en" }, token });
    }
  };
  const living = Promise.all(members.map(live));
  const end = async () => {
    over.abort();
    await living;
    return { requests, failed, slowestMs: Math.round(slowestMs) };
  };
  return { end, [Symbol.asyncDispose]: async () => void (await end()) };
}
