import { and, asc, desc, eq, gt, isNull, lt, lte, ne, or, sql } from "drizzle-orm";
import { readIdentifier } from "../../domain/accounts/identifier.ts";
import { uuidsOf } from "../../domain/model/player-uuid.ts";
import { mailKey } from "../../domain/model/mail-address.ts";
import type {
  AccountChange,
  AccountReads,
  AccountStore,
  Credentials,
  MemberKey,
} from "../../domain/ports/account-store.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { endOfTime, isKeyless, sampleStep, toAccount, toMember, type MemberRow } from "../sql/row-values.ts";
import { belongingsFinder } from "./belongings.ts";
import type { NoteChange } from "./change-feed.ts";
import type { Db } from "./open.ts";
import { namedByUuid, rememberUuids } from "./player-store.ts";
import { accountColumns, memberColumns, textOf } from "./rows.ts";
import { accounts, players, skins } from "./schema.ts";
import { pagesOf, rowCounter } from "./search.ts";

/** The account that a key (`?1`) names. The name or uuid of any of its players names it, too. */
const namedBy: Readonly<Record<MemberKey["by"], string>> = {
  id: "id = ?1",
  uuid: `id = ${namedByUuid.account}`,
  mail: "mail_key = ?1",
  name: "id = (SELECT account_id FROM players WHERE name_key = ?1)",
};

/** Accounts with their main players. */
function memberRows(db: Db) {
  return db
    .select(memberColumns)
    .from(accounts)
    .leftJoin(players, eq(players.id, accounts.mainPlayerId))
    .$dynamic();
}

export function accountReads(db: Db): AccountReads {
  const finder = (by: MemberKey["by"]) =>
    db.$client.query<MemberRow, [string | number]>(
      `SELECT ${textOf(memberColumns)} FROM accounts LEFT JOIN players ON players.id = main_player_id
       WHERE accounts.${namedBy[by]}`,
    );
  const find = { id: finder("id"), uuid: finder("uuid"), mail: finder("mail"), name: finder("name") };
  // Every sign-in begins here, so these read nothing else.
  const credentials = (by: MemberKey["by"]) =>
    db.$client.query<Credentials, [string]>(
      `SELECT id, password_hash AS passwordHash FROM accounts WHERE ${namedBy[by]}`,
    );
  const findCredentials = { mail: credentials("mail"), name: credentials("name") };
  const pages = pagesOf(db, ["accounts", "users_search"], (search) => {
    const key = readIdentifier(search);
    return key === null ? null : (find[key.by].get(key.value)?.id ?? null);
  });

  const belongings = belongingsFinder(db);
  const countRows = rowCounter(db);
  const lastSeen = db.$client.query<{ at: number | null }, [AccountId]>(`
    SELECT max(at) AS at FROM (
      SELECT last_seen_at AS at FROM accounts WHERE id = ?1
      UNION ALL SELECT last_used_at FROM sessions WHERE account_id = ?1)`);

  const lastId = db.$client.query<{ id: number | null }, []>("SELECT max(id) AS id FROM accounts");
  const sample = db.$client.query<{ hash: string | null }, [step: number, last: number]>(`
    WITH RECURSIVE place (id) AS (SELECT 1 UNION ALL SELECT id + ?1 FROM place WHERE id + ?1 <= ?2)
    SELECT (SELECT password_hash FROM accounts WHERE id >= place.id ORDER BY id LIMIT 1) AS hash
    FROM place`);

  return {
    ...levelReads(db),
    findBelongings: async (account, now) => belongings(account, now),
    listUnconfirmed: unconfirmedLister(db),
    ...sortedReads(db),
    findMember: async ({ by, value }) => {
      const row = find[by].get(value);
      return row === null ? null : toMember(row);
    },
    findCredentials: async ({ by, value }) => findCredentials[by].get(value),
    sampleHashes: async (most) => {
      const last = lastId.get()?.id ?? 0;
      return sample.all(sampleStep(last, most), last).flatMap(({ hash }) => hash ?? []);
    },
    listUnknown: async (ids) => unknownAmong(db, ids),
    listMembers: async (page) =>
      memberRows(db)
        .where(pages.condition(page))
        .orderBy(pages.order(page))
        .limit(page.rows)
        .all()
        .map(toMember),
    countMembers: async (search, most) => pages.count(search, most),
    countUnconfirmed: async () => countRows("accounts_unconfirmed"),
    findLastSeen: async (account) => lastSeen.get(account)?.at ?? null,
  };
}

function unknownAmong(db: Db, ids: readonly AccountId[]): readonly AccountId[] {
  // One parameter, however many ids there are.
  const given = sql`json_each(${JSON.stringify(ids)})`;
  const known = sql`SELECT 1 FROM ${accounts} WHERE ${accounts.id} = value`;
  const rows = db.all<{ id: AccountId }>(sql`SELECT value AS id FROM ${given} WHERE NOT EXISTS (${known})`);
  return rows.map(({ id }) => id);
}

/** Each list is two: members with a key, and then those without. Both are read in the order of an index. */
function sortedReads(db: Db): Pick<AccountReads, "listByName" | "listByLastSeen" | "listLastSeen"> {
  const [key, id, rows] = [sql.placeholder("key"), sql.placeholder("id"), sql.placeholder("rows")];
  const { lastSeenAt } = accounts;
  const named = db
    .select(memberColumns)
    .from(players)
    .innerJoin(accounts, eq(accounts.mainPlayerId, players.id))
    .where(gt(players.nameKey, key))
    .orderBy(asc(players.nameKey))
    .limit(rows)
    .prepare();
  const unnamed = memberRows(db)
    .where(and(isNull(accounts.mainPlayerId), gt(accounts.id, id)))
    .orderBy(asc(accounts.id))
    .limit(rows)
    .prepare();
  const seen = memberRows(db)
    .where(sql`(${lastSeenAt}, ${accounts.id}) < (${key}, ${id})`)
    .orderBy(desc(lastSeenAt), desc(accounts.id))
    .limit(rows)
    .prepare();
  const unseen = memberRows(db)
    .where(and(isNull(lastSeenAt), lt(accounts.id, id)))
    .orderBy(desc(accounts.id))
    .limit(rows)
    .prepare();
  const times = db.$client.query<{ id: AccountId; at: number }, [string]>(
    `SELECT id, last_seen_at AS at FROM accounts
    WHERE id IN (SELECT value FROM json_each(?)) AND last_seen_at IS NOT NULL`,
  );

  return {
    listByName: async ({ after, rows }) => {
      const found = isKeyless(after) ? [] : named.all({ key: after?.key ?? "", rows });
      const left = rows - found.length;
      const rest = left === 0 ? [] : unnamed.all({ id: isKeyless(after) ? after.id : 0, rows: left });
      return [...found, ...rest].map(toMember);
    },
    listByLastSeen: async ({ after, rows }) => {
      const { id, key } = after ?? endOfTime;
      const found = isKeyless(after) ? [] : seen.all({ key: Number(key), id, rows });
      const left = rows - found.length;
      const rest = left === 0 ? [] : unseen.all({ id: isKeyless(after) ? id : endOfTime.id, rows: left });
      return [...found, ...rest].map(toMember);
    },
    listLastSeen: async (ids) => new Map(times.all(JSON.stringify(ids)).map(({ id, at }) => [id, at])),
  };
}

function unconfirmedLister(db: Db): AccountReads["listUnconfirmed"] {
  const { id, createdAt } = accounts;
  const list = db
    .select({ id, createdAt })
    .from(accounts)
    .where(
      and(
        // Written as in the index, which the planner uses for nothing else.
        sql`${accounts.registration} = 'unconfirmed'`,
        lte(createdAt, sql.placeholder("until")),
        sql`(${createdAt}, ${id}) > (${sql.placeholder("at")}, ${sql.placeholder("id")})`,
      ),
    )
    .orderBy(asc(createdAt), asc(id))
    .limit(sql.placeholder("rows"))
    .prepare();

  return async ({ createdUntil: until, after, rows }) =>
    list.all({ until, at: after?.createdAt ?? -1, id: after?.id ?? 0, rows });
}

function levelReads(
  db: Db,
): Pick<AccountReads, "hasLastingAdministrator" | "hasAdministrator" | "listEndedRoles"> {
  const now = sql.placeholder("now");
  const lastingAdministrator = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(
        // Written as in the index of the few accounts above level 1, which the planner uses for nothing else.
        sql`${accounts.permanentLevel} > 1`,
        eq(accounts.permanentLevel, 3),
        sql`${accounts.mainPlayerId} IS NOT NULL`,
        ne(accounts.id, sql.placeholder("than")),
        or(isNull(accounts.roleLevel), eq(accounts.roleLevel, 3), lte(accounts.roleExpiresAt, now)),
      ),
    )
    .limit(1)
    .prepare();
  const permanentAdministrator = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(sql`${accounts.permanentLevel} > 1`, eq(accounts.permanentLevel, 3)))
    .limit(1)
    .prepare();
  const temporaryAdministrator = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(gt(accounts.roleExpiresAt, now), eq(accounts.roleLevel, 3)))
    .limit(1)
    .prepare();
  const endedRoles = memberRows(db)
    .where(lte(accounts.roleExpiresAt, now))
    .orderBy(asc(accounts.roleExpiresAt))
    .limit(sql.placeholder("rows"))
    .prepare();

  return {
    hasLastingAdministrator: async ({ than, now }) => lastingAdministrator.get({ than, now }) !== undefined,
    hasAdministrator: async (now) =>
      permanentAdministrator.get() !== undefined || temporaryAdministrator.get({ now }) !== undefined,
    listEndedRoles: async (now, rows) => endedRoles.all({ now, rows }).map(toMember),
  };
}

/** `note` is called for every subject of delivery that a write changes. */
export function accountStore(db: Db, note: NoteChange): AccountStore {
  return {
    ...accountReads(db),
    insertAccount: async (account) =>
      toAccount(
        db
          .insert(accounts)
          .values({ ...account, ...cellsOf(account) })
          .returning(accountColumns)
          .get(),
      ),
    updateAccount: async (id, change) => {
      db.update(accounts)
        .set({ ...change, ...cellsOf(change) })
        .where(eq(accounts.id, id))
        .run();
    },
    deleteAccount: async (id) => {
      // The schema's references delete its players and skins with it.
      rememberUuids(db, { account: id });
      const { uuid, name } = players;
      const gone = db.select({ uuid, name }).from(players).where(eq(players.accountId, id)).all();
      for (const one of gone.flatMap(uuidsOf)) note(`player:${one}`);
      const lost = db.select({ uuid: skins.uuid }).from(skins).where(eq(skins.accountId, id)).all();
      for (const skin of lost) note(`skin:${skin.uuid}`);
      db.delete(accounts).where(eq(accounts.id, id)).run();
    },
  };
}

/** The cells that a change leads to and the domain does not name. */
function cellsOf({ mail, role }: AccountChange): Partial<typeof accounts.$inferInsert> {
  return {
    ...(mail === undefined ? {} : { mailKey: mail === null ? null : mailKey(mail) }),
    ...(role === undefined ? {} : { roleLevel: role?.level ?? null, roleExpiresAt: role?.expiresAt ?? null }),
  };
}
