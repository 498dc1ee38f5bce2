import { expect, test } from "bun:test";
import { getTableColumns, is, type SQL } from "drizzle-orm";
import { getTableConfig as postgresConfig, PgDialect, PgTable } from "drizzle-orm/pg-core";
import { getTableConfig as sqliteConfig, SQLiteSyncDialect, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as postgresAccess from "../../src/adapters/postgres/schema/access.ts";
import * as postgresMember from "../../src/adapters/postgres/schema/member.ts";
import * as own from "../../src/adapters/postgres/schema/own.ts";
import * as postgresRecord from "../../src/adapters/postgres/schema/record.ts";
import * as sqliteAccess from "../../src/adapters/sqlite/schema/access.ts";
import * as sqliteMember from "../../src/adapters/sqlite/schema/member.ts";
import * as sqliteRecord from "../../src/adapters/sqlite/schema/record.ts";

/** Lines of one engine's schema that the other has not, each with its reason. */
const onPostgresOnly: ReadonlyMap<string, string> = new Map([
  ["capeGrants.seq: column seq number, not null, identity", "SQLite's rowid says which grant came later"],
  ["heldNames.seq: column seq number, not null, identity", "SQLite's rowid says which hold was set later"],
  ["capeGrants.seq: column seq number, not null, identity", "SQLite's rowid says which grant came later"],
  [
    "sessions.seq: column seq number, not null, identity",
    "SQLite's rowid says which session was opened later",
  ],
]);

/** Tables that one engine has in another form. */
const ownTables: Readonly<Record<keyof typeof own, string>> = {
  leases: "one process works on SQLite: it leads",
  nodes: "the same",
  keptKeys: "files under `secrets`",
  attemptCounts: "the memory of the one process",
  usedOnce: "the same",
  joins: "the same",
  countDeltas: "triggers",
  bulkCopying: "copies of a mail to everybody are written at once",
  eventNotes: "triggers",
  auditHead: "the one writer reads the newest entry",
  searchTexts: "FTS5",
  unlogged: "a list of tables above",
};

/** What a schema says, line by line, with the words of neither engine. */
function linesOf(modules: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(modules).flatMap(([property, table]) => {
    if (is(table, PgTable)) return describe(property, getTableColumns(table), partsOfPostgres(table));
    if (is(table, SQLiteTable)) return describe(property, getTableColumns(table), partsOfSqlite(table));
    return [];
  });
}

type AnyColumn = {
  readonly name: string;
  readonly dataType: string;
  readonly columnType: string;
  readonly notNull: boolean;
  readonly primary: boolean;
  readonly isUnique: boolean;
  readonly default: unknown;
};

type Parts = {
  readonly name: string;
  readonly uniques: readonly (readonly string[])[];
  readonly primaryKeys: readonly (readonly string[])[];
  readonly references: readonly string[];
  readonly checks: readonly string[];
  readonly indexes: readonly string[];
};

function describe(
  property: string,
  columns: Readonly<Record<string, AnyColumn>>,
  parts: Parts,
): readonly string[] {
  const keys = parts.primaryKeys;
  return [
    `${property}: table ${parts.name}`,
    ...Object.entries(columns).map(([name, column]) => `${property}.${name}: column ${columnText(column)}`),
    ...keys.map((key) => `${property}: key ${key.join(", ")}`),
    ...parts.uniques.map((names) => `${property}: unique ${names.join(", ")}`),
    ...parts.references.map((reference) => `${property}: reference ${reference}`),
    ...parts.checks.map((check) => `${property}: check ${check}`),
    ...parts.indexes.map((index) => `${property}: index ${index}`),
  ];
}

function columnText(column: AnyColumn): string {
  return [
    `${column.name} ${kindOf(column)}`,
    ...(column.notNull ? ["not null"] : []),
    ...(column.primary ? ["key"] : []),
    ...(column.isUnique ? ["unique"] : []),
    ...(isNumbered(column) ? ["identity"] : []),
    ...(column.default === undefined ? [] : [`default ${defaultText(column.default)}`]),
  ].join(", ");
}

const kinds: Readonly<Record<string, string>> = {
  SQLiteInteger: "number",
  SQLiteBoolean: "flag",
  SQLiteText: "text",
  SQLiteTextJson: "json",
  PgBigInt53: "number",
  PgBoolean: "flag",
  PgCustomColumn: "text",
};

function kindOf(column: AnyColumn): string {
  const isJson =
    column.columnType === "PgCustomColumn" && "mapFrom" in column && column.mapFrom !== undefined;
  return isJson ? "json" : (kinds[column.columnType] ?? column.columnType);
}

function isNumbered(column: AnyColumn): boolean {
  const isIdentity = "generatedIdentity" in column && column.generatedIdentity !== undefined;
  return isIdentity || ("autoIncrement" in column && column.autoIncrement === true);
}

/** A JSON text is written out in one schema and made by drizzle in the other. */
function defaultText(value: unknown): string {
  if (typeof value === "object" && value !== null && "queryChunks" in value) {
    const { sql } = new PgDialect().sqlToQuery(value as SQL);
    return sql.replaceAll(/^'|'$/g, "");
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

function partsOfPostgres(table: PgTable): Parts {
  const config = postgresConfig(table);
  const dialect = new PgDialect();
  const text = (value: SQL) => dialect.sqlToQuery(value).sql;
  return {
    name: config.name,
    uniques: config.uniqueConstraints.map(({ columns }) => columns.map(({ name }) => name)),
    primaryKeys: config.primaryKeys.map(({ columns }) => columns.map(({ name }) => name)),
    references: config.foreignKeys.map((key) => {
      const { columns, foreignColumns, foreignTable } = key.reference();
      const to = `${postgresConfig(foreignTable).name}(${foreignColumns.map(({ name }) => name).join()})`;
      return `${columns.map(({ name }) => name).join()} to ${to}, ${key.onDelete ?? "no action"}, ${key.onUpdate ?? "no action"}`;
    }),
    checks: config.checks.map(({ name, value }) => `${name} ${text(value)}`),
    indexes: config.indexes.map(({ config: { name, columns, unique, where } }) =>
      [name, unique ? "unique" : "", columns.map(nameOf).join(), where ? text(where) : ""].join(" "),
    ),
  };
}

function partsOfSqlite(table: SQLiteTable): Parts {
  const config = sqliteConfig(table);
  const dialect = new SQLiteSyncDialect();
  const text = (value: SQL) => dialect.sqlToQuery(value).sql;
  return {
    name: config.name,
    uniques: config.uniqueConstraints.map(({ columns }) => columns.map(({ name }) => name)),
    primaryKeys: config.primaryKeys.map(({ columns }) => columns.map(({ name }) => name)),
    references: config.foreignKeys.map((key) => {
      const { columns, foreignColumns, foreignTable } = key.reference();
      const to = `${sqliteConfig(foreignTable).name}(${foreignColumns.map(({ name }) => name).join()})`;
      return `${columns.map(({ name }) => name).join()} to ${to}, ${key.onDelete ?? "no action"}, ${key.onUpdate ?? "no action"}`;
    }),
    checks: config.checks.map(({ name, value }) => `${name} ${text(value)}`),
    indexes: config.indexes.map(({ config: { name, columns, unique, where } }) =>
      [name, unique ? "unique" : "", columns.map(nameOf).join(), where ? text(where) : ""].join(" "),
    ),
  };
}

function nameOf(column: object): string {
  return "name" in column ? String(column.name) : "an expression";
}

const sqlite = linesOf({ ...sqliteAccess, ...sqliteMember, ...sqliteRecord });
const postgres = linesOf({ ...postgresAccess, ...postgresMember, ...postgresRecord });

test("both engines have the same tables, columns, keys, references, checks and indexes", () => {
  expect(sqlite.length).toBeGreaterThan(200);
  expect(sqlite.filter((line) => !postgres.includes(line))).toEqual([]);
  expect(postgres.filter((line) => !sqlite.includes(line)).toSorted()).toEqual(
    [...onPostgresOnly.keys()].toSorted(),
  );
});

test("each table that only PostgreSQL has stands for something of SQLite", () => {
  expect(Object.keys(ownTables).toSorted()).toEqual(Object.keys(own).toSorted());
});
