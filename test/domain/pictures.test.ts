import { describe, expect, test } from "bun:test";
import type { BlobStore } from "../../src/domain/ports/blob-store.ts";
import type { PictureOrder } from "../../src/domain/ports/pictures.ts";
import { createPictures, type PictureRequest } from "../../src/domain/textures/pictures.ts";
import { sha256Hex } from "../../src/domain/textures/hashes.ts";
import type { Texture } from "../../src/domain/model/texture.ts";
import { newTextureFile, parseTextureHash } from "../../src/kernel/ids.ts";
import type { Waiter, Waiters } from "../../src/kernel/waiters.ts";

const skin = textureOf("a");
const cape = textureOf("b");
const waiter: Waiter = { client: "somebody", gone: null };
const head: PictureRequest = {
  view: "head",
  type: "skin",
  size: 100,
  skin: { file: skin, model: "classic" },
};

test("equal requests at one time make the picture once, and later ones find it", async () => {
  const { pictures, orders, release } = openPictures();
  const waiting = Array.from({ length: 20 }, () => pictures.picture({ ...head }, waiter));
  await settle();
  release();
  const answers = await Promise.all(waiting);
  expect(orders).toHaveLength(1);
  expect(new Set(answers).size).toBe(1);
  expect(await pictures.picture(head, waiter)).toBe(answers[0]!);
  expect(orders).toHaveLength(1);
  expect(pictures.peek(pictures.tagOf(head))).toBe(answers[0]);
});

test("the renderer knows the clients that wait for a picture, until the last is gone", async () => {
  const { pictures, parties, release } = openPictures();
  const [first, second] = [new AbortController(), new AbortController()];
  const waiting = [
    pictures.picture(head, { client: "a", gone: first.signal }),
    pictures.picture({ ...head }, { client: "b", gone: second.signal }),
  ];
  const [party] = parties;
  expect([...(party?.clients ?? [])]).toEqual(["a", "b"]);
  first.abort();
  expect([...(party?.clients ?? [])]).toEqual(["b"]);
  expect(party?.allGone.aborted).toBe(false);
  second.abort();
  expect(party?.allGone.aborted).toBe(true);
  release();
  await Promise.all(waiting);
  expect(parties).toHaveLength(1);
});

test("a request that is gone already starts no picture that others would wait for", async () => {
  const { pictures, orders, release } = openPictures();
  const gone = pictures.picture(head, { client: "a", gone: AbortSignal.abort() });
  const waiting = pictures.picture({ ...head }, waiter);
  release();
  expect(await gone.catch((error: unknown) => error)).toMatchObject({ name: "AbortError" });
  expect((await waiting).size).toBeGreaterThan(0);
  expect(orders).toHaveLength(1);
});

test("a picture that was dropped is made for the next client", async () => {
  const { pictures, orders, release } = openPictures({ failures: 1 });
  const dropped = pictures.picture(head, waiter).catch((error: unknown) => String(error));
  release();
  expect(await dropped).toBe("Error: broken");
  expect((await pictures.picture(head, waiter)).size).toBeGreaterThan(0);
  expect(orders).toHaveLength(2);
});

test("different requests at one time make a picture each", async () => {
  const { pictures, orders, release } = openPictures();
  const waiting = [head, { ...head, size: 101 }].map((request) => pictures.picture(request, waiter));
  await settle();
  release();
  await Promise.all(waiting);
  expect(orders.map(({ size }) => size)).toEqual([100, 101]);
});

test("a failure reaches everybody who waits, and is not remembered", async () => {
  const { pictures, orders, release } = openPictures({ failures: 1 });
  const waiting = [1, 2, 3].map(() =>
    pictures.picture(head, waiter).catch((error: unknown) => String(error)),
  );
  await settle();
  release();
  expect(await Promise.all(waiting)).toEqual(["Error: broken", "Error: broken", "Error: broken"]);
  expect(pictures.peek(pictures.tagOf(head))).toBeUndefined();
  expect((await pictures.picture(head, waiter)).size).toBeGreaterThan(0);
  expect(orders).toHaveLength(2);
});

test("without memory for them pictures are made again each time", async () => {
  const { pictures, orders, release } = openPictures({ cacheBytes: 0 });
  release();
  await pictures.picture(head, waiter);
  await pictures.picture(head, waiter);
  expect(orders).toHaveLength(2);
});

test("the renderer gets the files' bytes and what was asked for", async () => {
  const { pictures, orders, release } = openPictures();
  release();
  const kind = { view: "cape", type: "player", size: 30 } as const;
  await pictures.picture({ ...kind, skin: { file: skin, model: "slim" }, cape }, waiter);
  const [order] = orders;
  const pixels = { width: 64, height: 64 };
  expect(order).toEqual({
    ...kind,
    skin: { ...pixels, model: "slim" },
    cape: pixels,
    read: expect.any(Function),
  });
  expect(await order?.read()).toEqual({
    ...kind,
    skin: { png: bytesOf(skin), model: "slim" },
    cape: bytesOf(cape),
  });
});

test("a stored file comes as it is, and a missing or damaged one is a fault", async () => {
  const { pictures } = openPictures();
  expect(await (await pictures.file(skin)).bytes()).toEqual(bytesOf(skin));
  const missing = await pictures.file(textureOf("c")).catch((error: unknown) => String(error));
  expect(missing).toMatch(/missing/);
  const damaged = await pictures
    .file({ ...cape, digest: "d".repeat(64) })
    .catch((error: unknown) => String(error));
  expect(damaged).toMatch(/damaged/);
});

describe("a tag", () => {
  const { pictures } = openPictures();
  const worn = { file: skin, model: "classic" } as const;
  const requests: readonly (readonly [string, PictureRequest])[] = [
    ["the view", { ...head, view: "body" }],
    ["the type", { ...head, type: "player" }],
    ["the size", { ...head, size: 99 }],
    ["the model", { ...head, skin: { ...worn, model: "slim" } }],
    ["the skin", { ...head, skin: { ...worn, file: cape } }],
    ["a cape", { view: "cape", type: "player", size: 100, skin: worn, cape }],
    ["another cape", { view: "cape", type: "player", size: 100, skin: worn, cape: skin }],
    ["a cape alone", { view: "cape", type: "skin", size: 100, cape }],
    ["another cape alone", { view: "cape", type: "skin", size: 100, cape: skin }],
  ];

  test("differs by all that defines a picture", () => {
    const tags = [head, ...requests.map(([, request]) => request)].map(pictures.tagOf);
    expect(new Set(tags).size).toBe(requests.length + 1);
  });

  test("is the same for the same picture and fits into a header", () => {
    expect(pictures.tagOf({ ...head })).toBe(pictures.tagOf(head));
    for (const [, request] of requests) expect(pictures.tagOf(request)).toMatch(/^[\w-]+$/);
  });
});

/** Pictures over two stored files, and a renderer that waits until it is released. */
function openPictures({ cacheBytes = 1_000_000, failures = 0 } = {}) {
  const orders: PictureOrder[] = [];
  const parties: Waiters[] = [];
  const gate = Promise.withResolvers<void>();
  const stored = new Map([skin, cape].map((texture) => [texture.file, bytesOf(texture)]));
  const blobs: Pick<BlobStore, "read"> = { read: async (file) => stored.get(file) ?? null };
  const pictures = createPictures({
    blobs,
    cacheBytes,
    render: async (order, waiters) => {
      orders.push(order);
      parties.push(waiters);
      await gate.promise;
      if (orders.length <= failures) throw new Error("broken");
      return Uint8Array.of(orders.length);
    },
  });
  return { pictures, orders, parties, release: () => gate.resolve() };
}

async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

function textureOf(digit: string): Texture {
  const hash = parseTextureHash(digit.repeat(64))!;
  return { hash, file: newTextureFile(hash), digest: sha256Hex(bytesOf({ hash })), width: 64, height: 64 };
}

function bytesOf({ hash }: Pick<Texture, "hash">): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(`file ${hash}`));
}
