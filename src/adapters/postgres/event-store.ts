import { asc, getTableColumns, gt, sql } from "drizzle-orm";
import type { EventBody, EventType, LoggedEvent } from "../../domain/model/event.ts";
import type { EventReads, EventStore } from "../../domain/ports/event-store.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { numberEvents, playerOfBody } from "./feed/event-numbers.ts";
import { events } from "../sql/schema/record.ts";
import { build, first, statement } from "../sql/statement.ts";
import type { Sender } from "../sql/sender.ts";
import type { Touch } from "../sql/touch.ts";

const rows = sql.placeholder("rows");
const columns = getTableColumns(events);

const list = statement(
  build
    .select(columns)
    .from(events)
    .where(gt(events.id, sql.placeholder("after")))
    .orderBy(asc(events.id))
    .limit(rows),
  columns,
);
/** `numberEvents` keeps it. */
const lastEvent = sql`(SELECT value::bigint FROM marks WHERE name = 'last_event')`;
const newest = statement(sql`SELECT coalesce(${lastEvent}, 0)`, { id: Number });
const oldest = statement(sql`SELECT coalesce((SELECT min(id) FROM events), 0)`, { id: Number });
const count = statement(sql`SELECT count(*) FROM events`, { events: Number });

const prune = statement(
  sql`
    WITH old AS (
      SELECT id FROM (SELECT id FROM events WHERE at < ${sql.placeholder("before")} ORDER BY at LIMIT ${rows}) AS aged
      UNION SELECT id FROM (
        SELECT id FROM events
        WHERE id <= (SELECT id FROM events ORDER BY id DESC LIMIT 1 OFFSET ${sql.placeholder("kept")}::bigint)
        ORDER BY id LIMIT ${rows}) AS many
      LIMIT ${rows}),
    gone AS (DELETE FROM events USING old WHERE events.id = old.id RETURNING 1)
    SELECT count(*) FROM gone`,
  { rows: Number },
);
const deleteRepeated = statement(
  sql`
    WITH seen AS MATERIALIZED (
      SELECT id, type, body FROM events WHERE id > ${sql.placeholder("after")}::bigint
      ORDER BY id LIMIT ${sql.placeholder("span")}::bigint),
    looks AS MATERIALIZED (SELECT id, ${playerOfBody} AS player FROM seen WHERE type = 'player.textures'),
    players AS (SELECT player, max(id) AS last, count(*) AS times FROM looks GROUP BY player HAVING count(*) > 1),
    old AS (
      SELECT id, player FROM looks JOIN players USING (player)
      WHERE id < last AND id > (SELECT min(id) FROM events) ORDER BY times DESC, id LIMIT ${rows}),
    gone AS (DELETE FROM events USING old WHERE events.id = old.id RETURNING old.player)
    SELECT (SELECT max(id) FROM seen), (SELECT coalesce(json_agg(player), '[]')::text FROM gone)`,
  {
    last: (id: unknown) => (id === null ? null : Number(id)),
    // The events hold nothing else.
    removed: (text: string) => JSON.parse(text) as readonly Uuid[],
  },
);

export function eventReads(db: Sender): EventReads {
  return {
    oldestEventId: async () => first(await oldest(db))?.id ?? 0,
    listEvents: async (after, rows) => {
      await numberEvents(db);
      return (await list(db, { after, rows })).map(toEvent);
    },
    newestEventId: async () => {
      await numberEvents(db);
      return first(await newest(db))?.id ?? 0;
    },
  };
}

function toEvent({ id, at, type, body }: typeof events.$inferSelect): LoggedEvent {
  const known: EventBody = JSON.parse(body); // only `touch.ts` writes it, and the type
  return { id, at, type: type as EventType, ...known };
}

/** `touch.ts` writes what happened, and `numberEvents` makes it events. */
export function eventStore(db: Sender, touch: Pick<Touch, "listChangedLooks">): EventStore {
  return {
    ...eventReads(db),
    listChangedLooks: touch.listChangedLooks,
    countEvents: async () => {
      await numberEvents(db);
      return first(await count(db))?.events ?? 0;
    },
    deleteOldEvents: async ({ before, kept, rows }) => {
      await numberEvents(db);
      return first(await prune(db, { before, kept, rows }))?.rows ?? 0;
    },
    deleteRepeatedLooks: async (place) => {
      return first(await deleteRepeated(db, place)) ?? { removed: [], last: null };
    },
  };
}
