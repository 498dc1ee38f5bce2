import { benchedPostgres } from "./packaged-postgres.ts";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { readOptions } from "../../tools/options.ts";
import { benchAccounts } from "./accounts.bench.ts";
import { benchConnectionAttacks } from "./attack-connections.bench.ts";
import { benchDatabaseAttacks } from "./attack-database.bench.ts";
import { benchEventAttacks } from "./attack-events.bench.ts";
import { benchHttpAttacks } from "./attack-http.bench.ts";
import { benchLoopAttacks } from "./attack-loop.bench.ts";
import { benchSignInAttacks } from "./attack-sign-ins.bench.ts";
import { benchBefore } from "./before.bench.ts";
import { benchChanges } from "./changes.bench.ts";
import { benchContention } from "./contention.bench.ts";
import { benchDatabaseTime } from "./database-time.bench.ts";
import { benchEngines } from "./engines.bench.ts";
import { benchHttp } from "./http.bench.ts";
import { benchImport } from "./import.bench.ts";
import { benchLatency, latencySkins } from "./latency.bench.ts";
import { benchLimits } from "./limits.bench.ts";
import { benchGrowth } from "./growth.bench.ts";
import { benchMove } from "./move.bench.ts";
import { benchNodes } from "./nodes.bench.ts";
import { benchPages } from "./pages.bench.ts";
import { benchPasswords } from "./passwords.bench.ts";
import { benchPlayers } from "./players.bench.ts";
import { benchProtocols } from "./protocols.bench.ts";
import { benchRender } from "./render.bench.ts";
import { describeMachine, isReached, type Line, tableOf } from "./report.ts";
import { benchStart } from "./start.bench.ts";
import { benchStreams } from "./streams.bench.ts";
import {
  buildSubject,
  createPlayer,
  openSubject,
  type Player,
  type Server,
  type Subject,
} from "./subject.ts";

const parts = [
  "http",
  "changes",
  "render",
  "latency",
  "start",
  "accounts",
  "protocols",
  "players",
  "passwords",
  "streams",
  "pages",
  "limits",
  "before",
  "database-time",
  "engines",
  "contention",
  "nodes",
  "growth",
  "move",
  "import",
  "attack-loop",
  "attack-connections",
  "attack-sign-ins",
  "attack-database",
  "attack-events",
  "attack-http",
] as const;
type Part = (typeof parts)[number];

const usage = `Measures what the project promises and prints it as a table: bun run bench.

  bun run bench --only http          one of ${parts.join(", ")}; may be repeated
  bun run bench --json               the same for programs

The parts that begin with attack- measure what others notice while one client does its worst. With BASELINE=<binary> they, and the parts
start, before and database-time, measure another program as well.

It judges nothing: a busy machine misses goals that a quiet one reaches, so the exit code is 0 either way.`;

const options = readOptions(usage, {
  only: { type: "string", multiple: true, default: [...parts] },
  json: { type: "boolean", default: false },
});
const unknown = options.only.filter((name) => !parts.some((part) => part === name));
if (unknown.length > 0) {
  console.error(`bench: unknown part ${unknown.join(", ")}; there are ${parts.join(", ")}`);
  process.exit(2);
}

const machine = { ...(await describeMachine()), postgresql: benchedPostgres };
const lines = await measure((part) => options.only.includes(part));
print();

async function measure(wants: (part: Part) => boolean): Promise<readonly Line[]> {
  await using subject = await buildSubject();
  const player = await fill(subject, wants("latency") ? latencySkins : 0);
  const withServer = async (bench: (server: Server, player: Player) => Promise<readonly Line[]>) => {
    await using server = await subject.serve();
    return await bench(server, player);
  };
  /** An attack begins with an empty data folder. */
  const attackFresh = async (bench: (fresh: Subject) => Promise<readonly Line[]>) =>
    bench(openSubject(subject.binary, await mkdtemp(join(subject.folder, "attacked-"))));
  const measurements: Readonly<Record<Part, () => Promise<readonly Line[]>>> = {
    http: () => withServer(benchHttp),
    changes: () => benchChanges(subject),
    render: async () => benchRender(),
    latency: () => withServer(benchLatency),
    start: () => benchStart(subject, player),
    accounts: () => benchAccounts(subject),
    protocols: () => benchProtocols(subject),
    players: () => benchPlayers(subject),
    passwords: () => benchPasswords(subject),
    streams: () => benchStreams(subject),
    pages: () => withServer(benchPages),
    limits: () => benchLimits(subject),
    before: () => benchBefore(subject),
    "database-time": () => benchDatabaseTime(subject),
    engines: () => benchEngines(subject),
    contention: () => benchContention(subject),
    nodes: () => benchNodes(subject),
    growth: () => benchGrowth(subject),
    move: () => benchMove(subject),
    import: () => benchImport(subject),
    "attack-loop": () => attackFresh(benchLoopAttacks),
    "attack-connections": () => attackFresh(benchConnectionAttacks),
    "attack-sign-ins": () => attackFresh(benchSignInAttacks),
    "attack-database": () => attackFresh(benchDatabaseAttacks),
    "attack-events": () => attackFresh(benchEventAttacks),
    "attack-http": () => attackFresh(benchHttpAttacks),
  };

  const measured: Line[] = [];
  for (const part of parts.filter(wants)) {
    console.error(`bench: ${part} …`);
    measured.push(...(await measurements[part]()));
  }
  return measured;
}

/** On a server of its own, so that no part meets what another has warmed up. */
async function fill(subject: Subject, skinCount: number): Promise<Player> {
  await using server = await subject.serve();
  return await createPlayer(subject, server, skinCount);
}

function print(): void {
  if (options.json) {
    const results = lines.map((line) => ({ ...line, reached: isReached(line) }));
    console.log(JSON.stringify({ machine, results }, null, 2));
    return;
  }
  console.log(
    Object.entries(machine)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n"),
  );
  console.log(`\n${tableOf(lines)}`);
}
