import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { asc, getTableColumns, gt, sql } from "drizzle-orm";
import type { EventBody, EventType, LoggedEvent } from "../../domain/model/event.ts";
import type { EventReads, EventStore } from "../../domain/ports/event-store.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { spell } from "./dialect.ts";
import { events } from "./schema/record.ts";
import type { Sender } from "./sender.ts";
import { build, first, statement } from "./statement.ts";
import type { Touch } from "./touch.ts";

const rows = sql.placeholder("rows");
const after = sql.placeholder("after");
const columns = getTableColumns(events);

/** The uuid of the player that an event is about; a body is what `shown.ts` and `touch.ts` write. */
export const playerOfBody = spell({
  postgres: sql`body::json -> 'player' ->> 'uuid'`,
  sqlite: sql`body ->> '$.player.uuid'`,
});

const list = statement(
  build.select(columns).from(events).where(gt(events.id, after)).orderBy(asc(events.id)).limit(rows),
  columns,
);
const newest = statement(
  sql`SELECT coalesce(${spell({
    postgres: sql`(SELECT value::bigint FROM marks WHERE name = 'last_event')`,
    sqlite: sql`(SELECT seq FROM sqlite_sequence WHERE name = 'events')`,
  })}, 0)`,
  { id: Number },
);
const oldest = statement(sql`SELECT coalesce((SELECT min(id) FROM events), 0)`, { id: Number });
const count = statement(sql`SELECT count(*) FROM events`, { events: Number });

const prune = statement(
  sql`
    DELETE FROM events WHERE id IN (
      SELECT id FROM (SELECT id FROM events WHERE at < ${sql.placeholder("before")} ORDER BY at LIMIT ${rows}) AS aged
      UNION SELECT id FROM (
        SELECT id FROM events
        WHERE id <= (
          SELECT id FROM events ORDER BY id DESC LIMIT 1 OFFSET CAST(${sql.placeholder("kept")} AS bigint))
        ORDER BY id LIMIT ${rows}) AS many
      LIMIT ${rows}) RETURNING id`,
  { id: events.id },
);
const span = sql`
  SELECT id, type, body FROM events WHERE id > CAST(${after} AS bigint)
  ORDER BY id LIMIT CAST(${sql.placeholder("span")} AS bigint)`;
const lastOfSpan = statement(sql`SELECT max(id) FROM (${span}) AS span`, {
  id: (id: unknown) => (id === null ? null : Number(id)),
});
const deleteRepeated = statement(
  sql`
    WITH looks AS MATERIALIZED (
      SELECT id, ${playerOfBody} AS player FROM (${span}) AS span WHERE type = 'player.textures'),
    players AS (SELECT player, max(id) AS last, count(*) AS times FROM looks GROUP BY player HAVING count(*) > 1),
    old AS (
      SELECT id FROM looks JOIN players USING (player)
      WHERE id < last AND id > (SELECT min(id) FROM events) ORDER BY times DESC, id LIMIT ${rows})
    DELETE FROM events WHERE id IN (SELECT id FROM old) RETURNING ${playerOfBody}`,
  { player: (text: string) => text as Uuid }, // the events hold nothing else
);

/** What has to be done before events are read: PostgreSQL's wait for their numbers. */
type Prepare = (db: Sender) => Promise<void>;

export function eventReads(db: Sender, prepare: Prepare): EventReads {
  return {
    oldestEventId: async () => first(await oldest(db))?.id ?? 0,
    listEvents: async (after, rows) => {
      await prepare(db);
      return (await list(db, { after, rows })).map(toEvent);
    },
    newestEventId: async () => {
      await prepare(db);
      return first(await newest(db))?.id ?? 0;
    },
  };
}

function toEvent({ id, at, type, body }: typeof events.$inferSelect): LoggedEvent {
  const known: EventBody = JSON.parse(body); // only `shown.ts` and `touch.ts` write it, and the type
  return { id, at, type: type as EventType, ...known };
}

/** `touched.ts` of the engine adds events. */
export function eventStore(db: Sender, touch: Pick<Touch, "listChangedLooks">, prepare: Prepare): EventStore {
  return {
    ...eventReads(db, prepare),
    listChangedLooks: touch.listChangedLooks,
    countEvents: async () => {
      await prepare(db);
      return first(await count(db))?.events ?? 0;
    },
    deleteOldEvents: async (old) => {
      await prepare(db);
      return (await prune(db, old)).length;
    },
    deleteRepeatedLooks: async (place) => {
      const last = first(await lastOfSpan(db, place))?.id ?? null;
      const removed = (await deleteRepeated(db, place)).map(({ player }) => player);
      await yieldToEventLoop();
      return { removed, last };
    },
  };
}
