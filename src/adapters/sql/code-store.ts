import { and, desc, eq, getTableColumns, gt, lt, notInArray, sql } from "drizzle-orm";
import type { CodeReads, CodeStore } from "../../domain/ports/code-store.ts";
import { rowsIn } from "./dialect.ts";
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
const putMany = command(sql`
  INSERT INTO codes (account_id, purpose, hash, mail, expires_at)
  SELECT CAST(value ->> 0 AS bigint), value ->> 1, value ->> 2, value ->> 3, CAST(value ->> 4 AS bigint)
  FROM ${rowsIn(sql.placeholder("codes"))} WHERE true
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
const ofPurpose = eq(codes.purpose, sql.placeholder("purpose"));
const deletePurpose = command(build.delete(codes).where(and(account, ofPurpose)));
// Each is a range of an index; one statement of both would read all codes of the purpose.
const deleteEarly = command(
  build.delete(codes).where(and(ofPurpose, lt(codes.expiresAt, sql.placeholder("before")))),
);
const deleteLate = command(
  build.delete(codes).where(and(ofPurpose, gt(codes.expiresAt, sql.placeholder("after")))),
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
    putCodes: (all) =>
      putMany(db, {
        codes: all.map(({ accountId, purpose, hash, mail, expiresAt }) => [
          accountId,
          purpose,
          hash,
          mail,
          expiresAt,
        ]),
      }),
    deleteExpiredCodes: async (purpose, before, after) => {
      await deleteEarly(db, { purpose, before });
      await deleteLate(db, { purpose, after });
    },
  };
}
