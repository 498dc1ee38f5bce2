import { eq, sql } from "drizzle-orm";
import type { EventBody } from "../../domain/model/event.ts";
import { mailKey } from "../../domain/model/mail-address.ts";
import { uuidsOf } from "../../domain/model/player-uuid.ts";
import { refusals } from "../../domain/model/refusals.ts";
import type { AccountChange, AccountStore } from "../../domain/ports/account-store.ts";
import type { PlayerId, Uuid } from "../../kernel/ids.ts";
import { dailyCount } from "./daily-counts.ts";
import { rememberUuidsOfAccount } from "./player-store.ts";
import { accountColumns, toAccount } from "./rows.ts";
import { accounts, players, skins } from "./schema/member.ts";
import type { Sender } from "./sender.ts";
import { build, cellsIn, command, first, listed, statement } from "./statement.ts";
import type { Touch } from "./touch.ts";

const account = sql.placeholder("account");
const ofAccount = eq(accounts.id, account);

/** Adds an account whose uuid is no player's. */
const insert = statement(
  sql`
    INSERT INTO accounts (uuid, registration, mail, mail_key, mail_verified, password_hash, level, language, created_at)
    SELECT CAST(${sql.placeholder("uuid")} AS text), CAST(${sql.placeholder("registration")} AS text),
      CAST(${sql.placeholder("mail")} AS text), CAST(${sql.placeholder("mailKey")} AS text),
      CAST(${sql.placeholder("mailVerified")} AS boolean), CAST(${sql.placeholder("passwordHash")} AS text),
      CAST(${sql.placeholder("permanentLevel")} AS bigint), CAST(${sql.placeholder("language")} AS text),
      CAST(${sql.placeholder("createdAt")} AS bigint)
    WHERE NOT EXISTS (SELECT 1 FROM players WHERE uuid = ${sql.placeholder("uuid")})
    RETURNING ${listed(accountColumns)}`,
  accountColumns,
);
const replaceHash = command(
  sql`
    UPDATE accounts SET password_hash = ${sql.placeholder("to")}
    WHERE id = ${account} AND password_hash = ${sql.placeholder("from")}`,
);
const { registration } = accounts;
const registrationOf = statement(build.select({ registration }).from(accounts).where(ofAccount), {
  registration,
});

/** An account that ends, a row for each of its players. */
const ending = statement(
  sql`
    SELECT accounts.uuid, accounts.registration, accounts.main_player_id, players.id, players.uuid, players.name
    FROM accounts LEFT JOIN players ON players.account_id = accounts.id WHERE ${ofAccount} ORDER BY players.id`,
  {
    account: { uuid: accounts.uuid, registration, mainPlayerId: accounts.mainPlayerId },
    player: { id: players.id, uuid: players.uuid, name: players.name },
  },
);
const endingSkins = statement(sql`SELECT id, uuid FROM skins WHERE account_id = ${account} ORDER BY id`, {
  id: skins.id,
  uuid: skins.uuid,
});
// The schema's references delete its players and skins with it.
const remove = command(build.delete(accounts).where(ofAccount));

type AccountWrites = Pick<AccountStore, "insertAccount" | "updateAccount" | "replaceHash" | "deleteAccount">;

export function accountWrites(db: Sender, touch: Touch): AccountWrites {
  const countUnconfirmed = (delta: number) => touch.count("accounts_unconfirmed", delta);

  return {
    insertAccount: async (account) => {
      const { mail, registration, createdAt } = account;
      const row = first(await insert(db, { ...account, mailKey: mail === null ? null : mailKey(mail) }));
      if (row === null) throw refusals.uuidTaken();
      touch.count("accounts", 1);
      touch.count(dailyCount("registration", createdAt), 1);
      if (registration === "unconfirmed") countUnconfirmed(1);
      touch.found("user", row.id, mail === null ? [] : [mail]);
      return toAccount(row);
    },
    updateAccount: async (id, change) => {
      const cells = cellsOf(change);
      if (Object.values(cells).every((cell) => cell === undefined)) return;
      const before =
        change.registration === undefined ? null : first(await registrationOf(db, { account: id }));
      await command(build.update(accounts).set(cellsIn(accounts, cells)).where(eq(accounts.id, id)))(db);
      if (before !== null)
        countUnconfirmed(
          Number(change.registration === "unconfirmed") - Number(before.registration === "unconfirmed"),
        );
      if (change.mail !== undefined) touch.foundAnew(id);
    },
    replaceHash: (id, { from, to }) => replaceHash(db, { account: id, from, to }),
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
      for (const skin of lost) {
        touch.note(`skin:${skin.uuid}`);
        touch.found("skin", skin.id, null);
      }
      await rememberUuidsOfAccount(db, { whose: id });
      await remove(db, { account: id });
      touch.found("user", id, null);
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

function nameOf({ uuid, name }: EndingPlayer): NonNullable<EventBody["player"]> {
  return { uuid, name };
}

/** What a change sets, with the cells that the domain does not name. */
function cellsOf({ temporaryLevel, ...change }: AccountChange): Partial<typeof accounts.$inferInsert> {
  const { mail } = change;
  return {
    ...change,
    ...(mail === undefined ? {} : { mailKey: mail === null ? null : mailKey(mail) }),
    ...(temporaryLevel === undefined
      ? {}
      : { roleLevel: temporaryLevel?.level ?? null, roleExpiresAt: temporaryLevel?.expiresAt ?? null }),
  };
}
