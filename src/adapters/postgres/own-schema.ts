import { migrations } from "./migrations.ts";
import type { ServerSession } from "./connections/connection.ts";
import { readPosition } from "./schema-mark.ts";
import { searchIndexes } from "./search-index.ts";
import type { Sender } from "../sql/sender.ts";

/** A table, column, index, constraint …, with what it is made of. */
type SchemaPart = { readonly kind: string; readonly name: string; readonly made: string };

/** Faults that are reported; more would not help an operator. */
const faultsMax = 20;
const nameLengthMax = 80;

/**
 * How a database's schema differs from what our migrations make of an empty one: parts that were added,
 * changed or removed. A foreign trigger, for example, could do anything at every change. Empty when nothing
 * differs. They are made beside it in a transaction that is rolled back, for which the user must be allowed
 * to make a schema in the database. What a newer release has added is no fault.
 */
export async function schemaFaults(session: ServerSession): Promise<readonly string[]> {
  const [row] = await session.send("SELECT current_schema()", []);
  const schema = String(row?.[0]);
  const found = await partsOf(session, schema);
  const isNewer = ((await readPosition(session))?.complete ?? 0) > migrations.length;
  const missing = new Map((await ownParts(session)).map((part) => [keyOf(part), part]));
  const faults: string[] = [];
  for (const part of found) {
    const own = missing.get(keyOf(part));
    missing.delete(keyOf(part));
    if (own === undefined && !isNewer) faults.push(`the ${labelOf(part)} is not part of it`);
    else if (own !== undefined && own.made !== part.made) faults.push(`the ${labelOf(part)} was changed`);
  }
  for (const part of missing.values()) faults.push(`the ${labelOf(part)} is missing`);
  return faults.slice(0, faultsMax);
}

/** A reference between two tables, and the text that makes it. */
export type OwnReference = { readonly table: string; readonly name: string; readonly made: string };

/** The references that our migrations make. */
export async function ownReferences(session: ServerSession): Promise<readonly OwnReference[]> {
  return (await ownParts(session)).flatMap(({ kind, name, made }) => {
    const [table = "", constraint = ""] = name.split(".");
    return kind === "constraint" && made.startsWith("FOREIGN KEY") ? [{ table, name: constraint, made }] : [];
  });
}

const besides = "cloakroom_examined";

async function ownParts(session: ServerSession): Promise<readonly SchemaPart[]> {
  await session.command("BEGIN");
  try {
    await session.send(`CREATE SCHEMA ${besides}`, []);
    await session.send(`SET LOCAL search_path = ${besides}`, []);
    for (const { statements } of migrations) {
      for (const statement of statements) await session.send(statement, []);
    }
    return await partsOf(session, besides);
  } finally {
    await session.command("ROLLBACK");
  }
}

/** Without what belongs to extensions, and without the indexes of searches, which are there or not. */
async function partsOf(sender: Sender, schema: string): Promise<readonly SchemaPart[]> {
  const rows = await sender.send(partsQuery, [schema, searchIndexes]);
  return rows.map(([kind, name, made]) => ({
    kind: String(kind),
    name: String(name),
    made: String(made).replaceAll(`${schema}.`, ""),
  }));
}

const partsQuery = `
  WITH tables AS (
    SELECT c.* FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relname <> ALL ($2)
      AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'))
  SELECT CASE relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' ELSE 'relation' END, relname::text,
         relkind::text || relpersistence::text || relrowsecurity::text
  FROM tables WHERE relkind IN ('r', 'p', 'v', 'm', 'f')
  UNION ALL
  SELECT 'column', t.relname || '.' || a.attname,
         format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END || a.attidentity::text
           || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '') || coalesce(' COLLATE ' || o.collname, '')
  FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
    LEFT JOIN pg_collation o ON o.oid = a.attcollation
  WHERE t.relkind IN ('r', 'p', 'v', 'm', 'f')
  UNION ALL
  SELECT 'index', t.relname::text, pg_get_indexdef(t.oid) FROM tables t WHERE relkind IN ('i', 'I')
  UNION ALL
  SELECT 'constraint', t.relname || '.' || c.conname, pg_get_constraintdef(c.oid)
  FROM tables t JOIN pg_constraint c ON c.conrelid = t.oid WHERE c.contype <> 'n'
  UNION ALL
  SELECT 'trigger', t.relname || '.' || g.tgname, pg_get_triggerdef(g.oid)
  FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal
  UNION ALL
  SELECT 'rule', t.relname || '.' || r.rulename, pg_get_ruledef(r.oid)
  FROM tables t JOIN pg_rewrite r ON r.ev_class = t.oid WHERE t.relkind = 'r'
  UNION ALL
  SELECT 'policy', t.relname || '.' || p.polname, p.polcmd::text
  FROM tables t JOIN pg_policy p ON p.polrelid = t.oid
  ORDER BY 1, 2`;

function keyOf({ kind, name }: SchemaPart): string {
  return `${kind} ${name}`;
}

/** The name may be foreign, so no character of it may be a control character for a terminal. */
function labelOf({ kind, name }: SchemaPart): string {
  return `${kind} ${JSON.stringify(name.slice(0, nameLengthMax).replaceAll(/[^ -~]/g, "?"))}`;
}
