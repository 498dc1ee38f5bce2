/** What launchers and games upload and take off. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { addCape } from "../../src/domain/textures/capes.ts";
import { readJson } from "../support/answers.ts";
import { openHarness, publicUrl, type Harness } from "../support/harness.ts";
import { addMember, addSkin, edit, grantCape } from "../support/members.ts";
import { bitmapHash, capePng, skinBitmap, skinPng } from "../support/textures.ts";
import { addGamer, ask, idOf, skinForm, type Gamer } from "./world.ts";

let harness: Harness;
let anna: Gamer;
let berta: Gamer;
beforeAll(async () => {
  harness = await openHarness({ settings: { WARDROBE_MAX: "6" } });
  anna = await addGamer(harness, "Anna");
  berta = await addGamer(harness, "Berta");
});
afterAll(() => harness[Symbol.asyncDispose]());

type Textures = {
  readonly SKIN?: { readonly url: string; readonly metadata?: { readonly model: string } };
  readonly CAPE?: { readonly url: string };
};
type Full = { readonly properties: readonly { readonly value: string }[] };

async function texturesOf(player: { readonly uuid: string }): Promise<Textures> {
  const answer = await ask(harness, `GET /sessionserver/session/minecraft/profile/${idOf(player)}`);
  const { properties } = await readJson<Full>(answer);
  const content: { readonly textures: Textures } = JSON.parse(
    Buffer.from(properties[0]?.value ?? "", "base64").toString(),
  );
  return content.textures;
}

const urlOf = (seed: number) => `${publicUrl}/textures/${bitmapHash(skinBitmap(seed))}`;

const countSkins = async ({ member }: Gamer) => harness.services.reads.textures.countSkins(member.account.id);

const put = (gamer: Gamer, path: string, form: FormData) =>
  ask(harness, `PUT ${path}`, { token: gamer.token, form });

test.each<readonly [string | null, boolean]>([
  ["slim", true],
  ["", false],
  [null, false],
  ["steve", false],
  ["classic", false],
])("a skin whose model is %p is worn by the player that is named", async (model, isSlim) => {
  for (const [root, seed] of [
    ["/api/user", 11],
    ["/user", 12],
  ] as const) {
    const form = skinForm(skinPng(seed), model === null ? {} : { model }, "skin.jpeg");
    const answer = await put(anna, `${root}/profile/${idOf(anna.second)}/skin`, form);
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    const skin = { url: urlOf(seed), ...(isSlim && { metadata: { model: "slim" } }) };
    expect(await texturesOf(anna.second)).toStrictEqual({ SKIN: skin });
    expect(await texturesOf(anna.main)).toStrictEqual({});
  }
});

test("an equal bitmap and model is reused, also in a full wardrobe, which takes no other", async () => {
  const path = `/api/user/profile/${idOf(berta.main)}/skin`;
  for (let seed = 0; seed < 6; seed++) await addSkin(harness, berta.member, { file: skinPng(100 + seed) });
  const before = harness.countRows("skins");
  expect((await put(berta, path, skinForm(skinPng(103)))).status).toBe(204);
  expect(await texturesOf(berta.main)).toStrictEqual({ SKIN: { url: urlOf(103) } });
  for (const form of [skinForm(skinPng(99)), skinForm(skinPng(103), { model: "slim" })]) {
    const refused = await put(berta, path, form);
    expect(refused.status).toBe(403);
    expect(Object.keys(await readJson<object>(refused))).toEqual(["error", "errorMessage"]);
  }
  expect(harness.countRows("skins")).toBe(before);
});

test("a skin and a cape are taken off, and the skin stays in the wardrobe", async () => {
  const path = `/api/user/profile/${idOf(anna.second)}`;
  await put(anna, `${path}/skin`, skinForm(skinPng(11)));
  const before = harness.countRows("skins");
  expect((await ask(harness, `DELETE ${path}/skin`, { token: anna.token })).status).toBe(204);
  expect(await texturesOf(anna.second)).toStrictEqual({});
  expect(harness.countRows("skins")).toBe(before);
});

test("a cape is worn when its picture is that of a granted one", async () => {
  const file = capePng(7);
  const { texture } = await grantCape(harness, [anna.member], file);
  const path = `/api/user/profile/${idOf(anna.main)}/cape`;
  expect((await put(anna, path, skinForm(file))).status).toBe(204);
  expect(await texturesOf(anna.main)).toStrictEqual({
    CAPE: { url: `${publicUrl}/textures/${texture.hash}` },
  });
  expect((await put(anna, path, skinForm(capePng(8)))).status).toBe(403);
  expect((await put(berta, `/api/user/profile/${idOf(berta.main)}/cape`, skinForm(file))).status).toBe(403);
  expect((await ask(harness, `DELETE ${path}`, { token: anna.token })).status).toBe(204);
  expect(await texturesOf(anna.main)).toStrictEqual({});
});

test("a cape whose grant has ended is not put on, also before the grant is removed", async () => {
  const gamer = await addGamer(harness, "Frida");
  const file = capePng(51);
  const expiresAt = harness.clock.nowSeconds() + 60;
  const owners = [gamer.member.account.id];
  await addCape(harness.services, commandLine, { file, name: "Short", owners, expiresAt });
  const path = `/api/user/profile/${idOf(gamer.main)}/cape`;
  expect((await put(gamer, path, skinForm(file))).status).toBe(204);
  expect((await ask(harness, `DELETE ${path}`, { token: gamer.token })).status).toBe(204);
  harness.clock.advance(61);
  expect((await put(gamer, path, skinForm(file))).status).toBe(403);
});

test.each(["elytra", "SKIN"])(
  "a texture of the type %s can be neither uploaded nor taken off",
  async (type) => {
    for (const root of ["/api/user", "/user"]) {
      const path = `${root}/profile/${idOf(anna.main)}/${type}`;
      const { token } = anna;
      for (const answer of [
        await put(anna, path, skinForm(skinPng(31))),
        await ask(harness, `DELETE ${path}`, { token }),
      ]) {
        expect([answer.status, await readJson<object>(answer)]).toStrictEqual([
          403,
          { error: "ForbiddenOperationException", errorMessage: expect.any(String) as string },
        ]);
      }
      expect((await ask(harness, `PUT ${path}`)).status).toBe(401);
    }
  },
);

type Own = {
  readonly id: string;
  readonly name: string;
  readonly skins: readonly { readonly id: string; readonly variant: string }[];
  readonly capes: readonly { readonly state: string }[];
};

test("the game uploads for the token's player, and takes off again", async () => {
  const { token } = await addGamer(harness, "Clara");
  const form = skinForm(skinPng(21), { variant: "slim" });
  const answer = await ask(harness, "POST /minecraftservices/minecraft/profile/skins", { token, form });
  expect(answer.status).toBe(200);
  const own = await readJson<Own>(answer);
  expect(own).toStrictEqual({
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    name: "Clara",
    skins: [
      { id: expect.any(String), state: "ACTIVE", url: urlOf(21), variant: "SLIM" } as Own["skins"][number],
    ],
    capes: [],
  });
  const again = await ask(harness, "GET /minecraft/profile", { token });
  expect(await readJson<Own>(again)).toStrictEqual(own);
  for (const what of ["skins", "capes"]) {
    const gone = await ask(harness, `DELETE /minecraftservices/minecraft/profile/${what}/active`, { token });
    expect([gone.status, (await readJson<Own>(gone)).skins]).toEqual([200, []]);
  }
});

describe("a skin by its address", () => {
  const path = "POST /minecraftservices/minecraft/profile/skins";
  const wear = (gamer: Gamer, url: unknown, variant = "slim", place = path) =>
    ask(harness, place, { ...gamer, json: { variant, url } });

  test("is worn, and comes into the wardrobe, if a player wears it or it is there already", async () => {
    const [wearer, gamer] = [await addGamer(harness, "Wilma"), await addGamer(harness, "Xenia")];
    await put(wearer, `/api/user/profile/${idOf(wearer.main)}/skin`, skinForm(skinPng(61)));
    for (const [variant, url, place] of [
      ["slim", urlOf(61), path],
      ["CLASSIC", urlOf(61).replace("https://skins", "HTTPS://SKINS"), "POST /minecraft/profile/skins"],
    ] as const) {
      const answer = await wear(gamer, url, variant, place);
      expect(answer.status).toBe(200);
      const { skins } = await readJson<Own>(answer);
      expect(skins).toMatchObject([{ state: "ACTIVE", url: urlOf(61), variant: variant.toUpperCase() }]);
    }
    expect(await countSkins(gamer)).toBe(2);
    // The wearer changes its skin: the other's wardrobe keeps it.
    await put(wearer, `/api/user/profile/${idOf(wearer.main)}/skin`, skinForm(skinPng(62)));
    expect((await wear(gamer, urlOf(61))).status).toBe(200);
    expect(await countSkins(gamer)).toBe(2);
  });

  test("is refused where it is not that of a skin that is shown here", async () => {
    const [other, gamer] = [await addGamer(harness, "Yvonne"), await addGamer(harness, "Zita")];
    const cape = await grantCape(harness, [gamer.member, other.member], capePng(63));
    await put(gamer, `/api/user/profile/${idOf(gamer.main)}/cape`, skinForm(capePng(63)));
    await addSkin(harness, other.member, { file: skinPng(64) });
    // It was worn once, and lies in a wardrobe now.
    await addSkin(harness, other.member, { file: skinPng(65) });
    await put(other, `/api/user/profile/${idOf(other.main)}/skin`, skinForm(skinPng(65)));
    const moderator = await addMember(harness, "Zacharias", { level: 3 });
    const banned = await addSkin(harness, moderator, { file: skinPng(66) });
    const unworn = urlOf(64);
    await edit(harness, moderator, `DELETE /api/admin/skin/${banned}`, { ban: true });
    const hash = "0".repeat(64);
    for (const [url, reason] of [
      [unworn, /^url: no player here wears this skin/],
      [urlOf(66), /^url: no player here wears this skin/],
      [`${publicUrl}/textures/${cape.texture.hash}`, /^url: no player here wears this skin/],
      [`${publicUrl}/textures/${hash}`, /^url: no player here wears this skin/],
      [
        `https://textures.minecraft.net/texture/${hash}`,
        /^url: must be https:\/\/skins\.example\.org\/textures\//,
      ],
      [`${urlOf(65)}?x`, /^url: must be https:/],
      [`${urlOf(65)}/..`, /^url: must be https:/],
      [urlOf(65).replace("https:", "http:"), /^url: must be https:/],
      [urlOf(65).replace("://", "://user@"), /^url: must be https:/],
      ["not an address", /^url: must be https:/],
      ["", /^url: must be https:/],
      [null, /^body: must be a form/],
      [[urlOf(65)], /^body: must be a form/],
    ] as const) {
      const answer = await wear(gamer, url);
      expect([url, answer.status, await readJson<object>(answer)]).toStrictEqual([
        url,
        400,
        { error: "IllegalArgumentException", errorMessage: expect.stringMatching(reason) as string },
      ]);
    }
    expect(await countSkins(gamer)).toBe(0);
    const text = await harness.fetch(`/api/yggdrasil${path.slice(5)}`, {
      method: "POST",
      headers: { authorization: `Bearer ${gamer.token}`, "content-type": "text/plain" },
      body: JSON.stringify({ variant: "slim", url: urlOf(65) }),
    });
    expect(text.status).toBe(415);
  });
});

test("the capes of an account are shown, with the one that is worn", async () => {
  const gamer = await addGamer(harness, "Dora");
  const { uuid, name, texture } = await grantCape(harness, [gamer.member], capePng(31));
  const shown = async (): Promise<unknown> =>
    (await readJson<Own>(await ask(harness, "GET /minecraftservices/minecraft/profile", gamer))).capes;
  const cape = { id: uuid, url: `${publicUrl}/textures/${texture.hash}`, alias: name };
  expect(await shown()).toEqual([{ ...cape, state: "INACTIVE" }]);
  await put(gamer, `/api/user/profile/${idOf(gamer.main)}/cape`, skinForm(capePng(31)));
  expect(await shown()).toEqual([{ ...cape, state: "ACTIVE" }]);
});

test("a granted cape is put on by its id, and no other", async () => {
  const gamer = await addGamer(harness, "Elena");
  const { uuid } = await grantCape(harness, [gamer.member], capePng(41));
  const other = await grantCape(harness, [berta.member], capePng(42));
  for (const place of ["/minecraftservices", ""]) {
    const wear = (json: unknown) =>
      ask(harness, `PUT ${place}/minecraft/profile/capes/active`, { ...gamer, json });
    const worn = await wear({ capeId: uuid });
    expect([worn.status, (await readJson<Own>(worn)).capes]).toEqual([
      200,
      [expect.objectContaining({ id: uuid, state: "ACTIVE" })],
    ]);
    for (const json of [{ capeId: other.uuid }, { capeId: "none" }, {}]) {
      const refused = await wear(json);
      expect([refused.status, await readJson<object>(refused)]).toEqual([
        400,
        { error: "IllegalArgumentException", errorMessage: expect.stringContaining("capeId") },
      ]);
    }
  }
});

const unknownId = "0123456789ab4def8123456789abcdef";

test.each<readonly [string, () => readonly [string, Parameters<typeof ask>[2]], number, string]>([
  ["no token", () => [`PUT /api/user/profile/${idOf(anna.main)}/skin`, {}], 401, "Unauthorized"],
  [
    "a web token",
    () => [`DELETE /api/user/profile/${idOf(anna.main)}/skin`, { token: anna.member.jwt }],
    401,
    "Unauthorized",
  ],
  [
    "another account's player",
    () => [`DELETE /api/user/profile/${idOf(berta.main)}/skin`, anna],
    403,
    "ForbiddenOperationException",
  ],
  [
    "an upload for another account's player",
    () => [`PUT /api/user/profile/${idOf(berta.main)}/skin`, { ...anna, form: skinForm(skinPng(1)) }],
    403,
    "ForbiddenOperationException",
  ],
  ["an unknown player", () => [`DELETE /api/user/profile/${unknownId}/cape`, anna], 404, "NotFoundException"],
  ["an id that is no uuid", () => ["DELETE /api/user/profile/Anna/cape", anna], 404, "NotFoundException"],
  [
    "a file that is no picture",
    () => [
      `PUT /api/user/profile/${idOf(anna.main)}/skin`,
      { ...anna, form: skinForm(new TextEncoder().encode("no picture")) },
    ],
    400,
    "IllegalArgumentException",
  ],
  [
    "a form without a file",
    () => [`PUT /api/user/profile/${idOf(anna.main)}/skin`, { ...anna, form: new FormData() }],
    400,
    "IllegalArgumentException",
  ],
  [
    "an upload to an address of its own",
    () => ["POST /minecraftservices/minecraft/profile/skins", { ...anna, form: new FormData() }],
    400,
    "IllegalArgumentException",
  ],
  ["another method", () => [`POST /api/user/profile/${unknownId}/skin`, anna], 405, "Method Not Allowed"],
])("%s is refused in the protocol's form, and changes nothing", async (_, asked, status, error) => {
  const [request, options] = asked();
  const before = [await texturesOf(anna.main), await texturesOf(berta.main), harness.countRows("skins")];
  const answer = await ask(harness, request, options);
  expect(answer.status).toBe(status);
  expect(await readJson<object>(answer)).toStrictEqual({ error, errorMessage: expect.any(String) as string });
  expect([await texturesOf(anna.main), await texturesOf(berta.main), harness.countRows("skins")]).toEqual(
    before,
  );
});

test("old clients get 64x32 files by name", async () => {
  const gamer = await addGamer(harness, "Emil");
  await put(gamer, `/api/user/profile/${idOf(gamer.main)}/skin`, skinForm(skinPng(41)));
  const skin = await ask(harness, "GET /skins/MinecraftSkins/emil.png");
  expect([skin.status, skin.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect((await ask(harness, "GET /skins/MinecraftCloaks/Emil.png")).status).toBe(404);
  expect((await ask(harness, "GET /skins/MinecraftSkins/Nobody.png")).status).toBe(404);
});
