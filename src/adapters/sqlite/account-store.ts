import { and, asc, desc, eq, gt, inArray, isNull, lt, lte, ne, notInArray, or, sql } from "drizzle-orm";
import type { Account, Level, Member, Player, TemporaryRole } from "../../domain/model/account.ts";
import { mailKey } from "../../domain/model/mail-address.ts";
import type { AccountReads, AccountStore, MemberKey } from "../../domain/ports/account-store.ts";
import { readIdentifier } from "../../domain/accounts/identifier.ts";
import { nameKey } from "../../domain/model/username.ts";
import type { AccountId, PlayerId, SkinId, Uuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import type { Db } from "./open.ts";
import { accounts, heldNames, players } from "./schema/member.ts";
import { rowCounter, rowsHolding } from "./search.ts";

type AccountRow = typeof accounts.$inferSelect;
type PlayerRow = typeof players.$inferSelect;

// Rows hold only what these stores wrote, so their ids and levels are what the types say.
function toAccount(row: AccountRow): Account {
  return {
    id: row.id as AccountId,
    uuid: row.uuid as Uuid,
    mail: row.mail,
    mailVerified: row.mailVerified,
    passwordHash: row.passwordHash,
    permanentLevel: row.level as Level,
    role: toRole(row),
    wantsBulkMail: row.wantsBulkMail,
    language: row.language,
    createdAt: row.createdAt,
  };
}

function toRole({ roleLevel, roleExpiresAt }: AccountRow): TemporaryRole | null {
  if (roleLevel === null || roleExpiresAt === null) return null;
  return { level: roleLevel as Level, expiresAt: roleExpiresAt };
}

function toPlayer(row: PlayerRow): Player {
  return {
    id: row.id as PlayerId,
    uuid: row.uuid as Uuid,
    accountId: row.accountId as AccountId,
    name: row.name,
    nameDerived: row.nameDerived,
    selectedSkinId: row.selectedSkinId as SkinId | null,
  };
}

/** A row of accounts joined with players, as a domain value. */
function toMember(row: { accounts: AccountRow; players: PlayerRow | null }): Member {
  return { account: toAccount(row.accounts), player: row.players === null ? null : toPlayer(row.players) };
}

function memberRows(db: Db) {
  return db.select().from(accounts).leftJoin(players, eq(players.accountId, accounts.id)).$dynamic();
}

export function accountReads(db: Db): AccountReads {
  const value = sql.placeholder("value");
  const members = () => memberRows(db);
  const find = {
    id: members().where(eq(accounts.id, value)).prepare(),
    uuid: members().where(eq(accounts.uuid, value)).prepare(),
    mail: members().where(eq(accounts.mailKey, value)).prepare(),
    name: members().where(eq(players.nameKey, value)).prepare(),
  } satisfies Record<MemberKey["by"], unknown>;
  const page = members()
    .where(gt(accounts.id, sql.placeholder("after")))
    .orderBy(asc(accounts.id))
    .limit(sql.placeholder("rows"))
    .prepare();

  const count = rowCounter(db);
  /** The ids that a search comes to after this one, as a subquery: who is named outright, and in whose name or mail it stands. */
  const matching = (search: string, after: number, rows: number) => {
    const key = readIdentifier(search);
    const named = key === null ? undefined : find[key.by].get({ value: key.value })?.accounts.id;
    const page = { from: sql`rowid > ${after}`, order: sql`rowid`, rows };
    const held = rowsHolding("users_search", search, page) ?? sql`(SELECT 0 AS rowid WHERE false)`;
    if (named === undefined || named <= after) return held;
    // One list without doubles: with two alternatives SQLite would sort what it finds.
    return sql`(SELECT rowid FROM ${held} WHERE rowid <> ${named} UNION ALL SELECT ${named})`;
  };

  return {
    ...levelReads(db),
    ...credentialReads(db),
    ...nameReads(db),
    listUnconfirmed: unconfirmedLister(db),
    findMember: async ({ by, value }) => {
      const row = find[by].get({ value });
      return row === undefined ? null : toMember(row);
    },
    listUnknown: async (ids) => {
      // Handed over as one, however many there are.
      const given = sql`json_each(${JSON.stringify(ids)})`;
      const known = sql`SELECT 1 FROM ${accounts} WHERE ${accounts.id} = value`;
      const rows = db.all<{ id: AccountId }>(
        sql`SELECT value AS id FROM ${given} WHERE NOT EXISTS (${known})`,
      );
      return rows.map(({ id }) => id);
    },
    listMembers: async ({ after, rows, search }) => {
      const from = after ?? 0;
      if (search === null) return page.all({ after: from, rows }).map(toMember);
      return members()
        .where(inArray(accounts.id, matching(search, from, rows)))
        .orderBy(asc(accounts.id))
        .limit(rows)
        .all()
        .map(toMember);
    },
    countMembers: async (search) => {
      if (search === null) return count("accounts");
      // The ids alone are counted, without looking their accounts up.
      return db.$count(matching(search, 0, limits.countedMax));
    },
  };
}

/** Every sign-in begins here: no column more than it needs, and no table. */
function credentialReads(db: Db): Pick<AccountReads, "findCredentials"> {
  const value = sql.placeholder("value");
  const credentials = { id: accounts.id, passwordHash: accounts.passwordHash };
  const find = {
    mail: db.select(credentials).from(accounts).where(eq(accounts.mailKey, value)).prepare(),
    name: db
      .select(credentials)
      .from(players)
      .innerJoin(accounts, eq(accounts.id, players.accountId))
      .where(eq(players.nameKey, value))
      .prepare(),
  };

  return {
    findCredentials: async ({ by, value }) => {
      const row = find[by].get({ value });
      return row === undefined ? null : { id: row.id as AccountId, passwordHash: row.passwordHash };
    },
  };
}

function nameReads(db: Db): Pick<AccountReads, "findNameHold" | "lastRename"> {
  const hold = db
    .select()
    .from(heldNames)
    .where(eq(heldNames.nameKey, sql.placeholder("key")))
    .prepare();

  return {
    findNameHold: async (key) => {
      const row = hold.get({ key });
      return row === undefined ? null : { accountId: row.accountId as AccountId, heldUntil: row.heldUntil };
    },
    lastRename: async (player) => {
      const row = db.select({ at: players.renamedAt }).from(players).where(eq(players.id, player)).get();
      return row?.at ?? 0;
    },
  };
}

function unconfirmedLister(db: Db): AccountReads["listUnconfirmed"] {
  const list = db
    .select({
      id: accounts.id,
      createdAt: accounts.createdAt,
      // Written out: of columns that are put in, drizzle leaves the table's name away here.
      hasPlayer: sql<0 | 1>`EXISTS (SELECT 1 FROM players WHERE players.account_id = accounts.id)`,
    })
    .from(accounts)
    .where(
      and(
        // In the words of their index.
        sql`${accounts.mailVerified} = 0`,
        lte(accounts.createdAt, sql.placeholder("until")),
        sql`(${accounts.createdAt}, ${accounts.id}) > (${sql.placeholder("at")}, ${sql.placeholder("id")})`,
      ),
    )
    .orderBy(asc(accounts.createdAt), asc(accounts.id))
    .limit(sql.placeholder("rows"))
    .prepare();

  return async ({ createdUntil: until, after, rows }) =>
    list
      .all({ until, at: after?.createdAt ?? -1, id: after?.id ?? 0, rows })
      .map(({ id, createdAt, hasPlayer }) => ({
        id: id as AccountId,
        createdAt,
        hasPlayer: hasPlayer === 1,
      }));
}

function levelReads(db: Db): Pick<AccountReads, "hasLastingAdministrator" | "listEndedRoles"> {
  const now = sql.placeholder("now");
  const lastingAdministrator = db
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(players, eq(players.accountId, accounts.id))
    .where(
      and(
        // In the words of the index of the few above level 1, which the planner takes for nothing less.
        sql`${accounts.level} > 1`,
        eq(accounts.level, 3),
        ne(accounts.id, sql.placeholder("than")),
        or(isNull(accounts.roleLevel), eq(accounts.roleLevel, 3), lte(accounts.roleExpiresAt, now)),
      ),
    )
    .limit(1)
    .prepare();
  const endedRoles = memberRows(db)
    .where(lte(accounts.roleExpiresAt, now))
    .orderBy(asc(accounts.roleExpiresAt))
    .limit(sql.placeholder("rows"))
    .prepare();

  return {
    hasLastingAdministrator: async ({ than, now }) => lastingAdministrator.get({ than, now }) !== undefined,
    listEndedRoles: async (now, rows) => endedRoles.all({ now, rows }).map(toMember),
  };
}

/** `touch` is called by every write that may change what delivery answers. */
export function accountStore(db: Db, touch: () => void): AccountStore {
  return {
    ...accountReads(db),
    ...nameWrites(db, touch),
    insertAccount: async (account) => {
      const key = account.mail === null ? null : mailKey(account.mail);
      const row = db
        .insert(accounts)
        .values({ ...account, level: account.permanentLevel, mailKey: key })
        .returning()
        .get();
      return toAccount(row);
    },
    insertPlayer: async (player) => {
      touch();
      const row = db
        .insert(players)
        .values({ ...player, nameKey: nameKey(player.name) })
        .returning()
        .get();
      // The first player stands for the account until another one is chosen.
      db.update(accounts)
        .set({ mainPlayerId: row.id })
        .where(and(eq(accounts.id, player.accountId), isNull(accounts.mainPlayerId)))
        .run();
      return toPlayer(row);
    },
    setPasswordHash: async (id, passwordHash) => {
      db.update(accounts).set({ passwordHash }).where(eq(accounts.id, id)).run();
    },
    setLanguage: async (id, language) => {
      db.update(accounts).set({ language }).where(eq(accounts.id, id)).run();
    },
    setMail: async (id, { mail, mailVerified }) => {
      const change = { mail, mailKey: mailKey(mail), mailVerified };
      db.update(accounts).set(change).where(eq(accounts.id, id)).run();
    },
    setWantsBulkMail: async (id, wants) => {
      db.update(accounts).set({ wantsBulkMail: wants }).where(eq(accounts.id, id)).run();
    },
    setLevels: async (id, { permanentLevel, role }) => {
      const change = {
        level: permanentLevel,
        roleLevel: role?.level ?? null,
        roleExpiresAt: role?.expiresAt ?? null,
      };
      db.update(accounts).set(change).where(eq(accounts.id, id)).run();
    },
    selectSkin: async (player, skin) => {
      touch();
      db.update(players).set({ selectedSkinId: skin }).where(eq(players.id, player)).run();
    },
    deleteAccount: async (id) => {
      touch();
      db.delete(accounts).where(eq(accounts.id, id)).run();
    },
  };
}

function nameWrites(
  db: Db,
  touch: () => void,
): Pick<
  AccountStore,
  "renamePlayer" | "noteRename" | "holdName" | "dropHolds" | "releaseName" | "deleteExpiredHolds"
> {
  return {
    renamePlayer: async (id, name) => {
      touch();
      db.update(players)
        .set({ name, nameKey: nameKey(name), nameDerived: false })
        .where(eq(players.id, id))
        .run();
    },
    noteRename: async (id, renamedAt) => {
      db.update(players).set({ renamedAt }).where(eq(players.id, id)).run();
    },
    holdName: async (key, accountId, heldUntil) => {
      const hold = { accountId, heldUntil };
      db.insert(heldNames)
        .values({ nameKey: key, ...hold })
        .onConflictDoUpdate({ target: heldNames.nameKey, set: hold })
        .run();
    },
    dropHolds: async (owner, kept) => {
      const longest = db
        .select({ key: heldNames.nameKey })
        .from(heldNames)
        .where(eq(heldNames.accountId, owner))
        // Of those that end together the one that was given up last is kept.
        .orderBy(desc(heldNames.heldUntil), sql`rowid DESC`)
        .limit(kept);
      db.delete(heldNames)
        .where(and(eq(heldNames.accountId, owner), notInArray(heldNames.nameKey, longest)))
        .run();
    },
    releaseName: async (key) => {
      db.delete(heldNames).where(eq(heldNames.nameKey, key)).run();
    },
    deleteExpiredHolds: async (before) => {
      db.delete(heldNames).where(lt(heldNames.heldUntil, before)).run();
    },
  };
}
