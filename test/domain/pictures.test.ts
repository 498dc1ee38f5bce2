import { describe, expect, test } from "bun:test";
import type { BlobStore, PictureJob } from "../../src/domain/ports.ts";
import { createPictures, type PictureRequest } from "../../src/domain/textures/pictures.ts";
import { sha256Hex } from "../../src/domain/textures/hashes.ts";
import type { Texture } from "../../src/domain/textures/texture.ts";
import { parseTextureHash } from "../../src/kernel/ids.ts";

const skin = textureOf("a");
const cape = textureOf("b");
const head: PictureRequest = {
  view: "head",
  type: "skin",
  size: 100,
  skin: { file: skin, model: "classic" },
};

test("equal requests at one time make the picture once, and later ones find it", async () => {
  const { pictures, jobs, release } = openPictures();
  const waiting = Array.from({ length: 20 }, () => pictures.picture({ ...head }));
  await settle();
  release();
  const answers = await Promise.all(waiting);
  expect(jobs).toHaveLength(1);
  expect(new Set(answers).size).toBe(1);
  expect(await pictures.picture(head)).toBe(answers[0]!);
  expect(jobs).toHaveLength(1);
  expect(pictures.peek(pictures.tagOf(head))).toBe(answers[0]);
});

test("different requests at one time make a picture each", async () => {
  const { pictures, jobs, release } = openPictures();
  const waiting = [head, { ...head, size: 101 }].map((request) => pictures.picture(request));
  await settle();
  release();
  await Promise.all(waiting);
  expect(jobs.map(({ size }) => size)).toEqual([100, 101]);
});

test("a failure reaches everybody who waits, and is not remembered", async () => {
  const { pictures, jobs, release } = openPictures({ failures: 1 });
  const waiting = [1, 2, 3].map(() => pictures.picture(head).catch((error: unknown) => String(error)));
  await settle();
  release();
  expect(await Promise.all(waiting)).toEqual(["Error: broken", "Error: broken", "Error: broken"]);
  expect(pictures.peek(pictures.tagOf(head))).toBeUndefined();
  expect((await pictures.picture(head)).size).toBeGreaterThan(0);
  expect(jobs).toHaveLength(2);
});

test("without memory for them pictures are made anew each time", async () => {
  const { pictures, jobs, release } = openPictures({ cacheBytes: 0 });
  release();
  await pictures.picture(head);
  await pictures.picture(head);
  expect(jobs).toHaveLength(2);
});

test("the renderer gets the files' bytes and what was asked for", async () => {
  const { pictures, jobs, release } = openPictures();
  release();
  await pictures.picture({
    view: "cape",
    type: "player",
    size: 30,
    skin: { file: skin, model: "slim" },
    cape,
  });
  expect(jobs).toEqual([
    {
      view: "cape",
      type: "player",
      size: 30,
      skin: { png: bytesOf(skin), model: "slim" },
      cape: bytesOf(cape),
    },
  ]);
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
  const jobs: PictureJob[] = [];
  const gate = Promise.withResolvers<void>();
  const stored = new Map([skin, cape].map((texture) => [texture.hash, bytesOf(texture)]));
  const blobs: Pick<BlobStore, "read"> = { read: async (hash) => stored.get(hash) ?? null };
  const pictures = createPictures({
    blobs: blobs as BlobStore, // pictures only read
    cacheBytes,
    render: async (job) => {
      jobs.push(job);
      await gate.promise;
      if (jobs.length <= failures) throw new Error("broken");
      return Uint8Array.of(jobs.length);
    },
  });
  return { pictures, jobs, release: () => gate.resolve() };
}

async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

function textureOf(digit: string): Texture {
  const hash = parseTextureHash(digit.repeat(64))!;
  return { hash, digest: sha256Hex(bytesOf({ hash })), width: 64, height: 64 };
}

function bytesOf({ hash }: Pick<Texture, "hash">): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(`file ${hash}`));
}
