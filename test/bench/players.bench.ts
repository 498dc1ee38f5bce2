/* Lookups of players with few and with very many of them. */
import { join } from "node:path";
import { fillAccounts } from "./accounts-data.ts";
import { processorSeconds } from "./accounts.bench.ts";
import { digits, type Line } from "./report.ts";
import { inTurn } from "./statistics.ts";
import type { Server, Subject } from "./subject.ts";

const few = 1000;
const many = 1_000_000;
const playersEach = 3;
/** Players that are asked for in turn: more than complete answers are kept for, so that each is looked up. */
const askedCount = 4000;

type Community = { readonly server: Server; readonly names: readonly string[] };

/** What a lookup costs, each of another player, where the tables are a thousand times as long. */
export async function benchPlayers(subject: Subject): Promise<readonly Line[]> {
  const [small, large] = [join(subject.folder, "few-players"), join(subject.folder, "many-players")];
  const count = { signedIn: askedCount, playersEach };
  const smallMembers = await fillAccounts(small, { ...count, accounts: few });
  const largeMembers = await fillAccounts(large, { ...count, accounts: many });
  await using server = await subject.serve(small);
  await using largeServer = await subject.serve(large);
  const namesOf = (members: typeof smallMembers) =>
    members.map(({ name }, at) => (at % 2 ? `${name}_3` : name));
  const communities = [
    { server: largeServer, names: namesOf(largeMembers) },
    { server, names: namesOf(smallMembers) },
  ] as const;
  const lines: Line[] = [];
  for (const [what, ask] of Object.entries(lookups)) lines.push(await compareLookups(what, ask, communities));
  return lines.filter(({ measured }) => !Number.isNaN(measured));
}

/** Ten names go with one request. The number makes addresses that no answer in memory has. */
const lookups: Readonly<Record<string, (names: readonly string[], number: number) => [string, RequestInit]>> =
  {
    "one player by name": ([name]) => [`/api/yggdrasil/api/users/profiles/minecraft/${name}`, {}],
    "ten players by name": (names) => [
      "/api/yggdrasil/api/profiles/minecraft",
      { method: "POST", body: JSON.stringify(names) },
    ],
    "a player's skin and cape": ([name], number) => [`/csl/${name}.json?${number}`, {}],
  };

async function compareLookups(
  what: string,
  ask: (typeof lookups)[string],
  [large, small]: readonly [Community, Community],
): Promise<Line> {
  const { first, second, ratio } = await inTurn(
    7,
    () => costOf(ask, large),
    () => costOf(ask, small),
  );
  const players = [many, few].map((accounts) => (accounts * playersEach).toLocaleString("en"));
  return {
    measure: `${what}, of ${players.join(" players against ")}`,
    goal: { atMost: 1.3 },
    measured: ratio,
    unit: "times as much",
    detail: `${digits(first)} µs against ${digits(second)} µs of processor time`,
  };
}

let turn = 0;

/** Microseconds of processor time that the server spends on a request. */
async function costOf(ask: (typeof lookups)[string], { server, names }: Community): Promise<number> {
  const before = await processorSeconds(server.pid);
  // Strides through them, so that neighbours in the table are not asked for one after the other.
  const order = names.map((_, at) => (at * 1493) % names.length).values();
  const askOn = async () => {
    for (const at of order) {
      const ten = Array.from(
        { length: 10 },
        (_, further) => names[(at + further * 389) % names.length] ?? "",
      );
      const [path, init] = ask(ten, (turn += 1));
      const answer = await fetch(server.url + path, init);
      if (answer.status !== 200) throw new Error(`${path} is answered with ${answer.status}`);
      await answer.bytes();
    }
  };
  await Promise.all(Array.from({ length: 16 }, askOn));
  return (((await processorSeconds(server.pid)) - before) * 1e6) / names.length;
}
