/** What the user of a database's address may do in it. */
import type { Sender } from "../sql/sender.ts";

/** Names are quoted as statements need them. */
export type Rights = {
  readonly user: string;
  readonly database: string;
  /** Where tables are made; null where the user may use no schema of its path. */
  readonly schema: string | null;
  readonly mayMakeTables: boolean;
  /** Which only the comparison of the schema needs. */
  readonly mayMakeSchemas: boolean;
  /** Tables that it may not read or change, … */
  readonly closed: readonly string[];
  /** … and those that another user owns, so that no migration can change them, with that user. */
  readonly foreign: readonly { readonly table: string; readonly owner: string }[];
};

/** Far more than there are. */
const tablesMax = 500;
const uses = ["SELECT", "INSERT", "UPDATE", "DELETE"] as const;

/** Null on an engine that does not say it. */
export async function readRights(sender: Sender): Promise<Rights | null> {
  try {
    return await read(sender);
  } catch {
    return null;
  }
}

async function read(sender: Sender): Promise<Rights> {
  const [[user, database, schema, mayMakeTables, mayMakeSchemas] = []] = await sender.send(
    `SELECT quote_ident(current_user), quote_ident(current_database()), quote_ident(current_schema()),
       coalesce(has_schema_privilege(current_schema(), 'CREATE'), false), has_database_privilege(current_database(), 'CREATE')`,
    [],
  );
  const rows = await sender.send(
    `SELECT quote_ident(relname), quote_ident(pg_get_userbyid(relowner)), pg_has_role(relowner, 'USAGE'),
       ${uses.map((use) => `has_table_privilege(c.oid, '${use}')`).join(" AND ")}
     FROM pg_class c WHERE relkind = 'r' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
       AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
     ORDER BY relname LIMIT ${tablesMax}`,
    [],
  );
  const tables = rows.map(([table, owner, owns, mayUse]) => ({
    table: String(table),
    owner: String(owner),
    owns: owns === true,
    mayUse: mayUse === true,
  }));
  return {
    user: String(user),
    database: String(database),
    schema: typeof schema === "string" ? schema : null,
    mayMakeTables: mayMakeTables === true,
    mayMakeSchemas: mayMakeSchemas === true,
    closed: tables.filter(({ mayUse }) => !mayUse).map(({ table }) => table),
    foreign: tables.filter(({ owns }) => !owns),
  };
}
