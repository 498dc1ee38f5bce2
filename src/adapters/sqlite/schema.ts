/** The tables of SQLite, made of the one schema. drizzle-kit writes migrations by them. */
import { getTableColumns } from "drizzle-orm";
import { getTableConfig, type PgColumn, type PgTable } from "drizzle-orm/pg-core";
import * as lite from "drizzle-orm/sqlite-core";
import * as access from "../sql/schema/access.ts";
import * as member from "../sql/schema/member.ts";
import * as record from "../sql/schema/record.ts";

const made = new Map<PgTable, lite.SQLiteTable>();

// drizzle-kit sees what a file exports by a name of its own.
export const {
  sessions,
  codes,
  registrationPasswords,
  pendingPeople,
  identities,
  serviceTokens,
  suspensions,
  aliases,
} = makeAll(access);
export const {
  accounts,
  players,
  heldNames,
  formerUuids,
  textures,
  droppedFiles,
  skins,
  capes,
  capeGrants,
  textureBans,
} = makeAll(member);
export const {
  auditEntries,
  bulkMails,
  outbox,
  changes,
  rowCounts,
  dailyCounts,
  events,
  webhooks,
  importRuns,
  importLinks,
  marks,
} = makeAll(record);

function makeAll<Name extends string>(tables: Readonly<Record<Name, PgTable>>) {
  const all = Object.entries<PgTable>(tables).map(([name, table]) => [name, make(table)]);
  // Each has the name of the table that it is made of.
  return Object.fromEntries(all) as Readonly<Record<Name, lite.SQLiteTable>>;
}

/** SQLite numbers rows by itself, and has no column `seq` for the order of their insertion. */
function make(table: PgTable): lite.SQLiteTable {
  const known = made.get(table);
  if (known !== undefined) return known;
  const config = getTableConfig(table);
  const kept = Object.entries(getTableColumns(table)).filter(([name]) => name !== "seq");
  const columns: Readonly<Record<string, lite.SQLiteColumnBuilderBase>> = Object.fromEntries(
    kept.map(([name, column]) => [name, columnOf(column, config)]),
  );
  const one = lite.sqliteTable(config.name, columns, (own) =>
    partsOf(config, (name) => columnNamed(own, name)),
  );
  made.set(table, one);
  return one;
}

type Config = ReturnType<typeof getTableConfig>;

function partsOf(config: Config, column: (name: string) => lite.SQLiteColumn) {
  const columnsOf = (names: readonly { readonly name?: unknown }[]) => {
    const [first, ...rest] = names.map(({ name }) => column(String(name)));
    if (first === undefined) throw new Error(`A part of ${config.name} has no columns`);
    return [first, ...rest] as const;
  };
  return [
    ...config.checks.map(({ name, value }) => lite.check(name, value)),
    ...config.primaryKeys.map(({ columns }) => lite.primaryKey({ columns: [...columnsOf(columns)] })),
    ...config.uniqueConstraints.map(({ name, columns }) => lite.unique(name).on(...columnsOf(columns))),
    ...config.indexes.map(({ config: { name, columns, unique, where } }) => {
      const one = (unique ? lite.uniqueIndex : lite.index)(name ?? "").on(
        ...columnsOf(columns as readonly {}[]),
      );
      return where === undefined ? one : one.where(where);
    }),
  ];
}

function columnNamed(own: Readonly<Record<string, lite.SQLiteColumn>>, name: string): lite.SQLiteColumn {
  const found = Object.values(own).find((column) => column.name === name);
  if (found === undefined) throw new Error(`There is no column ${name}`);
  return found;
}

function columnOf(column: PgColumn, { foreignKeys }: Config): Builder {
  let one = kindOf(column);
  if (column.primary && column.generatedIdentity === undefined) one = one.primaryKey();
  if (column.notNull) one = one.notNull();
  if (column.default !== undefined) one = one.default(column.default);
  if (column.isUnique) one = one.unique(column.uniqueName);
  const key = foreignKeys.find((one) => one.reference().columns[0] === column);
  if (key === undefined) return one;
  const { onDelete = "no action", onUpdate = "no action" } = key;
  return one.references(
    () => {
      const { foreignTable, foreignColumns } = key.reference();
      return columnNamed(getTableColumns(make(foreignTable)), foreignColumns[0]?.name ?? "");
    },
    { onDelete, onUpdate },
  );
}

type Builder = lite.SQLiteColumnBuilder;

/** Builders differ in the types of their values alone, which drizzle-kit does not ask for. */
function kindOf(column: PgColumn): Builder {
  const { name, generatedIdentity } = column;
  const type = column.getSQLType();
  if (type === "boolean") return lite.integer(name, { mode: "boolean" }) as unknown as Builder;
  const isJson = "mapFrom" in column && column.mapFrom !== undefined;
  if (type !== "bigint") return lite.text(name, { mode: isJson ? "json" : "text" }) as unknown as Builder;
  const number = lite.integer(name);
  return (generatedIdentity ? number.primaryKey({ autoIncrement: true }) : number) as unknown as Builder;
}
