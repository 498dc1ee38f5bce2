/*
 * What requests cost a server, in processor time of its process: less depends on what else the machine does.
 */
import { password, type SignedIn } from "./accounts-data.ts";
import { requestText } from "./http.bench.ts";
import type { LoadJob, LoadResult } from "./load.ts";
import type { Peer } from "./peer.ts";
import { processorMicroseconds } from "./processor-time.ts";
import type { Server } from "./subject.ts";
import { paintedSkinFile } from "./textures.ts";

const loadMilliseconds = 400;
const loadConnections = 32;
const atOnce = 8;

/** A community that is served by one node or by several. */
export type Served = {
  readonly servers: readonly Server[];
  readonly members: readonly SignedIn[];
  /** The processes whose time counts for `costOfEach`; without them the servers. */
  readonly counted?: readonly number[];
};

/** Gives microseconds of processor time a request, of all servers in all. */
export type Cost = (served: Served, load: Load) => Promise<number>;

type Load = Peer<LoadJob, LoadResult>;
type Request = { readonly path: string; readonly init?: RequestInit };

let turn = 0;
/** Another address each time has no remembered answer. */
export const nextTurn = () => (turn += 1);

/** Answers from memory. */
export const fromMemory: Readonly<Record<string, Cost>> = {
  "cached head, 100 px": (served, load) => costOfOne(served, load, { path: headOf(served) }),
  "the same, 304": async (served, load) => {
    const path = headOf(served);
    const { headers } = await fetch(`${served.servers[0]?.url}${path}`);
    return costOfOne(served, load, {
      path,
      headers: { "If-None-Match": headers.get("etag") ?? "" },
      status: 304,
    });
  },
  "launcher descriptor, cached": (served, load) =>
    costOfOne(served, load, { path: `/api/skin/launcher/${served.members[1]?.uuid}` }),
  "a page of the console": (served, load) => costOfOne(served, load, { path: "/login" }),
};

/** What reads the database. */
export const lookedUp: Readonly<Record<string, Cost>> = {
  "launcher descriptor, looked up": (served) =>
    costOfEach(served, 3000, ({ uuid }) => ({ path: `/api/skin/launcher/${uuid}?${nextTurn()}` })),
  "a player by name, looked up": (served) =>
    costOfEach(served, 3000, ({ name }) => ({
      path: `/api/yggdrasil/api/users/profiles/minecraft/${name}?${nextTurn()}`,
    })),
  "profile, GET /api/home": (served) =>
    costOfEach(served, 3000, (member) => ({ path: "/api/home", init: { headers: bearer(member) } })),
};

/** What writes to it. */
export const written: Readonly<Record<string, Cost>> = {
  "selecting a skin": async (served) => {
    const wardrobes = await wardrobesOf(served);
    return costOfEach(served, 300, () => selection(wardrobes));
  },
  "an upload": (served) => costOfEach(served, 100, uploadOf),
  "a sign-in": (served) => costOfEach(served, 16, signInOf),
};

/** One request over and over, from as many connections to each server. */
async function costOfOne(
  { servers }: Served,
  load: Load,
  { path, headers = {}, status = 200 }: { path: string; headers?: Record<string, string>; status?: number },
): Promise<number> {
  const request = requestText(path, headers);
  const [server, ...others] = servers;
  if (server === undefined || others.length > 0) throw new Error("Answers from memory are one node's");
  const before = await processorMicroseconds(server.pid);
  const job = { request, status, connections: loadConnections, pace: "full" } as const;
  const { answers } = await load.ask({ ...job, port: server.port, milliseconds: loadMilliseconds });
  return ((await processorMicroseconds(server.pid)) - before) / answers;
}

/** So many requests, of members in no order, by turns at each server. */
export async function costOfEach(
  served: Served,
  count: number,
  make: (member: SignedIn) => Request | Promise<Request>,
): Promise<number> {
  const { servers, members } = served;
  const asked = await Promise.all(
    Array.from({ length: count }, async (_, number) => {
      // Strides, so that neighbours in the table are not asked for one after the other.
      const member = members[(nextTurn() * 1493) % members.length];
      if (member === undefined) throw new Error("There are no members");
      return { ...(await make(member)), url: servers[number % servers.length]?.url ?? "" };
    }),
  );
  const before = await processorOf(served);
  const waiting = asked.values();
  const askOn = async () => {
    for (const { url, path, init } of waiting) {
      await send(url + path, init);
    }
  };
  await Promise.all(Array.from({ length: atOnce * servers.length }, askOn));
  return ((await processorOf(served)) - before) / count;
}

/** A busy machine's database may answer too late: then once more. */
async function send(url: string, init: RequestInit = {}): Promise<void> {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(url, init);
    const text = await answer.text();
    if (answer.ok) return;
    console.error(`bench: ${url} is answered with ${answer.status}: ${text}`);
    if (answer.status !== 503 || tries === 10) throw new Error("A request failed");
    await Bun.sleep(500);
  }
}

async function processorOf({ servers, counted }: Served): Promise<number> {
  const times = await Promise.all((counted ?? servers.map(({ pid }) => pid)).map(processorMicroseconds));
  return times.reduce((sum, time) => sum + time, 0);
}

function headOf({ members }: Served): string {
  return `/api/skin/head/${members[1]?.uuid}?size=100`;
}

function bearer({ token }: SignedIn): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** The skins of some members, who select them by turns. */
type Wardrobe = { readonly member: SignedIn; readonly skins: readonly string[] };

const changing = 40;
const known = new WeakMap<readonly SignedIn[], Promise<readonly Wardrobe[]>>();

/** Of members who are the same at all servers, and of the same wardrobes. */
function wardrobesOf({ servers, members }: Served): Promise<readonly Wardrobe[]> {
  const found = known.get(members) ?? readWardrobes(servers[0]?.url ?? "", members);
  known.set(members, found);
  return found;
}

/** The newest skin is the last one. */
export async function skinsOf(url: string, member: SignedIn): Promise<readonly string[]> {
  const answer = await fetch(`${url}/api/home`, { headers: bearer(member) });
  const { data } = (await answer.json()) as Home;
  return data.Skin.map(({ Uuid }) => Uuid);
}

function readWardrobes(url: string, members: readonly SignedIn[]): Promise<readonly Wardrobe[]> {
  return Promise.all(
    // Spread over the table: neighbours share pages of its indexes, so their changes meet.
    members
      .filter((_, number) => number % Math.floor(members.length / changing) === 2)
      .map(async (member) => ({ member, skins: await skinsOf(url, member) })),
  );
}

type Home = { readonly data: { readonly Skin: readonly { readonly Uuid: string }[] } };

/** The next member selects another skin than before. */
function selection(wardrobes: readonly Wardrobe[]): Request {
  const number = nextTurn();
  const { member, skins } = wardrobes[number % wardrobes.length] ?? {};
  if (member === undefined) throw new Error("There are no wardrobes");
  const skinid = skins?.[Math.floor(number / wardrobes.length) % 2];
  return selectionOf(member, skinid);
}

export function selectionOf(member: SignedIn, skinid: string | undefined): Request {
  return jsonPost("/api/home/edit/skin/select", { skinid }, bearer(member));
}

export function uploadOf(member: SignedIn): Request {
  const form = new FormData();
  form.append("skin", new File([paintedSkinFile(100_000 + nextTurn())], "skin.png"));
  return { path: "/api/home/edit/upload", init: { method: "POST", headers: bearer(member), body: form } };
}

function signInOf({ mail }: SignedIn): Request {
  return jsonPost("/api/auth/login", { username: mail, password });
}

function jsonPost(path: string, value: object, headers: Readonly<Record<string, string>> = {}): Request {
  const init = { method: "POST", headers: { ...headers, "content-type": "application/json" } };
  return { path, init: { ...init, body: JSON.stringify(value) } };
}
