import { and, desc, eq, getTableColumns, gt, lt, notInArray, or, sql } from "drizzle-orm";
import type { CodeReads, CodeStore } from "../../domain/ports/code-store.ts";
import { codes, registrationPasswords } from "./schema/access.ts";
import type { Sender } from "./sender.ts";
import { build, command, first, insertion, overwritten, statement } from "./statement.ts";

const { id: _, passwordHash: __, ...columns } = getTableColumns(codes);
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
// The condition is written as in the index, which leaves out registrations.
const put = command(sql`
  ${insertion(codes, columns)}
  ON CONFLICT (account_id, purpose) WHERE purpose <> 'confirm' DO UPDATE SET ${overwritten(columns)}`);
const { id: passwordId, ...passwordColumns } = getTableColumns(registrationPasswords);
const ofAccount = eq(registrationPasswords.accountId, sql.placeholder("account"));
const hashOnly = { passwordHash: registrationPasswords.passwordHash };
const passwords = statement(
  build
    .select(hashOnly)
    .from(registrationPasswords)
    .where(ofAccount)
    .orderBy(desc(passwordId))
    .limit(sql.placeholder("most")),
  hashOnly,
);
const newest = build
  .select({ id: passwordId })
  .from(registrationPasswords)
  .where(ofAccount)
  .orderBy(desc(passwordId))
  .limit(sql.placeholder("most"));
const keepPassword = command(insertion(registrationPasswords, passwordColumns));
const deleteOlderPasswords = command(
  build.delete(registrationPasswords).where(and(ofAccount, notInArray(passwordId, newest))),
);
const deletePasswords = command(build.delete(registrationPasswords).where(ofAccount));
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
    registrationPasswords: async (account, most) =>
      (await passwords(db, { account, most })).map(({ passwordHash }) => passwordHash),
  };
}

export function codeStore(db: Sender): CodeStore {
  return {
    ...codeReads(db),
    putCode: (code) => put(db, code),
    keepRegistrationPassword: async (account, passwordHash, most) => {
      await keepPassword(db, { accountId: account, passwordHash });
      await deleteOlderPasswords(db, { account, most });
    },
    deleteCodesOf: async (account, purpose) => {
      if (purpose === undefined) await deleteAll(db, { account });
      else await deletePurpose(db, { account, purpose });
      if (purpose === undefined || purpose === "confirm") await deletePasswords(db, { account });
    },
    deleteExpiredCodes: (before, after) => deleteExpired(db, { before, after }),
  };
}
