import { newUuid } from "../../src/kernel/ids.ts";
import type { Harness } from "./harness.ts";
import { runsOnSqlite } from "./storages.ts";

/**
 * Resolves when the service has heard of all that is committed, its own changes included: a feed of
 * PostgreSQL has these a second time.
 */
export async function hearChanges({ services, database, clock }: Harness): Promise<void> {
  if (runsOnSqlite) return;
  const { promise: heard, resolve } = Promise.withResolvers<void>();
  const uuid = newUuid();
  using _ = services.changes.subscribe((change) => {
    if (change.includes(`player:${uuid}`)) resolve();
  });
  // Rows are heard in their order.
  database.change(
    `INSERT INTO change (kind, subject, at) VALUES ('player', '${uuid}', ${clock.nowSeconds()})`,
  );
  await heard;
}
