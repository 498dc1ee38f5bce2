/** What mods and old clients read by a player's name (docs/contract/skin-mods.md). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createPublicKey, verify } from "node:crypto";
import { decodePng } from "../../src/render/png-decode.ts";
import { legacySheet } from "../../src/render/legacy-sheet.ts";
import { reduce } from "../../src/render/reduce.ts";
import { caching, dashless } from "../support/delivery-world.ts";
import { openHarness, publicUrl, type Harness } from "../support/harness.ts";
import {
  addMember,
  addPlayer,
  addSkin,
  allowPlayers,
  edit,
  grantCape,
  wearCape,
  type Member,
} from "../support/members.ts";
import { bitmapHash, capePng, sha256, skinBitmap, skinPng } from "../support/textures.ts";

const settings = { USERNAME_PATTERN: "^[\\p{L}\\p{N}_.]{2,32}$", NAME_HOLD_DAYS: "0", RENAME_HOURS: "0" };
let harness: Harness;
let anna: Member;
let bare: Member;
let cape: { readonly hash: string; readonly wings: string };
const slimSkin = bitmapHash(skinBitmap(1));
const oldSkin = bitmapHash(skinBitmap(2, { width: 64, height: 32 }));

beforeAll(async () => {
  harness = await openHarness({ settings });
  anna = await addMember(harness, "Anna");
  const skin = await addSkin(harness, anna, { file: skinPng(1), slim: "true" });
  const granted = await grantCape(harness, [anna], capePng(1, { width: 128, height: 64, wings: true }));
  await wearCape(harness, anna, skin, granted);
  await wear(anna, skin);
  cape = { hash: granted.texture.hash, wings: granted.wingsHash ?? "" };
  bare = await addMember(harness, "Bare");
  // Not the main player of its account.
  const boris = await addMember(harness, "Boris");
  await allowPlayers(harness, boris);
  const player = await addPlayer(harness, boris, "Борис");
  const skinid = await addSkin(harness, boris, { file: skinPng(2, { width: 64, height: 32 }) });
  await edit(harness, boris, `PATCH /api/home/players/${player.uuid}`, { skinid });
});
afterAll(() => harness[Symbol.asyncDispose]());

const wear = (member: Member, skinid: string) =>
  edit(harness, member, "POST /api/home/edit/skin/select", { skinid });
const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  harness.fetch(path, { headers });
const json = async (path: string): Promise<unknown> => (await get(path)).json();
const encoded = encodeURIComponent("Борис");
const textureUrl = (hash: string) => `${publicUrl}/textures/${hash}`;

/** The pixels that an address answers with. */
async function pixels(path: string) {
  const bytes = await (await get(path)).bytes();
  const { width, height, data } = await decodePng(bytes, { widthMax: 1024, heightMax: 1024, bytesMax: 1e6 });
  return { width, height, data: [...data] };
}

const profiles = {
  anna: () => ({
    username: "Anna",
    textures: { slim: slimSkin, cape: cape.hash, elytra: cape.wings },
    skins: { slim: slimSkin },
    cape: cape.hash,
  }),
  bare: () => ({ username: "Bare", textures: {}, skins: {} }),
  boris: () => ({ username: "Борис", textures: { default: oldSkin }, skins: { default: oldSkin } }),
};

describe("CustomSkinAPI", () => {
  test.each<[string, keyof typeof profiles]>([
    ["/csl/Anna.json", "anna"],
    ["/csl/aNNA.json", "anna"],
    ["/Anna.json", "anna"],
    ["/anna.json", "anna"],
    ["/csl/Bare.json", "bare"],
    [`/csl/${encoded}.json`, "boris"],
    [`/${encodeURIComponent("борис")}.json`, "boris"],
  ])("answers %s with both revisions in one", async (path, player) => {
    expect(await json(path)).toEqual(profiles[player]());
  });

  test("knows every player of an account", async () => {
    await allowPlayers(harness, bare);
    await addPlayer(harness, bare, "Second.json");
    expect(await json("/csl/second.json.json")).toEqual({ ...profiles.bare(), username: "Second.json" });
  });

  test("may be kept for a minute, and is answered 304 when a client has it", async () => {
    const path = "/csl/ANNA.json";
    const first = await get(path);
    const etag = first.headers.get("etag") ?? "";
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "cache-control": caching.follows,
      "content-type": "application/json; charset=utf-8",
      "access-control-allow-origin": "*",
      "last-modified": new Date(harness.clock.nowSeconds() * 1000).toUTCString(),
    });
    // As CustomSkinLoader asks again.
    const since = "Thu, 01 Jan 1970 00:00:00 GMT";
    const again = await get(path, { "if-none-match": etag, "if-modified-since": since });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  test("shows a change at once", async () => {
    const member = await addMember(harness, "Changer");
    const empty = { username: "Changer", textures: {}, skins: {} };
    for (const path of ["/csl/Changer.json", "/Changer.json"]) expect(await json(path)).toEqual(empty);
    await wear(member, await addSkin(harness, member, { file: skinPng(3), slim: "false" }));
    const default_ = bitmapHash(skinBitmap(3));
    const changed = { username: "Changer", textures: { default: default_ }, skins: { default: default_ } };
    for (const path of ["/csl/Changer.json", "/Changer.json"]) expect(await json(path)).toEqual(changed);
    await edit(harness, member, "PATCH /api/home/edit/username", {
      username: "Changed",
      password: member.password,
    });
    for (const path of ["/csl/Changer.json", "/Changer.json"]) expect((await get(path)).status).toBe(404);
    expect(await json("/Changed.json")).toEqual({ ...changed, username: "Changed" });
  });

  test("does not stand in for what is really there, or is not there at all", async () => {
    expect((await get("/swagger")).headers.get("content-type")).toStartWith("text/html");
    expect(await json("/swagger/json")).toMatchObject({ openapi: "3.1.1" });
    expect((await get("/health/live")).status).toBe(200);
    const nothing = { error: true, msg: "There is nothing at this address", url: null, data: {} };
    for (const path of ["/robots.txt", "/Anna", "/Anna.JSON", "/%ff", "/api", "/swagger.json/x"]) {
      const response = await get(path);
      expect([path, response.status, await response.json()]).toEqual([path, 404, nothing]);
    }
    const other = await harness.fetch("/Anna", { method: "POST" });
    expect([other.status, await other.json()]).toEqual([404, nothing]);
  });

  test("is no route to the log where only an unknown address was asked for", async () => {
    harness.takeRequests();
    await get("/robots.txt");
    await get("/Anna.json?unremembered");
    expect(harness.takeRequests().map(({ route }) => route)).toEqual(["unknown", "/:name.json"]);
  });
});

/** What UniSkinMod reads of Anna. */
const uniProfile = () => ({
  player_name: "Anna",
  last_update: harness.clock.nowSeconds(),
  uuid: dashless(anna.uuid),
  model_preference: ["slim"],
  skins: { slim: slimSkin },
  cape: cape.hash,
});

describe("UniSkinAPI", () => {
  test.each([
    () => "/usm/Anna.json",
    () => "/usm/anna.json",
    () => `/usm/Anna.${anna.uuid}.json`,
    () => `/usm/ANNA.${dashless(anna.uuid).toUpperCase()}.json`,
  ])("answers a player, also with the UUID: %#", async (path) => {
    expect(await json(path())).toEqual(uniProfile());
  });

  test("has no skins and no cape for a player without them", async () => {
    expect(await json("/usm/Bare.json")).toEqual({
      player_name: "Bare",
      last_update: harness.clock.nowSeconds(),
      uuid: dashless(bare.uuid),
      model_preference: ["default"],
      skins: {},
    });
  });

  test("refuses another player's UUID", async () => {
    const response = await get(`/usm/Anna.${bare.uuid}.json`);
    expect([response.status, await response.json()]).toEqual([
      400,
      { errno: 2, msg: "uuid: this player has another one" },
    ]);
  });
});

describe.each(["/csl/textures/", "/usm/textures/"])("%s", (folder) => {
  test("has the skin, the cape and its wings, whatever the suffix", async () => {
    for (const hash of [slimSkin, cape.hash, cape.wings]) {
      const file = sha256(await (await get(`/textures/${hash}`)).bytes());
      for (const suffix of ["", ".png", ".PNG", ".a.b"]) {
        const response = await get(`${folder}${hash}${suffix}`);
        expect(response.headers.get("cache-control")).toBe(caching.immutable);
        expect(sha256(await response.bytes())).toBe(file);
      }
    }
  });

  test.each(["0".repeat(64), "x", slimSkin.toUpperCase(), "%ff", "%00", `${slimSkin}%2f..`])(
    "answers 404 for %s",
    async (id) => {
      const response = await get(`${folder}${id}`);
      expect([response.status, await response.json()]).toEqual([
        404,
        { errno: 404, msg: "No texture has this hash" },
      ]);
    },
  );
});

describe("Ely", () => {
  test.each([
    [
      "Anna",
      () => ({
        SKIN: { url: textureUrl(slimSkin), metadata: { model: "slim" } },
        CAPE: { url: textureUrl(cape.hash) },
      }),
    ],
    [
      "ANNA",
      () => ({
        SKIN: { url: textureUrl(slimSkin), metadata: { model: "slim" } },
        CAPE: { url: textureUrl(cape.hash) },
      }),
    ],
    [encoded, () => ({ SKIN: { url: textureUrl(oldSkin) } })],
  ])("answers the textures of %s", async (name, textures) => {
    expect(await json(`/ely/textures/${name}`)).toEqual(textures());
  });

  test.each(["Bare", "Nobody", "%ff", "%00", "a%2Fb", "x".repeat(10_000)])(
    "answers 204 for the textures of %p, who shows nothing",
    async (name) => {
      const response = await get(`/ely/textures/${name}`);
      expect([response.status, await response.text()]).toEqual([204, ""]);
    },
  );

  test.each([
    ["/ely/skins/Anna", "SKIN"],
    ["/ely/skins/anna.png", "SKIN"],
    ["/ely/skins?name=Anna", "SKIN"],
    ["/ely/skins?name=Anna.png", "SKIN"],
    ["/ely/cloaks/Anna", "CAPE"],
    ["/ely/cloaks/ANNA.png", "CAPE"],
    ["/ely/cloaks?name=Anna", "CAPE"],
    ["/ely/cloaks?name=anna.png", "CAPE"],
  ])("answers %s with the stored file", async (path, what) => {
    const hash = what === "SKIN" ? slimSkin : cape.hash;
    const file = await (await get(`/textures/${hash}`)).bytes();
    expect(sha256(await (await get(path)).bytes())).toBe(sha256(file));
  });

  test("answers a profile, signed or not", async () => {
    const unsigned = (await json("/ely/profile/anna")) as Profile;
    expect(unsigned).toMatchObject({ id: dashless(anna.uuid), name: "Anna" });
    expect(unsigned.properties.some((property) => "signature" in property)).toBe(false);
    const pem = await (await get("/ely/signature-verification-key.pem")).text();
    const der = await (await get("/ely/signature-verification-key.der")).bytes();
    const key = createPublicKey(pem);
    expect(createPublicKey({ key: Buffer.from(der), format: "der", type: "spki" }).equals(key)).toBe(true);
    for (const path of ["/ely/profile/Anna?unsigned=false", "/ely/textures/signed/Anna"]) {
      const { properties } = (await json(path)) as Profile;
      expect(properties.map(({ name }) => name)).toEqual(["textures", "uploadableTextures"]);
      for (const { value, signature = "" } of properties) {
        expect(verify("sha1", Buffer.from(value), key, Buffer.from(signature, "base64"))).toBe(true);
      }
    }
  });

  test.each(["/ely/profile/", "/ely/profile/Nobody/../", "/ely/textures/signed/"])(
    "answers %s with 204 for a name that no player has",
    async (path) => {
      for (const name of ["Nobody", "%ff", "a%20b"]) {
        const response = await get(`${path.replace("Nobody/../", "")}${name}`);
        expect([response.status, await response.text()]).toEqual([204, ""]);
      }
    },
  );
});

type Profile = {
  readonly properties: readonly {
    readonly name: string;
    readonly value: string;
    readonly signature?: string;
  }[];
};

const skinFolders = ["/legacy/skin", "/skin", "/legacy/MinecraftSkins", "/usm/MinecraftSkins"];
const capeFolders = ["/legacy/cape", "/cape", "/legacy/MinecraftCloaks", "/usm/MinecraftCloaks"];

describe("an old client", () => {
  test.each(skinFolders)("gets a skin of 64x32 from %s", async (folder) => {
    const { width, height, data } = legacySheet({ bitmap: skinBitmap(1), model: "slim" });
    expect(await pixels(`${folder}/anna.png`)).toEqual({ width, height, data: [...data] });
    const stored = await (await get(`/textures/${oldSkin}`)).bytes();
    expect(sha256(await (await get(`${folder}/${encoded}.png`)).bytes())).toBe(sha256(stored));
  });

  test.each(capeFolders)("gets a cape of 64x32 from %s", async (folder) => {
    const stored = await decodePng(await (await get(`/textures/${cape.hash}`)).bytes(), {
      widthMax: 128,
      heightMax: 128,
      bytesMax: 1e6,
    });
    expect(await pixels(`${folder}/Anna.png`)).toEqual({
      width: 64,
      height: 32,
      data: [...reduce(stored, 64).data],
    });
  });

  test("gets no default skin, because it has one", async () => {
    for (const folder of [...skinFolders, ...capeFolders]) {
      expect((await get(`${folder}/Bare.png`)).status).toBe(404);
    }
  });

  test("gets the new file at once after a change", async () => {
    const member = await addMember(harness, "Dresser");
    const skins = [4, 5].map((seed) => ({ file: skinPng(seed), slim: "false", seed }));
    for (const { seed, ...parts } of skins) {
      await wear(member, await addSkin(harness, member, parts));
      const wanted = legacySheet({ bitmap: skinBitmap(seed), model: "classic" });
      expect((await pixels("/skin/Dresser.png")).data).toEqual([...wanted.data]);
    }
  });
});

describe("a head by name", () => {
  test.each([
    ["", "?size=100"],
    ["?size=16", "?size=16"],
    ["?size=16&png", "?size=16"],
    ["?size=16&3d", "?size=16&type=player"],
    ["?3d=1&png=1&size=16", "?size=16&type=player"],
  ])("/avatar/player/Anna%s is the head of delivery", async (query, asDelivered) => {
    const head = await get(`/avatar/player/aNNa${query}`);
    const delivered = await get(`/api/skin/head/${anna.uuid}${asDelivered}`);
    expect(sha256(await head.bytes())).toBe(sha256(await delivered.bytes()));
    expect(head.headers.get("etag")).toBe(delivered.headers.get("etag"));
  });

  test("is a default skin's where the player has chosen none", async () => {
    expect((await get("/avatar/player/Bare?size=8")).headers.get("x-texture-default")).toMatch(
      /classic|slim/,
    );
  });

  test.each(["0", "7", "1025", "x", "-8", "1e2", ""])("of size %p is refused", async (size) => {
    expect((await get(`/avatar/player/Anna?size=${size}`)).status).toBe(400);
  });
});

/** A name as it stands in an address, and what it is; `can`: whether a player can have it. */
const strangers = [
  { text: "Nobody", can: true },
  { text: encodeURIComponent("Никто"), can: true },
  { text: "x".repeat(64), can: true },
  { text: "x".repeat(65), can: false },
  { text: "x".repeat(10_000), can: false },
  { text: "%ff", can: false },
  { text: "%", can: false },
  { text: "%00", can: false },
  { text: "Anna%00", can: false },
  { text: "Anna%0a", can: false },
  { text: "..%2fAnna", can: false },
  { text: "%2e%2e%2f%2e%2e%2fetc", can: false },
  { text: "....", can: true },
  { text: "Anna%20", can: true },
  { text: "%D0", can: false },
  { text: "%F0%9F%98%80", can: false },
  { text: "%27%20OR%201", can: false },
];

const documents = ["/csl/*.json", "/*.json", "/usm/*.json"];
const files = [
  ...[...skinFolders, ...capeFolders].map((folder) => `${folder}/*.png`),
  "/ely/skins/*",
  "/ely/skins/*.png",
  "/ely/cloaks/*.png",
  "/ely/skins?name=*",
  "/avatar/player/*",
];

describe("a name that no player has", () => {
  test.each(documents)("has no document at %s: 404 without the envelope", async (path) => {
    for (const { text } of strangers) {
      const response = await get(path.replace("*", text));
      const body = { errno: 3, msg: "No player has this name" };
      expect([text, response.status, await response.json()]).toEqual([text, 404, body]);
      expect(response.headers.get("access-control-allow-origin")).toBe(null);
    }
  });

  test.each(files)("has no file at %s: 404, and 400 where it can be no name", async (path) => {
    for (const { text, can } of strangers) {
      if (path.includes("?") && text === "%") continue; // a query takes a single percent sign for itself
      const response = await get(path.replace("*", text));
      const { errno, msg, ...more } = (await response.json()) as Record<string, unknown>;
      const status = can ? 404 : 400;
      expect([text, response.status, typeof msg, more]).toEqual([text, status, "string", {}]);
      expect(errno).toBe(status);
    }
  });

  test("is missing from a query", async () => {
    const response = await get("/ely/skins");
    expect([response.status, await response.json()]).toEqual([
      400,
      { errno: 400, msg: "name: must be a player's name" },
    ]);
  });
});

test("a page of any origin may read answers and failures, and ask before", async () => {
  const origin = "https://elsewhere.example.com";
  for (const path of [
    "/csl/Anna.json",
    "/Nobody.json",
    "/usm/Nobody.json",
    "/ely/skins/Nobody",
    "/skin/Nobody.png",
  ]) {
    expect((await get(path, { origin })).headers.get("access-control-allow-origin")).toBe("*");
    const headers = { origin, "access-control-request-method": "GET" };
    const asked = await harness.fetch(path, { method: "OPTIONS", headers });
    expect([path, asked.status, asked.headers.get("access-control-allow-methods")]).toEqual([
      path,
      204,
      "GET, HEAD",
    ]);
  }
  expect((await get("/api/home", { origin })).headers.get("access-control-allow-origin")).toBe(null);
});

const addresses = [...documents, ...files, "/csl/textures/*", "/usm/textures/*.png", "/ely/textures/*"].map(
  (path) => path.replace("*", "Anna"),
);

test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("no address takes %s", async (method) => {
  for (const path of addresses) {
    const response = await harness.fetch(path, { method });
    const found = [path, response.status, response.headers.get("allow"), await response.json()];
    const msg = "This address takes GET, HEAD only";
    expect(found).toEqual([path, 405, "GET, HEAD", { errno: 405, msg }]);
  }
});

test("HEAD answers as GET does", async () => {
  for (const path of addresses) {
    const [head, whole] = [await harness.fetch(path, { method: "HEAD" }), await get(path)];
    const facts = ({ status, headers }: Response) => [
      path,
      status,
      headers.get("etag"),
      headers.get("cache-control"),
    ];
    expect(facts(head)).toEqual(facts(whole));
  }
});

test.each([
  ["csl", ["/csl/Anna.json", "/Anna.json", "/csl/textures/x"]],
  ["usm", ["/usm/Anna.json", "/usm/MinecraftSkins/Anna.png"]],
  ["ely", ["/ely/textures/Anna", "/ely/skins/Anna", "/ely/signature-verification-key.pem"]],
  ["legacy", ["/legacy/skin/Anna.png", "/skin/Anna.png", "/cape/Anna.png", "/avatar/player/Anna"]],
])("%s that is off is not there", async (name, paths) => {
  const others = ["yggdrasil", "csl", "usm", "ely", "legacy"].filter((other) => other !== name);
  await using quiet = await openHarness({ settings: { PROTOCOLS: others.join(",") } });
  await addMember(quiet, "Anna");
  const unknown = await (await quiet.fetch("/no/such/address")).json();
  for (const path of paths) {
    const response = await quiet.fetch(path);
    expect([path, response.status, await response.json()]).toEqual([path, 404, unknown]);
  }
});
