import { offlineUuid } from "../../domain/model/player-uuid.ts";
import { statements } from "./migrations/statements.ts";
import type { Sender } from "../sql/sender.ts";

/** A step of the schema: statements that are run in turn, each in a transaction of its own. */
export type Migration = {
  readonly name: string;
  readonly statements: readonly string[];
  /**
   * What is said once for both engines. It runs after the statements, and what a killed node leaves of it the
   * leader does.
   */
  readonly finish?: (sender: Sender) => Promise<void>;
};

const finishes: Readonly<Record<string, Migration["finish"]>> = {
  "0003_offline_ids_and_shared_skins": writeOfflineUuids,
};

/**
 * Every migration, oldest first. The mark `schema` counts how many of them a database has seen, so the order
 * never changes and no entry is removed. A migration only adds what the release before ignores; what it no
 * longer needs goes with the next one.
 */
export const migrations: readonly Migration[] = Object.entries(statements).map(([name, text]) => {
  const own = text.split("--> statement-breakpoint").map((statement) => statement.trim());
  const finish = finishes[name];
  return { name, statements: own, ...(finish === undefined ? {} : { finish }) };
});

/** Rows that one statement writes: it holds their locks, while other nodes serve. */
const batchRows = 1_000;

async function writeOfflineUuids(sender: Sender): Promise<void> {
  for (let after = 0; ;) {
    const rows = await sender.send(
      `SELECT id, name FROM players WHERE id > $1 ORDER BY id LIMIT ${batchRows}`,
      [after],
    );
    const ids = rows.map(([id]) => Number(id));
    const names = rows.map(([, name]) => String(name));
    await sender.send(
      `UPDATE players SET offline_uuid = given.offline_uuid
       FROM unnest($1::bigint[], $2::text[], $3::text[]) AS given (id, name, offline_uuid)
       WHERE players.id = given.id AND players.name = given.name`,
      [ids, names, names.map(offlineUuid)],
    );
    if (rows.length < batchRows) return;
    after = ids.at(-1) ?? after;
  }
}
