import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { IdentityReads, IdentityStore } from "../../domain/ports/identity-store.ts";
import type { Db } from "./open.ts";
import { identities, pendingPeople } from "./schema/access.ts";

export function identityReads(db: Db): IdentityReads {
  const subject = sql.placeholder("subject");
  const ofAccount = db
    .select()
    .from(identities)
    .where(eq(identities.accountId, sql.placeholder("account")))
    .prepare();
  const ofPerson = db
    .select()
    .from(identities)
    .where(
      and(
        eq(identities.provider, sql.placeholder("provider")),
        eq(identities.issuer, sql.placeholder("issuer")),
        eq(identities.subject, subject),
      ),
    )
    .prepare();
  const withoutIssuer = db
    .select({ account: identities.accountId })
    .from(identities)
    .where(and(eq(identities.provider, sql.placeholder("provider")), eq(identities.issuer, "")))
    .limit(1)
    .prepare();
  const withId = db.select().from(identities).where(eq(identities.subject, subject)).prepare();
  const pending = db
    .select()
    .from(pendingPeople)
    .where(eq(pendingPeople.hash, sql.placeholder("hash")))
    .prepare();

  return {
    findIdentityOf: async (account) => ofAccount.get({ account }) ?? null,
    findIdentity: async ({ provider, issuer, subject }) =>
      ofPerson.get({ provider, issuer, subject }) ?? null,
    findIdentitiesById: async (subject) => withId.all({ subject }),
    listIdentities: async (accounts) =>
      db
        .select()
        .from(identities)
        .where(inArray(identities.accountId, [...accounts]))
        .all(),
    hasWithoutIssuer: async (provider) => withoutIssuer.get({ provider }) !== undefined,
    findPending: async (hash) => pending.get({ hash }) ?? null,
  };
}

export function identityStore(db: Db): IdentityStore {
  return {
    ...identityReads(db),
    insertIdentity: async (identity) => {
      db.insert(identities).values(identity).run();
    },
    refreshIdentity: async (account, { username, avatar }) => {
      db.update(identities).set({ username, avatar }).where(eq(identities.accountId, account)).run();
    },
    deleteIdentityOf: async (account) => {
      db.delete(identities).where(eq(identities.accountId, account)).run();
    },
    setMissingIssuer: async ({ provider, issuer }) => {
      const adopt = db.$client.query<never, [string, string]>(
        "UPDATE OR IGNORE identities SET issuer = ? WHERE provider = ? AND issuer = ''",
      );
      return adopt.run(issuer, provider).changes;
    },
    putPending: async (person) => {
      db.insert(pendingPeople)
        .values(person)
        .onConflictDoUpdate({
          target: [pendingPeople.provider, pendingPeople.issuer, pendingPeople.subject],
          set: person,
        })
        .run();
    },
    deletePending: async (hash) => {
      db.delete(pendingPeople).where(eq(pendingPeople.hash, hash)).run();
    },
    deleteExpiredPending: async (before) => {
      db.delete(pendingPeople).where(lt(pendingPeople.expiresAt, before)).run();
    },
  };
}
