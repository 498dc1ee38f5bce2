/* Cached pictures of many players while some of these players change what they show. */
import { join } from "node:path";
import { fillAccounts, type SignedIn } from "./accounts-data.ts";
import { requestText } from "./http.bench.ts";
import { startLoad } from "./peer.ts";
import { digits, type Line } from "./report.ts";
import { inTurn } from "./statistics.ts";
import type { Server, Subject } from "./subject.ts";

const players = 10_000;
const changing = 100;
const changesPerSecond = 100;
const rounds = 9;
const roundMilliseconds = 2000;

export async function benchChanges(subject: Subject): Promise<readonly Line[]> {
  const dataDir = join(subject.folder, "changes");
  const members = await fillAccounts(dataDir, { accounts: players, signedIn: players, textureFiles: true });
  await using server = await subject.serve(dataDir);
  return [await compareChanges(server, members)];
}

/**
 * The rate of pictures with changes against the rate without, in turn. Changes and pictures are of the same
 * players.
 */
export async function compareChanges(server: Server, members: readonly SignedIn[]): Promise<Line> {
  using load = startLoad();
  const job = {
    port: server.port,
    request: members.map(({ uuid }) => requestText(`/api/skin/head/${uuid}?size=100`)),
    status: 200,
    connections: 32,
    pace: "full",
  } as const;
  const pictures = async () => (await load.ask({ ...job, milliseconds: roundMilliseconds })).perSecond;
  const changes = await prepareChanges(server, members, changesPerSecond);
  const { first, second, ratio } = await inTurn(rounds, () => changes.while(pictures), pictures);
  const made = changes.made() / (((rounds + 1) * roundMilliseconds) / 1000);
  return {
    measure: `cached heads of ${players} players while ${changesPerSecond} skins a second are selected`,
    goal: { atLeast: 0.9 },
    measured: ratio,
    unit: "of calm",
    detail: `${digits(first)} against ${digits(second)} requests/s; ${digits(made)} changes/s`,
  };
}

/**
 * Members who select their first and their second skin in turn, each commit on its way when its time has
 * come.
 */
export async function prepareChanges({ url }: Server, members: readonly SignedIn[], perSecond: number) {
  const step = Math.floor(members.length / changing);
  const wardrobes: { readonly authorization: string; readonly skins: readonly string[] }[] = [];
  for (let number = 0; number < changing; number++) {
    const authorization = `Bearer ${members[number * step]?.token}`;
    const answer = await fetch(`${url}/api/home`, { headers: { authorization } });
    const { data } = (await answer.json()) as Home;
    wardrobes.push({ authorization, skins: data.Skin.map(({ Uuid }) => Uuid) });
  }
  let begun = 0;
  let made = 0;
  const change = async (): Promise<void> => {
    const { authorization = "", skins = [] } = wardrobes[begun % changing] ?? {};
    const skinid = skins[Math.floor(begun / changing) % 2];
    begun += 1;
    const headers = { authorization, "content-type": "application/json" };
    const body = JSON.stringify({ skinid });
    const answer = await fetch(`${url}/api/home/edit/skin/select`, { method: "POST", headers, body });
    if (!answer.ok) throw new Error(`A change is answered with ${answer.status}: ${await answer.text()}`);
    await answer.bytes();
    made += 1;
  };
  return {
    made: () => made,
    while: async <T>(work: () => Promise<T>): Promise<T> => {
      const start = performance.now();
      const underway: Promise<void>[] = [];
      const ticker = setInterval(() => {
        const due = ((performance.now() - start) / 1000) * perSecond;
        while (underway.length < due) underway.push(change());
      }, 2);
      try {
        return await work();
      } finally {
        clearInterval(ticker);
        await Promise.all(underway);
      }
    },
  };
}

type Home = { readonly data: { readonly Skin: readonly { readonly Uuid: string }[] } };
