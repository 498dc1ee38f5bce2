import { eq, getTableColumns, not, sql } from "drizzle-orm";
import type { WebhookReads, WebhookStore } from "../../domain/ports/webhook-store.ts";
import { isIn, rowsIn } from "./dialect.ts";
import { webhooks } from "./schema/record.ts";
import { build, command, first, setsOf, statement } from "./statement.ts";
import type { Sender } from "./sender.ts";

const columns = getTableColumns(webhooks);
const { address: _, ...progressColumns } = columns;
const isAddress = eq(webhooks.address, sql.placeholder("address"));
const addresses = sql.placeholder("addresses");

const find = statement(build.select(columns).from(webhooks).where(isAddress), columns);
const forget = command(build.delete(webhooks).where(not(isIn(webhooks.address, addresses, "text"))));
const begin = command(sql`
  INSERT INTO webhooks (address, position) SELECT value, CAST(${sql.placeholder("position")} AS bigint)
  FROM ${rowsIn(addresses, "texts")} WHERE true ON CONFLICT DO NOTHING`);
const record = command(build.update(webhooks).set(setsOf(progressColumns)).where(isAddress));
const bringForward = command(build.update(webhooks).set({ nextTryAt: 0 }).where(isAddress));

export function webhookReads(db: Sender): WebhookReads {
  return { findWebhook: async (address) => first(await find(db, { address })) };
}

export function webhookStore(db: Sender): WebhookStore {
  return {
    ...webhookReads(db),
    keepWebhooks: async (addresses, position) => {
      await forget(db, { addresses });
      await begin(db, { addresses, position });
    },
    recordWebhook: (progress) => record(db, progress),
    bringWebhookForward: (address) => bringForward(db, { address }),
  };
}
