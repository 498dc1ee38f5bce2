/* How many changes of one account, service or client are under way, and who waits for whom. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { anonymous, commandLine, system } from "../../src/domain/model/actor.ts";
import type { Actor } from "../../src/domain/ports/unit-of-work.ts";
import { AppError } from "../../src/kernel/errors.ts";
import type { AccountId } from "../../src/kernel/ids.ts";
import { limits } from "../../src/kernel/limits.ts";
import { onBehalfOf } from "../../src/kernel/on-behalf.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, edit, type Member } from "../support/members.ts";
import { postgresMissing } from "../support/postgres.ts";
import { isLeftOut } from "../support/storages.ts";

if (postgresMissing !== null) console.error(`NOT RUN: writes at once on PostgreSQL (${postgresMissing})`);

const { writesOfOne, writesOfMany } = limits;
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

describe.each(["sqlite", "postgres"] as const)("changes of one member on %s", (database) => {
  const isMissing = database === "postgres" && postgresMissing !== null;
  let harness: Harness;
  let anna: Member;
  let berta: Member;
  let skin: string;
  let skinOfBerta: string;
  /** What has come to its transaction, while these wait for each other. */
  const waiting: (() => void)[] = [];
  let isHeld = false;
  const arrive = () => new Promise<void>((go) => (isHeld ? waiting.push(go) : go()));
  beforeAll(async () => {
    if (isMissing) return;
    harness = await openHarness({ on: { database }, beforeTransaction: arrive, works: "once" });
    anna = await addMember(harness, "Anna");
    berta = await addMember(harness, "Berta");
    skin = await addSkin(harness, anna, {});
    skinOfBerta = await addSkin(harness, berta, {});
    // Connections that are open already: the third member of a pool would wait for one.
    const read = () => harness.services.transact(system, (tx) => tx.players.list(anna.account.id));
    await Promise.all(times(20, read));
  }, 30_000);
  afterAll(() => harness?.[Symbol.asyncDispose]());

  const haveArrived = async (count: number) => {
    while (waiting.length < count) await Bun.sleep(1);
  };

  /** All at once, the last one Berta's: the statuses, and who was answered in which order. */
  async function selectAtOnce(count: number) {
    isHeld = true;
    const order: string[] = [];
    const select = async (member: Member, skinid: string) => {
      const answer = await edit(harness, member, "POST /api/home/edit/skin/select", { skinid });
      order.push(member.name);
      return answer;
    };
    const answers = times(count, () => select(anna, skin));
    await haveArrived(count);
    const other = select(berta, skinOfBerta);
    await haveArrived(count + 1);
    isHeld = false;
    for (const go of waiting.splice(0)) go();
    return { answers: await Promise.all(answers), other: await other, order };
  }

  test.skipIf(isMissing)("wait for each other, while others' go between them", async () => {
    const count = writesOfOne.waitingMax;
    const { answers, other, order } = await selectAtOnce(count);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(other.status).toBe(200);
    // Not the third: servers choose, too.
    expect(order.indexOf("Berta")).toBeLessThan(count / 2);
  });

  test.skipIf(isMissing)(
    "are refused when too many wait, with the time to wait, and no others'",
    async () => {
      const { atOnceMax, waitingMax } = writesOfOne;
      const { answers, other } = await selectAtOnce(atOnceMax + waitingMax + 50);
      const refused = answers.filter(({ status }) => status === 429);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(atOnceMax + waitingMax);
      expect(refused).toHaveLength(50);
      expect(other.status).toBe(200);
      const [first] = refused;
      expect(first?.headers.get("retry-after")).toBe("5");
      const { msg } = first === undefined ? { msg: "" } : await readJson<Envelope<object>>(first);
      expect(msg).toBe(
        "Too many of your changes wait for their turn: send the next ones when you have the answers to these",
      );
    },
  );
});

const member = (id: number, via: string): Actor => ({ ...system, accountId: id as AccountId, via });
const service = (name: string): Actor => ({ ...system, name: `service:${name}`, via: `token:${name}` });
const launchServer = (speaksFor: string): Actor => ({ ...service("launchserver"), speaksFor });
const noClient = "";

type Writer = readonly [actor: Actor, client: string];
const ofOne = writesOfOne.atOnceMax;
const ofMany = writesOfMany.atOnceMax;
const sent = 20;

const pairs: readonly (readonly [string, Writer, Writer, number])[] = [
  ["another account", [member(1, "session:1"), noClient], [member(2, "session:2"), noClient], ofOne],
  [
    "another session of the account",
    [member(1, "session:1"), noClient],
    [member(1, "session:2"), noClient],
    sent,
  ],
  ["another player of a launch server", [launchServer("a"), "::1"], [launchServer("b"), "::1"], ofOne],
  ["the same player of a launch server", [launchServer("a"), "::1"], [launchServer("a"), "::2"], sent],
  ["another service", [service("a"), "::1"], [service("b"), "::1"], ofMany],
  ["the same service", [service("a"), "::1"], [service("a"), "::2"], sent],
  ["another client without a session", [anonymous, "::1"], [anonymous, "::2"], ofMany],
  ["the same client without a session", [anonymous, "::1"], [anonymous, "::1"], sent],
  ["the program after the program", [system, noClient], [commandLine, noClient], sent],
];

test
  .skipIf(isLeftOut("sqlite", "one connection writes there, so the order shows what is under way"))
  .each(pairs)(
  "%s waits for its own changes",
  async (_, [busy, busyClient], [quiet, quietClient], before) => {
    await using harness = await openHarness({ on: { database: "sqlite" }, works: "once" });
    const { transact } = harness.services;
    const mayEnd = Promise.withResolvers<void>();
    const holding = transact(commandLine, () => mayEnd.promise);
    const order: string[] = [];
    const write = (name: string, actor: Actor, client: string) =>
      onBehalfOf({ client, gone: null }, () => transact(actor, async () => void order.push(name)));
    const all = [...times(sent, () => write("busy", busy, busyClient)), write("quiet", quiet, quietClient)];
    mayEnd.resolve();
    await Promise.all([holding, ...all]);
    expect(order.indexOf("quiet")).toBe(before);
  },
);

test.skipIf(isLeftOut("sqlite", "as above"))("a change that waits for too long is refused", async () => {
  await using harness = await openHarness({ on: { database: "sqlite" }, works: "once" });
  const { transact } = harness.services;
  const mayEnd = Promise.withResolvers<void>();
  const works = times(ofOne + 1, () => transact(member(1, "session:1"), () => mayEnd.promise));
  expect(await works.at(-1)?.catch((error: unknown) => error)).toBeInstanceOf(AppError);
  mayEnd.resolve();
  await Promise.all(works.slice(0, -1));
});
