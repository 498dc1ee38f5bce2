/** Signed profiles and certificates: `domain/game`, over a real key. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createPrivateKey, createPublicKey, createVerify, type KeyObject } from "node:crypto";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { createCertificates } from "../../src/domain/game/certificate.ts";
import { createProfiles, type GameProfile } from "../../src/domain/game/profile.ts";
import type { Signer } from "../../src/domain/ports/signer.ts";
import type { Appearance } from "../../src/domain/ports/texture-store.ts";
import {
  newUuid,
  parseTextureHash,
  type PlayerId,
  type TextureHash,
  type Uuid,
  newTextureFile,
} from "../../src/kernel/ids.ts";
import type { Waiter } from "../../src/kernel/waiters.ts";
import { openHarness, publicUrl, type Harness } from "../support/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

const waiter: Waiter = { client: "somebody", gone: null };

function hash(digit: string): TextureHash {
  const parsed = parseTextureHash(digit.repeat(64));
  if (parsed === null) throw new Error("No hash");
  return parsed;
}

const texture = (digit: string) => ({
  hash: hash(digit),
  file: newTextureFile(hash(digit)),
  digest: digit.repeat(64),
  width: 64,
  height: 64,
});
const slim = { uuid: newUuid(), model: "slim", texture: texture("a") } as const;
const classic = { uuid: newUuid(), model: "classic", texture: texture("b") } as const;
const cape = { uuid: newUuid(), texture: texture("c"), wings: null } as const;

function player(looks: Partial<Appearance> = {}): Appearance {
  const uuid = newUuid();
  return { uuid, playerUuid: uuid, name: "Anna", skin: null, cape: null, ...looks };
}

function open() {
  let signatures = 0;
  const { signer: real, clock } = harness.services;
  const signer: Signer = {
    ...real,
    key: async () => {
      const key = await real.key();
      return { ...key, sign: (...given) => ((signatures += 1), key.sign(...given)) };
    },
  };
  const deps = { signer, clock, publicUrl: () => publicUrl };
  return { profiles: createProfiles(deps), certificates: createCertificates(deps), count: () => signatures };
}

async function publicKey(): Promise<KeyObject> {
  const { publicKey: der } = await harness.services.signer.key();
  return createPublicKey({ key: Buffer.from(der), type: "spki", format: "der" });
}

const der = (pem: string) => Buffer.from(pem.split("\n").slice(1, -2).join(""), "base64");

const contentOf = ({ properties }: GameProfile): unknown =>
  JSON.parse(Buffer.from(properties[0]?.value ?? "", "base64").toString());

test.each<readonly [string, Partial<Appearance>, object]>([
  ["nothing", {}, {}],
  [
    "a slim skin",
    { skin: slim },
    { SKIN: { url: `${publicUrl}/textures/${hash("a")}`, metadata: { model: "slim" } } },
  ],
  ["a classic skin", { skin: classic }, { SKIN: { url: `${publicUrl}/textures/${hash("b")}` } }],
  ["a cape alone", { cape }, { CAPE: { url: `${publicUrl}/textures/${hash("c")}` } }],
])("the profile of a player with %s has exactly the page's fields", async (_, looks, textures) => {
  const shown = player(looks);
  const { profiles } = open();
  const id = shown.uuid.replaceAll("-", "");
  const timestamp = harness.clock.nowSeconds() * 1000;
  for (const profile of [profiles.unsigned(shown), (await profiles.signed(shown, waiter)).profile]) {
    expect(Object.keys(profile)).toEqual(["id", "name", "properties"]);
    expect([profile.id, profile.name]).toEqual([id, "Anna"]);
    expect(profile.properties.map(({ name }) => name)).toEqual(["textures", "uploadableTextures"]);
    expect(profile.properties[1]?.value).toBe("skin");
    expect(contentOf(profile)).toStrictEqual({ timestamp, profileId: id, profileName: "Anna", textures });
  }
});

test("every property is signed, over the bytes of its value", async () => {
  const { profile } = await open().profiles.signed(player({ skin: slim, cape }), waiter);
  const key = await publicKey();
  for (const { value, signature = "" } of profile.properties) {
    expect(createVerify("RSA-SHA1").update(value).verify(key, signature, "base64")).toBe(true);
    expect(createVerify("RSA-SHA1").update(`${value}=`).verify(key, signature, "base64")).toBe(false);
  }
  expect(
    open()
      .profiles.unsigned(player())
      .properties.some((property) => "signature" in property),
  ).toBe(false);
});

test("a look is signed once for all clients that ask", async () => {
  const { profiles, count } = open();
  const shown = player({ skin: slim });
  await profiles.signed(player(), waiter);
  const before = count();
  const asks = Array.from({ length: 10_000 }, (_, at) =>
    profiles.signed(shown, { client: `${at}`, gone: null }),
  );
  const all = await Promise.all(asks);
  expect(new Set(all.map(({ profile }) => profile)).size).toBe(1);
  expect(count() - before).toBe(1);
  for (const other of [
    { ...shown, name: "Berta" },
    { ...shown, skin: classic },
    { ...shown, cape },
  ])
    expect((await profiles.signed(other, waiter)).profile).not.toBe(all[0]?.profile);
  expect(count() - before).toBe(4);
});

test("a request that is gone ends no signature that others wait for", async () => {
  const { profiles } = open();
  const shown = player();
  const leaving = new AbortController();
  const [left, stayed] = [
    profiles.signed(shown, { client: "one", gone: leaving.signal }),
    profiles.signed(shown, { client: "two", gone: null }),
  ];
  leaving.abort();
  await left.catch(() => undefined);
  expect((await stayed).profile.name).toBe("Anna");
});

const owner = (uuid: Uuid, id = 1) => ({ id: id as PlayerId, uuid }); // the number of some row

test("a certificate holds for the uuid, its end and its key, and for nothing else", async () => {
  const uuid = newUuid();
  const made = await open().certificates.of(owner(uuid), waiter);
  const { publicKeyPem, privateKeyPem, signature, signatureV2, expiresAt, refreshedAfter } = made;
  const now = harness.clock.nowSeconds();
  expect([expiresAt - now, refreshedAfter - now]).toEqual([48 * 3600, 36 * 3600]);
  const publicDer = der(publicKeyPem);
  const lines = publicKeyPem.split("\n");
  expect([lines[0], ...lines.slice(-2)]).toEqual([
    "-----BEGIN RSA PUBLIC KEY-----",
    "-----END RSA PUBLIC KEY-----",
    "",
  ]);
  expect(lines.slice(1, -3).every(({ length }) => length === 76)).toBe(true);
  const given = createPublicKey({ key: publicDer, type: "spki", format: "der" });
  const own = createPrivateKey({ key: der(privateKeyPem), type: "pkcs8", format: "der" });
  expect(given.asymmetricKeyDetails?.modulusLength).toBe(2048);
  expect(createPublicKey(own).equals(given)).toBe(true);

  const key = await publicKey();
  const holds = (signed: Buffer, by: string) =>
    createVerify("RSA-SHA1").update(signed).verify(key, by, "base64");
  const end = Buffer.alloc(8);
  end.writeBigUInt64BE(BigInt(expiresAt) * 1000n);
  const v2 = Buffer.concat([Buffer.from(uuid.replaceAll("-", ""), "hex"), end, publicDer]);
  const v1 = Buffer.from(`${expiresAt * 1000}${publicKeyPem}`);
  expect([holds(v1, signature), holds(v2, signatureV2)]).toEqual([true, true]);
  for (const [signed, by] of [
    [v1, signature],
    [v2, signatureV2],
  ] as const) {
    const flipped = Buffer.from(signed);
    flipped[flipped.length - 40] = (flipped.at(-40) ?? 0) ^ 1;
    expect(holds(flipped, by)).toBe(false);
  }
});

test("a player has one certificate until it is to be refreshed", async () => {
  const { certificates } = open();
  const uuid = newUuid();
  const all = await Promise.all(Array.from({ length: 5 }, () => certificates.of(owner(uuid), waiter)));
  expect(new Set(all).size).toBe(1);
  harness.clock.advance(36 * 3600 - 1);
  expect(new Set([...all, await certificates.of(owner(uuid), waiter)]).size).toBe(1);
  expect(all).not.toContain(await certificates.of(owner(newUuid()), waiter));
  harness.clock.advance(1);
  const next = await certificates.of(owner(uuid), waiter);
  expect(next.publicKeyPem).not.toBe(all[0]?.publicKeyPem);
});

test("a player who got the uuid of another one gets other keys", async () => {
  const { certificates } = open();
  const uuid = newUuid();
  const [former, next] = [
    await certificates.of(owner(uuid, 1), waiter),
    await certificates.of(owner(uuid, 2), waiter),
  ];
  expect(next.publicKeyPem).not.toBe(former.publicKeyPem);
});

test("another key on disk signs within moments, and what the other signed holds no longer", async () => {
  const { profiles, certificates } = open();
  const { signer, clock } = harness.services;
  const shown = player({ skin: slim });
  const [before, certificate] = [
    await profiles.signed(shown, waiter),
    await certificates.of(owner(shown.uuid), waiter),
  ];
  const { id, publicKey: former } = await signer.key();
  await signer.rotate(clock.nowSeconds());
  while (before.holds()) await yieldToEventLoop();
  const key = await signer.key();
  expect(key.id).not.toBe(id);
  expect(key.previous).toEqual([{ publicKey: former, announcedUntil: clock.nowSeconds() + 48 * 3600 }]);
  const after = await profiles.signed(shown, waiter);
  const [textures] = after.profile.properties;
  const announced = await publicKey();
  for (const { value, signature = "" } of after.profile.properties)
    expect(createVerify("RSA-SHA1").update(value).verify(announced, signature, "base64")).toBe(true);
  expect(textures?.signature).not.toBe(before.profile.properties[0]?.signature);
  // The same keys with other signatures.
  const renewed = await certificates.of(owner(shown.uuid), waiter);
  expect(renewed.publicKeyPem).toBe(certificate.publicKeyPem);
  expect(renewed.signatureV2).not.toBe(certificate.signatureV2);
});

test("the first key is made once, and later starts read none", async () => {
  await using fresh = await openHarness();
  const { signer } = fresh.services;
  const [prepared, key] = await Promise.all([signer.prepare(), signer.key()]);
  expect(prepared).toEndWith("signing-key");
  expect((await signer.key()).id).toBe(key.id);
  expect(await signer.prepare()).toBeNull();
});

/** A signer whose key is replaced while the first signature is made. Signatures name their key. */
function replacedMeanwhile() {
  const { signer: real, clock } = harness.services;
  let inForce = "first";
  const signer: Signer = {
    ...real,
    key: async () => {
      const id = inForce;
      const sign = async () => {
        inForce = "second";
        return id;
      };
      return { ...(await real.key()), id, sign };
    },
    isInForce: (id) => id === inForce,
  };
  return { signer, clock, publicUrl: () => publicUrl };
}

test("a key that is replaced while it signs has signed nothing that is answered", async () => {
  const { profile, holds } = await createProfiles(replacedMeanwhile()).signed(player({ skin: slim }), waiter);
  expect(profile.properties.map(({ signature }) => signature)).toEqual(["second", "second"]);
  expect(holds()).toBe(true);
  const made = await createCertificates(replacedMeanwhile()).of(owner(newUuid()), waiter);
  expect([made.signature, made.signatureV2]).toEqual(["second", "second"]);
});
