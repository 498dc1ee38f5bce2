import { and, asc, eq, getTableColumns, lt, sql } from "drizzle-orm";
import type { IdentityReads, IdentityStore } from "../../domain/ports/identity-store.ts";
import { identities, pendingPeople } from "./schema/access.ts";
import type { Sender } from "./sender.ts";
import { build, command, first, insertion, mayBeKept, overwritten, setsOf, statement } from "./statement.ts";

const columns = getTableColumns(identities);
const pendingColumns = getTableColumns(pendingPeople);
const ofAccount = eq(identities.accountId, sql.placeholder("account"));
const ofProvider = eq(identities.provider, sql.placeholder("provider"));
const ofSubject = eq(identities.subject, sql.placeholder("subject"));
const ofHash = eq(pendingPeople.hash, sql.placeholder("hash"));
const all = () => build.select(columns).from(identities);

const findOfAccount = statement(all().where(ofAccount), columns);
const findPerson = statement(
  all().where(and(ofProvider, eq(identities.issuer, sql.placeholder("issuer")), ofSubject)),
  columns,
);
const listWithId = statement(all().where(ofSubject).orderBy(asc(identities.accountId)), columns);
const withoutIssuer = statement(
  build
    .select({ account: identities.accountId })
    .from(identities)
    .where(and(ofProvider, eq(identities.issuer, "")))
    .limit(1),
  { account: identities.accountId },
);
const findPending = statement(build.select(pendingColumns).from(pendingPeople).where(ofHash), pendingColumns);

const insert = command(insertion(identities, columns));
const { username, avatar } = columns;
const refresh = command(build.update(identities).set(setsOf({ username, avatar })).where(ofAccount));
const remove = command(build.delete(identities).where(ofAccount));
const adopt = statement(
  sql`
    UPDATE identities SET issuer = ${sql.placeholder("issuer")}
    WHERE ${ofProvider} AND issuer = '' AND NOT EXISTS (
      SELECT 1 FROM identities AS others WHERE others.provider = identities.provider
        AND others.issuer = ${sql.placeholder("issuer")} AND others.subject = identities.subject)
    RETURNING account_id`,
  { account: identities.accountId },
);
const put = command(sql`
  ${insertion(pendingPeople, pendingColumns)}
  ON CONFLICT (provider, issuer, subject) DO UPDATE SET ${overwritten(pendingColumns)}`);
const deleteOne = command(build.delete(pendingPeople).where(ofHash));
const deleteExpired = command(
  build.delete(pendingPeople).where(lt(pendingPeople.expiresAt, sql.placeholder("before"))),
);

export function identityReads(db: Sender): IdentityReads {
  return {
    findIdentityOf: async (account) => first(await findOfAccount(db, { account })),
    findIdentity: async ({ provider, issuer, subject }) =>
      first(await findPerson(db, { provider, issuer, subject })),
    findIdentitiesById: async (subject) => (mayBeKept(subject) ? listWithId(db, { subject }) : []),
    hasWithoutIssuer: async (provider) => (await withoutIssuer(db, { provider })).length > 0,
    findPending: async (hash) => first(await findPending(db, { hash })),
  };
}

export function identityStore(db: Sender): IdentityStore {
  return {
    ...identityReads(db),
    insertIdentity: (identity) => insert(db, identity),
    refreshIdentity: (account, { username, avatar }) => refresh(db, { account, username, avatar }),
    deleteIdentityOf: (account) => remove(db, { account }),
    setMissingIssuer: async ({ provider, issuer }) => (await adopt(db, { provider, issuer })).length,
    putPending: (person) => put(db, person),
    deletePending: (hash) => deleteOne(db, { hash }),
    deleteExpiredPending: (before) => deleteExpired(db, { before }),
  };
}
