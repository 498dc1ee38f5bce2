/** Default skins (docs/contract/textures.md#default-skins). */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { loadDefaultSkins } from "../../src/adapters/default-skins/default-skins.ts";
import { system } from "../../src/domain/model/actor.ts";
import { importSkin } from "../../src/domain/textures/import.ts";
import { compose } from "../../src/boot/compose.ts";
import { parseUuid } from "../../src/kernel/ids.ts";
import { readPng } from "../render/png-reader.ts";
import { caching, dashless, openDeliveryWorld } from "../support/delivery-world.ts";
import { openHarness } from "../support/harness.ts";
import { checkHeaders, expectError } from "../support/scenario.ts";
import { bitmapHash, sha256, sizeOf, skinBitmap, skinPng } from "../support/textures.ts";

const { harness, get, alice, bare } = await openDeliveryWorld();
afterAll(() => harness[Symbol.asyncDispose]());
afterEach(() => expect(harness.takeComplaints()).toEqual([]));

const uuids = [
  ["00000000-0000-0000-0000-000000000000", "slim"],
  ["00000008-0000-0000-0000-000000000000", "slim"],
  ["00000009-0000-0000-0000-000000000000", "classic"],
  ["00000000-0000-0000-0000-000000000011", "classic"],
  ["00000000-0000-0012-0000-000000000000", "slim"],
  ["ffffffff-0000-0000-0000-000000000000", "classic"],
  ["00000000-0000-0000-ffff-fff700000000", "classic"],
  ["00000000-0000-0000-ffff-fff600000000", "slim"],
  ["80000000-0000-0000-0000-000000000000", "classic"],
  ["7fffffff-0000-0000-0000-000000000000", "slim"],
  ["ffffffff-ffff-ffff-ffff-ffffffffffff", "slim"],
  ["01234567-89ab-4cde-8f01-23456789abcd", expectedModel("01234567-89ab-4cde-8f01-23456789abcd")],
  ["6d1f0c3a-52b7-4e90-9c44-f3a1b2c4d5e6", expectedModel("6d1f0c3a-52b7-4e90-9c44-f3a1b2c4d5e6")],
  ["c0ffee00-1234-4567-89ab-decafbad0001", expectedModel("c0ffee00-1234-4567-89ab-decafbad0001")],
] as const;
for (const [uuid] of uuids) await plantPlayer(uuid);

describe("default skins", () => {
  test.each(uuids)("%s gets the %s one", async (uuid, model) => {
    expect(expectedModel(uuid)).toBe(model);
    for (const section of ["head", "body", "standart"]) {
      const response = await get(`/api/skin/${section}/${uuid}`);
      expect(response.status).toBe(200);
      checkHeaders(response, { "x-texture-default": model, "cache-control": caching.follows });
      checkHeaders(await get(`/api/skin/${section}/${uuid}`), { "x-texture-default": model });
    }
  });

  test("differ, and are skins of 64x64", async () => {
    const files = await Promise.all(
      [uuids[0][0], uuids[5][0]].map(async (uuid) => (await get(`/api/skin/standart/${uuid}`)).bytes()),
    );
    expect(files.map(sizeOf)).toEqual(["64x64", "64x64"]);
    expect(sha256(files[0]!)).not.toBe(sha256(files[1]!));
  });

  test.each(["head", "body", "standart"])("are not served by %s with ?default=none", async (section) => {
    await expectError(await get(`/api/skin/${section}/${bare.uuid}?default=none`), 404);
    const chosen = await get(`/api/skin/${section}/${alice.uuid}?default=none`);
    expect(chosen.status).toBe(200);
    checkHeaders(chosen, { "x-texture-default": null });
  });

  test("have no part in pictures of a chosen skin", async () => {
    for (const section of ["head", "body", "standart"]) {
      checkHeaders(await get(`/api/skin/${section}/${alice.uuid}`), { "x-texture-default": null });
    }
  });

  test("can be replaced by the operator's", async () => {
    await using other = await openHarness();
    const own = skinPng(80);
    await Bun.write(`${other.folder}/default-skins/classic.png`, own);
    await Bun.write(`${other.folder}/default-skins/slim.png`, own);
    await using services = await compose(other.config);
    const { classic, slim } = services.defaults;
    expect(bitmapHash(readPng(classic.png))).toBe(bitmapHash(skinBitmap(80)));
    expect(classic.digest).toBe(slim.digest);
  });
});

/** floorMod(UUID.hashCode(), 18) < 9 is slim; both halves as Java's 64-bit longs. */
function expectedModel(uuid: string): string {
  const hex = dashless(uuid);
  const folded = BigInt(`0x${hex.slice(0, 16)}`) ^ BigInt(`0x${hex.slice(16)}`);
  const hash = BigInt.asIntN(32, (folded >> 32n) ^ folded);
  return ((hash % 18n) + 18n) % 18n < 9n ? "slim" : "classic";
}

/** A player of a uuid that the test chooses. */
async function plantPlayer(text: string): Promise<void> {
  const uuid = parseUuid(text)!;
  await harness.services.transact(system, async ({ accounts, players }) => {
    const account = await accounts.insertAccount({
      uuid,
      mail: null,
      registration: "complete",
      mailVerified: false,
      passwordHash: null,
      permanentLevel: 1,
      language: "en",
      createdAt: 1,
    });
    const name = `planted${account.id}`;
    await players.insertPlayer({ uuid: account.uuid, accountId: account.id, name, createdAt: 1 });
  });
}

test("our own are as an upload would leave them, so a start need not check them", async () => {
  const folder = `${import.meta.dir}/../../src/domain/textures/defaults`;
  for (const model of ["classic", "slim"] as const) {
    const file = await Bun.file(`${folder}/${model}.png`).bytes();
    const rules = { skinWidthMax: 64, bytesMax: file.length };
    const { png, texture } = await importSkin(file, model, rules);
    const { digest, width, height } = texture;
    const loaded = (await loadDefaultSkins(`${folder}/none`))[model];
    expect(loaded).toEqual({ png: new Uint8Array(png), digest, width, height });
  }
});
