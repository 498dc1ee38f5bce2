import { and, eq, sql } from "drizzle-orm";
import type { Alias } from "../../domain/model/account.ts";
import type { AliasReads, AliasStore } from "../../domain/ports/alias-store.ts";
import { limits } from "../../kernel/limits.ts";
import { aliases } from "./schema/access.ts";
import type { Sender } from "./sender.ts";
import { build, first, mayBeKept, statement } from "./statement.ts";

const { nameKey, accountId, name, createdAt } = aliases;
const ofName = eq(nameKey, sql.placeholder("nameKey"));
const ofAccount = eq(accountId, sql.placeholder("account"));

const findOwner = statement(build.select({ accountId }).from(aliases).where(ofName), { accountId });
const list = statement(
  build.select({ name, createdAt }).from(aliases).where(ofAccount).limit(limits.aliasesShownMax),
  { name, createdAt },
);
const remove = statement(build.delete(aliases).where(and(ofName, ofAccount)).returning({ nameKey }), {
  nameKey,
});

export function aliasReads(db: Sender): AliasReads {
  return {
    findAliasOwner: async (nameKey) =>
      mayBeKept(nameKey) ? (first(await findOwner(db, { nameKey }))?.accountId ?? null) : null,
    // An account has few, and the engines order letters differently.
    listAliases: async (account) => (await list(db, { account })).toSorted(byAge),
  };
}

function byAge(one: Alias, other: Alias): number {
  return one.createdAt - other.createdAt || (one.name < other.name ? -1 : 1);
}

export function aliasStore(db: Sender): AliasStore {
  return {
    ...aliasReads(db),
    deleteAlias: async (account, nameKey) =>
      mayBeKept(nameKey) && (await remove(db, { account, nameKey })).length > 0,
  };
}
