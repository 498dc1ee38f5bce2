/*
 * As many event streams as there may be, while players change what they show as fast as the store takes it.
 */
import { join } from "node:path";
import { fillAccounts, type SignedIn } from "./accounts-data.ts";
import { digits, type Line } from "./report.ts";
import { residentMebibytes } from "./start.bench.ts";
import type { Server, Subject } from "./subject.ts";

const streams = 64;
const changing = 32;
/** Memory is compared between the first and the last fifth, when everything that fills up has done so. */
const fifths = 5;
const fifthMs = 12_000;
const settleMs = 3000;

export async function benchStreams(subject: Subject): Promise<readonly Line[]> {
  const dataDir = join(subject.folder, "streams");
  const token = "a service token of the bench for its streams";
  const members = await fillAccounts(dataDir, { accounts: changing, signedIn: changing, textureFiles: true });
  await using server = await subject.serve(dataDir, { SERVICE_API_TOKEN: token });
  const stopped = new AbortController();
  const readers = await Promise.all(
    Array.from({ length: streams }, () => follow(server, token, stopped.signal)),
  );
  const changes = await startChanges(server, members);
  const memory: number[] = [];
  const start = performance.now();
  for (let fifth = 0; fifth < fifths; fifth++) {
    await Bun.sleep(fifthMs);
    memory.push((await residentMebibytes(server.pid)) ?? Number.NaN);
  }
  const seconds = (performance.now() - start) / 1000;
  const made = await changes.stop();
  await Bun.sleep(settleMs);
  stopped.abort();
  const lost = readers.map(({ received, gaps }) => made - received() + gaps());
  return [
    {
      measure: `events that ${streams} streams lost or got out of order`,
      goal: { atMost: 0 },
      measured: lost.reduce((sum, one) => sum + Math.abs(one), 0),
      unit: "made",
      detail: `${digits(made / seconds)} changes/s, ${digits((made / seconds) * streams)} events/s sent`,
    },
    {
      measure: "memory after a minute of that, against after 12 s",
      goal: { atMost: 1.1 },
      measured: (memory.at(-1) ?? Number.NaN) / (memory[0] ?? Number.NaN),
      unit: "times as much",
      detail: `${memory.map((one) => one.toFixed(0)).join(", ")} MiB`,
    },
  ];
}

/** Counts the events of one stream, and the ids that do not follow on the one before. */
async function follow({ url }: Server, token: string, signal: AbortSignal) {
  const answer = await fetch(`${url}/api/service/events`, { headers: { authorization: token }, signal });
  if (answer.status !== 200 || answer.body === null)
    throw new Error(`A stream is answered with ${answer.status}`);
  let [received, gaps, last] = [0, 0, 0];
  let rest = "";
  const decoder = new TextDecoder();
  const read = async (body: ReadableStream<Uint8Array>) => {
    for await (const chunk of body) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line.startsWith("data:")) received += 1;
        if (!line.startsWith("id:")) continue;
        const id = Number(line.slice(3));
        if (last !== 0 && id !== last + 1) gaps += 1;
        last = id;
      }
    }
  };
  // It ends by the signal.
  void read(answer.body).catch(() => undefined);
  return { received: () => received, gaps: () => gaps };
}

type Home = { readonly data: { readonly Skin: readonly { readonly Uuid: string }[] } };

/** Every member takes their skin off and puts it on again, the next when the last is answered. */
async function startChanges({ url }: Server, members: readonly SignedIn[]) {
  const stopping = new AbortController();
  let made = 0;
  const changeOn = async ({ token, uuid }: SignedIn): Promise<void> => {
    const authorization = `Bearer ${token}`;
    const home = (await (await fetch(`${url}/api/home`, { headers: { authorization } })).json()) as Home;
    const skin = home.data.Skin[0]?.Uuid;
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const answer = await fetch(`${url}/api/home/players/${uuid}`, {
        method: "PATCH",
        headers: { authorization, "content-type": "application/json" },
        // Off first, because it is worn.
        body: JSON.stringify({ skinid: turn % 2 === 0 ? null : skin }),
      });
      if (answer.status !== 200) throw new Error(`A change is answered with ${answer.status}`);
      await answer.bytes();
      made += 1;
    }
  };
  // The first account wears nothing.
  const working = Promise.all(members.slice(1).map(changeOn));
  return {
    stop: async (): Promise<number> => {
      stopping.abort();
      await working;
      return made;
    },
  };
}
