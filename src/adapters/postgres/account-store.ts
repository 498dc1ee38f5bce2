import { asc, desc, eq, gt, lt, lte, sql, type SQL } from "drizzle-orm";
import { readIdentifier } from "../../domain/accounts/identifier.ts";
import { uuidsOf } from "../../domain/model/player-uuid.ts";
import type { EventBody } from "../../domain/model/event.ts";
import { mailKey } from "../../domain/model/mail-address.ts";
import type { AccountChange, AccountReads, AccountStore } from "../../domain/ports/account-store.ts";
import type { AccountId, PlayerId, Uuid } from "../../kernel/ids.ts";
import { sampleStep, toAccount, toMember } from "../sql/row-values.ts";
import { findBelongings } from "./belongings.ts";
import { dailyCount } from "../sql/daily-counts.ts";
import { countRows } from "./counts.ts";
import { levelReads } from "./level-reads.ts";
import { members } from "../sql/members.ts";
import { namedByUuid } from "./named-by-uuid.ts";
import { pagesOf, placeOf } from "./pages.ts";
import { rememberUuids } from "./player-store.ts";
import { sortedReads } from "./sorted-reads.ts";
import { accountColumns, memberColumns } from "../sql/rows.ts";
import { accounts, players, skins } from "../sql/schema/member.ts";
import { putSearchText, searchText } from "./search.ts";
import type { Sender } from "../sql/sender.ts";
import { build, command, first, listed, mayBeKept, statement } from "../sql/statement.ts";
import type { Touch } from "./touch.ts";

const ofAccount = eq(accounts.id, sql.placeholder("account"));

/** The account that a key names. The name or uuid of any of its players names it, too. */
const value = sql`${sql.placeholder("value")}`;
const namedBy = {
  id: eq(accounts.id, value),
  uuid: sql`${accounts.id} = ${namedByUuid.account(value)}`,
  mail: eq(accounts.mailKey, value),
  name: sql`${accounts.id} = (SELECT account_id FROM players WHERE name_key = ${value})`,
};

const find = {
  id: statement(members().where(namedBy.id), memberColumns),
  uuid: statement(members().where(namedBy.uuid), memberColumns),
  mail: statement(members().where(namedBy.mail), memberColumns),
  name: statement(members().where(namedBy.name), memberColumns),
};
// Every sign-in begins here, so these read nothing else.
const { id, passwordHash, createdAt } = accounts;
const credentials = (where: SQL) =>
  statement(build.select({ id, passwordHash }).from(accounts).where(where), { id, passwordHash });
const findCredentials = { mail: credentials(namedBy.mail), name: credentials(namedBy.name) };

const pages = {
  oldest: statement(
    members()
      .where(gt(id, sql.placeholder("after")))
      .orderBy(asc(id))
      .limit(sql.placeholder("rows")),
    memberColumns,
  ),
  newest: statement(
    members()
      .where(lt(id, sql.placeholder("after")))
      .orderBy(desc(id))
      .limit(sql.placeholder("rows")),
    memberColumns,
  ),
};
const withIds = statement(
  members().where(sql`${id} = ANY(${sql.placeholder("ids")}::bigint[])`),
  memberColumns,
);
const unknown = statement(
  sql`
    SELECT asked.id FROM unnest(${sql.placeholder("ids")}::bigint[]) WITH ORDINALITY AS asked (id, place)
    WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = asked.id) ORDER BY asked.place`,
  { id },
);
const unconfirmed = statement(
  build
    .select({ id, createdAt })
    .from(accounts)
    .where(
      sql`${accounts.registration} = 'unconfirmed' AND ${lte(createdAt, sql.placeholder("until"))}
        AND (${createdAt}, ${id}) > (${sql.placeholder("at")}, ${sql.placeholder("id")})`,
    )
    .orderBy(asc(createdAt), asc(id))
    .limit(sql.placeholder("rows")),
  { id, createdAt },
);
const lastSeen = statement(
  sql`
    SELECT greatest((SELECT last_seen_at FROM accounts WHERE ${ofAccount}),
      (SELECT max(last_used_at) FROM sessions WHERE account_id = ${sql.placeholder("account")}))`,
  { at: accounts.lastSeenAt },
);

const lastId = statement(sql`SELECT coalesce(max(id), 0) FROM accounts WHERE id > 0`, { id: Number });
const sample = statement(
  sql`
    SELECT (SELECT password_hash FROM accounts WHERE id >= place ORDER BY id LIMIT 1)
    FROM generate_series(1::bigint, ${sql.placeholder("last")}::bigint, ${sql.placeholder("step")}::bigint) AS place`,
  { hash: accounts.passwordHash },
);

export function accountReads(db: Sender): AccountReads {
  const listing = pagesOf(db, "accounts", async (search) => {
    const key = readIdentifier(search);
    return key === null ? null : (first(await find[key.by](db, { value: key.value }))?.id ?? null);
  });

  return {
    ...levelReads(db),
    findBelongings: (account, now) => findBelongings(db, account, now),
    ...sortedReads(db),
    listUnconfirmed: ({ createdUntil: until, after, rows }) =>
      unconfirmed(db, { until, at: after?.createdAt ?? -1, id: after?.id ?? 0, rows }),
    findMember: async ({ by, value }) => {
      if (!mayBeKept(String(value))) return null;
      const row = first(await find[by](db, { value }));
      return row === null ? null : toMember(row);
    },
    findCredentials: async ({ by, value }) =>
      mayBeKept(value) ? first(await findCredentials[by](db, { value })) : null,
    sampleHashes: async (most) => {
      const last = first(await lastId(db))?.id ?? 0;
      return (await sample(db, { last, step: sampleStep(last, most) })).flatMap(({ hash }) => hash ?? []);
    },
    listUnknown: async (ids) => (await unknown(db, { ids })).map((row) => row.id),
    listMembers: async (page) => {
      const direction = page.isNewestFirst === true ? "newest" : "oldest";
      const ids = await listing.find(page);
      if (ids === null)
        return (await pages[direction](db, { after: placeOf(page), rows: page.rows })).map(toMember);
      if (ids.length === 0) return [];
      const found = new Map((await withIds(db, { ids })).map((row) => [Number(row.id), toMember(row)]));
      return ids.flatMap((number) => found.get(number) ?? []);
    },
    countMembers: listing.count,
    countUnconfirmed: () => countRows(db, "accounts_unconfirmed"),
    findLastSeen: async (account) => first(await lastSeen(db, { account }))?.at ?? null,
  };
}

const insert = statement(
  sql`
    WITH added AS (
      INSERT INTO accounts (uuid, registration, mail, mail_key, mail_verified, password_hash, level, language, created_at)
      VALUES (${sql.placeholder("uuid")}, ${sql.placeholder("registration")}, ${sql.placeholder("mail")}, ${sql.placeholder("mailKey")},
        ${sql.placeholder("mailVerified")}, ${sql.placeholder("passwordHash")}, ${sql.placeholder("permanentLevel")},
        ${sql.placeholder("language")}, ${sql.placeholder("createdAt")})
      RETURNING ${listed(accountColumns)}),
    found AS (INSERT INTO search_texts (kind, id, text) SELECT 'user', id, ${sql.placeholder("text")}::text FROM added)
    SELECT * FROM added`,
  accountColumns,
);

/** An account that ends, a row for each of its players. */
const ending = statement(
  sql`
    SELECT accounts.uuid, accounts.registration, accounts.main_player_id, players.id, players.uuid, players.name
    FROM accounts LEFT JOIN players ON players.account_id = accounts.id WHERE ${ofAccount} ORDER BY players.id`,
  {
    account: {
      uuid: accounts.uuid,
      registration: accounts.registration,
      mainPlayerId: accounts.mainPlayerId,
    },
    player: { id: players.id, uuid: players.uuid, name: players.name },
  },
);

/** Its skins, which searches find no more. */
const endingSkins = statement(
  sql`
    WITH forgotten AS (
      DELETE FROM search_texts USING skins
      WHERE kind = 'skin' AND search_texts.id = skins.id AND skins.account_id = ${sql.placeholder("account")})
    SELECT uuid FROM skins WHERE account_id = ${sql.placeholder("account")}`,
  { uuid: skins.uuid },
);
// The schema's references delete its players and skins with it.
const remove = command(sql`
  WITH remembered AS (${rememberUuids(sql`players WHERE account_id = ${sql.placeholder("account")}`)}),
  forgotten AS (DELETE FROM search_texts WHERE kind = 'user' AND id = ${sql.placeholder("account")})
  DELETE FROM accounts WHERE ${ofAccount}`);

export function accountStore(db: Sender, touch: Touch): AccountStore {
  const countUnconfirmed = (delta: number) => touch.count("accounts_unconfirmed", delta);

  return {
    ...accountReads(db),
    insertAccount: async (account) => {
      const { mail, registration, createdAt } = account;
      const cells = { mailKey: mail === null ? null : mailKey(mail), text: searchText([mail]) };
      const row = first(await insert(db, { ...account, ...cells }));
      if (row === null) throw new Error("An inserted account was not returned");
      touch.count("accounts", 1);
      touch.count(dailyCount("registration", createdAt), 1);
      if (registration === "unconfirmed") countUnconfirmed(1);
      return toAccount(row);
    },
    updateAccount: async (id, change) => {
      const before = await update(db, id, change);
      if (before === null) return;
      if (change.registration !== undefined)
        countUnconfirmed(
          Number(change.registration === "unconfirmed") - Number(before.registration === "unconfirmed"),
        );
      if (change.mail !== undefined)
        await putSearchText(db, { kind: "user", id, lines: [change.mail, ...before.names] });
    },
    deleteAccount: async (id) => {
      const rows = await ending(db, { account: id });
      const account = first(rows)?.account;
      if (account === undefined) return;
      const gone = rows.flatMap(({ player }) => toEnding(player));
      const main = gone.find((player) => player.id === account.mainPlayerId);
      // Before its players, as an account that still had them.
      if (main !== undefined)
        touch.event("account.deleted", { player: nameOf(main), account: { uuid: account.uuid } });
      for (const player of gone) {
        for (const one of uuidsOf(player)) touch.note(`player:${one}`);
        touch.event("player.deleted", { player: nameOf(player) });
      }
      const lost = await endingSkins(db, { account: id });
      for (const { uuid } of lost) touch.note(`skin:${uuid}`);
      await remove(db, { account: id });
      touch.count("skins", -lost.length);
      touch.count("accounts", -1);
      if (account.registration === "unconfirmed") countUnconfirmed(-1);
    },
  };
}

type EndingPlayer = { readonly id: PlayerId; readonly uuid: Uuid; readonly name: string };

/** An account without players has a row of nulls. */
function toEnding(
  player: EndingPlayer | { readonly [Name in keyof EndingPlayer]: null },
): readonly EndingPlayer[] {
  return player.id === null ? [] : [player];
}

function nameOf({ uuid, name }: EndingPlayer): EventBody["player"] {
  return { uuid, name };
}

const beforeColumns = {
  registration: accounts.registration,
  names: (text: string) => JSON.parse(text) as readonly string[], // the statement makes it
};

/**
 * Changes an account and returns how it was, with its players' names where they are needed; null when there is no such account
 * or nothing to change.
 */
async function update(db: Sender, id: AccountId, change: AccountChange) {
  const cells = { ...change, ...cellsOf(change) };
  if (Object.keys(cells).length === 0) return null;
  const before = sql`(SELECT id, registration FROM ${accounts} WHERE ${eq(accounts.id, id)})`;
  const names =
    change.mail === undefined
      ? sql`'[]'`
      : sql`(SELECT coalesce(json_agg(name), '[]')::text FROM players WHERE account_id = before.id)`;
  const changed = build
    .update(accounts)
    .set(cells)
    .from(sql`${before} AS before`)
    .where(sql`${accounts.id} = before.id`)
    .returning({
      registration: sql`before.registration`,
      names,
    });
  return first(await statement(changed, beforeColumns)(db));
}

/** The cells that a change leads to and the domain does not name. */
function cellsOf({ mail, role }: AccountChange): Partial<typeof accounts.$inferInsert> {
  return {
    ...(mail === undefined ? {} : { mailKey: mail === null ? null : mailKey(mail) }),
    ...(role === undefined ? {} : { roleLevel: role?.level ?? null, roleExpiresAt: role?.expiresAt ?? null }),
  };
}
