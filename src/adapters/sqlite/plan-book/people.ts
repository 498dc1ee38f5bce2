import { unknownAccount } from "../../../domain/import/unknown-account.ts";
import type {
  BookAccount,
  BookIdentity,
  BookPlayer,
  PlanBook,
  Rank,
} from "../../../domain/ports/plan-book.ts";
import type { SourceAccount } from "../../../domain/ports/import-source.ts";
import { listed, setColumns, type Statements } from "./tables.ts";

type People = Pick<
  PlanBook,
  | "addAccounts"
  | "addPlayers"
  | "addIdentities"
  | "addHere"
  | "accounts"
  | "rankedAccounts"
  | "account"
  | "players"
  | "rankedPlayers"
  | "playersOf"
  | "identitiesOf"
  | "accountNumbers"
  | "countAccounts"
  | "countThings"
  | "joinedOf"
  | "setAccount"
  | "mergeAccount"
  | "setPlayer"
>;

type AccountRow = Omit<BookAccount, "source"> & Rank & { readonly source: string };
type PlayerRow = Omit<BookPlayer, "source" | "showsSkin"> &
  Rank & { readonly source: string; readonly showsSkin: number };

const accountColumns = "n, rank, state, reason, id, mail, joins, digest AS knownDigest, source";
const playerColumns =
  "n, account, rank, state, reason, id, name, uuid, shows_skin AS showsSkin, digest AS knownDigest, source";

/** Accounts, players and identities of a plan. */
export function peopleOf(statements: Statements): People {
  const { run, all } = statements;
  const accountsWhere = (where: string, ...values: (string | number)[]) =>
    all<AccountRow>(`SELECT ${accountColumns} FROM plan.accounts WHERE ${where}`, ...values).map(toAccount);
  const playersWhere = (where: string, ...values: (string | number)[]) =>
    all<PlayerRow>(`SELECT ${playerColumns} FROM plan.players WHERE ${where}`, ...values).map(toPlayer);
  return {
    ...addersOf(statements),
    accounts: ({ after, most }) => accountsWhere("n > ? ORDER BY n LIMIT ?", after, most),
    rankedAccounts: ({ rank, n }, most) =>
      accountsWhere("state = 'new' AND (rank, n) > (?, ?) ORDER BY rank, n LIMIT ?", rank, n, most),
    account: (n) => accountsWhere("n = ?", n)[0] ?? null,
    players: ({ after, most }) => playersWhere("n > ? ORDER BY n LIMIT ?", after, most),
    rankedPlayers: ({ rank, n }, most) =>
      playersWhere("state = 'new' AND (rank, n) > (?, ?) ORDER BY rank, n LIMIT ?", rank, n, most),
    playersOf: (first, last) => playersWhere("account BETWEEN ? AND ? ORDER BY account, n", first, last),
    identitiesOf: (first, last) =>
      all<{ n: number; account: number; source: string }>(
        "SELECT n, account, source FROM plan.identities WHERE account BETWEEN ? AND ? ORDER BY account, n",
        first,
        last,
      ).map(({ source, ...row }): BookIdentity => ({ ...row, source: JSON.parse(source) })),
    accountNumbers: (keys) =>
      new Map(
        all<{ key: string; n: number }>(
          "SELECT key, n FROM plan.accounts WHERE key IN (SELECT value FROM json_each(?))",
          listed(keys),
        ).map(({ key, n }) => [key, n]),
      ),
    countAccounts: () => all<{ count: number }>("SELECT count(*) AS count FROM plan.accounts")[0]?.count ?? 0,
    countThings: (things, account, most) =>
      all<{ count: number }>(
        `SELECT count(*) AS count FROM (SELECT 1 FROM plan.${things} WHERE account = ? LIMIT ?)`,
        account,
        most,
      )[0]?.count ?? 0,
    joinedOf: (first, last) =>
      all("SELECT key, joins FROM plan.accounts WHERE joins BETWEEN ? AND ? ORDER BY n", first, last),
    setAccount: (n, { knownDigest: digest, ...change }) =>
      setColumns(statements, "accounts", n, { ...change, digest }),
    mergeAccount: (from, into) => {
      run("UPDATE plan.players SET account = ? WHERE account = ?", into, from);
      run("UPDATE plan.identities SET account = ? WHERE account = ?", into, from);
      run("UPDATE plan.accounts SET state = 'merged', joins = ? WHERE n = ?", into, from);
    },
    setPlayer: (n, { showsSkin, knownDigest: digest, ...change }) =>
      setColumns(statements, "players", n, {
        ...change,
        digest,
        ...(showsSkin !== undefined && { shows_skin: showsSkin ? 1 : 0 }),
      }),
  };
}

function addersOf({
  run,
  all,
}: Statements): Pick<People, "addAccounts" | "addPlayers" | "addIdentities" | "addHere"> {
  const insertAccount =
    "INSERT OR IGNORE INTO plan.accounts (key, rank, state, id, source) VALUES (?, ?, ?, ?, ?)";
  return {
    addAccounts: (rows) =>
      rows.filter(
        (row) => run(insertAccount, row.key, rankOf(row), "new", null, JSON.stringify(row)).changes === 0,
      ),
    addPlayers: (rows) =>
      rows.filter(
        ({ source, account }) =>
          run(
            `INSERT OR IGNORE INTO plan.players (key, account, rank, source)
             VALUES (?1, ?2, coalesce((SELECT rank FROM plan.accounts WHERE n = ?2), 0), ?3)`,
            source.key,
            account,
            JSON.stringify(source),
          ).changes === 0,
      ),
    addIdentities: (rows) => {
      for (const { account, source } of rows)
        run("INSERT INTO plan.identities (account, source) VALUES (?, ?)", account, JSON.stringify(source));
    },
    addHere: (id) => {
      const key = `here:${id}`;
      run(insertAccount, key, 0, "here", id, JSON.stringify({ ...unknownAccount, key }));
      const [row] = all<{ n: number }>("SELECT n FROM plan.accounts WHERE key = ?", key);
      if (row === undefined) throw new Error("An account was just added");
      return row.n;
    },
  };
}

/** The smaller, the more important: the account that was seen last comes first. */
function rankOf({ lastSeenAt }: SourceAccount): number {
  return -(lastSeenAt ?? 0);
}

function toAccount({ source, ...row }: AccountRow): BookAccount & Rank {
  return { ...row, source: JSON.parse(source) };
}

function toPlayer({ source, showsSkin, ...row }: PlayerRow): BookPlayer & Rank {
  return { ...row, showsSkin: showsSkin === 1, source: JSON.parse(source) };
}
