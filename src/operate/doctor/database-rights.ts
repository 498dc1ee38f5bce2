import type { Rights } from "../../adapters/postgres/rights.ts";
import { problem, warning, type Finding } from "./finding.ts";

const namesMax = 5;

/** What the user of DATABASE_URL lacks, and the statements that give it to them. */
export function* checkRights(rights: Rights | null): Iterable<Finding> {
  if (rights === null) return;
  const { user, database, schema, mayMakeTables, mayMakeSchemas, closed, foreign } = rights;
  const own = `as a superuser, connected to ${database}: `;
  if (schema === null || !mayMakeTables)
    yield problem(
      `the user ${user} may not make tables in ${schema === null ? "any schema" : `the schema ${schema}`}, so no start can bring it up to date`,
      `${own}GRANT USAGE, CREATE ON SCHEMA ${schema ?? "public"} TO ${user}`,
    );
  const take = `${own}SELECT format('ALTER TABLE %s OWNER TO ${user}', oid::regclass) FROM pg_class WHERE relkind = 'r' AND relnamespace = '${schema ?? "public"}'::regnamespace \\gexec`;
  if (closed.length > 0)
    yield problem(
      `the user ${user} may not read and change ${listed(closed)}`,
      foreign.length > 0 ? take : `${own}GRANT ALL ON ALL TABLES IN SCHEMA ${schema ?? "public"} TO ${user}`,
    );
  else if (foreign.length > 0)
    yield warning(
      `${listed(foreign.map(({ table }) => table))} belong to another user (${foreign[0]?.owner}), so a new version of the program cannot change them`,
      take,
    );
  if (!mayMakeSchemas)
    yield warning(
      `the user ${user} may make no schema, so its tables are not compared with those that the program makes`,
      `${own}GRANT CREATE ON DATABASE ${database} TO ${user}`,
    );
}

function listed(names: readonly string[]): string {
  const rest = names.length - namesMax;
  return names.slice(0, namesMax).join(", ") + (rest > 0 ? ` and ${rest} more tables` : "");
}
