import type { OutboxStore } from "../../domain/ports/outbox-store.ts";
import type { Database } from "bun:sqlite";

/**
 * A million copies of a mail to everybody change every page of an index many times. With SQLite's default
 * cache of 2 MB each change goes to the disk and back: 20 s, and batches ten times as long, on a machine that
 * takes 7 s with 64 MB.
 */
export function withLargeCache(client: Database, outbox: OutboxStore): OutboxStore {
  return {
    ...outbox,
    insertBulkMail: async (post) => {
      client.run("PRAGMA cache_size = -65536");
      try {
        return await outbox.insertBulkMail(post);
      } finally {
        client.run("PRAGMA cache_size = -2000");
      }
    },
  };
}
