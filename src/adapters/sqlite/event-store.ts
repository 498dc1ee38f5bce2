import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { EventBody, LoggedEvent } from "../../domain/model/event.ts";
import type { EventReads, EventStore } from "../../domain/ports/event-store.ts";
import type { Uuid } from "../../kernel/ids.ts";
import type { Touch } from "../sql/touch.ts";
import type { Db } from "./open.ts";

type Row = Pick<LoggedEvent, "id" | "at" | "type"> & { readonly body: string };

export function eventReads({ $client }: Db): EventReads {
  const after = $client.query<Row, [number, number]>(
    "SELECT id, at, type, body FROM events WHERE id > ? ORDER BY id LIMIT ?",
  );
  const newest = $client.query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'events'");

  const oldest = $client.query<{ id: number | null }, []>("SELECT min(id) AS id FROM events");

  return {
    oldestEventId: async () => oldest.get()?.id ?? 0,
    listEvents: async (id, rows) => after.all(id, rows).map(toEvent),
    newestEventId: async () => newest.get()?.seq ?? 0,
  };
}

function toEvent({ id, at, type, body }: Row): LoggedEvent {
  const known: EventBody = JSON.parse(body); // only `touched.ts` writes it
  return { id, at, type, ...known };
}

const repeated = `
  WITH looks AS MATERIALIZED (
    SELECT id, body ->> '$.player.uuid' AS player
    FROM (SELECT id, type, body FROM events WHERE id > ?1 ORDER BY id LIMIT ?2) WHERE type = 'player.textures'),
  players AS (SELECT player, max(id) AS last, count(*) AS times FROM looks GROUP BY player HAVING count(*) > 1)
  DELETE FROM events WHERE id IN (
    SELECT id FROM looks JOIN players USING (player)
    WHERE id < last AND id > (SELECT min(id) FROM events) ORDER BY times DESC, id LIMIT ?3)
  RETURNING body ->> '$.player.uuid' AS player`;

/** `touched.ts` adds events. */
export function eventStore(db: Db, touch: Touch): EventStore {
  const { $client } = db;
  const count = $client.query<{ events: number }, []>("SELECT count(*) AS events FROM events");
  const prune = $client.query<never, [number, number, number]>(`
    DELETE FROM events WHERE id IN (
      SELECT id FROM (SELECT id FROM events WHERE at < ?1 ORDER BY at LIMIT ?3)
      UNION SELECT id FROM (
        SELECT id FROM events WHERE id <= (SELECT id FROM events ORDER BY id DESC LIMIT 1 OFFSET ?2)
        ORDER BY id LIMIT ?3)
      LIMIT ?3)`);
  const lastOf = $client.query<{ id: number | null }, [number, number]>(
    "SELECT max(id) AS id FROM (SELECT id FROM events WHERE id > ? ORDER BY id LIMIT ?)",
  );
  const deleteRepeated = $client.query<{ player: Uuid }, [number, number, number]>(repeated);

  return {
    ...eventReads(db),
    listChangedLooks: touch.listChangedLooks,
    countEvents: async () => count.get()?.events ?? 0,
    deleteOldEvents: async ({ before, kept, rows }) => prune.run(before, kept, rows).changes,
    deleteRepeatedLooks: async ({ after, span, rows }) => {
      const last = lastOf.get(after, span)?.id ?? null;
      const removed = deleteRepeated.all(after, span, rows).map(({ player }) => player);
      await yieldToEventLoop();
      return { removed, last };
    },
  };
}
