/*
 * What a request costs a node on PostgreSQL with few accounts and with very many. `GROWN_ACCOUNTS` says how
 * many these are.
 *
 *   GROWN_ACCOUNTS=100000 bun run bench --only growth
 */
import { comparePair } from "./before.bench.ts";
import { addAccounts, fillBoth, isPostgresMissing } from "./postgres-data.ts";
import type { Line } from "./report.ts";
import { lookedUp } from "./request-costs.ts";
import type { Subject } from "./subject.ts";

const few = 1000;
const many = Number(process.env["GROWN_ACCOUNTS"] ?? 1_000_000);

/** Nothing where there is no PostgreSQL. */
export async function benchGrowth(subject: Subject): Promise<readonly Line[]> {
  if (isPostgresMissing("few accounts against many")) return [];
  const count = { accounts: few, signedIn: few };
  await using small = await fillBoth(subject, count);
  await using large = await fillBoth(subject, count);
  await addAccounts(large.url, many);
  await using server = await small.onPostgres();
  await using largeServer = await large.onPostgres();
  const pair = [
    { servers: [largeServer], members: large.members },
    { servers: [server], members: small.members },
  ] as const;
  const sizes = [many, few].map((size) => size.toLocaleString("en")).join(" accounts against ");
  const lines: Line[] = [];
  for (const [what, cost] of Object.entries(lookedUp))
    lines.push(await comparePair(`${what}, on PostgreSQL with ${sizes}`, cost, pair, 1.3));
  return lines;
}
