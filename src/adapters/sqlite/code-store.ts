import { and, desc, eq, getTableColumns, gt, lt, notInArray, or, sql } from "drizzle-orm";
import type { CodeReads, CodeStore } from "../../domain/ports/code-store.ts";
import type { Db } from "./open.ts";
import { codes, registrationPasswords } from "./schema/access.ts";

export function codeReads(db: Db): CodeReads {
  const { id: _, passwordHash: __, ...columns } = getTableColumns(codes);
  const find = db
    .select(columns)
    .from(codes)
    .where(eq(codes.hash, sql.placeholder("hash")))
    .prepare();
  const valid = db
    .select({ id: codes.id })
    .from(codes)
    .where(and(eq(codes.accountId, sql.placeholder("account")), gt(codes.expiresAt, sql.placeholder("at"))))
    .limit(1)
    .prepare();
  const passwords = db
    .select({ passwordHash: registrationPasswords.passwordHash })
    .from(registrationPasswords)
    .where(eq(registrationPasswords.accountId, sql.placeholder("account")))
    .orderBy(desc(registrationPasswords.id))
    .limit(sql.placeholder("most"))
    .prepare();
  return {
    findCode: async (hash) => find.get({ hash }) ?? null,
    hasValidCode: async (account, at) => valid.get({ account, at }) !== undefined,
    registrationPasswords: async (account, most) =>
      passwords.all({ account, most }).map(({ passwordHash }) => passwordHash),
  };
}

export function codeStore(db: Db): CodeStore {
  return {
    ...codeReads(db),
    putCode: async (code) => {
      db.insert(codes)
        .values(code)
        // Written as in the index, which leaves out registrations.
        .onConflictDoUpdate({
          target: [codes.accountId, codes.purpose],
          targetWhere: sql`${codes.purpose} <> 'confirm'`,
          set: code,
        })
        .run();
    },
    keepRegistrationPassword: async (account, passwordHash, most) => {
      const ofAccount = eq(registrationPasswords.accountId, account);
      db.insert(registrationPasswords).values({ accountId: account, passwordHash }).run();
      const newest = db
        .select({ id: registrationPasswords.id })
        .from(registrationPasswords)
        .where(ofAccount)
        .orderBy(desc(registrationPasswords.id))
        .limit(most);
      db.delete(registrationPasswords)
        .where(and(ofAccount, notInArray(registrationPasswords.id, newest)))
        .run();
    },
    deleteCodesOf: async (account, purpose) => {
      const ofPurpose = purpose === undefined ? undefined : eq(codes.purpose, purpose);
      db.delete(codes)
        .where(and(eq(codes.accountId, account), ofPurpose))
        .run();
      if (purpose === undefined || purpose === "confirm")
        db.delete(registrationPasswords).where(eq(registrationPasswords.accountId, account)).run();
    },
    deleteExpiredCodes: async (before, after) => {
      db.delete(codes)
        .where(or(lt(codes.expiresAt, before), gt(codes.expiresAt, after)))
        .run();
    },
  };
}
