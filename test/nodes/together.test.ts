/*
 * What two nodes write at once into what is kept in one row: the head of the audit, the last event, the
 * counts of copies.
 */
import { describe, expect, test } from "bun:test";
import { copyBulkMails } from "../../src/adapters/postgres/cluster/bulk-copying.ts";
import { foldCounts } from "../../src/adapters/postgres/cluster/counts.ts";
import type { PostgresDatabase } from "../../src/adapters/postgres/database.ts";
import { numberEvents } from "../../src/adapters/postgres/feed/event-numbers.ts";
import { verifyChain } from "../../src/domain/audit/verify-chain.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import type { DueMail } from "../../src/domain/ports/outbox-store.ts";
import { newUuid } from "../../src/kernel/ids.ts";
import { insertMember } from "../ports/stores.suite.ts";
import { postgresMissing } from "../support/postgres.ts";
import { openTwoDatabases } from "./two-databases.ts";

if (postgresMissing !== null) console.error(`NOT RUN: two nodes at once (${postgresMissing})`);

type Nodes = readonly [PostgresDatabase, PostgresDatabase];

const nodeFor = (nodes: Nodes, number: number): PostgresDatabase => nodes[number % 2 === 0 ? 0 : 1];
const times = (count: number): readonly number[] => Array.from({ length: count }, (_, number) => number);

describe.skipIf(postgresMissing !== null)("two nodes at once", () => {
  test("write one chain of the audit without a gap, and no change is given up", async () => {
    await using opened = await openTwoDatabases();
    const { nodes } = opened;
    const changes = 200;
    const change = (number: number) =>
      nodeFor(nodes, number).engine.atomically(async ({ audit, accounts }) => {
        await accounts.insertAccount({ ...accountRow, uuid: newUuid() });
        for (const action of ["test.one", "test.two"])
          await audit.append({
            actor: commandLine,
            action,
            forAccountId: null,
            at: number,
            detail: { number },
          });
      });
    // Forty at any time.
    let next = 0;
    const worker = async () => {
      for (let number = next++; number < changes; number = next++) await change(number);
    };
    await Promise.all(times(40).map(worker));
    const { audit } = nodes[0].engine.reads;
    const report = await verifyChain(audit, { noted: null, onProgress: () => undefined });
    expect(report).toMatchObject({ fault: null, newest: { id: 2 * changes } });
    const entries = await audit.readChain(0, 1_000);
    const pairs = entries.filter(({ action }) => action === "test.one").map(({ at }) => at);
    expect(entries.map(({ at }) => at)).toEqual(pairs.flatMap((at) => [at, at]));
    const stats = nodes.map(({ statistics }) => statistics().transactions);
    expect(stats.map(({ givenUp, unknown }) => givenUp + unknown)).toEqual([0, 0]);
  });

  test("number events without a gap, in the order of each player's changes", async () => {
    await using opened = await openTwoDatabases();
    const { nodes } = opened;
    const members = await Promise.all(
      times(6).map((number) =>
        nodeFor(nodes, number).engine.atomically((stores) => insertMember(stores, `m${number}_0`)),
      ),
    );
    const renames = members.map(async ({ player }, member) => {
      for (let turn = 1; turn <= 10; turn++)
        await nodeFor(nodes, member + turn).engine.atomically(async ({ players }) => {
          if (player !== null) await players.renamePlayer(player.id, `m${member}_${turn}`);
        });
    });
    const over = new AbortController();
    const numbering = nodes.map(async ({ pool }) => {
      while (!over.signal.aborted) await numberEvents(pool.node);
    });
    await Promise.all(renames).finally(() => over.abort());
    await Promise.all(numbering);
    const events = await nodes[1].engine.reads.events.listEvents(0, 1_000);
    expect(events.map(({ id }) => id)).toEqual(times(6 * 11).map((place) => place + 1));
    for (const member of times(6)) {
      const own = events.filter(({ player }) => player?.name.startsWith(`m${member}_`));
      expect(own.map(({ player }) => player?.name)).toEqual(times(11).map((turn) => `m${member}_${turn}`));
    }
  });

  test("claim each mail once, and drop copies and count them once", async () => {
    await using opened = await openTwoDatabases();
    const { nodes } = opened;
    const [first] = nodes;
    await first.engine.atomically(async ({ accounts }) => {
      for (const number of times(60)) {
        const mail = `m${number}@example.org`;
        const wantsBulkMail = number % 3 !== 0;
        const { id } = await accounts.insertAccount({
          ...accountRow,
          uuid: newUuid(),
          mail,
          mailVerified: true,
        });
        if (number % 4 === 0) await accounts.updateAccount(id, { mailVerified: false });
        if (!wantsBulkMail) await accounts.updateAccount(id, { wantsBulkMail });
      }
    });
    const { copies } = await first.engine.atomically(({ outbox }) =>
      outbox.insertBulkMail({ subject: "News", message: "Hello", issuer: "cli", at: 1 }),
    );
    await first.engine.atomically(async ({ accounts }) => {
      for (const mail of ["m1", "m5", "m7"]) {
        const member = await accounts.findMember({ by: "mail", value: `${mail}@example.org` });
        if (member !== null) await accounts.updateAccount(member.account.id, { wantsBulkMail: false });
      }
    });
    const sent: DueMail[] = [];
    const worker = async (number: number) => {
      const { atomically } = nodeFor(nodes, number).engine;
      for (;;) {
        const mail = await atomically(({ outbox }) => outbox.claimDue(["personal", "bulk"], 2, 100));
        if (mail === null) return;
        sent.push(mail);
        const result = { state: "sent", dueAt: 2, reply: "250" } as const;
        await atomically(({ outbox }) => outbox.recordResult(mail.id, result));
      }
    };
    await Promise.all(times(8).map(worker));
    // Workers may have passed over what another one had locked in the end.
    await worker(0);
    expect(new Set(sent.map(({ to }) => to)).size).toBe(sent.length);
    expect(sent).toHaveLength(copies - 3);
    expect(await first.engine.reads.outbox.bulkProgress()).toMatchObject([
      { total: copies, waiting: 0, sent: copies - 3, failed: 0 },
    ]);
  });

  test("write the copies that a transaction left, each once, and add up counts", async () => {
    await using opened = await openTwoDatabases();
    const { nodes } = opened;
    const [{ engine, pool }] = nodes;
    const accounts = 25_000;
    await pool.write.send(
      `INSERT INTO accounts (uuid, mail, mail_key, mail_verified, registration, level, created_at)
       SELECT gen_random_uuid()::text, 'm' || n || '@example.org', 'm' || n || '@example.org', true, 'complete', 1, 1
       FROM generate_series(1, $1::bigint) AS n`,
      [accounts],
    );
    const { id, copies } = await engine.atomically(({ outbox }) =>
      outbox.insertBulkMail({ subject: "News", message: "Hello", issuer: "cli", at: 1 }),
    );
    expect(copies).toBe(accounts);
    const [half] = await engine.reads.outbox.bulkProgress();
    expect(half).toMatchObject({ id, total: 10_000 });
    await Promise.all(nodes.map((node) => copyBulkMails(node.pool.write, () => false)));
    await Promise.all(nodes.map((node) => foldCounts(node.pool.write)));
    expect(await engine.reads.outbox.bulkProgress()).toMatchObject([
      { id, total: accounts, waiting: accounts },
    ]);
    const [row] = await pool.write.send("SELECT count(*), count(DISTINCT recipient_key) FROM outbox", []);
    expect(row?.map(Number)).toEqual([accounts, accounts]);
    expect(await engine.reads.outbox.queue("bulk")).toMatchObject({ oldestAt: 1 });
  });
});

const accountRow = {
  mail: null,
  registration: "unconfirmed",
  mailVerified: false,
  passwordHash: null,
  permanentLevel: 1,
  language: "en",
  createdAt: 1,
} as const;
