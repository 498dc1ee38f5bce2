/** The id of the place of the textures, as this database keeps it. */
import type { Database } from "bun:sqlite";
import type { PlaceMark } from "../../domain/ports/place-label.ts";

/** Null as well in a database of an older schema. */
export function readPlace(client: Database): string | null {
  const hasMarks = client.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'marks'").get();
  if (hasMarks === null) return null;
  return (
    client.query<{ value: string }, []>("SELECT value FROM marks WHERE name = 'place'").get()?.value ?? null
  );
}

/** Within a transaction, or on a database that no other process has open. */
export function placeMark(client: Database): PlaceMark {
  const insert = client.query("INSERT INTO marks (name, value) VALUES ('place', ?) ON CONFLICT DO NOTHING");
  const update = client.query("UPDATE marks SET value = ? WHERE name = 'place' AND value = ?");
  return {
    read: () => readPlace(client),
    put: (id, instead) => {
      if (instead === null) insert.run(id);
      else update.run(id, instead);
      return readPlace(client);
    },
  };
}
