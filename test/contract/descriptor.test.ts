/** Launcher descriptors (docs/contract/delivery.md#descriptors). */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { readPng } from "../render/png-reader.ts";
import { readJson, type Descriptor, type Envelope } from "../support/answers.ts";
import { caching, dashless, openDeliveryWorld } from "../support/delivery-world.ts";
import { openHarness, publicUrl } from "../support/harness.ts";
import { addMember, addSkin } from "../support/members.ts";
import { checkHeaders } from "../support/scenario.ts";
import { bitmapHash, sha256, skinPng } from "../support/textures.ts";

const { harness, get, alice, bare, unfinished, skin, skinHash, nobody } = await openDeliveryWorld();
afterAll(() => harness[Symbol.asyncDispose]());
afterEach(() => expect(harness.takeComplaints()).toEqual([]));

const descriptor = async (id: string) => readJson<Descriptor>(await get(`/api/skin/launcher/${id}`));

describe("descriptor", () => {
  test("names skin, model and cape, and its two hashes are right", async () => {
    const { SKIN, CAPE } = await descriptor(alice.uuid);
    expect(SKIN).toEqual({
      url: `${publicUrl}/textures/${skinHash}`,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      metadata: { model: "slim" },
    });
    expect(CAPE).toEqual({ url: expect.any(String), digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    for (const { url, digest } of [SKIN!, CAPE!]) {
      const response = await get(url.slice(publicUrl.length));
      checkHeaders(response, { "cache-control": caching.immutable, "content-type": "image/png" });
      const file = await response.bytes();
      expect(sha256(file)).toBe(digest);
      expect(url).toBe(`${publicUrl}/textures/${bitmapHash(readPng(file))}`);
    }
  });

  test("is bare JSON that any page may read and any cache must ask about", async () => {
    const response = await get(`/api/skin/launcher/${alice.uuid}`);
    checkHeaders(response, {
      "content-type": /^application\/json/,
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
      etag: /^"[^"]+"$/,
    });
    expect(Object.keys(await readJson<Descriptor>(response))).toEqual(["SKIN", "CAPE"]);
    const tag = response.headers.get("etag") ?? "";
    expect((await get(`/api/skin/launcher/${alice.uuid}`, { "if-none-match": tag })).status).toBe(304);
  });

  test.each([
    ["an unknown uuid", nobody],
    ["a user without a skin: the default one is not announced", bare.uuid],
    ["an unfinished user", unfinished.uuid],
    ["a skin, which is no user", skin],
  ])("is an empty object for %s", async (_, id) => {
    const response = await get(`/api/skin/launcher/${id}`);
    expect([response.status, await response.text()]).toEqual([200, "{}"]);
  });

  test("leaves metadata out for classic arms and CAPE without a cape", async () => {
    const member = await addMember(harness, "Classic");
    await addSkin(harness, member, { file: skinPng(70), slim: "false" });
    const shown = await descriptor(member.uuid);
    expect(Object.keys(shown)).toEqual(["SKIN"]);
    expect(Object.keys(shown.SKIN!)).toEqual(["url", "digest"]);
  });

  test("never holds a null", async () => {
    for (const { uuid } of [alice, bare, unfinished]) {
      expect(await (await get(`/api/skin/launcher/${uuid}`)).text()).not.toContain("null");
    }
  });

  test("comes in the envelope, too, with name and uuid", async () => {
    const response = await get(`/api/skin/launcher/envelope/${dashless(alice.uuid)}`);
    expect(await readJson<Envelope<object>>(response)).toEqual({
      error: false,
      msg: expect.any(String),
      url: null,
      data: {
        username: "Alice",
        uuid: alice.uuid,
        created: alice.account.createdAt,
        shares_skin: false,
        cape_name: "Founders",
        ...(await descriptor(alice.uuid)),
      },
    });
    const { data } = await readJson<Envelope<object>>(await get(`/api/skin/launcher/envelope/${bare.uuid}`));
    const { createdAt: created } = bare.account;
    expect(data).toEqual({ username: "Bare", uuid: bare.uuid, created, shares_skin: false });
  });

  test.each(["", "envelope/"])("knows players by name, too: launcher/%s", async (path) => {
    const byUuid = await (await get(`/api/skin/launcher/${path}${alice.uuid}`)).text();
    const byName = await get(`/api/skin/launcher/${path}aLICE`);
    expect([byName.status, await byName.text()]).toEqual([200, byUuid]);
    for (const id of ["nobody", "not-a-uuid", "a%20b", "%ff"])
      expect((await get(`/api/skin/launcher/${path}${id}`)).status).toBe(400);
  });

  test("names the address that is listened on when there is no public URL", async () => {
    await using other = await openHarness({ settings: { PUBLIC_URL: undefined } });
    const { address } = other.listen();
    const member = await addMember(other, "Alice");
    await addSkin(other, member, {});
    const { SKIN } = await readJson<Descriptor>(await fetch(`${address}/api/skin/launcher/${member.uuid}`));
    expect(SKIN?.url).toStartWith(`${address}/textures/`);
    expect(sha256(await (await fetch(SKIN!.url)).bytes())).toBe(SKIN!.digest);
  });
});
