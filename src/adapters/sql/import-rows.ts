/**
 * Accounts, skins and players refer to each other. With numbers that are taken before, all rows of a batch
 * are inserted as they shall be and stay so: references are checked when the statement ends, on SQLite at the
 * commit.
 */
import { sql } from "drizzle-orm";
import type { AccountId, PlayerId, SkinId } from "../../kernel/ids.ts";
import { spell } from "./dialect.ts";
import { insertionOfMany, valuesOf, type ManyRows } from "./many-rows.ts";
import { pick } from "./rows.ts";
import { accounts, players, skins } from "./schema/member.ts";
import type { Sender } from "./sender.ts";
import { command, first, statement } from "./statement.ts";

const accountColumns = pick(
  accounts,
  "id",
  "uuid",
  "mail",
  "mailKey",
  "mailVerified",
  "passwordHash",
  "registration",
  "mainPlayerId",
  "permanentLevel",
  "createdAt",
  "language",
  "roleLevel",
  "roleExpiresAt",
  "wantsBulkMail",
  "playersMax",
  "lastSeenAt",
  "deleteAt",
);
const skinColumns = pick(
  skins,
  "id",
  "uuid",
  "accountId",
  "textureHash",
  "name",
  "model",
  "capeId",
  "createdAt",
);
const playerColumns = pick(
  players,
  "id",
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

/** The rows of a batch. */
export type NewRows = {
  readonly accounts: ManyRows<typeof accountColumns>;
  readonly skins: ManyRows<typeof skinColumns>;
  readonly players: ManyRows<typeof playerColumns>;
};

const insertAll = command(sql`
  WITH new_accounts AS (${insertionOfMany(accounts, accountColumns, "accounts.")}),
    new_skins AS (${insertionOfMany(skins, skinColumns, "skins.")})
  ${insertionOfMany(players, playerColumns, "players.")}`);
const insertEach = {
  accounts: command(insertionOfMany(accounts, accountColumns)),
  skins: command(insertionOfMany(skins, skinColumns)),
  players: command(insertionOfMany(players, playerColumns)),
};
const deferReferences = command(sql`PRAGMA defer_foreign_keys = ON`);

/** Inserts them all. */
export async function insertRows(db: Sender, rows: NewRows): Promise<void> {
  if (db.dialect !== "sqlite") {
    return insertAll(db, {
      ...valuesOf(db, accountColumns, rows.accounts, "accounts."),
      ...valuesOf(db, skinColumns, rows.skins, "skins."),
      ...valuesOf(db, playerColumns, rows.players, "players."),
    });
  }
  await deferReferences(db);
  if (rows.accounts.length > 0) await insertEach.accounts(db, valuesOf(db, accountColumns, rows.accounts));
  if (rows.skins.length > 0) await insertEach.skins(db, valuesOf(db, skinColumns, rows.skins));
  if (rows.players.length > 0) await insertEach.players(db, valuesOf(db, playerColumns, rows.players));
}

/** How many numbers each table needs. */
export type NumbersOf = Readonly<Record<"accounts" | "skins" | "players", number>>;
/** Numbers that no row has or had. */
export type TakenNumbers = {
  readonly accounts: readonly AccountId[];
  readonly skins: readonly SkinId[];
  readonly players: readonly PlayerId[];
};

const listOf = (table: string) => {
  const times = sql`generate_series(1, CAST(${sql.placeholder(table)} AS bigint))`;
  // Found once, and not for each number.
  const sequence = sql`(SELECT pg_get_serial_sequence(${sql.raw(`'${table}'`)}, 'id')::regclass AS name OFFSET 0)`;
  return spell({
    postgres: sql`(SELECT coalesce(json_agg(nextval(sequence.name)), '[]')::text FROM ${sequence} AS sequence, ${times})`,
    // The last number that was given; a number of a deleted row is not given again.
    sqlite: sql`(SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = ${sql.raw(`'${table}'`)}), 0))`,
  });
};
const take = statement(sql`SELECT ${listOf("accounts")}, ${listOf("skins")}, ${listOf("players")}`, {
  accounts: String,
  skins: String,
  players: String,
});

/** Takes numbers for new rows. On SQLite there is no other writer until the commit. */
export async function takeNumbers(db: Sender, wanted: NumbersOf): Promise<TakenNumbers> {
  const taken = first(await take(db, wanted));
  if (taken === null) throw new Error("The database gave no numbers");
  const numbersOf = (table: keyof NumbersOf): readonly number[] =>
    db.dialect === "sqlite"
      ? Array.from({ length: wanted[table] }, (_, place) => Number(taken[table]) + place + 1)
      : (JSON.parse(taken[table]) as readonly number[]); // the statement makes lists of numbers
  // They are of these tables.
  return {
    accounts: numbersOf("accounts") as readonly AccountId[],
    skins: numbersOf("skins") as readonly SkinId[],
    players: numbersOf("players") as readonly PlayerId[],
  };
}
