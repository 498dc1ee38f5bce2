/*
 * The leader is stopped in the middle of its work for longer than its lease, and woken.
 *
 *   SECONDS=<number> it stands still for so long (60)
 */
import { SQL } from "bun";
import { describe, expect, test } from "bun:test";
import { openNodes, until, type NodeProcess, type Nodes } from "../nodes/node-processes.ts";
import { lentDatabase } from "../support/lent-postgres.ts";
import { postgresMissing } from "../support/postgres.ts";
import { openPostOffice } from "./post-office.ts";
import { askAt, type Answer } from "./service.ts";
import { settingsWith } from "./written-nodes.ts";
import { makeMember, type Member } from "./written-once.ts";

if (postgresMissing !== null) console.error(`NOT RUN: a leader that is stopped (${postgresMissing})`);

/** Enough for the leader to be in the middle of them when it is stopped. */
const mails = 300;
const mailsPerSecond = 20;
/** What `jobs/mail-outbox.ts` has on its way at once at that rate. */
const parallelSends = 4;

/** How long the leader stands still. */
const seconds = Number(process.env["SECONDS"] ?? 60);

describe.skipIf(postgresMissing !== null)(`a leader that stands still for ${seconds} s`, () => {
  test(
    "and wakes up sends no mail again, ends no grant again, and leaves the rest to the next one",
    pauseLeader,
    (seconds + 180) * 1000,
  );
});

async function pauseLeader(): Promise<void> {
  await using office = await openPostOffice(Math.random);
  await using database = await lentDatabase();
  await using sql = new SQL({ url: database.url, max: 2 });
  await using nodes = await openNodes(database.url);
  const settings = { ...settingsWith(office), MAIL_PER_SECOND_MAX: String(mailsPerSecond) };
  const byName = new Map<string, NodeProcess>();
  for (const name of ["one", "two"]) byName.set(name, await nodes.start(name, settings));
  const { leader, other } = await leaderOf(nodes, byName);
  const keeper = await makeMember(nodes, other, "Keeper");
  const member = await makeMember(nodes, other, "Member");
  await post(sql, other, keeper);
  await until(async () => office.taken.size >= mails / 10);
  await promote(other, keeper, member);
  leader.signal("SIGSTOP");
  const [{ count: inFlight }] = await sql`
    SELECT count(*)::int FROM outbox WHERE state = 'waiting' AND due_at > created_at`;
  expect(inFlight).toBeLessThanOrEqual(parallelSends);
  const stopped = performance.now();
  await until(
    async () => (await nodes.leader()) !== null && (await leaderOf(nodes, byName)).leader === other,
  );
  const takenOverMs = Math.round(performance.now() - stopped);
  // A mail that was on its way is tried again a minute later, which the test does not wait for where it is
  // shorter.
  await Bun.sleep(Math.max(0, seconds * 1000 - takenOverMs));
  leader.signal("SIGCONT");
  await until(async () => (await warnings(leader)).includes("this node no longer leads"));
  await until(
    async () =>
      (await sql`SELECT 1 FROM outbox WHERE state = 'waiting' AND due_at = created_at`).length === 0,
  );
  const waiting = async (): Promise<number> =>
    (await sql`SELECT count(*)::int FROM outbox WHERE state = 'waiting'`)[0].count;
  for (let tries = 0; tries < 1200 && (await waiting()) > 0; tries++) await Bun.sleep(100);
  const twice = [...office.taken.values()].filter((times) => times > 1);
  const [{ ends }] = await sql`SELECT count(*)::int AS ends FROM audit_entries WHERE action = 'role.expire'`;
  const errors = (await Promise.all([...byName.values()].map((node) => node.log())))
    .flat()
    .filter(({ level }) => level === "error");
  console.log({ takenOverMs, inFlight, sent: office.taken.size, twice: twice.length, ends, errors });
  expect(await nodes.leader()).not.toBeNull();
  expect((await leaderOf(nodes, byName)).leader).toBe(other);
  expect(await waiting()).toBe(0);
  expect(office.taken.size).toBe(mails);
  // The known gap: taken by the server, and not yet written down.
  expect(twice.length).toBeLessThanOrEqual(inFlight);
  expect(ends).toBe(1);
  expect(errors).toEqual([]);
  const shown = await askAt(other.address, { line: `GET /api/admin/user/${member.id}`, token: keeper.token });
  // What it is for good, above what it was for five seconds.
  expect(levelOf(shown)).toBe(3);
  expect(await sql`SELECT 1 FROM accounts WHERE role_level IS NOT NULL AND id = ${member.id}`).toHaveLength(
    0,
  );
}

const levelOf = ({ data }: Answer) => Number(data["PermLvl"]);

async function leaderOf(nodes: Nodes, byName: ReadonlyMap<string, NodeProcess>) {
  await until(async () => (await nodes.leader()) !== null, 500);
  const name = await nodes.leader();
  const leader = byName.get(name ?? "");
  const other = [...byName.values()].find((node) => node !== leader);
  if (leader === undefined || other === undefined) throw new Error(`${name} is no node`);
  return { leader, other };
}

/** A mail to each of many accounts. */
async function post(sql: SQL, node: NodeProcess, { token }: Member): Promise<void> {
  const [{ count }] = await sql`SELECT count(*)::int FROM accounts`;
  await sql`
    INSERT INTO accounts (uuid, mail, mail_key, mail_verified, level, registration, created_at)
    SELECT gen_random_uuid()::text, 'm' || n || '@example.org', 'm' || n || '@example.org', true, 1, 'unnamed', 1
    FROM generate_series(1, ${mails - count}) n`;
  const json = { subject: "News", message: "There is something new." };
  const answer = await askAt(node.address, { line: "POST /api/admin/mail", json, token });
  expect(answer.status).toBe(200);
}

/** A role that ends while the leader stands still. */
async function promote(node: NodeProcess, { token }: Member, { id }: Member): Promise<void> {
  const json = { user: id, role_level: 2, expired_at: Math.floor(Date.now() / 1000) + 5 };
  const answer = await askAt(node.address, { line: `POST /api/admin/user/role/${id}`, json, token });
  expect(answer.status).toBe(200);
}

const warnings = async (node: NodeProcess) =>
  (await node.log()).flatMap(({ level, message }) => (level === "warn" ? [message] : []));
