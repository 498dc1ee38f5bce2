/* What a plan makes of wardrobes, capes, connections and everything else that lists do not have. */
import { describe, expect, test } from "bun:test";
import type { AccountId, PlayerId, TextureHash } from "../../src/kernel/ids.ts";
import { newUuid } from "../../src/kernel/ids.ts";
import { capePng, skinPng, slimSkinPng } from "../support/textures.ts";
import { offlineUuid } from "../../src/domain/model/player-uuid.ts";
import { account, holding, planOf, player, settings, texture, type Records } from "./fake-source.ts";

/** The decisions of some kinds. */
const about = (decided: readonly string[], ...kinds: readonly string[]) =>
  decided.filter((line) => kinds.includes(line.split(" ")[0] ?? ""));

const dressed: Records = {
  accounts: [account("u1"), account("u2")],
  players: [player("Ada", "u1", { skin: "t1", cape: "c1" }), player("Bob", "u2", { skin: "t1" })],
  textures: [
    texture("t1", "skin"),
    texture("t2", "skin"),
    texture("c1", "cape"),
    texture("c2", "cape"),
    texture("c3", "cape"),
  ],
  holdings: [
    holding("u1", "t1", { name: "Mine" }),
    holding("u1", "t2"),
    holding("u2", "c2"),
    holding("u1", "t2"),
  ],
  files: { t1: skinPng(1), t2: slimSkinPng(2), c1: capePng(3), c2: capePng(3), c3: capePng(4) },
};

test("skins come for each account, worn ones first, and capes once for each picture", async () => {
  const { decided, accounts, capes, textures } = await planOf(dressed);
  expect(about(decided, "skin", "cape", "grant")).toEqual([
    "cape create c1",
    "cape merge c2 -> c1: another cape there has the same picture",
    "cape skip c3: no account that comes has it",
    "skin create u1/t1",
    "skin create u1/t2",
    "grant create u1/c1",
    "skin create u2/t1",
    "grant create u2+c2",
  ]);
  expect(capes.map(({ key, also, name }) => ({ key, also, name }))).toEqual([
    { key: "c1", also: ["c2"], name: "c1" },
  ]);
  expect(textures).toHaveLength(3);
  expect(
    accounts.map(({ key, grants, players, skins }) => ({
      key,
      grants,
      players: players.map(({ name, skin, cape }) => ({ name, skin, cape })),
      skins: skins.map(({ key: skin, name, model }) => [skin, name, model]),
    })),
  ).toEqual([
    {
      key: "u1",
      grants: ["c1"],
      players: [{ name: "Ada", skin: "u1/t1", cape: "c1" }],
      skins: [
        ["u1/t1", "Mine", "classic"],
        ["u1/t2", "t2", "slim"],
      ],
    },
    {
      key: "u2",
      grants: ["c1"],
      players: [{ name: "Bob", skin: "u2/t1", cape: null }],
      skins: [["u2/t1", "t1", "classic"]],
    },
  ]);
});

test("each step says how far it is, and may be ended there", async () => {
  const { steps } = await planOf(dressed);
  expect(steps).toEqual([
    "reading accounts",
    "reading players",
    "comparing addresses",
    "comparing names",
    "renaming players",
    "comparing uuids",
    "comparing old names",
    "looking at players",
    "reading textures",
    "planning accounts",
  ]);
});

test("no capes with --capes skip", async () => {
  const { decided, accounts, capes } = await planOf(dressed, { rules: { capes: "skip" } });
  expect(about(decided, "cape", "grant")).toEqual(
    ["c1", "c2", "c3"].map((key) => `cape skip ${key}: left out, as --capes says`),
  );
  expect([capes, accounts.flatMap(({ grants }) => grants)]).toEqual([[], []]);
});

const wearingModel = (
  skin: Partial<Parameters<typeof texture>[2]>,
  file: Uint8Array,
  more: Partial<Parameters<typeof player>[2]> = {},
): Records => ({
  accounts: [account("u1")],
  players: [player("Ada", "u1", { skin: "t1", ...more })],
  textures: [texture("t1", "skin", skin)],
  files: { t1: file },
});

describe("the model of a skin:", () => {
  test.each([
    [
      "the declared one wins over the pixels",
      wearingModel({ model: "classic" }, slimSkinPng(1)),
      "u1/t1",
      "classic",
    ],
    ["else the pixels say it", wearingModel({}, slimSkinPng(1)), "u1/t1", "slim"],
    [
      "64x32 pixels are classic",
      wearingModel({ model: "slim" }, skinPng(1, { height: 32 })),
      "u1/t1",
      "classic",
    ],
    [
      "a player's own wins",
      wearingModel({ model: "classic" }, skinPng(1), { skinModel: "slim" }),
      "u1/t1/slim",
      "slim",
    ],
    [
      "a player's own and 64x32 pixels",
      wearingModel({}, skinPng(1, { height: 32 }), { skinModel: "slim" }),
      "u1/t1/slim",
      "classic",
    ],
  ] as const)("%s", async (_, records, key, model) => {
    const { accounts } = await planOf(records);
    expect(accounts.flatMap(({ skins }) => skins.map((skin) => [skin.key, skin.model]))).toEqual([
      [key, model],
    ]);
  });
});

const wearing = (file: Uint8Array | null): Records => ({
  accounts: [account("u1")],
  players: [player("Ada", "u1", { skin: "t1" })],
  textures: [texture("t1", "skin")],
  ...(file !== null && { files: { t1: file } }),
});

const bannedTextures = async (hashes: readonly TextureHash[]) => new Set(hashes);

describe("textures that do not come:", () => {
  test.each([
    ["a missing file", wearing(null), "its file is missing"],
    ["an empty file", wearing(new Uint8Array()), "PNG"],
    ["another size", wearing(capePng(1, { width: 22, height: 17 })), "22x17"],
    ["too wide", wearing(skinPng(1, { width: 128, height: 128 })), "64"],
    ["a texture that is not there", { ...wearing(null), textures: [] }, "the texture is not there"],
  ])("%s", async (_, records, reason) => {
    const { decided, accounts } = await planOf(records);
    expect(about(decided, "skin")).toEqual([expect.stringContaining(reason)]);
    expect(accounts.map(({ skins, players }) => [skins, players.map(({ skin }) => skin)])).toEqual([
      [[], [null]],
    ]);
  });

  test("one that is banned here", async () => {
    const records = wearing(skinPng(1));
    const { decided } = await planOf(records, { here: { bannedTextures } });
    expect(about(decided, "skin")).toEqual(["skin skip u1/t1: it is banned here"]);
  });

  test("too wide, but made smaller with --downscale", async () => {
    const { textures } = await planOf(wearing(skinPng(1, { width: 128, height: 128 })), {
      rules: { downscales: true },
    });
    expect(textures.map(({ width, height }) => [width, height])).toEqual([[64, 64]]);
  });
});

test("of a wardrobe over its limit the worn and the newest skins come with --wardrobe-newest", async () => {
  const records: Records = {
    accounts: [account("u1")],
    players: [player("Ada", "u1", { skin: "t1" })],
    textures: ["t1", "t2", "t3"].map((key) => texture(key, "skin")),
    holdings: [
      holding("u1", "t1", { addedAt: 1 }),
      holding("u1", "t2", { addedAt: 2 }),
      holding("u1", "t3", { addedAt: 3 }),
    ],
    files: { t1: skinPng(1), t2: skinPng(2), t3: skinPng(3) },
  };
  expect(about((await planOf(records)).decided, "skin")).toHaveLength(3);
  expect(about((await planOf(records, { rules: { wardrobeNewest: true } })).decided, "skin")).toEqual([
    "skin create u1/t1",
    "skin skip u1/t2: the wardrobe is over WARDROBE_MAX, as --wardrobe-newest says",
    "skin create u1/t3",
  ]);
});

test("rows that point to nothing are left out, and the others come", async () => {
  const { decided } = await planOf({
    accounts: [account("u1"), account("u1")],
    players: [player("Ada", "u1"), player("Ada", "u1"), player("Eve", "gone")],
    holdings: [holding("gone", "t1"), holding("u1", "t9")],
    identities: [{ key: "i1", account: "gone", issuer: "x", subject: "y", username: null }],
  });
  expect(decided).toEqual([
    "account skip u1: another record there has the same key",
    "player skip Eve: its account is not there",
    "player skip Ada: another record there has the same key",
    "identity skip i1: its account is not there",
    "skin skip gone+t1: its account is not there",
    "skin skip u1+t9: the texture is not there",
    "account create u1 -> Ada",
    "player create Ada -> Ada",
  ]);
});

test("one connection of each account comes, of the provider of these settings", async () => {
  const issuer = "https://id.example.org";
  const identity = (key: string, owner: string, more = {}) => ({
    key,
    account: owner,
    issuer,
    subject: key,
    username: null,
    ...more,
  });
  const { decided, accounts } = await planOf(
    {
      accounts: [account("u1"), account("u2"), account("u3")],
      identities: [
        identity("i1", "u1", { issuer: "https://other.example.org" }),
        identity("i2", "u1"),
        identity("i3", "u1"),
        identity("i4", "u2", { subject: "i2" }),
        identity("i5", "u3"),
      ],
    },
    { here: { takenIdentities: async () => [{ issuer, subject: "i5", account: 7 as AccountId }] } },
  );
  expect(about(decided, "identity")).toEqual([
    "identity skip i1: its provider is not the one of SOCIAL_OIDC_ISSUER",
    "identity create i2 -> i2",
    "identity skip i3: an account has one connection",
    "identity skip i4: another account there has this connection",
    "identity skip i5: an account here has this connection",
  ]);
  expect(accounts.map(({ identity: one }) => one?.subject ?? null)).toEqual(["i2", null, null]);
});

test("a connection without a provider here: which settings are missing", async () => {
  const identity = {
    key: "i1",
    account: "u1",
    issuer: "https://id.example.org",
    subject: "1",
    username: null,
  };
  const { decided } = await planOf(
    { accounts: [account("u1")], identities: [identity] },
    { rules: { settings: { ...settings, oidcIssuer: null } } },
  );
  expect(about(decided, "identity")).toEqual([
    "identity skip i1: no OpenID Connect provider is set here: SOCIAL_PROVIDERS and SOCIAL_OIDC_ISSUER",
  ]);
});

test("a uuid by a rule that is taken: the player is named, because its things are kept by uuid", async () => {
  const uuid = offlineUuid("Ada");
  const { decided } = await planOf(
    {
      accounts: [account("u1"), account("u2")],
      players: [player("Ada", "u1"), player("ada", "u2", { key: "p2" }), player("Bob", "u2", { uuid })],
      facts: { uuidRule: "offline" },
    },
    { here: { takenUuids: async () => [{ uuid: offlineUuid("ada"), account: 7 as AccountId }] } },
  );
  expect(about(decided, "player")).toEqual([
    "player create Ada -> Ada",
    "player rename p2 -> ada_2: another player there has the name; an account here has or had the uuid of its name: it gets a new one",
    "player create Bob -> Bob: another player there has its uuid: it gets a new one",
  ]);
});

test("second factors and invitations are named", async () => {
  const { decided } = await planOf({
    accounts: [account("u1")],
    factors: [{ key: "f1", account: "u1" }],
    invites: [{ key: "v1" }],
  });
  expect(about(decided, "factor", "invite")).toEqual([
    "factor skip f1: second factors are not kept yet",
    "invite skip v1: invitations are not kept yet",
  ]);
});

test("a login that is no player's name, and a name that cannot be one here, stay for signing in", async () => {
  const { accounts } = await planOf({
    accounts: [
      account("u1", { login: "ada_login" }),
      account("u2", { login: "bob@example.org" }),
      account("u3", { login: "ADA" }),
      account("u4", { login: "Eve" }),
    ],
    players: [player("Ada", "u1"), player("Игрок", "u2"), player("p3", "u3"), player("Eve", "u4")],
  });
  expect(accounts.map(({ aliases }) => aliases)).toEqual([["ada_login"], ["Игрок"], [], []]);
});

test("the main player is the one of the login, else the oldest", async () => {
  const { accounts } = await planOf({
    accounts: [account("u1", { login: "third" }), account("u2")],
    players: [
      player("first", "u1", { createdAt: 1 }),
      player("third", "u1", { createdAt: 3 }),
      player("young", "u2", { createdAt: 9 }),
      player("older", "u2", { createdAt: 2 }),
      player("unknown", "u2"),
    ],
  });
  expect(accounts.map(({ players }) => players.map(({ name }) => name))).toEqual([
    ["third", "first"],
    ["older", "young", "unknown"],
  ]);
});

test("people that are banned there come suspended, with a reason", async () => {
  const suspended = { until: null, reason: "" };
  const { decided, accounts } = await planOf({
    accounts: [
      account("u1", { suspended }),
      account("u2", { suspended: { until: 5, reason: "over" } }),
      account("u3", { suspended: { until: null, reason: "two\nlines\u0000" } }),
    ],
  });
  expect(accounts.map(({ suspension }) => suspension)).toEqual([
    { until: null, reason: "came over from blessing" },
    null,
    { until: null, reason: "two lines\uFFFD" },
  ]);
  expect(decided[0]).toContain("it is banned there and comes suspended");
});

test("languages, times and levels", async () => {
  const { accounts } = await planOf(
    {
      accounts: [
        account("u1", { language: "zh_CN", createdAt: null, level: 3 }),
        account("u2", { language: "russian", createdAt: 9e9, lastSeenAt: 9e9 }),
      ],
      players: [player("Ada", "u1", { createdAt: 500 })],
    },
    { rules: { staff: "keep" } },
  );
  expect(
    accounts.map(({ account: one }) => [one?.language, one?.createdAt, one?.lastSeenAt, one?.level]),
  ).toEqual([
    ["zh-Hans", 500, null, 3],
    ["en", 2_000_000_000, 2_000_000_000, 1],
  ]);
});

test("what another cloakroom says of an account is kept within bounds", async () => {
  const own = {
    registration: "complete",
    wantsBulkMail: true,
    temporaryLevel: { level: 3, expiresAt: 3_000_000_000 },
    deleteAt: null,
    aliases: [],
    suspension: { issuer: "a\0\ud800", at: 5 },
  } as const;
  const suspended = { until: null, reason: `${"r".repeat(499)}\u{1F600}` };
  const records = {
    accounts: [account("u1", { own, suspended, playersMax: 1_000_000 })],
    players: [player("Ada", "u1")],
  };
  const { accounts, decided } = await planOf(records, { rules: { staff: "keep" } });
  expect(accounts[0]).toMatchObject({
    account: { playersMax: 100, own: { suspension: { issuer: "a\uFFFD\uFFFD" } } },
    suspension: { reason: `${"r".repeat(499)}\uFFFD` },
  });
  // Rights are named, also those that end.
  expect(decided[0]).toContain("it is staff there and comes with level 3");
});

const adaUuid = newUuid();
const adaHere = (showsSkin: boolean) => async () => [
  { id: 3 as PlayerId, account: 2 as AccountId, name: "Ada", uuid: adaUuid, showsSkin },
];

describe("a source about others' players", () => {
  const folder: Records = {
    facts: { isAboutOthers: true },
    players: [
      player("ADA", null, { skin: "t1" }),
      player("Eve", null, { skin: "t1" }),
      player("f3", null, { name: "", uuid: adaUuid, cape: "c1" }),
    ],
    textures: [texture("t1", "skin"), texture("c1", "cape")],
    files: { t1: skinPng(1), c1: capePng(1) },
  };

  test("dresses players that are here, by name or uuid", async () => {
    const { decided, accounts } = await planOf(folder, { here: { players: adaHere(false) } });
    expect(about(decided, "account", "player")).toEqual([
      "player skip Eve: no player here has this name or uuid",
      "player match ADA -> Ada",
      "player match f3 -> Ada",
    ]);
    expect(
      accounts.map(({ id, account: one, players, grants }) => ({
        id: Number(id),
        one,
        players: players.map(({ id: of, name, skin, cape }) => [Number(of), name, skin, cape]),
        grants,
      })),
    ).toEqual([
      {
        id: 2,
        one: null,
        grants: ["c1"],
        players: [[3, "Ada", "here:2/t1", "c1"]],
      },
    ]);
  });

  test("leaves the skin that a player shows here", async () => {
    const { accounts } = await planOf(folder, { here: { players: adaHere(true) } });
    expect(
      accounts.map(({ players, skins }) => [players.map(({ skin, cape }) => [skin, cape]), skins.length]),
    ).toEqual([[[[null, null]], 1]]);
  });
});

test("an account without an end of players and skins comes in part", async () => {
  const keys = Array.from({ length: 1001 }, (_, index) => `p${index}`);
  const skins = Array.from({ length: 10_001 }, (_, index) => `t${index}`);
  const { decided, accounts } = await planOf({
    accounts: [account("u1")],
    players: keys.map((key) => player(key, "u1")),
    textures: skins.map((key) => texture(key, "skin")),
    holdings: skins.map((key) => holding("u1", key)),
  });
  expect(accounts.map(({ players }) => players.length)).toEqual([1000]);
  expect(decided).toContain("player skip p1000: an account has 1000 players at most");
  expect(decided).toContain("skin skip u1/t10000: an account has 10000 skins at most");
});
