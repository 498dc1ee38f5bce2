/*
 * docs/operate/patroni.md holds: its files run, and whatever happens to the primary, no change that was
 * answered is lost, the members find a primary again by themselves, and nodes write to it. Part of
 * `bun run test:storage`; some eight minutes a way to the database.
 *
 *   PATRONI_FAULTS=<names of faults, by commas> plays these alone, PATRONI_TIMING=<ttl>,<loop_wait>,<retry_timeout> takes the place of the
 *   page's, SEED=<number> takes other moments
 */
import { expect, test } from "bun:test";
import { loseInTurn, placesOf, type Fault } from "../faults/patroni-run.ts";
import { openPostOffice } from "../faults/post-office.ts";
import { askAt } from "../faults/service.ts";
import { settingsWith } from "../faults/written-nodes.ts";
import { makeMember, type Member } from "../faults/written-once.ts";
import { openNodes, type NodeProcess } from "../nodes/node-processes.ts";
import { patroniMissing, startPatroni } from "../support/patroni.ts";
import { haproxyMissing } from "../support/poolers.ts";

/** Longer than Patroni takes to see that a standby is away. */
const waitMs = 120_000;
const seed = Number(process.env["SEED"] ?? 1);
const [ttl, loopWait, retryTimeout] = (process.env["PATRONI_TIMING"] ?? "").split(",").map(Number);
const timing = ttl && loopWait && retryTimeout ? { timing: { ttl, loopWait, retryTimeout } } : {};

const machineLost: Fault = {
  name: "the primary's machine is lost",
  primary: "another",
  happen: ({ primary }) => primary.kill("patroni", "postgres", "etcd"),
  end: async ({ primary }) => {
    await primary.startEtcd();
    await primary.start();
  },
};

const serverKilled: Fault = {
  name: "the primary's PostgreSQL is killed",
  primary: "the same",
  happen: ({ primary }) => primary.kill("postgres"),
  end: async () => undefined,
};

const patroniKilled: Fault = {
  name: "the primary's Patroni is killed, and started again",
  primary: "the same",
  happen: async ({ primary }) => {
    await primary.kill("patroni");
    await Bun.sleep(2000);
    await primary.start();
  },
  end: async () => undefined,
};

const switchover: Fault = {
  name: "the primary is changed by hand",
  primary: "another",
  happen: async ({ cluster, primary, synchronous }) => {
    const given = ["--force", "--master", primary.name, "--candidate", synchronous.name];
    await cluster.patronictl("switchover", ...given, "cloakroom");
  },
  end: async () => undefined,
};

const frozen: Fault = {
  name: "the primary's processes are held, and go on once another member leads",
  primary: "another",
  happen: ({ primary }) => primary.freeze("patroni", "postgres"),
  end: ({ primary }) => primary.thaw(),
};

const cut: Fault = {
  name: "the primary does not reach etcd, and the other members answer it",
  primary: "the same",
  happen: async ({ primary }) => primary.cutFromEtcd(),
  end: ({ primary }) => primary.heal(),
};

const cutAndAlone: Fault = {
  name: "the primary does not reach etcd, nor one of the others",
  primary: "another",
  happen: async ({ primary, other }) => {
    await other.freeze("patroni");
    primary.cutFromEtcd();
  },
  end: async ({ primary, other }) => {
    await other.thaw();
    await primary.heal();
  },
};

const quorumLost: Fault = {
  name: "etcd has lost its quorum",
  primary: "the same",
  happen: async ({ synchronous, other }) => {
    await synchronous.kill("etcd");
    await other.kill("etcd");
  },
  end: async ({ synchronous, other }) => {
    await Promise.all([synchronous.startEtcd(), other.startEtcd()]);
  },
};

/** Its PostgreSQL still takes writes: nodes with a list of hosts leave it because they compare timelines. */
const hung: Fault = {
  name: "the primary's Patroni hangs",
  primary: "another",
  happen: ({ primary }) => primary.freeze("patroni"),
  end: ({ primary }) => primary.thaw(),
};

const byHostList = {
  machineLost,
  serverKilled,
  patroniKilled,
  switchover,
  frozen,
  cut,
  cutAndAlone,
  quorumLost,
  hung,
};
const byHaproxy = { machineLost, switchover, frozen, cut, cutAndAlone, quorumLost, hung };
const ways = [
  ["host list", byHostList, patroniMissing],
  ["HAProxy", byHaproxy, patroniMissing ?? haproxyMissing],
] as const;

/** Those that are asked for, as often as they are; else these. */
function chosen(usual: Readonly<Record<string, Fault>>): readonly Fault[] {
  const known: Readonly<Record<string, Fault>> = { ...byHostList, ...byHaproxy };
  const names = process.env["PATRONI_FAULTS"]?.split(",") ?? Object.keys(usual);
  return names.flatMap((name) => known[name] ?? []);
}

for (const [way, given, missing] of ways) {
  const faults = chosen(given);
  if (missing !== null) console.error(`NOT RUN: Patroni by ${way} (${missing})`);
  test.skipIf(missing !== null)(
    `under Patroni, by ${way}, no answered change is lost, and the members and nodes find the primary again by themselves`,
    async () => {
      const { reports, answered, complaints } = await loseInTurn({ way, faults, seed, ...timing });
      expect(complaints).toEqual([]);
      expect(answered).toBeGreaterThan(100);
      expect(reports.map(({ fault, wrong, primary }) => ({ fault, wrong, primary }))).toEqual(
        faults.map(({ name, primary }) => ({ fault: name, wrong: [], primary })),
      );
    },
    1_800_000,
  );
}

// No ledger: a change that waits for a standby is 503, and is made all the same once another one has it.
test.skipIf(patroniMissing !== null)(
  "while the synchronous standby is away reads go on, and changes do once another one is synchronous",
  async () => {
    await using cluster = await startPatroni(timing.timing);
    await using office = await openPostOffice(Math.random);
    await using nodes = await openNodes(cluster.url);
    const node = await nodes.start("one", settingsWith(office));
    const member = await makeMember(nodes, node, "Member");
    const held = (await placesOf(cluster)).synchronous;
    await held.freeze("patroni", "postgres");
    const heldMs = await untilChanged(node, member);
    await held.thaw();
    const lost = (await placesOf(cluster)).synchronous;
    await lost.kill("patroni", "postgres", "etcd");
    const lostMs = await untilChanged(node, member);
    await lost.startEtcd();
    await lost.start();
    await cluster.untilWhole();
    console.log({ heldMs, lostMs });
  },
  600_000,
);

/** Asks for a change until it is made, and returns how long that took. Each read meanwhile has to succeed. */
async function untilChanged({ address }: NodeProcess, { token }: Member): Promise<number> {
  const start = performance.now();
  for (let changed = 503; changed !== 200;) {
    expect(performance.now() - start).toBeLessThan(waitMs);
    const change = { line: "PATCH /api/home/edit/language", json: { language: "de" }, token };
    ({ status: changed } = await askAt(address, change));
    expect([200, 503]).toContain(changed);
    expect(await askAt(address, { line: "GET /api/home", token })).toMatchObject({ status: 200 });
  }
  return Math.round(performance.now() - start);
}
