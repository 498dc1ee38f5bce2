import type { EventBody, LoggedEvent } from "../../domain/model/event.ts";
import type { EventReads, EventStore } from "../../domain/ports/event-store.ts";
import type { EventJournal } from "./event-journal.ts";
import type { Db } from "./open.ts";

type Row = Pick<LoggedEvent, "id" | "at" | "type"> & { readonly body: string };

export function eventReads({ $client }: Db): EventReads {
  const after = $client.query<Row, [number, number]>(
    "SELECT id, at, type, body FROM events WHERE id > ? ORDER BY id LIMIT ?",
  );
  const newest = $client.query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'events'");

  return {
    listEvents: async (id, rows) => after.all(id, rows).map(toEvent),
    newestEventId: async () => newest.get()?.seq ?? 0,
  };
}

function toEvent({ id, at, type, body }: Row): LoggedEvent {
  const known: EventBody = JSON.parse(body); // only `event-journal.ts` writes it
  return { id, at, type, ...known };
}

/** Who adds events: `event-journal.ts`. */
export function eventStore(db: Db, journal: Pick<EventJournal, "listChangedLooks">): EventStore {
  const prune = db.$client.query<never, [number, number, number]>(`
    DELETE FROM events WHERE id IN (
      SELECT id FROM (SELECT id FROM events WHERE at < ?1 ORDER BY at LIMIT ?3)
      UNION SELECT id FROM (
        SELECT id FROM events WHERE id <= (SELECT seq FROM sqlite_sequence WHERE name = 'events') - ?2
        ORDER BY id LIMIT ?3)
      LIMIT ?3)`);

  return {
    ...eventReads(db),
    listChangedLooks: async () => journal.listChangedLooks(),
    deleteOldEvents: async ({ before, kept, rows }) => prune.run(before, kept, rows).changes,
  };
}
