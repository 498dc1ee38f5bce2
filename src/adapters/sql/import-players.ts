/** The players of an import, and the skins that they wear. */
import { sql } from "drizzle-orm";
import { choosesPassword, type PlannedAccount, type PlannedSkin } from "../../domain/model/import-plan.ts";
import { offlineUuid, uuidsOf } from "../../domain/model/player-uuid.ts";
import { nameKey } from "../../domain/model/username.ts";
import { newcomers } from "../../domain/ports/change-feed.ts";
import {
  newUuid,
  type AccountId,
  type CapeId,
  type PlayerId,
  type SkinId,
  type Uuid,
} from "../../kernel/ids.ts";
import { isIn, rowsIn } from "./dialect.ts";
import type { LinkedRow } from "./import-links.ts";
import { insertRows, takeNumbers, type NewRows } from "./import-rows.ts";
import { cellsFor } from "./many-rows.ts";
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

/** An account that is not here yet, but for its number and its main player. */
export type FreshAccount = {
  readonly planned: PlannedAccount;
  readonly cells: Omit<NewRows["accounts"][number], "id" | "mainPlayerId">;
};

/** What the capes of a batch became, by their keys. Those that are not here are missing. */
export type CapeIds = ReadonlyMap<string, CapeId>;

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
    WHERE accounts.id = CAST(value ->> 0 AS bigint) AND accounts.main_player_id IS NULL RETURNING accounts.uuid`,
  { uuid: accounts.uuid },
);

type Accounts = { readonly old: readonly PlacedAccount[]; readonly fresh: readonly FreshAccount[] };
type Written = { readonly placed: readonly PlacedAccount[]; readonly links: readonly LinkedRow[] };

/** Writes new accounts, and the skins and players of all of a batch, whose links it returns. */
export function importPlayers(db: Sender, touch: Touch) {
  return async ({ old, fresh }: Accounts, capes: CapeIds): Promise<Written> => {
    const all = [...old, ...fresh].map(({ planned }) => planned);
    const numbers = await takeNumbers(db, {
      accounts: fresh.length,
      skins: all.reduce((sum, { skins }) => sum + skins.filter(isNewSkin).length, 0),
      players: all.reduce((sum, one) => sum + one.players.filter(({ id }) => id === null).length, 0),
    });
    const taken = { skins: numbers.skins.values(), players: numbers.players.values() };
    const placed = [
      ...old,
      ...fresh.map(({ planned }, place) => ({ id: numberOf(numbers.accounts[place]), isNew: true, planned })),
    ];
    const skins = placed.flatMap((one) => skinsOf(one, taken.skins, capes));
    const worn = new Map(skins.map((skin) => [wornKey(skin.accountId, skin.key), skin.id]));
    const players = placed.flatMap((one) => playersOf(one, taken.players, { worn, capes }));
    const news = players.filter(({ isNew }) => isNew);
    const mains = new Map(news.toReversed().map(({ accountId, id }) => [accountId, id]));
    await noteNewcomers(db, touch, news);
    await insertRows(db, {
      accounts: fresh.map(({ cells }, place) => {
        const id = numberOf(numbers.accounts[place]);
        return { ...cells, id, mainPlayerId: mains.get(id) ?? null };
      }),
      skins: skins.flatMap(({ cells }) => cells ?? []),
      players: news.map(({ cells }) => cells),
    });
    noteSkins(touch, skins);
    await updateOld(
      db,
      touch,
      players.filter(({ isNew }) => !isNew),
    );
    await nameOld(db, touch, { old, mains });
    noteReturned(touch, placed);
    return {
      placed,
      links: [
        ...skins.flatMap(({ cells, key, id }) =>
          cells === null ? [] : [{ kind: "skin" as const, key, id }],
        ),
        ...players.map(({ key, id, digest }) => ({ kind: "player" as const, key, id, digest })),
      ],
    };
  };
}

function numberOf<Id extends number>(taken: Id | undefined): Id {
  if (taken === undefined) throw new Error("There are fewer numbers than rows");
  return taken;
}

const isNewSkin = ({ id, texture }: PlannedSkin) => id === null && texture !== null;

type Numbers<Id extends number> = Iterator<Id, unknown, unknown>;

function nextOf<Id extends number>(numbers: Numbers<Id>): Id {
  const { done, value } = numbers.next();
  if (done === true) throw new Error("There are fewer numbers than rows");
  return value;
}

/** A skin of a batch. `cells` is null for one that is here already. */
type PlacedSkin = {
  readonly id: SkinId;
  readonly key: string;
  readonly accountId: AccountId;
  readonly isReturned: boolean;
  readonly cells: NewRows["skins"][number] | null;
};

/** Two accounts may have joined one, so a key is looked up in its account. */
const wornKey = (account: AccountId, key: string) => `${account} ${key}`;

function skinsOf(
  { id: accountId, planned }: PlacedAccount,
  numbers: Numbers<SkinId>,
  capes: CapeIds,
): readonly PlacedSkin[] {
  return planned.skins.flatMap((skin): readonly PlacedSkin[] => {
    const { key, texture, own } = skin;
    const isReturned = own !== undefined;
    if (skin.id !== null) return [{ id: skin.id, key, accountId, isReturned, cells: null }];
    if (texture === null) return [];
    const id = nextOf(numbers);
    const capeId = own?.cape === undefined || own.cape === null ? null : (capes.get(own.cape) ?? null);
    const uuid = own?.uuid ?? newUuid();
    const cells = {
      ...pick(skin, "name", "model", "createdAt"),
      id,
      uuid,
      accountId,
      textureHash: texture,
      capeId,
    };
    return [{ id, key, accountId, isReturned, cells }];
  });
}

function noteSkins(touch: Touch, skins: readonly PlacedSkin[]): void {
  const news = skins.flatMap(({ cells, isReturned }) => (cells === null ? [] : [{ ...cells, isReturned }]));
  for (const { id, uuid, name, isReturned } of news) {
    touch.found("skin", Number(id), [String(name)]);
    if (isReturned) touch.note(`skin:${uuid}`);
  }
  touch.count("skins", news.length);
}

/** A player of a batch. `isNew` is false for one that is here already. */
type PlacedPlayer = {
  readonly id: PlayerId;
  readonly key: string;
  readonly digest: string | undefined;
  readonly accountId: AccountId;
  readonly isNew: boolean;
  readonly uuid: Uuid;
  readonly name: string;
  readonly cells: NewRows["players"][number];
};

type Looks = { readonly worn: ReadonlyMap<string, SkinId>; readonly capes: CapeIds };

function playersOf(
  { id: accountId, planned }: PlacedAccount,
  numbers: Numbers<PlayerId>,
  { worn, capes }: Looks,
): readonly PlacedPlayer[] {
  return planned.players.map((player, place) => {
    const { key, digest, uuid, name, own } = player;
    const id = player.id ?? nextOf(numbers);
    const ownCapeId = player.cape === null ? null : (capes.get(player.cape) ?? null);
    const cells = {
      id,
      uuid,
      accountId,
      name,
      nameKey: nameKey(name),
      nameDerived: own?.nameDerived ?? (place === 0 && choosesPassword(planned)),
      selectedSkinId: player.skin === null ? null : (worn.get(wornKey(accountId, player.skin)) ?? null),
      ownCapeId,
      hidesCape: ownCapeId === null && own?.hidesCape === true,
      createdAt: player.createdAt,
      renamedAt: own?.renamedAt ?? 0,
      offlineUuid: offlineUuid(name),
      sharesSkin: own?.sharesSkin ?? false,
    };
    return { id, key, digest, accountId, isNew: player.id === null, uuid, name, cells };
  });
}

/** Before they are inserted. */
async function noteNewcomers(db: Sender, touch: Touch, players: readonly PlacedPlayer[]): Promise<void> {
  if (players.length === 0) return;
  touch.note(newcomers);
  for (const { uuid } of await metUuids(db, { keys: players.flatMap(uuidsOf) })) touch.note(`player:${uuid}`);
}

type Mains = { readonly old: readonly PlacedAccount[]; readonly mains: ReadonlyMap<AccountId, PlayerId> };

/** Accounts that were here without a player have one now. */
async function nameOld(db: Sender, touch: Touch, { old, mains }: Mains): Promise<void> {
  const rows = old.flatMap(({ id, planned }) => {
    const mainPlayerId = mains.get(id);
    const registration = planned.account?.own?.registration ?? "complete";
    return mainPlayerId === undefined ? [] : { id, mainPlayerId, registration };
  });
  if (rows.length === 0) return;
  for (const { uuid } of await makeMain(db, { rows: cellsFor(mainColumns, rows) }))
    touch.note(`player:${uuid}`);
  for (const { id } of rows) touch.foundAnew(id);
}

/** The uuid of a new account is new as well, but for one that comes back as it was. */
function noteReturned(touch: Touch, placed: readonly PlacedAccount[]): void {
  for (const { isNew, planned } of placed) {
    const { account } = planned;
    if (isNew && account?.own !== undefined) touch.note(`player:${account.uuid}`);
  }
}

async function updateOld(db: Sender, touch: Touch, given: readonly PlacedPlayer[]): Promise<void> {
  if (given.length === 0) return;
  const cells = given.map((player) => player.cells);
  const before = await listNames(db, { ids: given.map(({ id }) => id) });
  const after = await updatePlayers(db, { rows: cellsFor(dressColumns, cells) });
  for (const player of [...before, ...after])
    for (const uuid of uuidsOf(player)) touch.note(`player:${uuid}`);
  for (const { accountId } of given) touch.foundAnew(accountId);
}
