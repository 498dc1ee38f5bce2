/** Lists of skins (docs/contract/admin.md#skins, docs/contract/answers.md#lists). */
import { afterAll, describe, test } from "bun:test";
import { openModeratedSkins } from "../support/moderated-skins.ts";
import { play } from "../support/scenario.ts";

const { harness, now, chief, alice, bob, unready, cape, first, hd, legacy, digestOf, asking } =
  await openModeratedSkins();
afterAll(() => harness[Symbol.asyncDispose]());

const look = { slim: false, hd: false, cloak_id: "" };
const fixed = { ...look, created: now, selected: true };
const firstSkin = { ...fixed, id: 1, uuid: first, name: "First", slim: true, sha256: await digestOf(first) };
const hdSkin = {
  ...fixed,
  id: 2,
  uuid: hd,
  name: "Fine",
  hd: true,
  cloak_id: cape.uuid,
  selected: false,
  sha256: await digestOf(hd),
};

describe("GET /api/admin/users/skin/{uuid}", () => {
  test("lists a user's skins, the oldest first", async () => {
    await play(harness, { ...asking(`GET /api/admin/users/skin/${alice.uuid}`), data: [firstSkin, hdSkin] });
  });

  test("is empty for a user without skins, whether registration is finished or not", async () => {
    for (const { uuid } of [chief, unready]) {
      await play(harness, { ...asking(`GET /api/admin/users/skin/${uuid}`), data: [] });
    }
  });

  test("takes a UUID without dashes, in capitals", async () => {
    const uuid = alice.uuid.replaceAll("-", "").toUpperCase();
    await play(harness, { ...asking(`GET /api/admin/users/skin/${uuid}`), data: [firstSkin, hdSkin] });
  });

  test.each<[string, string, number]>([
    ["a user that there is not", crypto.randomUUID(), 404],
    ["a skin", first, 404],
    ["a username", "Alice", 400],
    ["an id", String(alice.account.id), 400],
    ["a broken encoding", "%E0%A4%A", 400],
  ])("knows no skins of %s", async (_, uuid, status) => {
    await play(harness, { ...asking(`GET /api/admin/users/skin/${uuid}`), status, msg: /^uuid: / });
  });

  test.each([alice, unready])("refuses players: $mail", async (actor) => {
    await play(harness, { ...asking(`GET /api/admin/users/skin/${bob.uuid}`, actor), status: 403 });
    await play(harness, { ...asking("GET /api/admin/users/skin/x", actor), status: 403 });
  });
});

describe("GET /api/admin/skins", () => {
  const records = async () => {
    const file = { action: "skin", time: now, width: 64, height: 64, ...look };
    const ofAlice = { ...file, iss: "Alice", for: alice.account.id };
    return [
      { ...ofAlice, id: 1, uuid: first, name: "First", slim: true, sha256: await digestOf(first) },
      {
        ...ofAlice,
        id: 2,
        uuid: hd,
        name: "Fine",
        hd: true,
        cloak_id: cape.uuid,
        width: 128,
        height: 128,
        sha256: await digestOf(hd),
      },
      {
        ...file,
        id: 3,
        iss: "Bob",
        for: bob.account.id,
        uuid: legacy,
        name: "Old one",
        height: 32,
        sha256: await digestOf(legacy),
      },
    ];
  };

  const next = '</api/admin/skins?limit=2&after=2>; rel="next"';
  test.each<[string, [number, number], number, string | null]>([
    ["", [0, 3], 3, null],
    ["?limit=2", [0, 2], 3, next],
    ["?limit=2&after=2", [2, 3], 3, null],
    ["?after=3", [3, 3], 3, null],
    ["?q=77", [0, 0], 0, null],
    ["?q=FIN", [1, 2], 1, null],
    ["?q=ld%20o", [2, 3], 1, null],
    ["?q=2", [1, 2], 1, null],
    [`?q=${hd}`, [1, 2], 1, null],
    [`?q=${alice.uuid}`, [0, 0], 0, null],
    ["?q=nothing", [0, 0], 0, null],
  ])("lists all skins by id, or those that are looked for: %s", async (query, [from, to], total, link) => {
    const data = (await records()).slice(from, to);
    const answerHeaders = { "x-total-count": String(total), link };
    await play(harness, { ...asking(`GET /api/admin/skins${query}`), data, answerHeaders });
  });

  test.each(["limit=0", "limit=1001", "after=x", `q=${"x".repeat(255)}`, "q=fi"])(
    "refuses %s",
    async (query) => {
      await play(harness, { ...asking(`GET /api/admin/skins?${query}`), status: 400 });
    },
  );

  test.each([alice, unready])("refuses players: $mail", async (actor) => {
    await play(harness, { ...asking("GET /api/admin/skins", actor), status: 403 });
  });
});
