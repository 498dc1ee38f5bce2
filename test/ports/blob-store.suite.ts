/** What every implementation of the blob store must do, wherever it keeps the files. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { BlobStore, ListedBlob } from "../../src/domain/ports/blob-store.ts";
import {
  hashOfFile,
  newTextureFile,
  parseTextureFile,
  parseTextureHash,
  type TextureFile,
  type TextureHash,
} from "../../src/kernel/ids.ts";

export type OpenBlobStore = AsyncDisposable & {
  readonly blobs: BlobStore;
  /** The same files through a store that is opened again, as after a crash. */
  readonly reopen: () => Promise<BlobStore>;
  /** How many files there are, those on their way included. */
  readonly count: () => Promise<number>;
  /** Puts a file there as an earlier release, or a foreign program, would. */
  readonly plant: (file: TextureFile, bytes: Uint8Array) => Promise<unknown>;
};

export function blobStoreSuite(name: string, open: () => Promise<OpenBlobStore>): void {
  let opened: OpenBlobStore;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  describe(`${name}: a blob`, () => {
    test("is read as it was stored", async () => {
      const file = await opened.blobs.put(hashOf(1), bytesOf(1000));
      expect(await opened.blobs.read(file)).toEqual(bytesOf(1000));
    });

    test.each([0, 1, 65_536, 1_048_576, 9_000_000])("may have %d bytes", async (length) => {
      const file = await opened.blobs.put(hashOf(1), bytesOf(length));
      const found = await opened.blobs.read(file);
      expect(found?.length).toBe(length);
      expect(Bun.hash(found ?? "")).toBe(Bun.hash(bytesOf(length)));
    });

    test("gets a name of its own each time, which begins with the bitmap's hash", async () => {
      const files: TextureFile[] = [];
      for (let i = 0; i < 3; i++) files.push(await opened.blobs.put(hashOf(1), bytesOf(10 + i)));
      expect(new Set(files).size).toBe(3);
      expect(files.map(hashOfFile)).toEqual([hashOf(1), hashOf(1), hashOf(1)]);
      expect(files.map((file) => parseTextureFile(file))).toEqual(files);
      for (const [i, file] of files.entries()) expect(await opened.blobs.read(file)).toEqual(bytesOf(10 + i));
      expect(await opened.count()).toBe(3);
    });

    test("comes from many at once and is whole", async () => {
      const sizes = Array.from({ length: 20 }, (_, i) => 50_000 + i);
      const files = await Promise.all(sizes.map((size) => opened.blobs.put(hashOf(size % 4), bytesOf(size))));
      expect(await opened.count()).toBe(20);
      for (const [i, file] of files.entries())
        expect(await opened.blobs.read(file)).toEqual(bytesOf(50_000 + i));
    });

    test("is gone when it is deleted, alone, and deleting it again does nothing", async () => {
      const [one, other] = [
        await opened.blobs.put(hashOf(1), bytesOf(10)),
        await opened.blobs.put(hashOf(1), bytesOf(10)),
      ];
      await opened.blobs.delete(one);
      await opened.blobs.delete(one);
      expect(await opened.blobs.read(one)).toBeNull();
      expect(await opened.blobs.read(other)).toEqual(bytesOf(10));
      expect(await opened.count()).toBe(1);
    });

    test("that was never stored is null, and is deleted without harm", async () => {
      const file = newTextureFile(hashOf(1));
      expect(await opened.blobs.read(file)).toBeNull();
      await opened.blobs.delete(file);
    });

    test("may have the name that earlier releases gave it, its bitmap's hash alone", async () => {
      const file = parseTextureFile(hashOf(5))!;
      await opened.plant(file, bytesOf(7));
      expect(await opened.blobs.read(file)).toEqual(bytesOf(7));
      expect((await listAll(opened.blobs)).map((one) => one.file)).toEqual([file]);
      await opened.blobs.delete(file);
      expect(await opened.blobs.read(file)).toBeNull();
    });

    test("is listed once, with when it was stored, until it is deleted", async () => {
      expect(await listAll(opened.blobs)).toEqual([]);
      const files: TextureFile[] = [];
      for (let i = 0; i < 10; i++) files.push(await opened.blobs.put(hashOf(i, i * 25), bytesOf(10)));
      const listed = await listAll(opened.blobs);
      expect(listed.map(({ file }) => file).toSorted()).toEqual(files.toSorted());
      for (const { storedAt } of listed)
        expect(Math.abs((await storedAt())! - Date.now() / 1000)).toBeLessThan(600);
      for (const file of files) await opened.blobs.delete(file);
      expect(await listAll(opened.blobs)).toEqual([]);
    });

    test("is listed once however many pages there are", async () => {
      const hashes = Array.from({ length: 1100 }, (_, i) => hashOf(i, i % 256));
      const files: TextureFile[] = [];
      while (hashes.length > 0) {
        const some = hashes.splice(0, 50);
        files.push(...(await Promise.all(some.map((hash) => opened.blobs.put(hash, bytesOf(1))))));
      }
      const { next } = await opened.blobs.list(null);
      expect(next).not.toBeNull();
      expect((await listAll(opened.blobs)).map(({ file }) => file).toSorted()).toEqual(files.toSorted());
    });

    test("is read after opening again", async () => {
      const file = await opened.blobs.put(hashOf(1), bytesOf(10));
      const again = await opened.reopen();
      expect(await again.read(file)).toEqual(bytesOf(10));
      expect(await opened.blobs.read(await again.put(hashOf(1), bytesOf(11)))).toEqual(bytesOf(11));
    });

    test("is not stored by a probe", async () => {
      await opened.blobs.probe();
      expect(await listAll(opened.blobs)).toEqual([]);
      expect(await opened.count()).toBe(0);
    });
  });
}

/** Everything that the store lists, page by page. */
export async function listAll(blobs: BlobStore): Promise<readonly ListedBlob[]> {
  const files: ListedBlob[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const page = await blobs.list(after ?? null);
    files.push(...page.files);
    after = page.next;
  }
  return files;
}

/** A hash with this number at its end and at its beginning. */
function hashOf(number: number, first = number): TextureHash {
  return parseTextureHash(first.toString(16).padStart(2, "0") + number.toString(16).padStart(62, "0"))!;
}

function bytesOf(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 255);
}
