/** The UUIDs that Blessing Skin's plugins for launchers gave to players. */
import { numberOf } from "./cells.ts";
import type { ScratchTable, SourceDatabase, SourceEngine, SourceRow } from "./database.ts";

/** UUIDs by player. */
export type PlayerUuids = Disposable & {
  of(players: readonly PlayerKey[]): ReadonlyMap<string, string>;
};

type PlayerKey = { readonly pid: string; readonly name: string };

/**
 * Reads the table of `yggdrasil-api` (by name; the first row of a name counts) or of `yggdrasil-connect` (by
 * player). Null where neither was in use.
 */
export async function readUuids(
  database: SourceDatabase,
  table: string,
  openScratch: () => ScratchTable,
): Promise<PlayerUuids | null> {
  const columns = await database.columns(table);
  if (columns === null || !["id", "name", "uuid"].every((name) => columns.includes(name))) return null;
  const hasPlayers = columns.includes("pid");
  const wanted = hasPlayers ? ["id", "name", "uuid", "pid"] : ["id", "name", "uuid"];
  const keyOf = nameKeys[database.engine];
  const scratch = openScratch();
  try {
    for await (const rows of database.pages({ table, columns: wanted, key: "id" })) {
      scratch.put(rows.flatMap((row) => entriesOf(row, keyOf)));
    }
  } catch (error) {
    scratch[Symbol.dispose]();
    throw error;
  }
  return {
    of: (players) => {
      const found = scratch.get(players.flatMap(({ pid, name }) => [`pid ${pid}`, `name ${keyOf(name)}`]));
      const uuidOf = ({ pid, name }: PlayerKey) =>
        found.get(`pid ${pid}`) ?? found.get(`name ${keyOf(name)}`);
      return new Map(
        players.flatMap((player) => {
          const uuid = uuidOf(player);
          return uuid === undefined ? [] : [[player.pid, uuid] as const];
        }),
      );
    },
    [Symbol.dispose]: () => scratch[Symbol.dispose](),
  };
}

/** A row of `yggdrasil-connect` is its player's, whatever that is called now. */
function entriesOf(
  { name = null, uuid = null, pid = null }: SourceRow,
  keyOf: (name: string) => string,
): readonly (readonly [key: string, uuid: string])[] {
  if (uuid === null || uuid === "") return [];
  const number = numberOf(pid);
  if (number !== null && number > 0) return [[`pid ${number}`, uuid]];
  return name === null ? [] : [[`name ${keyOf(name)}`, uuid]];
}

/** MySQL finds `ada`, `Àda` and `Ada ` for `Ada`; the plugin asks it for the first of them. */
const nameKeys: Readonly<Record<SourceEngine, (name: string) => string>> = {
  mysql: (name) => name.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().trimEnd(),
  postgres: (name) => name,
  sqlite: (name) => name,
};
