import { asc, getTableColumns, gt, sql } from "drizzle-orm";
import type { EventBody, EventType, LoggedEvent } from "../../domain/model/event.ts";
import type { EventReads, EventStore } from "../../domain/ports/event-store.ts";
import { numberEvents } from "./event-numbers.ts";
import { events } from "./schema/record.ts";
import { build, first, statement } from "./statement.ts";
import type { Sender } from "./sender.ts";
import type { Touch } from "./touch.ts";

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
const prune = statement(
  sql`
    WITH old AS (
      SELECT id FROM (SELECT id FROM events WHERE at < ${sql.placeholder("before")} ORDER BY at LIMIT ${rows}) AS aged
      UNION SELECT id FROM (
        SELECT id FROM events
        WHERE id <= ${lastEvent} - ${sql.placeholder("kept")}::bigint
        ORDER BY id LIMIT ${rows}) AS many
      LIMIT ${rows}),
    gone AS (DELETE FROM events USING old WHERE events.id = old.id RETURNING 1)
    SELECT count(*) FROM gone`,
  { rows: Number },
);

export function eventReads(db: Sender): EventReads {
  return {
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
    deleteOldEvents: async ({ before, kept, rows }) => {
      await numberEvents(db);
      return first(await prune(db, { before, kept, rows }))?.rows ?? 0;
    },
  };
}
