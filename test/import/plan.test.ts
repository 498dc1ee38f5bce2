/*
 * What an import decides of each record, rule by rule: lists go through the program, which shows its plan.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openPlanWorld, type Line, type PlanWorld, md5, fine } from "./plan-world.ts";

let world: PlanWorld;
beforeAll(async () => {
  world = await openPlanWorld();
  const user = (name: string, ...more: readonly string[]) =>
    world.cli(
      "user",
      "create",
      "--username",
      name,
      "--mail",
      `${name}@here.org`,
      "--password",
      "quiet harbour 7",
      ...more,
    );
  await user("Here");
  const stranger = ["--mail", "stranger@here.org", "--password", "quiet harbour 7", "--unverified"];
  await world.cli("user", "create", ...stranger);
});
afterAll(() => world[Symbol.asyncDispose]());

const uuid = (digit: string, version = "4") => `${digit.repeat(8)}-1111-${version}111-8111-111111111111`;

type Case = readonly [
  name: string,
  lines: readonly Line[],
  flags: readonly string[],
  decided: readonly string[],
];

const names: readonly Case[] = [
  ["a new account", [fine("Ada")], [], ["account create Ada", "player create Ada"]],
  [
    "a name that is here, in any case: who is here keeps it",
    [fine("HERE")],
    [],
    [
      "account create HERE -> HERE_2: the name that it signs in by is taken",
      "player rename HERE -> HERE_2: the name is taken here",
    ],
  ],
  [
    "the same, left out",
    [fine("here")],
    ["--on-name-clash", "skip", "--on-no-player", "skip"],
    ["player skip here: the name is taken here", "account skip here: it has no player"],
  ],
  [
    "one name of two: who was seen last has it",
    [fine("Ada", { last_seen: 5 }), fine("ada", { last_seen: 9, mail: "b@example.org" })],
    [],
    [
      "account create Ada -> Ada_2: the name that it signs in by is taken",
      "player rename Ada -> Ada_2: another player there has the name",
      "account create ada",
      "player create ada",
    ],
  ],
  [
    "one name of three: else the older one",
    [fine("Ada"), fine("ada", { mail: null }), fine("ADA", { mail: null }), fine("ada_2", { mail: null })],
    ["--on-no-mail", "keep"],
    [
      "account create Ada",
      "player create Ada",
      "account create ada -> ada_3: it has no mail address: it comes without; the name that it signs in by is taken",
      "player rename ada -> ada_3: another player there has the name",
      "account create ADA -> ADA_4: it has no mail address: it comes without; the name that it signs in by is taken",
      "player rename ADA -> ADA_4: another player there has the name",
      "account create ada_2: it has no mail address: it comes without",
      "player create ada_2",
    ],
  ],
  [
    "names that cannot be one here",
    [
      fine("Игрок", { mail: "a@example.org" }),
      fine("admin", { mail: "b@example.org" }),
      fine("Bob'); DROP TABLE accounts;--", { mail: "c@example.org" }),
    ],
    [],
    [
      "account create Игрок -> Igrok",
      "player rename Игрок -> Igrok: the name is reserved or outside USERNAME_PATTERN",
      "account create admin -> admin2",
      "player rename admin -> admin2: the name is reserved or outside USERNAME_PATTERN",
      "account create Bob'); DROP TABLE accounts;-- -> Bob_DROP_TABLE_a",
      "player rename Bob'); DROP TABLE accounts;-- -> Bob_DROP_TABLE_a: the name is reserved or outside USERNAME_PATTERN",
    ],
  ],
  [
    "the same, asked",
    [fine("admin")],
    ["--on-bad-name", "ask"],
    [
      "player ask admin: the name is reserved or outside USERNAME_PATTERN: --on-bad-name says what to do",
      "account create admin -> admin@example.org: it chooses a name when it signs in",
    ],
  ],
  [
    "a long name with a number: it is cut",
    [fine("Sixteen_letters_"), fine("sixteen_letters_", { mail: null })],
    [],
    [
      "account create Sixteen_letters_",
      "player create Sixteen_letters_",
      "account create sixteen_letters_ -> sixteen_letter_2: it has no mail address: it comes without; the name that it signs in by is taken",
      "player rename sixteen_letters_ -> sixteen_letter_2: another player there has the name",
    ],
  ],
];

const mails: readonly Case[] = [
  [
    "an address of an account here",
    [fine("Ada", { mail: "HERE@here.org" })],
    [],
    ["account create Ada: an account here has its address: it comes without", "player create Ada"],
  ],
  [
    "an address that an account here has not confirmed gives way to a confirmed one",
    [fine("Ada", { mail: "stranger@here.org" })],
    [],
    ["account create Ada", "player create Ada"],
  ],
  ...(["skip", "ask"] as const).map((rule): Case => [
    `an address of an account here: ${rule}`,
    [fine("Ada", { mail: "here@here.org" })],
    ["--on-mail-clash", rule],
    [
      rule === "skip"
        ? "account skip here@here.org: an account here has its address"
        : "account ask Ada: an account here has its address: --on-mail-clash says what to do",
      "player skip Ada: its account does not come",
    ],
  ]),
  [
    "one address of two: who was seen last has it",
    [
      fine("Ada", { mail: "x@example.org", last_seen: 1 }),
      fine("Bob", { mail: "X@example.org", last_seen: 2 }),
    ],
    [],
    [
      "account create Ada: another account there has its address: it comes without",
      "player create Ada",
      "account create Bob",
      "player create Bob",
    ],
  ],
  [
    "one confirmed address of two, joined",
    [fine("Ada", { mail: "x@example.org" }), fine("Bob", { mail: "X@example.org" })],
    ["--on-mail-clash", "merge"],
    [
      "account merge Bob -> Ada: its players join the account that has its address",
      "account create Ada",
      "player create Ada",
      "player create Bob",
    ],
  ],
  [
    "one address of two, one of which is not confirmed: not joined",
    [fine("Ada", { mail: "x@example.org" }), fine("Bob", { mail: "X@example.org", mail_verified: false })],
    ["--on-mail-clash", "merge"],
    [
      "account create Ada",
      "player create Ada",
      "account create Bob: another account there has its address: it comes without",
      "player create Bob",
    ],
  ],
  [
    "addresses that cannot be one",
    [fine("Ada", { mail: "your@email.com" }), fine("Bob", { mail: "no\naddress" })],
    [],
    [
      "account create Ada: it has no mail address: it comes without",
      "player create Ada",
      "account create Bob: its mail address cannot be one: it comes without",
      "player create Bob",
    ],
  ],
  [
    "the same, left out",
    [fine("Ada", { mail: "" })],
    ["--on-no-mail", "skip"],
    ["account skip Ada: it has no mail address", "player skip Ada: its account does not come"],
  ],
];

const others: readonly Case[] = [
  [
    "a uuid that games do not take",
    [fine("Ada", { uuid: uuid("1", "7") })],
    [],
    ["account create Ada", "player create Ada: games take no uuid like its own: it gets a new one"],
  ],
  [
    "one uuid of two",
    [fine("Ada", { uuid: uuid("1") }), fine("Bob", { uuid: uuid("1") })],
    [],
    [
      "account create Ada",
      "player create Ada",
      "account create Bob",
      "player create Bob: another player there has its uuid: it gets a new one",
    ],
  ],
  [
    "staff",
    [fine("Ada", { level: 3 })],
    [],
    ["account create Ada: it is staff there and comes as a player", "player create Ada"],
  ],
  [
    "staff that stays",
    [fine("Ada", { level: 3 })],
    ["--staff", "keep"],
    ["account create Ada: it is staff there and comes with level 3", "player create Ada"],
  ],
  [
    "a person without a player",
    [{ mail: "nobody@example.org" }],
    [],
    ["account create nobody@example.org: it chooses a name when it signs in"],
  ],
  [
    "a password of a form that several kinds have",
    [fine("Ada", { password_hash: md5 })],
    [],
    [expect.stringMatching(/^account ask Ada: .*--password-kind/)],
  ],
  [
    "the same with its kind",
    [fine("Ada", { password_hash: md5 })],
    ["--password-kind", "md5"],
    ["account create Ada", "player create Ada"],
  ],
  [
    "a skin that is missing",
    [fine("Ada", { skin: "gone.png" })],
    [],
    ["account create Ada", "skin skip gone: its file is missing", "player create Ada"],
  ],
];

describe.each([
  ["names", names],
  ["addresses", mails],
  ["uuids, staff and passwords", others],
])("%s:", (_, cases) => {
  test.each(cases)("%s", async (_name, lines, flags, decided) => {
    expect(await world.plan(lines, ...flags)).toEqual([...decided]);
  });
});

test("asks end with 1 and name the flag; nothing is applied", async () => {
  const { code, error } = await world.import([fine("Ada", { password_hash: md5 })]);
  expect([code, error]).toEqual([1, expect.stringContaining("--password-kind")]);
  expect((await world.cli("user", "list")).out).not.toContain("Ada");
});

test("a uuid that an account here has is asked, and left out where a flag says so", async () => {
  const { out } = await world.cli("user", "show", "Here", "--json");
  const lines = [fine("Ada", { uuid: JSON.parse(out).uuid })];
  expect((await world.plan(lines))[0]).toBe(
    "player ask Ada: an account here has or had its uuid: --on-uuid-clash skip leaves it out",
  );
  expect((await world.plan(lines, "--on-uuid-clash", "skip"))[0]).toBe(
    "player skip Ada: an account here has or had its uuid",
  );
});

test("only the first accounts come with --limit", async () => {
  expect(await world.plan([fine("Ada"), fine("Bob"), fine("Eve")], "--limit", "2")).toEqual([
    "account create Ada",
    "player create Ada",
    "account create Bob",
    "player create Bob",
  ]);
});
