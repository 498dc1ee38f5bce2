/** What was answered is on disk, and the event loop does not wait for it. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import { migrateDatabase } from "../../src/adapters/sqlite/migrate.ts";
import { openLogSync } from "../../src/adapters/sqlite/log-sync.ts";
import { openWriter } from "../../src/adapters/sqlite/open.ts";
import { createAtomically } from "../../src/adapters/sqlite/transact.ts";
import type { Stores } from "../../src/domain/ports/stores.ts";
import { parseTextureHash } from "../../src/kernel/ids.ts";
import { temporaryFolder } from "../cli/run-program.ts";

const nothing = () => undefined;

/** A database on a disk that answers when the test lets it. */
async function openWithDisk() {
  await using opened = new AsyncDisposableStack();
  const path = join(opened.use(await temporaryFolder()).path, "test.db");
  migrateDatabase(path);
  const turns: PromiseWithResolvers<void>[] = [];
  const writer = openWriter(path);
  opened.defer(() => writer.close(true));
  const log = opened.use(
    openLogSync(writer, () => {
      const turn = Promise.withResolvers<void>();
      turns.push(turn);
      return turn.promise;
    }),
  );
  const hooks = {
    begin: nothing,
    write: async () => undefined,
    beforeCommit: nothing,
    committed: nothing,
    kept: log.kept,
  };
  // The works below use no store.
  const transact = createAtomically(writer, {} as Stores, hooks);
  const closing = opened.move();
  return {
    turns,
    /** A commit; `done` is whether its promise has resolved. */
    commit: () => {
      const commit = { done: false, committed: false, promise: Promise.resolve<unknown>(null) };
      const work = async () => {
        writer.run("UPDATE accounts SET level = level");
        commit.committed = true;
      };
      commit.promise = transact(work).then(() => void (commit.done = true));
      return commit;
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

const messageOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => String(error));
const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

test("a transaction is done when the disk has what it committed, and the next ones run meanwhile", async () => {
  await using disk = await openWithDisk();
  const first = disk.commit();
  await turnOfTheLoop();
  expect(disk.turns).toHaveLength(1);
  expect(first).toMatchObject({ committed: true, done: false });

  // What is committed while the disk works waits for its next turn, and shares it.
  const [second, third] = [disk.commit(), disk.commit()];
  await turnOfTheLoop();
  expect(third.committed).toBe(true);
  expect(disk.turns).toHaveLength(1);
  disk.turns[0]?.resolve();
  await first.promise;
  await turnOfTheLoop();
  expect([second.done, third.done, disk.turns.length]).toEqual([false, false, 2]);
  disk.turns[1]?.resolve();
  await Promise.all([second.promise, third.promise]);
  expect(disk.turns).toHaveLength(2);
});

test("where the disk fails, what was committed and all that follows fails", async () => {
  await using disk = await openWithDisk();
  const first = messageOf(disk.commit().promise);
  await turnOfTheLoop();
  disk.turns[0]?.reject(new Error("EIO"));
  expect(await first).toBe("Error: EIO");
  expect(await messageOf(disk.commit().promise)).toBe("Error: EIO");
  expect(disk.turns).toHaveLength(1);
});

test("the log begins again and again, although requests read in every turn of the loop", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "test.db");
  migrateDatabase(path);
  using database = openDatabase(path);
  const reason = "x".repeat(400_000);
  for (let number = 0; number < 40; number++) {
    const hash = parseTextureHash(number.toString(16).padStart(64, "0"));
    if (hash === null) throw new Error("no hash");
    const ban = { hash, issuer: "cli", createdAt: 1, reason };
    // The read opens a snapshot that lasts until the turn ends.
    await database.atomically(async ({ textures }) => {
      await database.reads.accounts.findMember({ by: "name", value: "nobody" });
      await textures.insertBan(ban);
    });
  }
  // 16 MB were written.
  expect(database.sizes().log).toBeLessThan(8_000_000);
});
