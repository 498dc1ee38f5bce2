/*
 * The server that takes writes is lost under everything that writes on two nodes; or its standby.
 *
 *   FAILOVERS=<number> of them (3), SEED=<number> takes other moments
 */
import { expect, test } from "bun:test";
import { postgresMissing } from "../support/postgres.ts";
import { openNodes, type NodeProcess } from "../nodes/node-processes.ts";
import { startReplicatedPostgres } from "../support/replicated-postgres.ts";
import { failOver } from "./failover-run.ts";
import { backMs } from "./far-node.ts";
import { openPostOffice } from "./post-office.ts";
import { settingsWith } from "./written-nodes.ts";
import { makeMember } from "./written-once.ts";

if (postgresMissing !== null) console.error(`NOT RUN: the loss of a primary (${postgresMissing})`);

const failovers = Number(process.env["FAILOVERS"] ?? 3);
const firstSeed = Number(process.env["SEED"] ?? 1);
/** A member waits no longer for an answer, and a node no longer for the promoted server. */
const boundMs = 10_000;

const own = process.env["TEST_DATABASE_URL"] === undefined && postgresMissing === null;

test.skipIf(!own).each(Array.from({ length: failovers }, (_, number) => firstSeed + number))(
  "a primary is killed, its synchronous standby promoted, and starts again by itself: nothing is lost, and no node writes to it (seed %d)",
  async (seed) => {
    const given = { players: 4, newcomersAtOnce: 3, writeMs: 8000, downMs: 3000, seed };
    const report = await failOver(given);
    console.log(report);
    expect(report).toMatchObject({ wrong: [], complaints: [], picturesRefused: [], isFormerWritten: false });
    expect(report.said).toContain(
      "several database servers take writes, and what is changed on one is not on the other",
    );
    expect(report.doctor).toEqual([
      expect.stringMatching(
        /several servers of .* take writes.*\(timeline 2\).*\(timeline 1\).*\n.*stop PostgreSQL on/,
      ),
      expect.stringMatching(
        /replaced by one on timeline 2.*\n.*start the server that replaced it, and stop this one/,
      ),
    ]);
    expect(report.answered).toBeGreaterThan(50);
    expect(report.pictures).toBeGreaterThan(100);
    for (const ms of [...report.afterPromotionMs, report.slowestMs]) expect(ms).toBeLessThan(boundMs);
  },
  600_000,
);

/** How long the standby is away. */
const awayMs = 30_000;

test.skipIf(!own)(
  "while the synchronous standby is away changes are 503, reads go on and nodes stay ready; all is well when it is back",
  async () => {
    await using office = await openPostOffice(Math.random);
    await using pair = await startReplicatedPostgres();
    await pair.makeDatabase("community");
    await using nodes = await openNodes(pair.url("community"));
    const both = [
      await nodes.start("one", settingsWith(office)),
      await nodes.start("two", settingsWith(office)),
    ];
    const member = await makeMember(nodes, both[0]!, "Member");
    await pair.standby.kill();
    const seen = new Set<string>();
    let slowestMs = 0;
    const end = performance.now() + awayMs;
    const ask = async (node: NodeProcess, line: string, json?: object): Promise<void> => {
      while (performance.now() < end) {
        const start = performance.now();
        const given = json === undefined ? {} : { json };
        const { status } = await node.ask(line, { ...given, token: member.token });
        slowestMs = Math.max(slowestMs, performance.now() - start);
        seen.add(`${line} ${status}`);
        await Bun.sleep(200);
      }
    };
    const reads = ["GET /health/ready", "GET /api/home", "GET /csl/Member.json"];
    const write = ["PATCH /api/home/edit/language", { language: "de" }] as const;
    await Promise.all(both.flatMap((node) => [...reads.map((line) => ask(node, line)), ask(node, ...write)]));
    expect([...seen].toSorted()).toEqual(
      [...reads.map((line) => `${line} 200`), "PATCH /api/home/edit/language 503"].toSorted(),
    );
    expect(slowestMs).toBeLessThan(boundMs);
    await pair.standby.start();
    for (const node of both) await backMs(node, member);
  },
  600_000,
);
