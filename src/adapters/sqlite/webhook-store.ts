import { eq, notInArray, sql } from "drizzle-orm";
import type { WebhookReads, WebhookStore } from "../../domain/ports/webhook-store.ts";
import type { Db } from "./open.ts";
import { webhooks } from "./schema/record.ts";

export function webhookReads(db: Db): WebhookReads {
  const one = db
    .select()
    .from(webhooks)
    .where(eq(webhooks.address, sql.placeholder("address")))
    .prepare();
  return { findWebhook: async (address) => one.get({ address }) ?? null };
}

export function webhookStore(db: Db): WebhookStore {
  return {
    ...webhookReads(db),
    keepWebhooks: async (addresses, position) => {
      db.delete(webhooks)
        .where(notInArray(webhooks.address, [...addresses]))
        .run();
      for (const address of addresses)
        db.insert(webhooks).values({ address, position }).onConflictDoNothing().run();
    },
    recordWebhook: async ({ address, ...progress }) => {
      db.update(webhooks).set(progress).where(eq(webhooks.address, address)).run();
    },
    bringWebhookForward: async (address) => {
      db.update(webhooks).set({ nextTryAt: 0 }).where(eq(webhooks.address, address)).run();
    },
  };
}
