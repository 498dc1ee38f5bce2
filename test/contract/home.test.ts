/** Profile and wardrobe (docs/contract/home.md, docs/contract/textures.md#files). */
import { afterAll, describe, expect, test } from "bun:test";
import { commandLine, system } from "../../src/domain/model/actor.ts";
import { deleteAccount } from "../../src/domain/members/administer.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness } from "../support/harness.ts";
import {
  addMember,
  addSkin,
  edit,
  grantCape,
  playerOf,
  upload,
  uploadForm,
  wearCape,
} from "../support/members.ts";
import { checkHeaders, expectError, play, type Scenario } from "../support/scenario.ts";
import { runsOnSqlite } from "../support/storages.ts";
import { bitmapHash, capePng, skinBitmap, skinPng } from "../support/textures.ts";
import { pngOf } from "../render/png-fixtures.ts";

const harness = await openHarness({ settings: { WARDROBE_MAX: "8", SKIN_WIDTH_MAX: "128" } });
afterAll(() => harness[Symbol.asyncDispose]());

const alice = await addMember(harness, "Alice");
const bob = await addMember(harness, "Bob");
const cape = await grantCape(harness, [alice]);
const bobsCape = await grantCape(harness, [bob], capePng(2));
const aliceSkin = await addSkin(harness, alice, { file: skinPng(1), name: "First" });
const bobsSkin = await addSkin(harness, bob, { file: skinPng(2) });

type Profile = Record<string, unknown> & {
  Skin: { Uuid: string; Name: string; Slim: boolean }[];
  Selected_Skin: string;
};
async function profileOf(member: { readonly authorization: string }): Promise<Profile> {
  const response = await harness.fetch("/api/home", { headers: { authorization: member.authorization } });
  return (await readJson<Envelope<Profile>>(response)).data;
}
let count = 0;
const someone = () => addMember(harness, `member${(count += 1)}`);

describe("every home endpoint asks for a session before it looks at anything", () => {
  const requests = [
    "GET /api/home",
    "POST /api/home/edit/upload",
    "PUT /api/home/edit/skin",
    "POST /api/home/edit/skin/select",
    "DELETE /api/home/edit/skin",
  ];
  const faulty = [
    ["nothing", {}],
    ["broken JSON", { headers: { "content-type": "application/json" }, body: "{" }],
    ["a broken form", { headers: { "content-type": "multipart/form-data" }, body: "x" }],
    ["another type", { headers: { "content-type": "text/plain" }, body: "x" }],
    [
      "a body over every limit",
      { headers: { "content-type": "application/json" }, body: "x".repeat(3_000_000) },
    ],
  ] as const;
  const table = requests.flatMap((request) =>
    faulty
      .filter(([, sent]) => !request.startsWith("GET") || !("body" in sent))
      .map(([what, sent]): Scenario => ({ name: `${request} with ${what}`, request, ...sent, status: 401 })),
  );
  test.each(table)("$name", (scenario) => play(harness, scenario));
});

describe("GET /api/home", () => {
  test("answers with the contract's fields", async () => {
    const member = await someone();
    const own = await grantCape(harness, [member], capePng(3));
    const first = await addSkin(harness, member, { file: skinPng(3), name: "Every day", slim: "true" });
    const second = await addSkin(harness, member, { file: skinPng(4, { width: 128 }), name: "Sundays" });
    await wearCape(harness, member, first, own);
    await play(harness, {
      name: "",
      request: "GET /api/home",
      actor: member,
      status: 200,
      data: {
        Username: member.name,
        Uuid: member.uuid,
        Mail: member.mail,
        Selected_Cape: own.id,
        Selected_Skin: first,
        PermLvl: 1,
        Capes: [{ Id: own.id, Name: "Founders", Uuid: own.uuid, Expires_at: null }],
        Skin: [
          {
            Id: expect.any(Number),
            Name: "Every day",
            Uuid: first,
            Slim: true,
            Hd: false,
            Cloak_id: own.uuid,
            Texture_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          },
          {
            Id: expect.any(Number),
            Name: "Sundays",
            Uuid: second,
            Slim: false,
            Hd: true,
            Cloak_id: "",
            Texture_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          },
        ],
        Social_integration: false,
        Social: { userid: "", username: "", avatar: "" },
        Mail_verification: 1,
        Language: "en",
      },
      hasNot: ["Alice", "Bob"],
    });
  });

  test("has empty values for a member who has chosen nothing yet", async () => {
    const member = await addMember(harness, "unfinished", { finished: false });
    expect(await profileOf(member)).toMatchObject({
      Username: "",
      Uuid: member.uuid,
      Selected_Cape: 0,
      Selected_Skin: "",
      Capes: [],
      Skin: [],
      Mail_verification: 1,
    });
  });

  test("shows the level", async () => {
    expect(await profileOf(await addMember(harness, "Chief", { level: 3 }))).toMatchObject({ PermLvl: 3 });
  });

  test("shows an address that is not verified", async () => {
    const member = await addMember(harness, "Unverified", { mailVerified: false });
    expect(await profileOf(member)).toMatchObject({ Mail_verification: 0 });
  });

  test("does not count the cape of a skin that is not selected", async () => {
    const member = await someone();
    const own = await grantCape(harness, [member], capePng(3));
    await addSkin(harness, member, { file: skinPng(3) });
    await wearCape(harness, member, await addSkin(harness, member, { file: skinPng(4) }), own);
    expect(await profileOf(member)).toMatchObject({ Selected_Cape: 0 });
  });
});

describe("POST /api/home/edit/upload", () => {
  test("puts the skin into the wardrobe and says where it is", async () => {
    const member = await someone();
    const response = await upload(harness, member, { file: skinPng(10), name: "  Blue coat " });
    expect(response.status).toBe(200);
    checkHeaders(response, { location: /^\/api\/skin\/public\/[0-9a-f-]{36}$/, "cache-control": "no-store" });
    expect(await response.json()).toEqual({
      error: false,
      msg: expect.stringMatching(/successfully/),
      url: null,
      data: {},
    });
    const { Skin } = await profileOf(member);
    const uuid = (response.headers.get("location") ?? "").slice(-36);
    expect(Skin).toMatchObject([{ Uuid: uuid, Name: "Blue coat", Slim: false, Hd: false, Cloak_id: "" }]);
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test("selects a member's first skin and leaves the choice alone afterwards", async () => {
    const member = await someone();
    const first = await addSkin(harness, member, { file: skinPng(1) });
    expect(await profileOf(member)).toMatchObject({ Selected_Skin: first });
    await addSkin(harness, member, { file: skinPng(2) });
    expect(await profileOf(member)).toMatchObject({ Selected_Skin: first });
  });

  test("gives a name to a skin that comes without one", async () => {
    const member = await someone();
    await addSkin(harness, member, {});
    const { Skin } = await profileOf(member);
    expect(Skin[0]?.Name).not.toBe("");
  });

  test("numbers skins without a name so that no two are called alike", async () => {
    const member = await someone();
    const uuids: string[] = [];
    for (let seed = 0; seed < 4; seed++) uuids.push(await addSkin(harness, member, { file: skinPng(seed) }));
    await edit(harness, member, "DELETE /api/home/edit/skin", { skinid: uuids[1] });
    for (const seed of [4, 5]) await addSkin(harness, member, { file: skinPng(seed) });
    await addSkin(harness, member, { file: skinPng(6), name: "Skin 7" });
    await addSkin(harness, member, { file: skinPng(7) });
    const names = (await profileOf(member)).Skin.map(({ Name }) => Name);
    expect(names).toEqual(["Skin 1", "Skin 3", "Skin 4", "Skin 5", "Skin 6", "Skin 7", "Skin 8"]);
  });

  const slimPixels = skinBitmap(5);
  for (let y = 20; y < 32; y++) slimPixels.data.fill(0, (y * 64 + 54) * 4, (y * 64 + 56) * 4);
  test.each([
    ["classic pixels", skinPng(5), undefined, false],
    ["slim pixels", pngOf(slimPixels), undefined, true],
    ["classic pixels that are declared slim", skinPng(5), "true", true],
    ["slim pixels that are declared classic", pngOf(slimPixels), "false", false],
    ["64x32", skinPng(5, { width: 64, height: 32 }), undefined, false],
    ["64x32 that are declared classic", skinPng(5, { width: 64, height: 32 }), "false", false],
  ])("finds the model of %s", async (_, file, slim, expected) => {
    const member = await someone();
    await addSkin(harness, member, { file, ...(slim === undefined ? {} : { slim }) });
    expect((await profileOf(member)).Skin[0]?.Slim).toBe(expected);
  });

  test.each([
    ["64x64", 64, 64, false],
    ["64x32", 64, 32, false],
    ["128x128", 128, 128, true],
    ["128x64", 128, 64, true],
  ])("takes %s", async (size, width, height, hd) => {
    const member = await someone();
    const uuid = await addSkin(harness, member, { file: skinPng(6, { width, height }) });
    expect((await profileOf(member)).Skin[0]).toMatchObject({ Hd: hd });
    const stored = await harness.fetch(`/api/skin/public/${uuid}`);
    const header = Buffer.from(await stored.bytes());
    expect(`${header.readUInt32BE(16)}x${header.readUInt32BE(20)}`).toBe(size);
  });

  test("refuses the skin that is one too many, also when as many come at once as may", async () => {
    const member = await someone();
    const send = (seed: number) => upload(harness, member, { file: skinPng(seed) });
    const answers = [await send(1000)];
    for (let seed = 1001; seed < 1012; seed += 2) {
      answers.push(...(await Promise.all([send(seed), send(seed + 1)])));
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(8);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      await expectError(answer, 400, /^Skin upload failed: .*8 skins/);
    }
    expect((await profileOf(member)).Skin).toHaveLength(8);
  });

  test("takes a file that is called only `file`, as real launchers send it", async () => {
    const form = new FormData();
    form.set("skin", new File([new Uint8Array(skinPng(7))], "file", { type: "application/octet-stream" }));
    const response = await harness.fetch("/api/home/edit/upload", {
      method: "POST",
      headers: { authorization: (await someone()).authorization },
      body: form,
    });
    expect(response.status).toBe(200);
  });
});

describe("PUT /api/home/edit/skin", () => {
  const aliceFirst = async () => (await profileOf(alice)).Skin[0];

  test.each([
    ["name", { name: " Red coat " }, { Name: "Red coat" }],
    ["name in another script", { name: "外套 🧥" }, { Name: "外套 🧥" }],
    ["arms", { slim: true }, { Slim: true }],
    ["arms back", { slim: false }, { Slim: false }],
    ["cape", { cloakid: cape.uuid }, { Cloak_id: cape.uuid }],
    ["cape by an empty text", { cloakid: "" }, { Cloak_id: "" }],
    [
      "cape in upper case without dashes",
      { cloakid: cape.uuid.replaceAll("-", "").toUpperCase() },
      { Cloak_id: cape.uuid },
    ],
    ["cape by null", { cloakid: null }, { Cloak_id: "" }],
    ["nothing", {}, {}],
    [
      "all at once",
      { name: "All", slim: true, cloakid: cape.uuid },
      { Name: "All", Slim: true, Cloak_id: cape.uuid },
    ],
  ])("changes the %s and nothing else", async (_, fields, expected) => {
    const before = await aliceFirst();
    await play(harness, change({ skinid: aliceSkin, ...fields }));
    expect(await aliceFirst()).toMatchObject({ ...before, ...expected });
  });

  test("takes the skin's id without dashes, in any case", () =>
    play(harness, change({ skinid: aliceSkin.replaceAll("-", "").toUpperCase() })));

  test.each<[string, unknown, RegExp]>([
    ["no skin", { name: "x" }, /skinid: /],
    ["a skin that is no uuid", { skinid: "first" }, /skinid: must be a UUID/],
    ["a skin that is a number", { skinid: 1 }, /skinid: must be a UUID/],
    ["a skin of 7 kB", { skinid: "a".repeat(7000) }, /skinid: must be a UUID/],
    ["an unknown skin", { skinid: crypto.randomUUID() }, /skinid: /],
    ["another's skin", { skinid: bobsSkin }, /skinid: /],
    ["a user instead of a skin", { skinid: alice.uuid }, /skinid: /],
    ["an empty name", { skinid: aliceSkin, name: "" }, /name: must have 1 to 64 characters/],
    ["a name of blanks", { skinid: aliceSkin, name: " \n" }, /name: /],
    ["a name of 65 characters", { skinid: aliceSkin, name: "a".repeat(65) }, /name: /],
    ["a name with a line end", { skinid: aliceSkin, name: "a\nb" }, /name: /],
    ["a name with a NUL", { skinid: aliceSkin, name: "a\0b" }, /name: /],
    ["a name that is a number", { skinid: aliceSkin, name: 1 }, /name: must be a text/],
    ["a name that is null", { skinid: aliceSkin, name: null }, /name: must be a text/],
    ["slim as a text", { skinid: aliceSkin, slim: "true" }, /slim: must be true or false/],
    ["slim as a number", { skinid: aliceSkin, slim: 1 }, /slim: must be true or false/],
    ["a cape that is no uuid", { skinid: aliceSkin, cloakid: "red" }, /cloakid: must be a UUID/],
    ["a cape that is a number", { skinid: aliceSkin, cloakid: cape.id }, /cloakid: must be a UUID/],
    ["an unknown cape", { skinid: aliceSkin, cloakid: crypto.randomUUID() }, /cloakid: /],
    ["a cape that was not granted", { skinid: aliceSkin, cloakid: bobsCape.uuid }, /cloakid: /],
  ])("refuses %s", async (_, json, msg) => {
    const before = await profileOf(alice);
    await play(harness, { ...change(json), status: 400, msg, hasNot: ["Bob"] });
    await play(harness, { ...change(json), status: 400, msg: /^Skin change failed: / });
    expect(await profileOf(alice)).toEqual(before);
  });

  test("keeps 64 characters, however many bytes they take", async () => {
    await play(harness, change({ skinid: aliceSkin, name: "🧥".repeat(64) }));
    const refused = { status: 400, msg: /name: / } as const;
    await play(harness, { ...change({ skinid: aliceSkin, name: "🧥".repeat(65) }), ...refused });
  });

  test("changes nothing when one field of several is wrong", async () => {
    const before = await profileOf(alice);
    await play(harness, {
      ...change({ skinid: aliceSkin, name: "New", slim: !before.Skin[0]?.Slim, cloakid: bobsCape.uuid }),
      status: 400,
      msg: /^Skin change failed: cloakid: /,
    });
    expect(await profileOf(alice)).toEqual(before);
  });

  test("refuses slim arms on a 64x32 skin", async () => {
    const member = await someone();
    const skinid = await addSkin(harness, member, { file: skinPng(8, { width: 64, height: 32 }) });
    await play(harness, {
      ...change({ skinid, slim: true }),
      actor: member,
      status: 400,
      msg: /^Skin change failed: slim: /,
    });
    await play(harness, { ...change({ skinid, slim: false }), actor: member });
  });
});

describe("POST /api/home/edit/skin/select", () => {
  test("makes the skin the selected one", async () => {
    const second = await addSkin(harness, alice, { file: skinPng(20) });
    await play(harness, select({ skinid: second }));
    expect(await profileOf(alice)).toMatchObject({ Selected_Skin: second });
    await play(harness, select({ skinid: second }));
    await play(harness, select({ skinid: aliceSkin.toUpperCase() }));
    expect(await profileOf(alice)).toMatchObject({ Selected_Skin: aliceSkin });
  });

  test.each([
    ["no skin", {}],
    ["an unknown skin", { skinid: crypto.randomUUID() }],
    ["another's skin", { skinid: bobsSkin }],
    ["nonsense", { skinid: "../../etc/passwd" }],
  ])("refuses %s", async (_, json) => {
    await play(harness, { ...select(json), status: 400, msg: /^Skin selection failed: skinid: / });
    expect(await profileOf(alice)).toMatchObject({ Selected_Skin: aliceSkin });
  });
});

describe("DELETE /api/home/edit/skin", () => {
  test("takes the skin out of the wardrobe and off the disk", async () => {
    const member = await someone();
    await addSkin(harness, member, { file: skinPng(30) });
    const files = await harness.countFiles();
    const skinid = await addSkin(harness, member, { file: skinPng(31) });
    expect(await harness.countFiles()).toBe(files + 1);
    await play(harness, { ...remove({ skinid }), actor: member });
    expect(await harness.countFiles()).toBe(files);
    expect((await profileOf(member)).Skin).toHaveLength(1);
    expect((await harness.fetch(`/api/skin/public/${skinid}`)).status).toBe(404);
    expect((await harness.fetch(`/textures/${bitmapHash(skinBitmap(31))}`)).status).toBe(404);
  });

  test("leaves none selected when it was the selected one", async () => {
    const member = await someone();
    const skinid = await addSkin(harness, member, { file: skinPng(32) });
    await addSkin(harness, member, { file: skinPng(33) });
    await play(harness, { ...remove({ skinid }), actor: member });
    expect(await profileOf(member)).toMatchObject({ Selected_Skin: "" });
    expect((await playerOf(harness, member)).selectedSkinId).toBeNull();
  });

  test("keeps a file that another wardrobe still needs, and removes it with the last", async () => {
    const [one, two] = [await someone(), await someone()];
    const files = await harness.countFiles();
    const file = skinPng(34);
    const [first, second] = [await addSkin(harness, one, { file }), await addSkin(harness, two, { file })];
    const third = await addSkin(harness, two, { file, slim: "true" });
    expect(await harness.countFiles()).toBe(files + 1);
    await play(harness, { ...remove({ skinid: first }), actor: one });
    await play(harness, { ...remove({ skinid: third }), actor: two });
    expect(await harness.countFiles()).toBe(files + 1);
    expect((await harness.fetch(`/api/skin/public/${second}`)).status).toBe(200);
    await play(harness, { ...remove({ skinid: second }), actor: two });
    expect(await harness.countFiles()).toBe(files);
  });

  test("keeps a file that a cape needs", async () => {
    const member = await someone();
    const file = skinPng(35, { width: 64, height: 32 });
    const shared = await grantCape(harness, [member], file);
    const skinid = await addSkin(harness, member, { file });
    await play(harness, { ...remove({ skinid }), actor: member });
    expect((await harness.fetch(`/api/skin/public/cape/${shared.uuid}`)).status).toBe(200);
  });

  test("never gives a number to a second skin", async () => {
    const member = await someone();
    const numberOf = async () => (await profileOf(member)).Skin.map((skin) => Reflect.get(skin, "Id"));
    const skinid = await addSkin(harness, member, { file: skinPng(36) });
    const before = await numberOf();
    await play(harness, { ...remove({ skinid }), actor: member });
    await addSkin(harness, member, { file: skinPng(36) });
    expect(await numberOf()).not.toEqual(before);
  });

  test.each([
    ["no skin", {}],
    ["an unknown skin", { skinid: crypto.randomUUID() }],
    ["another's skin", { skinid: bobsSkin }],
  ])("refuses %s", async (_, json) => {
    await play(harness, {
      ...remove(json),
      status: 400,
      msg: /^Skin deletion failed: skinid: /,
    });
    expect((await harness.fetch(`/api/skin/public/${bobsSkin}`)).status).toBe(200);
  });

  test("refuses a second time", async () => {
    const skinid = await addSkin(harness, await someone(), {});
    await play(harness, { ...remove({ skinid }), status: 400 });
  });
});

describe("every edit but the upload", () => {
  const edits = [
    ["PUT /api/home/edit/skin", "Skin change"],
    ["POST /api/home/edit/skin/select", "Skin selection"],
    ["DELETE /api/home/edit/skin", "Skin deletion"],
  ] as const;
  const bodies = [
    ["broken JSON", { headers: { "content-type": "application/json" }, body: "{" }],
    ["a form", { body: uploadForm({}) }],
    ["a list", { json: [] }],
    ["a text", { json: "x" }],
    ["an object with a broken toString", { json: { skinid: { toString: 1 } } }],
    ["no type", { body: Uint8Array.of(123, 125) }],
    ["a body over 512 KiB", { json: { skinid: "x".repeat(600_000) } }],
  ] as const;
  const table = edits.flatMap(([request, action]) =>
    bodies.map(([what, sent]): Scenario => ({
      name: `${request} answers ${what} with a 400 that names the action`,
      request,
      actor: alice,
      ...sent,
      status: 400,
      msg: new RegExp(`^${action} failed: `),
    })),
  );
  test.each(table)("$name", (scenario) => play(harness, scenario));
});

test("an account that goes while its upload is on the way is no fault, and leaves no file", async () => {
  const member = await someone();
  const before = { files: await harness.countFiles(), skins: harness.countRows("skins") };
  const gate = Promise.withResolvers<void>();
  const busy = harness.services.transact(system, () => gate.promise);
  const gone = deleteAccount(harness.services, commandLine, member.name);
  const uploading = upload(harness, member, { file: skinPng(50) });
  // The upload passes its guard and waits behind the deletion.
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
  gate.resolve();
  await Promise.all([busy, gone]);
  const { status } = await uploading;
  // Where several write at once, the upload may be kept before the account goes; then its skin goes with it.
  expect(runsOnSqlite ? [400, 401] : [200, 400, 401]).toContain(status);
  expect(harness.takeComplaints()).toEqual([]);
  expect({ files: await harness.countFiles(), skins: harness.countRows("skins") }).toEqual(before);
});

test("two members who delete and upload the same picture at once both keep what was answered", async () => {
  const [one, two] = [await someone(), await someone()];
  const file = skinPng(40);
  let mine = await addSkin(harness, one, { file });
  for (let round = 0; round < 5; round++) {
    const [removed, added] = await Promise.all([
      edit(harness, one, "DELETE /api/home/edit/skin", { skinid: mine }),
      upload(harness, two, { file }),
    ]);
    expect([removed.status, added.status]).toEqual([204, 200]);
    const theirs = (added.headers.get("location") ?? "").slice(-36);
    expect((await harness.fetch(`/api/skin/public/${theirs}`)).status).toBe(200);
    mine = await addSkin(harness, one, { file });
    await edit(harness, two, "DELETE /api/home/edit/skin", { skinid: theirs });
    expect((await harness.fetch(`/api/skin/public/${mine}`)).status).toBe(200);
  }
});

/** What the edits succeed with; a scenario says only what differs. */
function change(json: unknown): Scenario {
  return {
    name: "",
    request: "PUT /api/home/edit/skin",
    actor: alice,
    json,
    status: 200,
    msg: /successfully$/,
    data: {},
  };
}
function select(json: unknown): Scenario {
  return { ...change(json), request: "POST /api/home/edit/skin/select" };
}
function remove(json: unknown): Scenario {
  return { name: "", request: "DELETE /api/home/edit/skin", actor: alice, json, status: 204 };
}
