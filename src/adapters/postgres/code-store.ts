import { and, eq, getTableColumns, gt, lt, or, sql } from "drizzle-orm";
import type { CodeReads, CodeStore } from "../../domain/ports/code-store.ts";
import { codes } from "./schema/access.ts";
import type { Sender } from "./sender.ts";
import { build, command, excluded, first, statement, valuesOf } from "./statement.ts";

const { id: _, ...columns } = getTableColumns(codes);
const account = eq(codes.accountId, sql.placeholder("account"));
const ofHash = eq(codes.hash, sql.placeholder("hash"));

const find = statement(build.select(columns).from(codes).where(ofHash), columns);
const valid = statement(
  build
    .select({ id: codes.id })
    .from(codes)
    .where(and(account, gt(codes.expiresAt, sql.placeholder("at"))))
    .limit(1),
  { id: codes.id },
);
const put = command(
  build
    .insert(codes)
    .values(valuesOf(columns))
    // Written as in the index, which leaves out registrations.
    .onConflictDoUpdate({
      target: [codes.accountId, codes.purpose],
      targetWhere: sql`purpose <> 'confirm'`,
      set: excluded(columns),
    }),
);
const deleteOne = command(build.delete(codes).where(ofHash));
const deleteAll = command(build.delete(codes).where(account));
const deletePurpose = command(
  build.delete(codes).where(and(account, eq(codes.purpose, sql.placeholder("purpose")))),
);
const deleteExpired = command(
  build
    .delete(codes)
    .where(or(lt(codes.expiresAt, sql.placeholder("before")), gt(codes.expiresAt, sql.placeholder("after")))),
);

export function codeReads(db: Sender): CodeReads {
  return {
    findCode: async (hash) => first(await find(db, { hash })),
    hasValidCode: async (account, at) => (await valid(db, { account, at })).length > 0,
  };
}

export function codeStore(db: Sender): CodeStore {
  return {
    ...codeReads(db),
    putCode: (code) => put(db, code),
    deleteCode: (hash) => deleteOne(db, { hash }),
    deleteCodesOf: (account, purpose) =>
      purpose === undefined ? deleteAll(db, { account }) : deletePurpose(db, { account, purpose }),
    deleteExpiredCodes: (before, after) => deleteExpired(db, { before, after }),
  };
}
