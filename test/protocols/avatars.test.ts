/** Pictures under the paths of three avatar sites (docs/contract/avatars.md). */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { newUuid } from "../../src/kernel/ids.ts";
import { readPng } from "../render/png-reader.ts";
import { caching, dashless } from "../support/delivery-world.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, edit, grantCape, wearCape, type Member } from "../support/members.ts";
import { checkHeaders } from "../support/scenario.ts";
import { capePng, skinPng, sizeOf } from "../support/textures.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
afterEach(() => expect(harness.takeComplaints()).toEqual([]));

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  harness.fetch(path, { headers });
const bytesOf = async (path: string) => {
  const response = await get(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.bytes();
};

/** Uploads a skin and wears it. */
async function wearNew(world: Harness, member: Member, parts: { readonly file: Uint8Array }): Promise<void> {
  const skinid = await addSkin(world, member, parts);
  const response = await edit(world, member, "POST /api/home/edit/skin/select", { skinid });
  expect(response.status).toBe(200);
}

const alice = await addMember(harness, "Alice");
const bare = await addMember(harness, "Bare");
const dotted = await addMember(harness, "Dot");
const skin = await addSkin(harness, alice, { file: skinPng(1), slim: "true" });
const cape = await grantCape(harness, [alice], capePng(1));
await wearCape(harness, alice, skin, cape);
await addSkin(harness, dotted, { file: skinPng(2, { width: 128 }) });
const nobody = newUuid();
const a = alice.uuid;

const renders = Array.from({ length: 10 }, (_, i) => i + 1).flatMap((scale) => [
  [`/crafatar/renders/head/${a}?scale=${scale}`, `${20 * scale}x${Math.floor(18.5 * scale)}`] as const,
  [`/crafatar/renders/body/${a}?scale=${scale}`, `${20 * scale}x${Math.floor(45.1 * scale)}`] as const,
]);
const squares = ["avatar", "helm", "cube", "cubehelm", "bust", "armor/bust", "armour/bust"].flatMap(
  (kind) => [
    [`/minotar/${kind}/${a}`, "180x180"] as const,
    [`/minotar/${kind}/Alice/100.png`, "100x100"] as const,
    [`/minotar/${kind}/alice.png`, "180x180"] as const,
    [`/minotar/${kind}/${a}/7`, "8x8"] as const,
    [`/minotar/${kind}/${a}/0`, "8x8"] as const,
    [`/minotar/${kind}/${a}/99999999999999999999`, "1024x1024"] as const,
  ],
);
const fronts = ["body", "armor/body", "armour/body"].flatMap((kind) => [
  [`/minotar/${kind}/${a}`, "180x360"] as const,
  [`/minotar/${kind}/${a}.jpg`, "180x360"] as const,
  [`/minotar/${kind}/${dashless(a)}/20.png`, "20x40"] as const,
  [`/minotar/${kind}/${a}/1025`, "1024x2048"] as const,
]);
const heads = [
  ["avatar", 1],
  ["head", 1],
  ["body", 2],
  ["player", 2],
  ["combo", 1],
] as const;
const mcHeads = heads.flatMap(([kind, high]) => [
  [`/mc-heads/${kind}/${a}`, `180x${180 * high}`] as const,
  [`/mc-heads/${kind}/${a}.png/64`, `64x${64 * high}`] as const,
  [`/mc-heads/${kind}/Alice/64.png`, `64x${64 * high}`] as const,
  [`/mc-heads/${kind}/${a}/nohelm`, `180x${180 * high}`] as const,
  [`/mc-heads/${kind}/${a}/nohelm.png`, `180x${180 * high}`] as const,
  [`/mc-heads/${kind}/${a}/left`, `180x${180 * high}`] as const,
  [`/mc-heads/${kind}/${a}/32/nohelm`, `32x${32 * high}`] as const,
  [`/mc-heads/${kind}/${a}/32/nohelm/left.png`, `32x${32 * high}`] as const,
  [`/mc-heads/${kind}/${a}/left/nohelm/33`, `33x${33 * high}`] as const,
  [`/mc-heads/${kind}/${a}/3`, `8x${8 * high}`] as const,
  [`/mc-heads/${kind}/${a}/9999`, `1024x${1024 * high}`] as const,
]);
const sizes: readonly (readonly [path: string, size: string])[] = [
  [`/crafatar/avatars/${a}`, "160x160"],
  [`/crafatar/avatars/${a}?size=1`, "1x1"],
  [`/crafatar/avatars/${a}?size=7`, "7x7"],
  [`/crafatar/avatars/${a}?size=512`, "512x512"],
  [`/crafatar/avatars/${a}?size=1024&overlay`, "1024x1024"],
  [`/crafatar/avatars/Alice.png?size=33`, "33x33"],
  [`/crafatar/avatars/${dashless(a)}.jpeg`, "160x160"],
  [`/crafatar/avatars/${dashless(a).toUpperCase()}`, "160x160"],
  [`/crafatar/renders/head/${a}`, "120x111"],
  [`/crafatar/renders/body/${a}`, "120x270"],
  [`/crafatar/renders/body/${a}.png?overlay`, "120x270"],
  ...renders,
  [`/crafatar/skins/${a}`, "64x64"],
  [`/crafatar/skins/${dotted.uuid}.png`, "128x128"],
  [`/crafatar/capes/${a}`, "64x32"],
  ...squares,
  ...fronts,
  [`/minotar/skin/${a}.png`, "64x64"],
  [`/minotar/skin/Dot/64`, "128x128"],
  [`/minotar/download/Alice`, "64x64"],
  [`/minotar/cape/Alice.png`, "64x32"],
  ...mcHeads,
  [`/mc-heads/skin/${a}`, "64x64"],
  [`/mc-heads/download/Alice.png`, "64x64"],
];

test.each(sizes)("GET %s is %s", async (path, size) => {
  const response = await get(path);
  expect(response.status).toBe(200);
  checkHeaders(response, {
    "content-type": "image/png",
    "cache-control": caching.follows,
    "access-control-allow-origin": "*",
    "x-content-type-options": "nosniff",
  });
  expect(response.headers.get("x-texture-default")).toBeNull();
  const png = await response.bytes();
  expect(sizeOf(png)).toBe(size);
  const etag = response.headers.get("etag")!;
  const again = await get(path, { "if-none-match": etag });
  expect([again.status, again.headers.get("etag"), (await again.bytes()).length]).toEqual([304, etag, 0]);
  const head = await harness.fetch(path, { method: "HEAD" });
  // The listener leaves the body out.
  expect([head.status, head.headers.get("etag")]).toEqual([200, etag]);
});

test.each([
  ["/minotar/download/Alice", 'attachment; filename="skin.png"'],
  ["/mc-heads/download/Alice", 'attachment; filename="skin.png"'],
  ["/minotar/skin/Alice", null],
  ["/mc-heads/skin/Alice", null],
])("%s is saved by browsers: %p", async (path, disposition) => {
  expect((await get(path)).headers.get("content-disposition")).toBe(disposition);
});

const own = (kind: string) => `/api/skin/${kind}/${a}`;

describe("what is worn over the body", () => {
  test.each([
    ["/minotar/helm/Alice/100", `${own("head")}?size=100`],
    ["/mc-heads/avatar/Alice/100", `${own("head")}?size=100`],
    ["/crafatar/avatars/Alice?size=100&overlay", `${own("head")}?size=100`],
    ["/crafatar/avatars/Alice?size=100&overlay=false", `${own("head")}?size=100`],
    ["/crafatar/avatars/Alice?size=100&helm", `${own("head")}?size=100`],
    ["/crafatar/avatars/Alice?size=100&overlay&overlay=1", `${own("head")}?size=100`],
    ["/minotar/armor/body/Alice/64", `${own("body")}?size=64`],
    ["/minotar/armour/body/Alice/64", `${own("body")}?size=64`],
    ["/mc-heads/player/Alice/64", `${own("body")}?size=64`],
    ["/minotar/avatar/Alice/100", "/crafatar/avatars/Alice?size=100"],
    ["/minotar/avatar/Alice/100", "/mc-heads/avatar/Alice/100/nohelm"],
    ["/minotar/body/Alice/100", "/mc-heads/player/Alice/100/nohelm"],
    ["/minotar/cube/Alice/100", "/mc-heads/head/Alice/100/nohelm"],
    ["/minotar/cubehelm/Alice/100", "/mc-heads/head/Alice/100"],
    ["/minotar/cubehelm/Alice/100", "/mc-heads/head/Alice/100/right"],
  ])("%s shows what %s shows", async (one, other) => {
    expect(await bytesOf(one)).toEqual(await bytesOf(other));
  });

  test.each([
    ["/minotar/helm/Alice", "/minotar/avatar/Alice"],
    ["/minotar/cubehelm/Alice", "/minotar/cube/Alice"],
    ["/minotar/armor/bust/Alice", "/minotar/bust/Alice"],
    ["/minotar/armor/body/Alice", "/minotar/body/Alice"],
    ["/crafatar/renders/head/Alice?overlay=0", "/crafatar/renders/head/Alice"],
    ["/crafatar/renders/body/Alice?overlay", "/crafatar/renders/body/Alice"],
    ["/mc-heads/body/Alice", "/mc-heads/body/Alice/nohelm"],
    ["/mc-heads/combo/Alice", "/mc-heads/combo/Alice/nohelm"],
    ["/mc-heads/head/Alice", "/mc-heads/head/Alice/left"],
    ["/mc-heads/body/Alice", "/mc-heads/body/Alice/left"],
  ])("%s shows something else than %s", async (one, other) => {
    expect(Buffer.compare(await bytesOf(one), await bytesOf(other))).not.toBe(0);
  });
});

const defaultAt = async (path: string) => (await get(path)).headers.get("x-texture-default");

describe("a player without a skin, and an unknown one", () => {
  test.each([
    ["/crafatar/avatars/", ""],
    ["/crafatar/renders/body/", ""],
    ["/crafatar/skins/", ""],
    ["/minotar/helm/", ""],
    ["/minotar/skin/", ""],
    ["/mc-heads/combo/", "/64"],
    ["/mc-heads/download/", ""],
  ])("have a default skin in %s", async (path, rest) => {
    for (const id of [bare.uuid, "Bare", nobody, "nobody"]) {
      const response = await get(`${path}${id}${rest}`);
      expect([id, response.status]).toEqual([id, 200]);
      expect(response.headers.get("x-texture-default")).toMatch(/^(?:slim|classic)$/);
    }
  });

  test("is the one that belongs to the uuid, as in the rest of delivery", async () => {
    const wanted = await defaultAt(`/api/skin/head/${bare.uuid}`);
    expect(await defaultAt(`/crafatar/avatars/${bare.uuid}`)).toBe(wanted);
    // By the game's rule since 1.19.3.
    expect(await defaultAt("/crafatar/avatars/00000000-0000-4000-8000-000080004009")).toBe("classic");
    expect(await defaultAt("/crafatar/avatars/00000000-0000-4000-8000-000080004000")).toBe("slim");
    expect(await defaultAt("/crafatar/avatars/nobody")).toBe("classic");
  });

  test.each([
    ["steve", "classic"],
    ["MHF_Steve", "classic"],
    ["mhf_steve", "classic"],
    ["alex", "slim"],
    ["Alex", "slim"],
    ["MHF_Alex", "slim"],
  ])("default=%s is the %s one", async (name, model) => {
    for (const id of [bare.uuid, nobody, "nobody"]) {
      for (const path of [
        `avatars/${id}?size=8&`,
        `renders/head/${id}?`,
        `renders/body/${id}?`,
        `skins/${id}?`,
      ])
        expect(await defaultAt(`/crafatar/${path}default=${name}`)).toBe(model);
    }
    expect(await defaultAt(`/crafatar/avatars/Alice?default=${name}`)).toBeNull();
  });

  test("default may be another player", async () => {
    const wanted = await bytesOf("/crafatar/avatars/Alice");
    for (const id of [bare.uuid, nobody, "nobody"]) {
      for (const uuid of [a, dashless(a)]) {
        const path = `/crafatar/avatars/${id}?default=${uuid}`;
        expect(await bytesOf(path)).toEqual(wanted);
        expect(await defaultAt(path)).toBeNull();
      }
    }
    const unknown = await bytesOf(`/crafatar/avatars/${bare.uuid}?default=${nobody}`);
    expect(unknown).toEqual(await bytesOf(`/crafatar/avatars/${bare.uuid}`));
  });

  test.each([
    "https://example.com/steve.png",
    "//example.com",
    "https%3A%2F%2Fexample.com%2F",
    "javascript:alert(1)",
    "constructor",
    "__proto__",
    "",
  ])("default=%s is ignored, and no answer is a redirect", async (value) => {
    const response = await get(`/crafatar/avatars/${bare.uuid}?default=${value}`);
    expect([response.status, response.redirected, response.headers.get("location")]).toEqual([
      200,
      false,
      null,
    ]);
    expect(await response.bytes()).toEqual(await bytesOf(`/crafatar/avatars/${bare.uuid}`));
  });
});

test.each([
  ["/crafatar/avatars/Alice?size=0", 400],
  ["/crafatar/avatars/Alice?size=1025", 400],
  ["/crafatar/avatars/Alice?size=-1", 400],
  ["/crafatar/avatars/Alice?size=1e2", 400],
  ["/crafatar/avatars/Alice?size=", 400],
  ["/crafatar/renders/head/Alice?scale=0", 400],
  ["/crafatar/renders/body/Alice?scale=11", 400],
  ["/crafatar/renders/body/Alice?scale=1.5", 400],
  ["/crafatar/avatars/no*body", 400],
  ["/crafatar/avatars/%ff", 400],
  [`/crafatar/avatars/${"a".repeat(500)}`, 400],
  ["/crafatar/skins/a%00b", 400],
  ["/minotar/avatar/..%2f..%2fetc", 400],
  ["/minotar/avatar/Alice/wide", 400],
  ["/minotar/avatar/Alice/-5", 400],
  ["/mc-heads/avatar/Alice/wide", 400],
  ["/mc-heads/avatar/a%3Cb", 400],
  ["/crafatar/capes/Bare", 404],
  [`/crafatar/capes/${nobody}`, 404],
  ["/minotar/cape/Bare", 404],
  ["/minotar/cape/nobody", 404],
  ["/crafatar/renders/foot/Alice", 404],
  ["/crafatar/nose/Alice", 404],
  ["/minotar/nose/Alice", 404],
  ["/minotar/constructor/Alice", 404],
  ["/minotar/armor/avatar/Alice", 404],
  ["/mc-heads/nose/Alice", 404],
  ["/mc-heads/avatar/Alice/1/nohelm/left/more", 404],
  ["/mc-heads", 404],
])("GET %s: %d", async (path, status) => {
  const response = await get(path);
  expect([response.status, await response.json()]).toEqual([
    status,
    { error: true, msg: expect.any(String), url: null, data: {} },
  ]);
  expect(response.headers.get("access-control-allow-origin") ?? "*").toBe("*");
});

test.each(["POST", "PUT", "PATCH", "DELETE"])("%s is refused", async (method) => {
  for (const path of ["/crafatar/avatars/Alice", "/minotar/helm/Alice/8", "/mc-heads/head/Alice/8/left"]) {
    const response = await harness.fetch(path, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  }
});

describe("names with dots", () => {
  test("an extension is ignored, unless a player has the whole name", async () => {
    await using world = await openHarness({ settings: { USERNAME_PATTERN: "^[A-Za-z.]{1,20}$" } });
    const first = await addMember(world, "Eve");
    await addSkin(world, first, { file: skinPng(5) });
    const bytes = async (path: string) => (await world.fetch(path)).bytes();
    const eve = await bytes("/minotar/avatar/Eve");
    for (const name of ["Eve.png", "Eve.smith", "eve.webp"])
      expect(await bytes(`/minotar/avatar/${name}`)).toEqual(eve);
    const second = await addMember(world, "Eve.smith");
    await addSkin(world, second, { file: skinPng(6) });
    const smith = await bytes(`/minotar/avatar/${second.uuid}`);
    expect(smith).not.toEqual(eve);
    for (const name of ["Eve.smith", "Eve.smith.png"])
      expect(await bytes(`/minotar/avatar/${name}`)).toEqual(smith);
  });
});

const picturesOf = (id: string) => [
  `/crafatar/renders/head/${id}`,
  `/minotar/helm/${id}`,
  `/mc-heads/combo/${id}/64`,
];

test("a change shows at once, and a new player takes the place of an unknown name", async () => {
  await using world = await openHarness();
  const all = (id: string) =>
    Promise.all(picturesOf(id).map(async (path) => (await world.fetch(path)).bytes()));
  const before = await all("Newcomer");
  expect(await all("Newcomer")).toEqual(before);
  const newcomer = await addMember(world, "Newcomer");
  await wearNew(world, newcomer, { file: skinPng(7) });
  const shown = await all("Newcomer");
  for (const [i, png] of shown.entries()) expect(png).not.toEqual(before[i]!);
  expect(await all(newcomer.uuid)).toEqual(shown);
  await wearNew(world, newcomer, { file: skinPng(8) });
  for (const [i, png] of (await all("Newcomer")).entries()) expect(png).not.toEqual(shown[i]!);
});

test("the default that is another player changes with that player", async () => {
  await using world = await openHarness();
  const [other, none] = [await addMember(world, "Other"), await addMember(world, "None")];
  await wearNew(world, other, { file: skinPng(7) });
  const path = `/crafatar/avatars/${none.uuid}?default=${other.uuid}`;
  const before = await (await world.fetch(path)).bytes();
  await wearNew(world, other, { file: skinPng(8) });
  expect(await (await world.fetch(path)).bytes()).not.toEqual(before);
});

test("off, they are unknown addresses", async () => {
  await using world = await openHarness({ settings: { PROTOCOLS: "csl" } });
  for (const [path] of sizes.slice(0, 12)) {
    const response = await world.fetch(path);
    expect([path, response.status]).toEqual([path, 404]);
  }
});

test("slim arms are three pixels wide, and both sites know it", async () => {
  const { width, pixels } = await (async () => {
    const png = readPng(await bytesOf("/minotar/bust/Alice/16"));
    return { width: png.width, pixels: png.data };
  })();
  const alpha = (x: number, y: number) => pixels[(y * width + x) * 4 + 3];
  expect([0, 1, 14, 15].map((x) => alpha(x, 12))).toEqual([0, 255, 255, 0]);
});
