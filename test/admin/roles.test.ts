/** Roles and the last administrator (docs/contract/admin.md#roles, docs/contract/admin.md#levels). */
import { afterAll, describe, expect, test } from "bun:test";
import { commandLine, system } from "../../src/domain/model/actor.ts";
import { deleteAccount } from "../../src/domain/members/administer.ts";
import { expireTemporaryLevels, setLevel } from "../../src/domain/members/levels.ts";
import type { Level } from "../../src/domain/model/account.ts";
import { named } from "../support/actors.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, type Member, type NewMember } from "../support/members.ts";
import { badBodies, profileOf, send, statusesOf } from "../support/registration.ts";
import { play, type Scenario } from "../support/scenario.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const now = harness.clock.nowSeconds();
const hour = 3600;

const chief = await addMember(harness, "Chief", { level: 3 });
const bob = await addMember(harness, "Bob");
let count = 0;
const someone = (options: NewMember = {}) => addMember(harness, `Some_${(count += 1)}`, options);

const give = (member: Member, json: object): Scenario => ({
  name: "",
  actor: chief,
  request: `POST /api/admin/user/role/${member.uuid}`,
  json: { user: member.account.id, ...json },
  status: 200,
});
const given = (member: Member, json: object, data: object): Scenario => ({
  ...give(member, json),
  msg: "Role change successfully",
  data: { id: member.account.id, ...data },
});
const refused = (member: Member, json: object, msg: string | RegExp, status = 400): Scenario => ({
  ...give(member, json),
  status,
  msg,
});

type Row = { issuer: string; action: string; for_account_id: number; at: number; detail: string };
const auditOf = ({ database }: Harness) => database.everything()["audit_entries"] as readonly Row[];
const told = (world = harness) => {
  const { issuer, action, for_account_id: about, at, detail } = auditOf(world).at(-1)!;
  return { issuer, action, about, at, ...JSON.parse(detail) };
};
const facts = (perms: number, perms_permanent = perms, perms_expires_at: number | null = null) => ({
  perms,
  perms_permanent,
  perms_expires_at,
});
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const levelOf = async (member: Member) => (await profileOf(harness, member))["PermLvl"];

describe("a role without an end", () => {
  test.each([1, 2, 3] as const)("is the level for good: %i", async (level) => {
    const before = level === 1 ? 2 : 1;
    const member = await someone({ level: before });
    await play(harness, given(member, { role_level: level }, { new_role_level: level }));
    const about = member.account.id;
    const entry = {
      issuer: "Chief",
      action: "role.set",
      about,
      at: now,
      old: facts(before),
      new: facts(level),
    };
    expect(told()).toEqual(entry);
    expect(await levelOf(member)).toBe(level);
  });

  test("that is held already is answered, and is no entry of the audit", async () => {
    const member = await someone({ level: 2 });
    const entries = auditOf(harness).length;
    await play(harness, given(member, { role_level: 2 }, { new_role_level: 2 }));
    expect(auditOf(harness)).toHaveLength(entries);
    const until = { role_level: 3, expired_at: now + hour };
    const data = { new_role_level: 3, expired_at: now + hour };
    await play(harness, given(member, until, data));
    await play(harness, given(member, until, data));
    expect(auditOf(harness)).toHaveLength(entries + 1);
  });

  test("may say null for its end", async () => {
    const member = await someone();
    await play(harness, given(member, { role_level: 2, expired_at: null }, { new_role_level: 2 }));
  });

  test("takes a temporary one away", async () => {
    const member = await someone();
    const until = { role_level: 3, expired_at: now + hour };
    await play(harness, given(member, until, { new_role_level: 3, expired_at: now + hour }));
    await play(harness, given(member, { role_level: 2 }, { new_role_level: 2 }));
    expect(told()).toMatchObject({ old: facts(3, 1, now + hour), new: facts(2) });
  });
});

describe("a role with an end", () => {
  test.each<[string, unknown, number]>([
    ["seconds", now + hour, now + hour],
    ["a second from now", now + 1, now + 1],
    ["milliseconds", (now + hour) * 1000, now + hour],
    ["milliseconds that are no whole second", (now + hour) * 1000 + 999, now + hour],
    ["text in UTC", iso(now + hour), now + hour],
    ["text without a fraction", "2100-01-01T02:00:00Z", now + 2 * hour],
    ["text with an offset", "2100-01-01T02:00:00+01:00", now + hour],
    ["text without seconds", "2100-01-01T00:30-02:30", now + 3 * hour],
    ["the year 9999", "9999-12-31T23:59:59Z", 253_402_300_799],
  ])("is read from %s", async (_, expired_at, seconds) => {
    const member = await someone();
    await play(
      harness,
      given(member, { role_level: 2, expired_at }, { new_role_level: 2, expired_at: seconds }),
    );
    expect(told()).toMatchObject({ old: facts(1), new: facts(2, 1, seconds) });
  });

  test.each<[string, unknown]>([
    ["now", now],
    ["a second ago", now - 1],
    ["this moment, in milliseconds", now * 1000 + 999],
    ["1970", 1],
    ["a past text", "2099-12-31T23:59:59Z"],
    ["a text that is past in its zone", "2100-01-01T00:59:59+01:00"],
  ])("does not lie in the past: %s", async (_, expired_at) => {
    await play(harness, refused(bob, { role_level: 2, expired_at }, "expired_at: must lie in the future"));
  });

  const rule = "expired_at: must be ISO 8601 text with a zone, or a whole number of Unix seconds";
  test.each<[string, unknown]>([
    ["a text without a zone", "2100-06-01T00:00:00"],
    ["a day", "2100-06-01"],
    ["digits in a text", String(now + hour)],
    ["no valid day", "2100-02-30T00:00:00Z"],
    ["an empty text", ""],
    ["a word", "never"],
    ["a fraction", now + 0.5],
    ["a negative number", -1],
    ["a number beyond any calendar", 1e300],
    ["a flag", true],
    ["a list", [now + hour]],
    ["an object", {}],
  ])("is not %s", async (_, expired_at) => {
    await play(harness, refused(bob, { role_level: 2, expired_at }, rule));
  });

  test("holds until then and not a second longer, higher or lower", async () => {
    await using other = await openHarness();
    const boss = await addMember(other, "Boss", { level: 3 });
    const raised = await addMember(other, "Raised");
    const lowered = await addMember(other, "Lowered", { level: 2 });
    await giveForAnHour(other, boss, raised, 2);
    await giveForAnHour(other, boss, lowered, 1);
    const seen = () =>
      Promise.all(
        [raised, lowered].map(async ({ authorization }) => {
          const response = await send(other, "GET /api/admin/users", undefined, { authorization });
          return response.status;
        }),
      );
    expect(await seen()).toEqual([200, 403]);
    other.clock.advance(hour - 1);
    expect(await seen()).toEqual([200, 403]);
    other.clock.advance(1);
    expect(await seen()).toEqual([403, 200]);
  });
});

describe("a role", () => {
  test.each([[0], [4], [-1], [1.5], [1e300], ["2"], [null], [undefined], [true], [[2]]])(
    "is not of level %p",
    async (role_level) => {
      await play(harness, refused(bob, { role_level }, "role_level: must be 1, 2 or 3"));
    },
  );

  test.each([[0], [-1], [1.5], [1e300], ["1"], [null], [undefined], [true], [[1]]])(
    "is not given to user %p",
    async (user) => {
      await play(harness, refused(bob, { user, role_level: 2 }, "user: must be a user's id"));
    },
  );

  test("is given to the user of the address alone", async () => {
    for (const user of [chief.account.id, 4711])
      await play(
        harness,
        refused(bob, { user, role_level: 2 }, "user: must be the id of the user in the address"),
      );
  });

  test.each(["id", "name", "mail"] as const)("finds the user by %s", async (by) => {
    const member = await someone();
    const identifier = by === "id" ? member.account.id : member[by];
    const request = `POST /api/admin/user/role/${identifier}`;
    await play(harness, { ...given(member, { role_level: 2 }, { new_role_level: 2 }), request });
  });

  test.each([
    ["Nobody", 404],
    ["4711", 404],
    ["nobody@example.org", 404],
    ["al%00ice", 400],
    ["a".repeat(10_000), 400],
  ])("is not given to %s", async (identifier, status) => {
    const request = `POST /api/admin/user/role/${identifier}`;
    await play(harness, { ...refused(bob, { role_level: 2 }, /./, status), request });
  });

  test.each(badBodies)("is not given by %s", async (_, body, status) => {
    const { json: _json, ...scenario } = refused(bob, {}, /./, status);
    await play(harness, { ...scenario, ...body });
  });

  test("may be had before registration is finished", async () => {
    const member = await someone({ finished: false });
    await play(harness, given(member, { role_level: 3 }, { new_role_level: 3 }));
  });
});

const refuseTransact = () => Promise.reject(new Error("a transaction was begun"));

describe("roles that have ended", () => {
  test("are taken away, and the system audits it", async () => {
    await using other = await openHarness();
    const { services, clock } = other;
    await addMember(other, "Boss", { level: 3 });
    const [raised, lowered] = [
      await addMember(other, "Raised"),
      await addMember(other, "Lowered", { level: 2 }),
    ];
    const later = await addMember(other, "Later");
    const role = (member: Member, level: Level, expiresAt: number) =>
      setLevel(services, commandLine, { account: member.account.id, level, expiresAt });
    await role(raised, 3, now + hour);
    await role(lowered, 1, now + 2 * hour);
    await role(later, 2, now + 2 * hour + 1);
    expect(await expireTemporaryLevels(services)).toBe(0);
    const before = auditOf(other).length;
    clock.advance(2 * hour);
    expect(await expireTemporaryLevels(services)).toBe(2);
    expect(
      auditOf(other)
        .slice(before)
        .map(({ for_account_id: about }) => about),
    ).toEqual([raised.account.id, lowered.account.id]);
    expect(told(other)).toEqual({
      issuer: "system",
      action: "role.expire",
      about: lowered.account.id,
      at: now + 2 * hour,
      old: facts(1, 2, now + 2 * hour),
      new: facts(2),
    });
    expect(await expireTemporaryLevels(services)).toBe(0);
    expect(auditOf(other)).toHaveLength(before + 2);
  });

  test("are audited before another takes their place", async () => {
    await using other = await openHarness();
    const { services, clock } = other;
    const { account } = await addMember(other, "Raised");
    await setLevel(services, commandLine, { account: account.id, level: 2, expiresAt: now + 1 });
    clock.advance(1);
    await setLevel(services, commandLine, { account: account.id, level: 2, expiresAt: now + 2 });
    expect(
      auditOf(other)
        .slice(-2)
        .map(({ issuer, action, detail }) => [issuer, action, JSON.parse(detail)]),
    ).toEqual([
      ["system", "role.expire", { old: facts(2, 1, now + 1), new: facts(1) }],
      ["cli", "role.set", { old: facts(1), new: facts(2, 1, now + 2) }],
    ]);
  });

  test("take no transaction while there are none", async () => {
    const { reads, clock } = harness.services;
    expect(await expireTemporaryLevels({ reads, clock, transact: refuseTransact })).toBe(0);
  });

  test("end in batches, so that no request waits long for the database", async () => {
    await using other = await openHarness();
    const { services, clock } = other;
    await services.transact(system, async ({ accounts }) => {
      for (let index = 0; index < 501; index++) {
        const uuid = crypto.randomUUID() as typeof chief.account.uuid;
        const fixed = {
          uuid,
          mail: null,
          registration: "unconfirmed",
          mailVerified: false,
          passwordHash: null,
          language: "en",
        } as const;
        const { id } = await accounts.insertAccount({ ...fixed, permanentLevel: 1, createdAt: now });
        await accounts.updateAccount(id, {
          permanentLevel: 1,
          temporaryLevel: { level: 2, expiresAt: now + 1 },
        });
      }
    });
    clock.advance(1);
    expect([
      await expireTemporaryLevels(services),
      await expireTemporaryLevels(services),
      await expireTemporaryLevels(services),
    ]).toEqual([500, 1, 0]);
  });
});

/** Somebody's permanent level, and the level of a role for an hour. */
type Standing = { readonly level: Level; readonly role?: Level; readonly finished?: boolean };

const lower = (user: number, more: object = {}) => ({ user, role_level: 1, ...more });

async function openWithTwo() {
  const world = await openHarness();
  const [alpha, beta] = [
    await addMember(world, "Alpha", { level: 3 }),
    await addMember(world, "Beta", { level: 3 }),
  ];
  return { world, alpha, beta };
}

async function addDeputy({ services, ...world }: Harness, standing: Standing | null) {
  if (standing === null) return;
  const { level, role, finished = true } = standing;
  const { account } = await addMember({ services, ...world }, "Deputy", { level, finished });
  if (role === undefined) return;
  await setLevel(services, commandLine, { account: account.id, level: role, expiresAt: now + hour });
}

describe("the last administrator", () => {
  const msg =
    "The last administrator can be neither demoted, suspended nor deleted: make somebody else one for good first";
  const demotions: readonly (readonly [string, string, object])[] = [
    ["a lower level", "PATCH /api/admin/user/Boss", { perms: 2 }],
    ["a lower role", "POST /api/admin/user/role/Boss", { user: 1, role_level: 1 }],
    [
      "a lower role for a while",
      "POST /api/admin/user/role/Boss",
      { user: 1, role_level: 2, expired_at: now + 1 },
    ],
    ["deletion", "DELETE /api/admin/user/Boss", {}],
  ];
  const others: readonly (readonly [string, Standing | null, number])[] = [
    ["there is no other member", null, 409],
    ["another is a moderator", { level: 2 }, 409],
    ["another is one for an hour", { level: 1, role: 3 }, 409],
    ["another is one, but lowered for an hour", { level: 3, role: 1 }, 409],
    ["another is one, but unfinished", { level: 3, finished: false }, 409],
    ["another is one for good", { level: 3 }, 200],
    ["another is one for good and for an hour", { level: 3, role: 3 }, 200],
  ];

  for (const [what, request, json] of demotions) {
    test.each(others)(`${what}, while %s`, async (_, standing, status) => {
      await using world = await openHarness();
      const boss = await addMember(world, "Boss", { level: 3 });
      await addDeputy(world, standing);
      const refusal = status === 409 ? { msg } : {};
      await play(world, { name: "", actor: boss, request, json, status, ...refusal });
    });
  }

  test("may become what is no less", async () => {
    await using world = await openHarness();
    const boss = await addMember(world, "Boss", { level: 3 });
    const same = { ...give(boss, { role_level: 3, expired_at: now + hour }), actor: boss };
    await play(world, { ...same, data: { id: 1, new_role_level: 3, expired_at: now + hour } });
    await play(world, { ...give(boss, { role_level: 3 }), actor: boss, data: { id: 1, new_role_level: 3 } });
    await play(world, {
      name: "",
      actor: boss,
      request: "PATCH /api/admin/user/Boss",
      json: { perms: 3 },
      status: 200,
    });
  });

  test("for a time is kept, too, where no member is one for good", async () => {
    await using world = await openHarness();
    const deputy = await addMember(world, "Deputy");
    await setLevel(world.services, named("service:shop"), {
      account: deputy.account.id,
      level: 3,
      expiresAt: now + hour,
    });
    const shorter = { ...give(deputy, { role_level: 3, expired_at: now + 1 }), actor: deputy };
    await play(world, { ...shorter, status: 409, msg });
    const longer = { ...give(deputy, { role_level: 3, expired_at: now + 2 * hour }), actor: deputy };
    await play(world, { ...longer, data: { id: 1, new_role_level: 3, expired_at: now + 2 * hour } });
  });

  const pairs: readonly (readonly [string, readonly (readonly [string, object])[]])[] = [
    [
      "two demotions",
      [
        ["PATCH /api/admin/user/Alpha", { perms: 1 }],
        ["PATCH /api/admin/user/Beta", { perms: 1 }],
      ],
    ],
    [
      "two lower roles for a while",
      [
        ["POST /api/admin/user/role/Alpha", lower(1, { expired_at: now + hour })],
        ["POST /api/admin/user/role/Beta", lower(2, { expired_at: now + hour })],
      ],
    ],
    [
      "a lower role and a deletion",
      [
        ["POST /api/admin/user/role/Beta", lower(2)],
        ["DELETE /api/admin/user/Alpha", {}],
      ],
    ],
    [
      "two deletions",
      [
        ["DELETE /api/admin/user/Alpha", {}],
        ["DELETE /api/admin/user/Beta", {}],
      ],
    ],
  ];

  test.each(pairs)("is left by %s at once", async (_, requests) => {
    const { world } = await openWithTwo();
    await using _closing = world;
    const deputy = await addMember(world, "Deputy");
    await setLevel(world.services, commandLine, {
      account: deputy.account.id,
      level: 3,
      expiresAt: now + hour,
    });
    const { authorization } = deputy;
    const sent = requests.map(([request, json]) => send(world, request, json, { authorization }));
    expect(await statusesOf(sent)).toEqual([200, 409]);
  });

  test.each(pairs)("is left by two who do it to each other: %s", async (_, [first, second]) => {
    const { world, alpha, beta } = await openWithTwo();
    await using _closing = world;
    const [toAlpha, toBeta] = first![0].endsWith("Alpha") ? [first!, second!] : [second!, first!];
    const sent = [
      send(world, ...toBeta, { authorization: alpha.authorization }),
      send(world, ...toAlpha, { authorization: beta.authorization }),
    ];
    // Who comes second is an administrator no more, or else the last one.
    const [done, refusal] = await statusesOf(sent);
    expect([done, [401, 403, 409].includes(refusal!)]).toEqual([200, true]);
    const users = [alpha, beta].map(({ authorization }) =>
      send(world, "PATCH /api/admin/user/Nobody", { perms: 1 }, { authorization }),
    );
    // An administrator learns that no user has this name.
    expect((await statusesOf(users)).filter((status) => status === 404)).toHaveLength(1);
  });

  test("cannot be deleted from the command line either", async () => {
    await using world = await openHarness();
    await addMember(world, "Boss", { level: 3 });
    expect(
      await deleteAccount(world.services, commandLine, "Boss").catch((error: unknown) => error),
    ).toMatchObject({
      kind: "conflict",
      message: msg,
    });
  });
});

async function giveForAnHour(world: Harness, actor: Member, member: Member, level: Level) {
  const json = { role_level: level, expired_at: now + hour };
  const data = { new_role_level: level, expired_at: now + hour };
  await play(world, { ...given(member, json, data), actor });
}
