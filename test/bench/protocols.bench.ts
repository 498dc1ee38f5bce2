/* What launchers, games and mods ask for, against a bare `Bun.serve` that answers the same. */
import { join } from "node:path";
import { fillAccounts, password as anyPassword } from "./accounts-data.ts";
import { answerOf, compare, requestText, type Bench } from "./http.bench.ts";
import { startBaseline, startLoad } from "./peer.ts";
import { digits, type Line } from "./report.ts";
import { inTurn, median } from "./statistics.ts";
import { password, type Server, type Subject } from "./subject.ts";

const root = "/api/yggdrasil";
const sessions = `${root}/sessionserver/session/minecraft`;

export async function benchProtocols(subject: Subject): Promise<readonly Line[]> {
  await using server = await subject.serve();
  const game = await openGame(server, { username: "Bench", password });
  using load = startLoad();
  const bench = { server, load };
  const { id } = game;
  const signed = `${sessions}/profile/${id}?unsigned=false`;
  return [
    await compare(bench, { measure: "signed profile from memory", goal: 0.6, path: signed }),
    await compare(bench, { measure: "unsigned profile", goal: 0.6, path: `${sessions}/profile/${id}` }),
    await compare(bench, { measure: "CustomSkinAPI profile", goal: 0.6, path: "/csl/Bench.json" }),
    await compare(bench, { measure: "Crafatar avatar, cached", goal: 0.8, path: `/crafatar/avatars/${id}` }),
    await compare(bench, {
      measure: "Minotar body, cached",
      goal: 0.8,
      path: "/minotar/armor/body/Bench/100.png",
    }),
    await compare(bench, {
      measure: "mc-heads player, cached",
      goal: 0.8,
      path: "/mc-heads/player/Bench/100",
    }),
    await comparePairs(bench, game),
    await countSignatures(server, signed),
    await measureBesideSigning(subject),
  ];
}

type Game = { readonly id: string; readonly accessToken: string };

/** Signs somebody in as a launcher does. */
async function openGame(
  { url }: Server,
  credentials: { readonly username: string; readonly password: string },
): Promise<Game> {
  const answer = await fetch(`${url}${root}/authserver/authenticate`, {
    method: "POST",
    body: JSON.stringify(credentials),
  });
  if (answer.status !== 200) throw new Error(`The sign-in is answered with ${answer.status}`);
  const { accessToken, selectedProfile } = (await answer.json()) as {
    readonly accessToken: string;
    readonly selectedProfile: { readonly id: string };
  };
  return { id: selectedProfile.id, accessToken };
}

const serverId = "-7c9d5b0044c130109a5d7b5fb5c317c02b4e28c1";

/**
 * A join and the game server's question, in turn. A bare server reads the join as JSON and answers both from
 * memory.
 */
async function comparePairs({ server, load }: Bench, { id, accessToken }: Game): Promise<Line> {
  const asked = `${sessions}/hasJoined?username=Bench&serverId=${serverId}`;
  const json = JSON.stringify({ accessToken, selectedProfile: id, serverId });
  const joining = [
    `POST ${sessions}/join HTTP/1.1`,
    "Host: 127.0.0.1",
    "Content-Type: application/json",
    `Content-Length: ${json.length}`,
    "",
    json,
  ].join("\r\n");
  const joined = await fetch(`${server.url}${sessions}/join`, { method: "POST", body: json });
  if (joined.status !== 204) throw new Error(`The join is answered with ${joined.status}`);
  using baseline = startBaseline();
  const toPost = {
    status: 204,
    headers: [...joined.headers].filter(([name]) => name !== "date"),
    bodyBase64: "",
  };
  const barePort = await baseline.ask({ ...(await answerOf(server.url + asked, {})), toPost });
  const job = {
    request: [joining, requestText(asked)],
    status: [200, 204],
    connections: 32,
    milliseconds: 500,
    pace: "full",
  } as const;
  const rate = async (port: number) => (await load.ask({ ...job, port })).perSecond / 2;
  for (const port of [server.port, barePort]) await rate(port);
  const { first, second, ratio } = await inTurn(
    15,
    () => rate(server.port),
    () => rate(barePort),
  );
  return {
    measure: "join and hasJoined",
    goal: { atLeast: 0.3 },
    measured: ratio,
    unit: "of bare",
    detail: `${digits(first)} against ${digits(second)} pairs/s`,
  };
}

/** Every signature has a time of its own, so equal answers are one signature. */
async function countSignatures({ url }: Server, path: string): Promise<Line> {
  const asks = 10_000;
  const answers = new Set<string>();
  const turns = Array(asks).keys();
  const askOn = async () => {
    for (const _ of turns) answers.add(await (await fetch(url + path)).text());
  };
  await Promise.all(Array.from({ length: 32 }, askOn));
  return {
    measure: "signatures for 10,000 asks of one profile",
    goal: { atMost: 1 },
    measured: answers.size,
    unit: "made",
    detail: "counted by the different answers",
  };
}

const rounds = 5;
const signedEach = 200;
const certificatesEach = 20;

/**
 * How long cached pictures take while the server signs profiles that it has not in memory, and makes
 * certificates.
 */
async function measureBesideSigning(subject: Subject): Promise<Line> {
  const folder = join(subject.folder, "signing");
  const count = rounds * signedEach;
  const members = await fillAccounts(folder, { accounts: count, signedIn: count });
  await using server = await subject.serve(folder);
  const players = members.slice(0, rounds * certificatesEach);
  const games: Game[] = [];
  for (const { name } of players)
    games.push(await openGame(server, { username: name, password: anyPassword }));
  using load = startLoad();
  const path = `/api/skin/head/${members[0]?.uuid}?size=100`;
  await (await fetch(server.url + path)).bytes();
  const pictures = { port: server.port, request: requestText(path), status: 200, connections: 32 } as const;
  const measure = async () => (await load.ask({ ...pictures, milliseconds: 2500, pace: "steady" })).p99;
  await measure();
  const idle: number[] = [];
  const busy: number[] = [];
  const durations: number[] = [];
  for (let round = 0; round < rounds; round++) {
    idle.push(await measure());
    const work = {
      games: games.slice(round * certificatesEach, (round + 1) * certificatesEach),
      unseen: members.slice(round * signedEach, (round + 1) * signedEach),
    };
    const [p99, milliseconds] = await Promise.all([measure(), signMany(server, work)]);
    busy.push(p99);
    durations.push(milliseconds);
  }
  return {
    measure: "p99 of cached pictures while 200 profiles are signed and 20 certificates made",
    goal: { atMost: 5 },
    measured: median(busy.map((value, round) => value / (idle[round] ?? Number.NaN))),
    unit: "times as much",
    detail: `${median(busy)} µs against ${median(idle)} µs idle; all made within ${digits(median(durations))} ms`,
  };
}

type Signing = { readonly games: readonly Game[]; readonly unseen: readonly { readonly uuid: string }[] };

/**
 * So many games and game servers ask at a time: a crowd that comes in one instant would measure how requests
 * are taken in.
 */
const askersAtOnce = 16;

/** Returns how many milliseconds all of it took. */
async function signMany({ url }: Server, { games, unseen }: Signing): Promise<number> {
  const start = performance.now();
  const certificates = games.map(
    ({ accessToken }) =>
      () =>
        fetch(`${url}${root}/minecraftservices/player/certificates`, {
          method: "POST",
          headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
        }),
  );
  const profiles = unseen.map(
    ({ uuid }) =>
      () =>
        fetch(`${url}${sessions}/profile/${uuid}?unsigned=false`),
  );
  const asks = [...certificates, ...profiles].values();
  const askOn = async () => {
    for (const ask of asks) {
      const answer = await ask();
      await answer.bytes();
      if (answer.status !== 200) throw new Error(`${answer.url} is answered with ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: askersAtOnce }, askOn));
  return performance.now() - start;
}
