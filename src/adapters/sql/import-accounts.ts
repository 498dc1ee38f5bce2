/** Accounts of an import, with everything that comes with them, many by each statement. */
import { sql } from "drizzle-orm";
import { commandLine } from "../../domain/model/actor.ts";
import { choosesPassword, type NewAccount, type PlannedAccount } from "../../domain/model/import-plan.ts";
import { mailKey } from "../../domain/model/mail-address.ts";
import { nameKey } from "../../domain/model/username.ts";
import type { ImportBatch, ImportStore } from "../../domain/ports/import-store.ts";
import type { AccountId, CapeId } from "../../kernel/ids.ts";
import { isIn } from "./dialect.ts";
import { linkRows, type LinkedRow } from "./import-links.ts";
import { importPlayers, type CapeIds, type FreshAccount, type PlacedAccount } from "./import-players.ts";
import { importReads } from "./import-reads.ts";
import { insertionOfMany, valuesOf } from "./many-rows.ts";
import { identityColumns, pick } from "./rows.ts";
import { aliases, identities, sessions, suspensions } from "./schema/access.ts";
import { accounts, capeGrants } from "./schema/member.ts";
import type { Sender } from "./sender.ts";
import { command, statement } from "./statement.ts";
import type { Touch } from "./touch.ts";

const listHere = statement(
  sql`SELECT id FROM accounts WHERE ${isIn(accounts.id, sql.placeholder("ids"), "bigint")}`,
  { id: accounts.id },
);
const aliasColumns = pick(aliases, "nameKey", "accountId", "name", "createdAt");
const insertAliases = command(sql`${insertionOfMany(aliases, aliasColumns)} ON CONFLICT DO NOTHING`);
const grantColumns = pick(capeGrants, "accountId", "capeId", "grantedAt", "expiresAt");
const insertGrants = command(sql`${insertionOfMany(capeGrants, grantColumns)} ON CONFLICT DO NOTHING`);
const insertIdentities = command(sql`${insertionOfMany(identities, identityColumns)} ON CONFLICT DO NOTHING`);
const suspensionColumns = pick(suspensions, "accountId", "scope", "until", "reason", "issuer", "at");
const insertSuspensions = command(
  sql`${insertionOfMany(suspensions, suspensionColumns)} ON CONFLICT DO NOTHING`,
);
const endSessions = command(
  sql`DELETE FROM sessions WHERE ${isIn(sessions.accountId, sql.placeholder("ids"), "bigint")}`,
);

type Parts = {
  readonly touch: Touch;
  readonly updateAccount: ImportStore["updateAccount"];
};

/** Writes a batch. */
export function importAccounts(db: Sender, { touch, updateAccount }: Parts): ImportStore["putAccounts"] {
  const writePlayers = importPlayers(db, touch);

  return async (batch) => {
    if (batch.rows.length === 0) return [];
    const old = await findPlaced(db, batch.rows);
    for (const { id, planned } of old) {
      if (planned.account === null) continue;
      // Levels are given here alone.
      const { level: _, ...change } = planned.account;
      await updateAccount(id, change);
    }
    const capes = await capesOf(db, batch);
    const { placed, links } = await writePlayers({ old, fresh: batch.rows.flatMap(asNew) }, capes);
    countNew(touch, placed);
    await linkRows(db, batch.source, [...placed.flatMap(accountLinks), ...links]);
    await writeBelongings(db, { now: batch.now, placed, capes });
    return placed.map(({ id, planned }) => ({ key: planned.key, id }));
  };
}

/** Of the account's own record, and of those that joined it. */
function accountLinks({ id, planned: { key, digest, joined = [] } }: PlacedAccount): readonly LinkedRow[] {
  const others = joined.map((one) => ({ kind: "account", key: one, id }) as const);
  return [{ kind: "account", key, id, digest }, ...others];
}

/** Nothing for one that is here, or was deleted meanwhile. */
function asNew(planned: PlannedAccount): readonly FreshAccount[] {
  const { id, account } = planned;
  return id !== null || account === null ? [] : [{ planned, cells: accountCells(account, planned) }];
}

function countNew(touch: Touch, placed: readonly PlacedAccount[]): void {
  const fresh = placed.filter(({ isNew }) => isNew);
  touch.count("accounts", fresh.length);
  for (const { id, planned } of fresh) {
    const { account, players } = planned;
    if (account !== null && registrationFor(account, planned) === "unconfirmed")
      touch.count("accounts_unconfirmed", 1);
    const mails = account?.mail ?? null;
    touch.found("user", id, [...(mails === null ? [] : [mails]), ...players.map(({ name }) => name)]);
  }
}

/** Those that were here before and still are. */
async function findPlaced(db: Sender, rows: readonly PlannedAccount[]): Promise<readonly PlacedAccount[]> {
  const ids = rows.flatMap(({ id }) => id ?? []);
  if (ids.length === 0) return [];
  const here = new Set((await listHere(db, { ids })).map(({ id }) => id));
  return rows.flatMap((planned) =>
    planned.id === null || !here.has(planned.id) ? [] : { id: planned.id, isNew: false, planned },
  );
}

/**
 * An account without a player is unnamed, confirmed or not: no sweep removes it. Only one that no person
 * confirmed in another cloakroom stays as it is, because it does not own its address.
 */
function registrationFor({ own, mail, mailVerified }: NewAccount, planned: PlannedAccount) {
  if (planned.players.length > 0)
    return own?.registration ?? (choosesPassword(planned) ? "unnamed" : "complete");
  const waits = own?.registration === "unconfirmed" && mail !== null && !mailVerified;
  return waits ? "unconfirmed" : "unnamed";
}

function accountCells(planned: NewAccount, belongings: PlannedAccount) {
  const { own, level, mail, ...account } = planned;
  const { uuid, mailVerified, passwordHash, createdAt, language, playersMax, lastSeenAt } = account;
  return {
    uuid,
    mail,
    mailKey: mail === null ? null : mailKey(mail),
    mailVerified,
    passwordHash,
    registration: registrationFor(planned, belongings),
    permanentLevel: level,
    createdAt,
    language,
    roleLevel: own?.temporaryLevel?.level ?? null,
    roleExpiresAt: own?.temporaryLevel?.expiresAt ?? null,
    wantsBulkMail: own?.wantsBulkMail ?? true,
    playersMax,
    lastSeenAt,
    deleteAt: own?.deleteAt ?? null,
  };
}

async function capesOf(db: Sender, { source, rows }: ImportBatch<PlannedAccount>): Promise<CapeIds> {
  const keys = new Set(
    rows.flatMap(({ grants, players, skins }) => [
      ...grants,
      ...players.flatMap(({ cape }) => cape ?? []),
      ...skins.flatMap(({ own }) => own?.cape ?? []),
    ]),
  );
  if (keys.size === 0) return new Map();
  const links = await importReads(db).links(source, "cape", [...keys]);
  return new Map(
    [...links].flatMap(([key, { id, isGone }]) => (isGone ? [] : [[key, id as CapeId] as const])), // a cape's link
  );
}

type Belonging = {
  readonly now: number;
  readonly placed: readonly PlacedAccount[];
  readonly capes: CapeIds;
};

/** Old names, grants, identities and suspensions. What is here already stays. */
async function writeBelongings(db: Sender, { now, placed, capes }: Belonging): Promise<void> {
  const names = placed.flatMap(({ id: accountId, planned: { aliases, account } }) =>
    aliases.map((name) => {
      const own = account?.own?.aliases.find((alias) => alias.name === name);
      return { nameKey: nameKey(name), accountId, name, createdAt: own?.createdAt ?? now };
    }),
  );
  if (names.length > 0) await insertAliases(db, valuesOf(db, aliasColumns, names));

  const grants = placed.flatMap(({ id: accountId, planned: { grants: keys, ownGrants } }) =>
    keys.flatMap((key) => {
      const capeId = capes.get(key);
      const { grantedAt = now, expiresAt = null } = ownGrants?.[key] ?? {};
      return capeId === undefined ? [] : { accountId, capeId, grantedAt, expiresAt };
    }),
  );
  if (grants.length > 0) await insertGrants(db, valuesOf(db, grantColumns, grants));

  const people = placed.flatMap(({ id: accountId, planned: { identity } }) =>
    identity === null ? [] : identityCells(accountId, identity, now),
  );
  if (people.length > 0) await insertIdentities(db, valuesOf(db, identityColumns, people));

  const suspended = placed.flatMap(({ id: accountId, planned: { suspension, account } }) => {
    if (suspension === null) return [];
    const { issuer = commandLine.name, at = now } = account?.own?.suspension ?? {};
    return { accountId, scope: "all", ...pick(suspension, "until", "reason"), issuer, at };
  });
  if (suspended.length === 0) return;
  await insertSuspensions(db, valuesOf(db, suspensionColumns, suspended));
  await endSessions(db, { ids: suspended.map(({ accountId }) => accountId) });
}

function identityCells(
  accountId: AccountId,
  { own, provider, issuer, subject, username }: NonNullable<PlannedAccount["identity"]>,
  now: number,
) {
  return {
    accountId,
    provider: own?.provider ?? provider,
    issuer,
    subject,
    username,
    avatar: own?.avatar ?? "",
    linkedAt: own?.linkedAt ?? now,
  };
}
