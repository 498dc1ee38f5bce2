/** How the community is and how its server does (docs/contract/admin.md#overview). */
import { expect, test } from "bun:test";
import { resultOf, type CheckResult } from "../../src/domain/health/check-result.ts";
import { found } from "../../src/domain/health/finding.ts";
import { system } from "../../src/domain/model/actor.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness, type Harness, type HarnessOptions } from "../support/harness.ts";
import { addMember, addSkin, grantCape, signIn, type Member } from "../support/members.ts";
import { send } from "../support/registration.ts";
import { startHousekeeping } from "../../src/jobs/housekeeping.ts";
import { keepUp } from "../support/upkeep.ts";

type Overview = {
  readonly accounts: { readonly total: number; readonly unconfirmed: number };
  readonly skins: number;
  readonly capes: number;
  readonly days: readonly {
    readonly day: string;
    readonly registrations: number;
    readonly sign_ins: number;
  }[];
  readonly mail: { readonly waiting: number; readonly failed: number };
  readonly disk: { readonly free_bytes: number; readonly used_bytes: number } | null;
  readonly cache: { readonly hits: number; readonly misses: number };
  readonly checks: readonly CheckResult[];
  readonly version: string;
  readonly started_at: number;
};

const daySeconds = 86_400;

async function openWorld(options: HarnessOptions = {}) {
  const harness = await openHarness(options);
  const moderator = await addMember(harness, "Moderata", { level: 2 });
  return { harness, moderator, [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose]() };
}

async function look(harness: Harness, { mail, password }: Member): Promise<Overview> {
  const headers = { authorization: `Bearer ${await signIn(harness, mail, password)}` };
  const response = await harness.fetch("/api/admin/overview", { headers });
  expect(response.status).toBe(200);
  return (await readJson<Envelope<Overview>>(response)).data;
}

test("counts accounts, skins, capes and mails", async () => {
  await using world = await openWorld();
  const { harness, moderator } = world;
  const anna = await addMember(harness, "Anna");
  await addSkin(harness, anna, {});
  await grantCape(harness, [anna]);
  const registered = await send(harness, "POST /api/auth/register", {
    mail: "new@example.org",
    password: "a password that will do",
  });
  expect(registered.status).toBe(200);
  expect(await look(harness, moderator)).toMatchObject({
    accounts: { total: 3, unconfirmed: 1 },
    skins: 1,
    capes: 1,
    mail: { waiting: 1, failed: 0 },
    version: "0.0.0-test",
    started_at: harness.clock.nowSeconds(),
  });
  const chief = await addMember(harness, "Chief", { level: 3 });
  const bulk = { subject: "News", message: "Hello" };
  const sent = await send(harness, "POST /api/admin/mail", bulk, { authorization: chief.authorization });
  expect(sent.status).toBe(200);
  expect((await look(harness, moderator)).mail).toEqual({ waiting: 4, failed: 0 });
  await harness.services.transact(system, ({ outbox }) =>
    outbox.giveUpMails("bulk", harness.clock.nowSeconds() + 1, harness.clock.nowSeconds()),
  );
  expect((await look(harness, moderator)).mail).toEqual({ waiting: 1, failed: 3 });
});

test("shows fourteen days, today last, without a gap", async () => {
  await using world = await openWorld();
  const { harness, moderator } = world;
  harness.clock.advance(3 * daySeconds);
  await addMember(harness, "Anna");
  await addMember(harness, "Bert");
  const { days } = await look(harness, moderator);
  expect(days.map(({ day }) => day)).toEqual(
    [
      ...["21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31"].map((day) => `2099-12-${day}`),
      ...["01", "02", "03", "04"].map((day) => `2100-01-${day}`),
    ].slice(1),
  );
  const registered = days.filter(({ registrations }) => registrations > 0);
  expect(registered).toMatchObject([
    { day: "2100-01-01", registrations: 1, sign_ins: 1 },
    { day: "2100-01-04", registrations: 2, sign_ins: 3 },
  ]);
  harness.clock.advance(13 * daySeconds);
  const later = (await look(harness, moderator)).days;
  expect(later.map(({ registrations }) => registrations)).toEqual([
    2,
    ...Array.from({ length: 13 }, () => 0),
  ]);
});

test("days that are not shown any more are forgotten", async () => {
  await using world = await openWorld();
  const { harness } = world;
  harness.clock.advance(14 * daySeconds);
  await addMember(harness, "Anna");
  await keepUp(harness);
  expect(harness.countRows("daily_counts")).toBe(4);
  await startHousekeeping({ ...harness.services, log: harness.log })[Symbol.asyncDispose]();
  expect(harness.countRows("daily_counts")).toBe(2);
});

test("shows the disk with the least room, the cache, and what is not in order", async () => {
  const state = { fails: false };
  const checks: CheckResult[] = [resultOf("settings", found("smtp_unset"))];
  await using world = await openWorld({
    checks: async () => checks,
    storage: {
      write: async () => {
        if (state.fails) throw new Error("read-only");
      },
      freeSpace: async () => [
        { folder: "data", bytes: 9e9, used: 5 },
        { folder: "textures", bytes: 8e9, used: 7 },
      ],
    },
  });
  const { harness, moderator } = world;
  await addSkin(harness, moderator, {});
  for (let time = 0; time < 2; time++) await harness.fetch(`/api/skin/head/${moderator.uuid}?size=32`);
  const first = await look(harness, moderator);
  expect(first.disk).toEqual({ free_bytes: 8e9, used_bytes: 7 });
  expect(first.cache.hits).toBeGreaterThan(0);
  expect(first.cache.misses).toBeGreaterThan(0);
  expect(first.checks).toEqual([
    resultOf("database", found("database_written")),
    resultOf("textures", found("textures_written")),
    resultOf("outbox", found("mails_leave")),
    ...checks,
  ]);
  state.fails = true;
  harness.clock.advance(5);
  const [database] = (await look(harness, moderator)).checks;
  expect(database).toEqual({
    name: "database",
    state: "fault",
    code: "database_unwritable",
    values: {},
    text: "it cannot be written: changes are refused",
    remedy: "the server's log says why; cloakroom doctor says what to do",
  });
  expect(harness.takeComplaints()).toMatchObject([{ part: "database" }]);
});

test("leaves the disk out where no disk says how much room it has", async () => {
  await using world = await openWorld({ storage: { freeSpace: async () => [] } });
  expect((await look(world.harness, world.moderator)).disk).toBeNull();
});
