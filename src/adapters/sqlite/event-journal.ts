import type { Clock } from "../../kernel/clock.ts";
import type { AccountId } from "../../kernel/ids.ts";
import type { Db } from "./open.ts";

/** Turns the writes of a transaction into events, whichever store makes them. */
export type EventJournal = {
  /** The last write of a transaction: its events. True when there are any. */
  readonly write: () => boolean;
  /** See `EventStore.listChangedLooks`. */
  readonly listChangedLooks: () => readonly AccountId[];
};

/**
 * What players show, by the rule of `findAppearance` in `texture-store.ts`: the selected skin, and a cape of their own, or else
 * the skin's, or none.
 */
const shown = `
  SELECT players.id AS player_id, skins.texture_hash AS skin, skins.model AS model, capes.texture_hash AS cape
  FROM players LEFT JOIN skins ON skins.id = players.selected_skin_id
  LEFT JOIN capes ON capes.id = coalesce(players.own_cape_id, iif(players.hides_cape, NULL, skins.cape_id))`;

/** Keeps what these players show, unless the transaction has changed it already. */
const keep = (players: string): string => `
  INSERT INTO shown_before (player_id, skin, model, cape)
  SELECT player_id, skin, model, cape FROM (${shown} WHERE players.id IN (${players})) AS looks
  WHERE NOT EXISTS (SELECT 1 FROM shown_before WHERE player_id = looks.player_id)`;

const wearers = (skin: string): string => `SELECT id FROM players WHERE selected_skin_id = ${skin}`;
const capeWearers = (cape: string): string => `
  SELECT id FROM players WHERE own_cape_id = ${cape}
  UNION SELECT players.id FROM skins JOIN players ON selected_skin_id = skins.id WHERE skins.cape_id = ${cape}`;

/** Adds a note about the player of the row; `body` is what the event has beside it. */
const noteOf = (type: string, row: "old" | "new", body = ""): string => `
  INSERT INTO event_notes (type, body)
  VALUES ('${type}', json_object('player', json_object('uuid', ${row}.uuid, 'name', ${row}.name)${body}))`;

/** From now on the player is one that showed nothing before: all that it shows is news. */
const beginShown = `
  DELETE FROM shown_before WHERE player_id = new.id;
  INSERT INTO shown_before (player_id) VALUES (new.id)`;

/** What is done at which change. Deletions by reference fire them, too. */
const triggers: readonly (readonly [when: string, work: string])[] = [
  ["AFTER INSERT ON main.players", `${noteOf("player.created", "new")}; ${beginShown}`],
  [
    "AFTER UPDATE OF uuid ON main.players WHEN old.uuid IS NOT new.uuid",
    `${noteOf("player.deleted", "old")}; ${noteOf("player.created", "new")}; ${beginShown}`,
  ],
  [
    "AFTER UPDATE OF name ON main.players WHEN old.name IS NOT new.name AND old.uuid IS new.uuid",
    noteOf("player.renamed", "new", ", 'previous', old.name"),
  ],
  ["AFTER DELETE ON main.players", noteOf("player.deleted", "old")],
  ["BEFORE UPDATE OF selected_skin_id, own_cape_id, hides_cape ON main.players", keep("old.id")],
  ["BEFORE UPDATE OF texture_hash, model, cape_id ON main.skins", keep(wearers("old.id"))],
  ["BEFORE DELETE ON main.skins", keep(wearers("old.id"))],
  ["BEFORE UPDATE OF texture_hash ON main.capes", keep(capeWearers("old.id"))],
  ["BEFORE DELETE ON main.capes", keep(capeWearers("old.id"))],
  [
    // While its players are still there. An account that never had one is unknown to other services.
    "BEFORE DELETE ON main.accounts",
    `INSERT INTO event_notes (type, body)
     SELECT 'account.deleted', json_object('player', json_object('uuid', players.uuid, 'name', players.name),
       'account', json_object('uuid', old.uuid))
     FROM players WHERE id = old.main_player_id`,
  ],
];

const setUp = [
  // On the disk they would need a folder for temporary files.
  "PRAGMA temp_store = MEMORY",
  "CREATE TEMP TABLE event_notes (id INTEGER PRIMARY KEY, type TEXT NOT NULL, body TEXT NOT NULL)",
  "CREATE TEMP TABLE shown_before (player_id INTEGER PRIMARY KEY, skin TEXT, model TEXT, cape TEXT)",
  ...triggers.map(([when, work], index) => `CREATE TEMP TRIGGER event_${index} ${when} BEGIN ${work}; END`),
];

const hasAny = "SELECT 1 FROM temp.event_notes UNION ALL SELECT 1 FROM temp.shown_before LIMIT 1";

/** Textures come last, because they are what the whole transaction has changed. */
const writeNotes = `
  INSERT INTO events (at, type, body) SELECT ?, type, body FROM temp.event_notes ORDER BY id`;
const changedLooks = `
  FROM temp.shown_before AS before CROSS JOIN players ON players.id = before.player_id
  CROSS JOIN (${shown}) AS looks ON looks.player_id = before.player_id
  WHERE (looks.skin, looks.model, looks.cape) IS NOT (before.skin, before.model, before.cape)`;
const writeTextures = `
  INSERT INTO events (at, type, body)
  SELECT ?, 'player.textures', json_object(
    'player', json_object('uuid', players.uuid, 'name', players.name),
    'skin', iif(looks.skin IS NULL, NULL, json_object('hash', looks.skin, 'model', looks.model)),
    'cape', iif(looks.cape IS NULL, NULL, json_object('hash', looks.cape)))
  ${changedLooks} ORDER BY before.player_id`;
/**
 * A change of textures replaces the player's last one of the same second or the one before: followers need what the player shows by
 * now, and one who read the earlier event gets the later one. It is always the later event that stays, with an id of its own, so that
 * nothing that was read changes. The oldest event of the log stays in any case: by it readers know what was pruned.
 */
const dropReplaced = `
  DELETE FROM events WHERE id IN (
    SELECT id FROM events INDEXED BY events_at
    WHERE at BETWEEN ?1 - 1 AND ?1 AND id < ?2 AND type = 'player.textures'
      AND id > (SELECT min(id) FROM events) AND body ->> '$.player.uuid' IN (
        SELECT body ->> '$.player.uuid' FROM events WHERE id >= ?2))`;
const accountsOfChangedLooks = `SELECT players.account_id AS account ${changedLooks}`;

/**
 * Notes what happens to players on the writing handle, in temporary tables: a transaction that fails takes its notes with it.
 * Triggers do it, so that no store can forget it, and they are temporary, so that they belong to the program and not to the
 * file.
 */
export function openEventJournal({ $client }: Db, clock: Pick<Clock, "nowSeconds">): EventJournal {
  for (const statement of setUp) $client.run(statement);
  const any = $client.query<unknown, []>(hasAny);
  const notes = $client.query<never, [number]>(writeNotes);
  const textures = $client.query<never, [number]>(writeTextures);
  const replaced = $client.query<never, [number, number]>(dropReplaced);
  const forgetters = ["event_notes", "shown_before"].map((table) =>
    $client.query<never, []>(`DELETE FROM temp.${table}`),
  );

  const changed = $client.query<{ account: AccountId }, []>(accountsOfChangedLooks);

  return {
    listChangedLooks: () => changed.all().map(({ account }) => account),
    write: () => {
      if (any.get() === null) return false;
      const now = clock.nowSeconds();
      const noted = notes.run(now).changes;
      const { changes, lastInsertRowid } = textures.run(now);
      if (changes > 0) replaced.run(now, Number(lastInsertRowid) - changes + 1);
      for (const forget of forgetters) forget.run();
      return noted + changes > 0;
    },
  };
}
