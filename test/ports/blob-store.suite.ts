/** What every implementation of the blob store must do, wherever it keeps the files. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { BlobStore } from "../../src/domain/ports/blob-store.ts";
import { parseTextureHash, type TextureHash } from "../../src/kernel/ids.ts";

export type OpenBlobStore = AsyncDisposable & {
  readonly blobs: BlobStore;
  /** The same files through a store that is opened again, as after a crash. */
  readonly reopen: () => Promise<BlobStore>;
  /** How many files there are, those on their way included. */
  readonly count: () => Promise<number>;
};

export function blobStoreSuite(name: string, open: () => Promise<OpenBlobStore>): void {
  let opened: OpenBlobStore;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  const put = async (hash: TextureHash, bytes: Uint8Array) => {
    await using staged = await opened.blobs.stage(bytes);
    await staged.publish(hash);
  };

  describe(`${name}: a blob`, () => {
    test("is read as it was published", async () => {
      await put(hashOf(1), bytesOf(1000));
      expect(await opened.blobs.read(hashOf(1))).toEqual(bytesOf(1000));
      expect(await opened.blobs.has(hashOf(1))).toBe(true);
    });

    test.each([0, 1, 65_536, 1_048_576])("may have %d bytes", async (length) => {
      await put(hashOf(1), bytesOf(length));
      expect((await opened.blobs.read(hashOf(1)))?.length).toBe(length);
    });

    test("is not there before it is published", async () => {
      await using staged = await opened.blobs.stage(bytesOf(10));
      expect(await opened.blobs.has(hashOf(1))).toBe(false);
      await staged.publish(hashOf(1));
      expect(await opened.blobs.has(hashOf(1))).toBe(true);
    });

    test("that is never published leaves nothing behind", async () => {
      const work = async () => {
        await using _ = await opened.blobs.stage(bytesOf(10));
        throw new Error("no");
      };
      expect(await work().catch((error: unknown) => String(error))).toBe("Error: no");
      expect(await opened.count()).toBe(0);
    });

    test("is one file, also when it is published twice", async () => {
      await put(hashOf(1), bytesOf(10));
      await put(hashOf(1), bytesOf(20));
      expect(await opened.count()).toBe(1);
      expect((await opened.blobs.read(hashOf(1)))?.length).toBe(20);
    });

    test("comes from many at once and is whole", async () => {
      await Promise.all(Array.from({ length: 20 }, (_, i) => put(hashOf(i % 4), bytesOf(50_000 + (i % 4)))));
      expect(await opened.count()).toBe(4);
      for (let i = 0; i < 4; i++) expect(await opened.blobs.read(hashOf(i))).toEqual(bytesOf(50_000 + i));
    });

    test("is gone when it is deleted, and deleting it again does nothing", async () => {
      await put(hashOf(1), bytesOf(10));
      await put(hashOf(2), bytesOf(10));
      await opened.blobs.delete(hashOf(1));
      await opened.blobs.delete(hashOf(1));
      expect(await opened.blobs.read(hashOf(1))).toBeNull();
      expect(await opened.blobs.has(hashOf(1))).toBe(false);
      expect(await opened.blobs.has(hashOf(2))).toBe(true);
      expect(await opened.count()).toBe(1);
    });

    test("that was never published is null", async () => {
      expect(await opened.blobs.read(hashOf(1))).toBeNull();
      expect(await opened.blobs.has(hashOf(1))).toBe(false);
    });

    test("is held from its publication until it is let go", async () => {
      {
        await using staged = await opened.blobs.stage(bytesOf(10));
        await staged.publish(hashOf(1));
        await opened.blobs.delete(hashOf(1));
        await (await opened.reopen()).delete(hashOf(1));
        expect(await opened.blobs.has(hashOf(1))).toBe(true);
      }
      await opened.blobs.delete(hashOf(1));
      expect(await opened.count()).toBe(0);
    });

    test("that is there already can be held as well, by more than one", async () => {
      await put(hashOf(1), bytesOf(10));
      await using first = await opened.blobs.stage(bytesOf(20));
      {
        await using second = await opened.blobs.stage(bytesOf(30));
        await first.hold(hashOf(1));
        await second.hold(hashOf(1));
      }
      await (await opened.reopen()).delete(hashOf(1));
      expect((await opened.blobs.read(hashOf(1)))?.length).toBe(10);
    });

    test("comes back when it becomes needed while it is deleted", async () => {
      await put(hashOf(1), bytesOf(10));
      await opened.blobs.delete(hashOf(1), async () => {
        expect(await opened.blobs.has(hashOf(1))).toBe(false);
        return true;
      });
      expect(await opened.blobs.read(hashOf(1))).toEqual(bytesOf(10));
      expect(await opened.count()).toBe(1);
    });

    test("that is published while it is deleted stays as it was published", async () => {
      await put(hashOf(1), bytesOf(10));
      await opened.blobs.delete(hashOf(1), async () => {
        await put(hashOf(1), bytesOf(20));
        return true;
      });
      expect((await opened.blobs.read(hashOf(1)))?.length).toBe(20);
      expect(await opened.count()).toBe(1);
    });

    test("comes back when it cannot be found out whether it is needed", async () => {
      await put(hashOf(1), bytesOf(10));
      const failed = opened.blobs.delete(hashOf(1), () => Promise.reject(new Error("no answer")));
      expect(await failed.catch(String)).toBe("Error: no answer");
      expect(await opened.blobs.read(hashOf(1))).toEqual(bytesOf(10));
      expect(await opened.count()).toBe(1);
    });

    test("is listed by the first two digits of its hash, with when it was published", async () => {
      const hash = parseTextureHash("ab".repeat(32))!;
      await put(hash, bytesOf(10));
      await put(hashOf(1), bytesOf(10));
      expect(await opened.blobs.list("ab")).toEqual([hash]);
      expect(await opened.blobs.list("cd")).toEqual([]);
      expect(Math.abs((await opened.blobs.publishedAt(hash))! - Date.now() / 1000)).toBeLessThan(600);
      expect(await opened.blobs.publishedAt(hashOf(2))).toBeNull();
    });

    test("is read after opening again, and one on its way does not hinder that", async () => {
      await put(hashOf(1), bytesOf(10));
      await using staged = await opened.blobs.stage(bytesOf(11));
      const again = await opened.reopen();
      expect(await again.read(hashOf(1))).toEqual(bytesOf(10));
      await staged.publish(hashOf(2));
      expect(await again.read(hashOf(2))).toEqual(bytesOf(11));
    });
  });
}

function hashOf(number: number): TextureHash {
  return parseTextureHash(number.toString(16).padStart(64, "0"))!;
}

function bytesOf(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 255);
}
