/**
 * What a transaction on SQLite writes of what its stores reported: its last statements, each of which is
 * prepared once.
 */
import { sql } from "drizzle-orm";
import type { Clock } from "../../kernel/clock.ts";
import type { Sender } from "../sql/sender.ts";
import { command, first, statement } from "../sql/statement.ts";
import { changedCounts, chainedTo, createTouch, mayHaveEvents, type CollectingTouch } from "../sql/touch.ts";
import { addsEntries, cellsOfEntries, happened } from "../sql/touched-rows.ts";

/** A `Touch`, and what `transact.ts` calls around each run of a transaction. */
export type TransactionTouch = CollectingTouch & {
  /** The transaction's last writes, but for the change feed's. Returns whether they made events. */
  readonly write: () => Promise<boolean>;
};

const addEvents = statement(sql`INSERT INTO events (at, type, body) ${happened} RETURNING id, type`, {
  id: Number,
  type: String,
});
/**
 * A change of textures replaces the player's last one of the same second or the one before: followers need
 * what the player shows by now, and one who read the earlier event gets the later one. It is always the later
 * event that stays, with an id of its own, so that nothing that was read changes. The oldest event of the log
 * stays in any case: by it readers know what was pruned.
 */
const dropReplaced = command(sql`
  DELETE FROM events WHERE id IN (
    SELECT id FROM events INDEXED BY events_at
    WHERE at BETWEEN ${sql.placeholder("at")} - 1 AND ${sql.placeholder("at")} AND id < ${sql.placeholder("from")}
      AND type = 'player.textures' AND id > (SELECT min(id) FROM events) AND body ->> '$.player.uuid' IN (
        SELECT body ->> '$.player.uuid' FROM events
        WHERE id >= ${sql.placeholder("from")} AND type = 'player.textures'))`);

const [name, delta] = [sql.placeholder("name"), sql.placeholder("delta")];
const countRows = command(sql`
  INSERT INTO row_counts (name, rows) VALUES (${name}, ${delta})
  ON CONFLICT DO UPDATE SET rows = rows + excluded.rows`);
const countDay = command(sql`
  INSERT INTO daily_counts (day, what, times) VALUES (${sql.placeholder("day")}, ${name}, ${delta})
  ON CONFLICT DO UPDATE SET times = times + excluded.times`);

/**
 * The highest number that an entry ever had: those of newest entries that were removed stay free, so that the
 * gap shows.
 */
const newestEntry = statement(
  sql`
    SELECT max(coalesce(max(id), 0), coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'audit_entries'), 0)),
      coalesce((SELECT hash FROM audit_entries ORDER BY id DESC LIMIT 1), '') FROM audit_entries`,
  { id: Number, hash: String },
);
const addEntries = command(addsEntries);

/** Collects what one transaction at a time touches, and writes it. */
export function openTouch(db: Sender, clock: Pick<Clock, "nowSeconds">): TransactionTouch {
  const collecting = createTouch(db);
  const { reports } = collecting;

  const writeEvents = async (): Promise<boolean> => {
    if (!mayHaveEvents(reports)) return false;
    const at = clock.nowSeconds();
    const { events, before } = reports;
    const made = await addEvents(db, { at, reported: events, before: [...before.values()] });
    const looks = made.filter(({ type }) => type === "player.textures").map(({ id }) => id);
    if (looks.length > 0) await dropReplaced(db, { at, from: Math.min(...looks) });
    return made.length > 0;
  };
  const writeCounts = async (): Promise<void> => {
    for (const [counted, delta] of changedCounts(reports)) {
      // One by one: there are three at most, and each takes a third of the time that a list does.
      const [name, day] = counted.split(":");
      await (day === undefined
        ? countRows(db, { name, delta })
        : countDay(db, { day: Number(day), name, delta }));
    }
  };
  const writeEntries = async (): Promise<void> => {
    const { entries } = reports;
    if (entries.length === 0) return;
    const head = first(await newestEntry(db));
    if (head === null) throw new Error("The audit has no newest entry");
    await addEntries(db, { entries: cellsOfEntries(chainedTo(head, entries)) });
  };
  return {
    ...collecting,
    write: async () => {
      await writeEntries();
      await writeCounts();
      return writeEvents();
    },
  };
}
