import { and, eq, gt, lt, or, sql } from "drizzle-orm";
import type { CodeReads, CodeStore } from "../../domain/codes/store.ts";
import type { AccountId } from "../../kernel/ids.ts";
import type { Db } from "./open.ts";
import { codes } from "./schema/code.ts";

export function codeReads(db: Db): CodeReads {
  const find = db
    .select()
    .from(codes)
    .where(eq(codes.hash, sql.placeholder("hash")))
    .prepare();
  return {
    findCode: async (hash) => {
      const row = find.get({ hash });
      if (row === undefined) return null;
      const { purpose, mail, expiresAt } = row;
      return { accountId: row.accountId as AccountId, purpose, hash, mail, expiresAt }; // written by `putCode`
    },
  };
}

export function codeStore(db: Db): CodeStore {
  return {
    ...codeReads(db),
    putCode: async (code) => {
      db.delete(codes)
        .where(and(eq(codes.accountId, code.accountId), eq(codes.purpose, code.purpose)))
        .run();
      db.insert(codes).values(code).run();
    },
    deleteCode: async (hash) => {
      db.delete(codes).where(eq(codes.hash, hash)).run();
    },
    deleteCodesOf: async (account, purpose) => {
      const ofPurpose = purpose === undefined ? undefined : eq(codes.purpose, purpose);
      db.delete(codes)
        .where(and(eq(codes.accountId, account), ofPurpose))
        .run();
    },
    deleteExpiredCodes: async (before, after) => {
      db.delete(codes)
        .where(or(lt(codes.expiresAt, before), gt(codes.expiresAt, after)))
        .run();
    },
  };
}
