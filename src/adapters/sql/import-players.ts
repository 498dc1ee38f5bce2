/** The players of an import, and the skins that they wear. */
import { sql } from "drizzle-orm";
import type { PlannedAccount, PlannedPlayer, PlannedSkin } from "../../domain/model/import-plan.ts";
import { offlineUuid, uuidsOf } from "../../domain/model/player-uuid.ts";
import { nameKey } from "../../domain/model/username.ts";
import { newcomers } from "../../domain/ports/change-feed.ts";
import {
  newUuid,
  type AccountId,
  type CapeId,
  type PlayerId,
  type SkinId,
  type TextureHash,
} from "../../kernel/ids.ts";
import { isIn, rowsIn } from "./dialect.ts";
import type { LinkedRow } from "./import-links.ts";
import { cellsFor, insertionOfMany, valuesOf } from "./many-rows.ts";
import { pick } from "./rows.ts";
import { accounts, players, skins } from "./schema/member.ts";
import type { Sender } from "./sender.ts";
import { statement } from "./statement.ts";
import type { Touch } from "./touch.ts";

/** An account of a batch that is here by now. */
export type PlacedAccount = {
  readonly id: AccountId;
  readonly isNew: boolean;
  readonly planned: PlannedAccount;
};

/** What the capes of a batch became, by their keys. Those that are not here are missing. */
export type CapeIds = ReadonlyMap<string, CapeId>;

const skinColumns = pick(skins, "uuid", "accountId", "textureHash", "name", "model", "capeId", "createdAt");
const insertSkins = statement(sql`${insertionOfMany(skins, skinColumns)} RETURNING id, uuid`, {
  id: skins.id,
  uuid: skins.uuid,
});
const playerColumns = pick(
  players,
  "uuid",
  "accountId",
  "name",
  "nameKey",
  "nameDerived",
  "selectedSkinId",
  "ownCapeId",
  "hidesCape",
  "createdAt",
  "renamedAt",
  "offlineUuid",
  "sharesSkin",
);
const identified = { id: players.id, uuid: players.uuid };
const insertPlayers = statement(
  sql`${insertionOfMany(players, playerColumns)} RETURNING id, uuid`,
  identified,
);
/** UUIDs under which something else was shown until now: a saved skin, or the player of a name. */
const metUuids = statement(
  sql`
    SELECT uuid FROM skins WHERE ${isIn(skins.uuid, sql.placeholder("keys"), "text")}
    UNION SELECT offline_uuid FROM players WHERE ${isIn(players.offlineUuid, sql.placeholder("keys"), "text")}`,
  { uuid: players.uuid },
);
const shownAs = { uuid: players.uuid, name: players.name };
const listNames = statement(
  sql`SELECT uuid, name FROM players WHERE ${isIn(players.id, sql.placeholder("ids"), "bigint")}`,
  shownAs,
);
const dressColumns = pick(
  players,
  "id",
  "accountId",
  "name",
  "nameKey",
  "offlineUuid",
  "selectedSkinId",
  "ownCapeId",
);
/** Null skins and capes change nothing. */
const updatePlayers = statement(
  sql`
    UPDATE players SET name = value ->> 2, name_key = value ->> 3, offline_uuid = value ->> 4,
      selected_skin_id = coalesce(CAST(value ->> 5 AS bigint), selected_skin_id),
      own_cape_id = coalesce(CAST(value ->> 6 AS bigint), own_cape_id),
      hides_cape = (hides_cape AND value ->> 6 IS NULL)
    FROM ${rowsIn(sql.placeholder("rows"))}
    WHERE players.id = CAST(value ->> 0 AS bigint) AND players.account_id = CAST(value ->> 1 AS bigint)
    RETURNING players.uuid, players.name`,
  shownAs,
);
const mainColumns = pick(accounts, "id", "mainPlayerId", "registration");
/** An account that waited for a name has one. */
const makeMain = statement(
  sql`
    UPDATE accounts SET main_player_id = CAST(value ->> 1 AS bigint),
      registration = CASE WHEN registration = 'unnamed' THEN value ->> 2 ELSE registration END
    FROM ${rowsIn(sql.placeholder("rows"))}
    WHERE accounts.id = CAST(value ->> 0 AS bigint) AND accounts.main_player_id IS NULL RETURNING accounts.id, accounts.uuid`,
  { id: accounts.id, uuid: accounts.uuid },
);

/** A player with whose it is. */
type OwnedPlayer = { readonly accountId: AccountId; readonly player: PlannedPlayer };

/** Writes the skins and then the players of a batch, and returns their links. */
export function importPlayers(db: Sender, touch: Touch) {
  return async (placed: readonly PlacedAccount[], capes: CapeIds): Promise<readonly LinkedRow[]> => {
    const worn = await addSkins(db, touch, { placed, capes });
    const links: LinkedRow[] = [];
    for (const { id, key, isNew } of worn.values()) if (isNew) links.push({ kind: "skin", key, id });
    const all = placed.flatMap(({ id: accountId, planned }) =>
      planned.players.map((player) => ({ accountId, player })),
    );
    const dressOf = ({ accountId, player }: OwnedPlayer) => ({
      selectedSkinId: player.skin === null ? null : (worn.get(wornKey(accountId, player.skin))?.id ?? null),
      ownCapeId: player.cape === null ? null : (capes.get(player.cape) ?? null),
    });
    await updateOld(
      db,
      touch,
      all.filter(({ player }) => player.id !== null).map((one) => ({ ...one, ...dressOf(one) })),
    );
    const added = await addPlayers(
      db,
      touch,
      all.filter(({ player }) => player.id === null).map((one) => ({ ...one, ...dressOf(one) })),
    );
    for (const { player } of all) {
      const id = player.id ?? added.get(player.key);
      if (id !== undefined) links.push({ kind: "player", key: player.key, id, digest: player.digest });
    }
    const mains = placed.flatMap(({ id, planned }) => {
      const main = planned.players.map(({ key }) => added.get(key)).find((one) => one !== undefined);
      const registration = planned.account?.own?.registration ?? "complete";
      return main === undefined ? [] : { id, mainPlayerId: main, registration };
    });
    const named = mains.length === 0 ? [] : await makeMain(db, { rows: cellsFor(mainColumns, mains) });
    // The uuid of a new account is new as well, but for one that comes back as it was.
    const known = placed.filter(({ isNew, planned }) => !isNew || planned.account?.own !== undefined);
    const isKnown = new Set(known.map(({ id }) => id));
    for (const { id, uuid } of named) if (isKnown.has(id)) touch.note(`player:${uuid}`);
    const old = new Set(placed.filter(({ isNew }) => !isNew).map(({ id }) => id));
    for (const { accountId } of all) if (old.has(accountId)) touch.foundAnew(accountId);
    return links;
  };
}

type Worn = ReadonlyMap<string, { readonly id: SkinId; readonly key: string; readonly isNew: boolean }>;

/** Two accounts may have joined one, so a key is looked up in its account. */
const wornKey = (account: AccountId, key: string) => `${account} ${key}`;

async function addSkins(
  db: Sender,
  touch: Touch,
  { placed, capes }: { readonly placed: readonly PlacedAccount[]; readonly capes: CapeIds },
): Promise<Worn> {
  const worn = new Map<string, { id: SkinId; key: string; isNew: boolean }>();
  const given = placed.flatMap(({ id: accountId, planned }) =>
    planned.skins.flatMap((skin) => {
      if (skin.id !== null) worn.set(wornKey(accountId, skin.key), { ...skin, id: skin.id, isNew: false });
      const { id, texture } = skin;
      return id !== null || texture === null ? [] : { ...skin, ...skinCells(skin, texture), accountId };
    }),
  );
  if (given.length === 0) return worn;
  const cells = given.map(({ own, ...skin }) => ({
    ...skin,
    capeId: own?.cape === undefined || own.cape === null ? null : (capes.get(own.cape) ?? null),
  }));
  const added = await insertSkins(db, valuesOf(db, skinColumns, cells));
  const ids = new Map(added.map(({ uuid, id }) => [uuid, id]));
  for (const { uuid, key, name, accountId, own } of given) {
    const id = ids.get(uuid);
    if (id === undefined) throw new Error("An inserted skin has no number");
    worn.set(wornKey(accountId, key), { id, key, isNew: true });
    touch.found("skin", id, [name]);
    if (own !== undefined) touch.note(`skin:${uuid}`);
  }
  touch.count("skins", given.length);
  return worn;
}

function skinCells({ own }: PlannedSkin, textureHash: TextureHash) {
  return { uuid: own?.uuid ?? newUuid(), textureHash };
}

type Dressed = OwnedPlayer & { readonly selectedSkinId: SkinId | null; readonly ownCapeId: number | null };

async function addPlayers(
  db: Sender,
  touch: Touch,
  given: readonly Dressed[],
): Promise<ReadonlyMap<string, PlayerId>> {
  if (given.length === 0) return new Map();
  touch.note(newcomers);
  const keys = given.flatMap(({ player }) => uuidsOf(player));
  for (const { uuid } of await metUuids(db, { keys })) touch.note(`player:${uuid}`);
  const cells = given.map(({ accountId, player, selectedSkinId, ownCapeId }) => ({
    ...pick(player, "uuid", "name", "createdAt"),
    accountId,
    nameKey: nameKey(player.name),
    nameDerived: player.own?.nameDerived ?? false,
    selectedSkinId,
    ownCapeId,
    hidesCape: ownCapeId === null && player.own?.hidesCape === true,
    renamedAt: player.own?.renamedAt ?? 0,
    offlineUuid: offlineUuid(player.name),
    sharesSkin: player.own?.sharesSkin ?? false,
  }));
  const added = await insertPlayers(db, valuesOf(db, playerColumns, cells));
  const ids = new Map(added.map(({ uuid, id }) => [uuid, id]));
  return new Map(
    given.map(({ player }) => {
      const id = ids.get(player.uuid);
      if (id === undefined) throw new Error("An inserted player has no number");
      return [player.key, id];
    }),
  );
}

async function updateOld(db: Sender, touch: Touch, given: readonly Dressed[]): Promise<void> {
  if (given.length === 0) return;
  const cells = given.map(({ accountId, player: { id, name }, ...dress }) => ({
    ...dress,
    id,
    accountId,
    name,
    nameKey: nameKey(name),
    offlineUuid: offlineUuid(name),
  }));
  const before = await listNames(db, { ids: cells.map(({ id }) => id) });
  const after = await updatePlayers(db, { rows: cellsFor(dressColumns, cells) });
  for (const player of [...before, ...after])
    for (const uuid of uuidsOf(player)) touch.note(`player:${uuid}`);
}
