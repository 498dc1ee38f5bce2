/* How many changes of one account, service or client are under way, and who waits for whom. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SignJWT } from "jose";
import { anonymous, commandLine, system } from "../../src/domain/model/actor.ts";
import type { Atomically } from "../../src/domain/ports/stores.ts";
import type { Actor } from "../../src/domain/ports/unit-of-work.ts";
import { createTransact } from "../../src/domain/sessions/transact.ts";
import { AppError } from "../../src/kernel/errors.ts";
import type { AccountId } from "../../src/kernel/ids.ts";
import { limits } from "../../src/kernel/limits.ts";
import { onBehalfOf } from "../../src/kernel/on-behalf.ts";
import { temporaryFolder } from "../cli/run-program.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, edit, type Member } from "../support/members.ts";
import { openOtherEngine } from "../support/other-engine.ts";
import { postgresMissing } from "../support/postgres.ts";
import { isLeftOut } from "../support/storages.ts";
import { skinPng } from "../support/textures.ts";

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
  let round = 0;
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
    // Connections are open, and know the statements.
    for (let warm = 0; warm < 5; warm++) await selectAtOnce(5);
  }, 30_000);
  afterAll(() => harness?.[Symbol.asyncDispose]());

  const haveArrived = async (count: number) => {
    while (waiting.length < count) await Bun.sleep(1);
  };

  /** All at once, the last one Berta's: the statuses, and who was answered in which order. */
  async function selectAtOnce(count: number) {
    isHeld = true;
    const order: string[] = [];
    const change = async (member: Member, request: string, json: object) => {
      const answer = await edit(harness, member, request, json);
      order.push(`${member.name} ${answer.status}`);
      return answer;
    };
    const select = { skinid: skin };
    const answers = times(count, () => change(anna, "POST /api/home/edit/skin/select", select));
    await haveArrived(count);
    // Their rows share no page of an index, so they are in conflict on PostgreSQL no more than those of large
    // communities are.
    const rename = { skinid: skinOfBerta, name: `Round ${(round += 1)}` };
    const other = change(berta, "PUT /api/home/edit/skin", rename);
    await haveArrived(count + 1);
    isHeld = false;
    for (const go of waiting.splice(0)) go();
    return { answers: await Promise.all(answers), other: await other, order };
  }

  test.skipIf(isMissing)("wait for each other, while others' go between them", async () => {
    const count = 40;
    const { answers, other, order } = await selectAtOnce(count);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(other.status).toBe(200);
    // Not the third: servers choose, too.
    expect(order.indexOf("Berta 200")).toBeLessThan(count / 2);
  });

  const runsNever = isMissing || database === "sqlite";
  test.skipIf(runsNever)("clash on a name that is taken no second time", async () => {
    const clashes = () => harness.services.databaseStatistics()?.transactions.repeats["clash"];
    const before = clashes();
    const json = { username: "Berta", password: anna.password };
    const answer = await edit(harness, anna, "PATCH /api/home/edit/username", json);
    expect(answer.status).toBe(400);
    expect((await readJson<Envelope<object>>(answer)).msg).toContain("is taken already");
    expect(clashes()).toBe(before);
  });

  test.skipIf(isMissing)(
    "are refused when too many wait, with the time to wait, and no others'",
    async () => {
      const { atOnceMax, waitingMax } = writesOfOne;
      const { answers, other, order } = await selectAtOnce(atOnceMax + waitingMax + 50);
      // Later than others are answered, or a client that asks again at once would leave no time for them.
      expect(order.indexOf("Anna 429")).toBeGreaterThan(order.indexOf("Berta 200"));
      const refused = answers.filter(({ status }) => status === 429);
      const done = answers.filter(({ status }) => status === 200);
      expect(done.length + refused.length).toBe(answers.length);
      expect(done.length).toBeGreaterThanOrEqual(atOnceMax);
      // Those that wait for seconds are refused as well.
      expect(refused.length).toBeGreaterThanOrEqual(50);
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

test.skipIf(isLeftOut("sqlite", "as above"))("each player of a launch server is one writer", async () => {
  const keys = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  await using folder = await temporaryFolder();
  const keyFile = join(folder.path, "ecdsa_id.pub");
  await writeFile(keyFile, keys.publicKey.export({ type: "spki", format: "der" }));
  let arrived = 0;
  await using harness = await openHarness({
    on: { database: "sqlite" },
    works: "once",
    settings: { GRAVIT_KEY_FILE: keyFile },
    beforeTransaction: async () => void (arrived += 1),
  });
  const { services, clock } = harness;
  const tokens = await Promise.all(
    times(5, async (number) => {
      const { uuid } = await addMember(harness, `Player${number}`);
      const claims = new SignJWT({ iss: "LaunchServer", uuid }).setProtectedHeader({ alg: "ES256" });
      return claims.setExpirationTime(clock.nowSeconds() + 600).sign(keys.privateKey);
    }),
  );
  const mayEnd = Promise.withResolvers<void>();
  const holding = services.transact(commandLine, () => mayEnd.promise);
  arrived = 0;
  const uploads = tokens.flatMap((token, player) =>
    times(2, (number) => {
      const form = new FormData();
      form.set("file", new File([new Uint8Array(skinPng(player * 2 + number + 1))], "file"));
      const headers = { authorization: `Bearer ${token}` };
      return harness.fetch("/api/gravit/upload/skin", { method: "POST", headers, body: form });
    }),
  );
  const haveArrived = async () => {
    while (arrived < uploads.length) await Bun.sleep(1);
  };
  await haveArrived();
  // More than a service may have under way at one time.
  const before = services.transact(system, async () => harness.countRows("skins"));
  mayEnd.resolve();
  await holding;
  expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual(uploads.map(() => 200));
  expect(await before).toBe(uploads.length);
});

test("the engine is given a key of the actor", async () => {
  await using harness = await openHarness({ works: "once" });
  await using other = await openOtherEngine(harness);
  for (const [what, [one, oneClient], [second, secondClient], before] of pairs.slice(0, -1)) {
    const given: (string | undefined)[] = [];
    const atomically: Atomically = (work, actor) => {
      given.push(actor);
      return other.atomically(work, actor);
    };
    const transact = createTransact({ atomically, clock: harness.clock });
    for (const [actor, client] of [[one, oneClient] as const, [second, secondClient] as const])
      await onBehalfOf({ client, gone: null }, () => transact(actor, () => Promise.resolve()));
    expect({ what, areOne: given[0] === given[1] && given[0] !== undefined }).toEqual({
      what,
      areOne: before === sent,
    });
  }
});

test.skipIf(isLeftOut("sqlite", "as above"))("a change that waits for too long is refused", async () => {
  await using harness = await openHarness({ on: { database: "sqlite" }, works: "once" });
  const { transact } = harness.services;
  const mayEnd = Promise.withResolvers<void>();
  const works = times(ofOne + 1, () => transact(member(1, "session:1"), () => mayEnd.promise));
  expect(await works.at(-1)?.catch((error: unknown) => error)).toBeInstanceOf(AppError);
  mayEnd.resolve();
  await Promise.all(works.slice(0, -1));
});
