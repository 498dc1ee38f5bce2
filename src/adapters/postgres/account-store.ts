import { eq, sql } from "drizzle-orm";
import { uuidsOf } from "../../domain/model/player-uuid.ts";
import type { EventBody } from "../../domain/model/event.ts";
import { mailKey } from "../../domain/model/mail-address.ts";
import type { AccountChange, AccountReads, AccountStore } from "../../domain/ports/account-store.ts";
import type { AccountId, PlayerId, Uuid } from "../../kernel/ids.ts";
import { toAccount } from "../sql/row-values.ts";
import { dailyCount } from "../sql/daily-counts.ts";
import { countRows } from "./counts.ts";
import { accountFinder, accountReads as sharedReads } from "../sql/account-reads.ts";
import { pagesOf } from "./pages.ts";
import { rememberUuids } from "./player-store.ts";
import { accountColumns } from "../sql/rows.ts";
import { accounts, players, skins } from "../sql/schema/member.ts";
import { putSearchText, searchText } from "./search.ts";
import type { Sender } from "../sql/sender.ts";
import { build, command, first, listed, statement } from "../sql/statement.ts";
import type { Touch } from "./touch.ts";

const ofAccount = eq(accounts.id, sql.placeholder("account"));

export function accountReads(db: Sender): AccountReads {
  return sharedReads(db, pagesOf(db, "accounts", accountFinder(db)), (name) => countRows(db, name));
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
