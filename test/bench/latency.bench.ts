/* How long cached pictures take while the server renders large ones without pause. */
import { requestText } from "./http.bench.ts";
import { startLoad } from "./peer.ts";
import type { Line } from "./report.ts";
import { median } from "./statistics.ts";
import type { Player, Server } from "./subject.ts";

const rounds = 9;
const roundMilliseconds = 1000;

/** Skins that this part uses up: more than the fastest machine renders in its time. */
export const latencySkins = 2000;

export async function benchLatency(server: Server, player: Player): Promise<readonly Line[]> {
  const path = `/api/skin/head/${player.uuid}?size=100`;
  using load = startLoad();
  const measure = async () => {
    const { p99 } = await load.ask({
      port: server.port,
      request: requestText(path),
      status: 200,
      connections: 32,
      milliseconds: roundMilliseconds,
      // A server that has nothing left for others would show its queue, not what a visitor waits for.
      pace: "steady",
    });
    return p99;
  };
  await fetch(server.url + path);
  const renders = startRenders(server, player);
  await renders.while(measure); // the tables of the view, the worker thread, compiled code
  await measure();

  const idle: number[] = [];
  const busy: number[] = [];
  const { made } = renders;
  for (let round = 0; round < rounds; round++) {
    idle.push(await measure());
    busy.push(await renders.while(measure));
  }
  const perSecond = (renders.made - made) / ((rounds * roundMilliseconds) / 1000);
  return [
    {
      measure: "p99 of cached heads while bodies of 1024 px are rendered",
      goal: { atMost: 5 },
      measured: median(busy.map((value, round) => value / (idle[round] ?? Number.NaN))),
      unit: "times as much",
      detail: `${median(busy)} µs against ${median(idle)} µs idle; ${perSecond.toFixed(0)} bodies/s beside`,
    },
  ];
}

/**
 * Asks for bodies of skins that were never drawn, two at a time so that the renderer never waits for the
 * next.
 */
function startRenders(server: Server, player: Player) {
  const unseen = player.skins.values();
  const renderNext = async (): Promise<void> => {
    const { value: skin, done } = unseen.next();
    if (done) throw new Error("All skins have been drawn: raise latencySkins");
    const answer = await fetch(`${server.url}/api/skin/body/${skin}?size=1024&type=player`);
    if (!answer.ok) throw new Error(`A body is answered with ${answer.status}`);
    await answer.bytes();
    renders.made++;
  };
  const renders = {
    made: 0,
    while: async <T>(work: () => Promise<T>): Promise<T> => {
      const working = new AbortController();
      const renderOn = async () => {
        while (!working.signal.aborted) await renderNext();
      };
      const worked = work().finally(() => working.abort());
      const [result] = await Promise.all([worked, renderOn(), renderOn()]);
      return result;
    },
  };
  return renders;
}
