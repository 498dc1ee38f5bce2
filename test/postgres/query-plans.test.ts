/**
 * Lookups stay fast however many accounts there are: each statement of a hot path searches an index, and
 * reads no table whole.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { searchesOf } from "../../src/adapters/postgres/search.ts";
import { readsOf, storesOf } from "../../src/adapters/sql/stores.ts";
import { suspensionStore } from "../../src/adapters/sql/suspension-store.ts";
import { aliasStore } from "../../src/adapters/sql/alias-store.ts";
import { claimReads } from "../../src/adapters/sql/claim-reads.ts";
import { codeStore } from "../../src/adapters/sql/code-store.ts";
import { identityStore } from "../../src/adapters/sql/identity-store.ts";
import { migrateSchema } from "../../src/adapters/postgres/migrate.ts";
import { playerReads, playerStore } from "../../src/adapters/sql/player-store.ts";
import type { Sender } from "../../src/adapters/sql/sender.ts";
import { sessionStore } from "../../src/adapters/sql/session-store.ts";
import { createTouch } from "../../src/adapters/sql/touch.ts";
import { openWorkSession } from "../../src/adapters/postgres/connections/work-session.ts";
import type { AccountReads, AccountStore } from "../../src/domain/ports/account-store.ts";
import type { SuspensionStore } from "../../src/domain/ports/suspension-store.ts";
import type { AliasStore } from "../../src/domain/ports/alias-store.ts";
import type { ClaimReads } from "../../src/domain/ports/claim-store.ts";
import type { CodeStore } from "../../src/domain/ports/code-store.ts";
import type { IdentityStore } from "../../src/domain/ports/identity-store.ts";
import type { PlayerStore } from "../../src/domain/ports/player-store.ts";
import type { SessionStore } from "../../src/domain/ports/session-store.ts";
import { newUuid, type AccountId, type PlayerId, type SessionId } from "../../src/kernel/ids.ts";
import { emptyDatabase, postgresMissing } from "../support/postgres.ts";
import { stepsOf } from "./plans.ts";
import { notedDatabase } from "../support/noted-database.ts";

if (postgresMissing !== null) console.error(`NOT RUN: plans of queries on PostgreSQL (${postgresMissing})`);

/** Whom searches find, so that the page is read as well. */
async function insertAnna({ insertAccount }: AccountStore, mail = "anna@example.org"): Promise<void> {
  const fixed = {
    registration: "complete",
    mailVerified: true,
    passwordHash: "x",
    permanentLevel: 1,
  } as const;
  await insertAccount({ uuid: newUuid(), mail, ...fixed, language: "en", createdAt: 1 });
}

/** A player of Bert's. */
async function added({ insertPlayer }: PlayerStore, name: string): Promise<PlayerId> {
  return (await insertPlayer({ uuid: newUuid(), accountId: 2 as AccountId, name, createdAt: 1 })).id;
}

const anna = 1 as AccountId;
const player = 1 as PlayerId;
const session = "s" as SessionId;
const uuid = newUuid();
const page = (search: string | null, after: number | null = 5) => ({ search, after, rows: 10 });
const fromNewest = (search: string | null) => ({ ...page(search), isNewestFirst: true });

describe.skipIf(postgresMissing !== null)("without reading a table whole", () => {
  let sender: Sender;
  const opening = new AsyncDisposableStack();
  beforeAll(async () => {
    const { url } = opening.use(await emptyDatabase());
    const work = opening.use(await openWorkSession(notedDatabase(url)));
    await migrateSchema({
      session: work,
      hold: async () => new AsyncDisposableStack(),
      say: () => undefined,
    });
    await work.send("SET enable_seqscan = off", []);
    sender = work;
    const { accounts } = storesOf(work, touch(), searchesOf(work));
    await insertAnna(accounts);
    await insertAnna(accounts, "bert@example.org");
    const links = "SELECT 'old', 'account', 'users:' || n, n FROM generate_series(1, 3000) AS n";
    await work.send(`INSERT INTO import_links (source, kind, key, local_id) ${links}`, []);
  });
  afterAll(() => opening.disposeAsync());

  /**
   * The work is done by searching these indexes, among others. What counts are, has no index: they are few
   * rows.
   */
  const expectSearches = async (work: (db: Sender) => Promise<unknown>, indexes: readonly string[]) => {
    const { searched, scanned } = await stepsOf(sender, work);
    expect(scanned.filter((table) => table !== "count_deltas")).toEqual([]);
    expect(indexes.filter((index) => !searched.includes(index))).toEqual([]);
  };
  const touch = () => createTouch(sender).touch;

  test.each<readonly [string, readonly string[], (accounts: AccountReads) => Promise<unknown>]>([
    ["a member by id", ["accounts_pkey", "players_pkey"], (one) => one.findMember({ by: "id", value: anna })],
    [
      "a member by uuid",
      ["accounts_uuid_unique", "players_uuid_unique"],
      (one) => one.findMember({ by: "uuid", value: uuid }),
    ],
    ["a member by name", ["players_name_key_unique"], (one) => one.findMember({ by: "name", value: "a" })],
    [
      "a member by address",
      ["accounts_mail_key_unique"],
      (one) => one.findMember({ by: "mail", value: "a" }),
    ],
    [
      "credentials",
      ["aliases_pkey", "players_name_key_unique"],
      (one) => one.findCredentials({ by: "name", value: "a" }),
    ],
    [
      "what an account has",
      ["skins_account", "textures_pkey", "identities_pkey"],
      (one) => one.findBelongings(anna, 1),
    ],
    ["when an account was seen", ["sessions_account"], (one) => one.findLastSeen(anna)],
    ["some password hashes", ["accounts_pkey"], (one) => one.sampleHashes(16)],
    [
      "a page of hashes of other systems",
      ["accounts_other_hashes"],
      (one) => one.listOtherHashes({ after: anna, rows: 3 }),
    ],
    [
      "the counts of a page of hashes of other systems",
      ["accounts_other_hashes"],
      (one) => one.countOtherHashes({ after: anna, rows: 3 }),
    ],
    ["unknown accounts", ["accounts_pkey"], (one) => one.listUnknown([anna])],
    ["a page", ["accounts_pkey", "identities_pkey"], (one) => one.listMembers(page(null))],
    ["a page of the newest", ["accounts_pkey"], (one) => one.listMembers(fromNewest(null))],
    ["a page by name", ["players_name_key_unique"], (one) => one.listByName({ after: null, rows: 3 })],
    [
      "a page of those without a name",
      ["accounts_main_player_id_unique"],
      (one) => one.listByName({ after: { id: 1, key: null }, rows: 3 }),
    ],
    ["a page by last use", ["accounts_last_seen"], (one) => one.listByLastSeen({ after: null, rows: 3 })],
    [
      "a page of those never seen",
      ["accounts_last_seen"],
      (one) => one.listByLastSeen({ after: { id: 9, key: null }, rows: 3 }),
    ],
    ["a page of what a search finds", ["search_texts_kind_id_pk"], (one) => one.listMembers(page("ann"))],
    [
      "the newest of what a search finds",
      ["search_texts_kind_id_pk"],
      (one) => one.listMembers(fromNewest("ann")),
    ],
    ["the count of what a search finds", ["search_texts_kind_id_pk"], (one) => one.countMembers("ann")],
    ["the count of all", ["row_counts_pkey"], (one) => one.countMembers(null)],
    [
      "another administrator",
      ["accounts_staff"],
      (one) => one.hasLastingAdministrator({ than: anna, now: 1 }),
    ],
    ["an administrator", ["accounts_staff", "accounts_roles"], (one) => one.hasAdministrator(1)],
    ["levels that ended", ["accounts_roles"], (one) => one.listEndedLevels(1, 10)],
    ["deletions that are due", ["accounts_ending"], (one) => one.listLeaving(5, 10)],
    [
      "who never confirmed",
      ["accounts_unconfirmed"],
      (one) => one.listUnconfirmed({ createdUntil: 5, after: null, rows: 10 }),
    ],
  ])("%s", (_, indexes, work) => expectSearches((db) => work(readsOf(db, searchesOf(db)).accounts), indexes));

  test.each<readonly [string, readonly string[], (accounts: AccountStore) => Promise<unknown>]>([
    ["a change", ["accounts_pkey"], (one) => one.updateAccount(anna, { mail: "b@example.org" })],
    [
      "another registration",
      ["accounts_pkey"],
      (one) => one.updateAccount(anna, { registration: "complete" }),
    ],
    ["the end of an account", ["players_account", "accounts_pkey"], (one) => one.deleteAccount(anna)],
  ])("%s", (_, indexes, work) =>
    expectSearches((db) => work(storesOf(db, touch(), searchesOf(db)).accounts), indexes),
  );

  test.each<readonly [string, readonly string[], (players: PlayerStore) => Promise<unknown>]>([
    ["an account's players", ["players_account"], (one) => one.list(anna)],
    ["how many they are", ["players_account"], (one) => one.count(anna)],
    ["what they show", ["players_account", "skins_pkey", "capes_pkey"], (one) => one.listLooks(anna)],
    ["a page of all players", ["players_pkey"], (one) => one.listAll({ after: player, rows: 10 })],
    ["a player by uuid", ["players_uuid_unique"], (one) => one.findLook({ by: "uuid", value: uuid })],
    ["a player by name", ["players_name_key_unique"], (one) => one.findLook({ by: "name", value: "a" })],
    ["players by name", ["players_name_key_unique"], (one) => one.listNamed(["a", "b"])],
    [
      "a uuid that is used",
      ["players_uuid_unique", "former_uuids_pkey"],
      (one) => one.isUuidUsed(uuid, anna),
    ],
    ["a name that is held", ["held_names_pkey"], (one) => one.findNameHold("a")],
    ["the last rename", ["players_pkey"], (one) => one.lastRename(player)],
    ["another name", ["players_pkey"], (one) => one.renamePlayer(player, "b")],
    [
      "another uuid",
      ["players_pkey", "accounts_uuid_unique"],
      async (one) => one.setUuid(await added(one, "Bert"), newUuid()),
    ],
    ["another skin", ["players_pkey"], (one) => one.selectSkin(player, null)],
    ["another cape", ["players_pkey"], (one) => one.wearCape(player, "none")],
    [
      "a player's end",
      ["players_pkey", "sessions_player"],
      async (one) => one.deletePlayer(await added(one, "Carl")),
    ],
    ["dropping held names", ["held_names_account"], (one) => one.dropHolds(anna, 3)],
  ])("%s", (_, indexes, work) => expectSearches((db) => work(playerStore(db, touch())), indexes));

  test("players are read by the same statements outside transactions", () =>
    expectSearches((db) => playerReads(db).list(anna), ["players_account"]));

  test.each<readonly [string, readonly string[], (sessions: SessionStore) => Promise<unknown>]>([
    ["a session", ["sessions_pkey", "accounts_pkey", "players_pkey"], (one) => one.findSession(session)],
    ["a game's session", ["sessions_token_hash_unique"], (one) => one.findGameSession("hash")],
    ["a join's session", ["sessions_token_hash_unique"], (one) => one.findGamePlayer("hash")],
    ["whether a session exists", ["sessions_pkey"], (one) => one.hasSession(session)],
    ["an account's sessions", ["sessions_account"], (one) => one.listSessions(anna, 1)],
    ["the addresses of an account's sessions", ["sessions_account"], (one) => one.listAddresses(anna, 1)],
    ["sessions' last uses", ["sessions_pkey"], (one) => one.setLastUsed(new Map([[session, 60]]))],
    ["the end of a session", ["sessions_pkey", "accounts_pkey"], (one) => one.deleteSession(session)],
    ["the end of all others", ["sessions_account"], (one) => one.deleteSessionsOf(anna, session)],
    ["games' sessions beyond some", ["sessions_account"], (one) => one.trimSessions(anna, "game", 3)],
    ["a renamed player's sessions", ["sessions_player"], (one) => one.markRefreshOnly(player)],
    ["sessions that ended", ["sessions_expiry"], (one) => one.deleteExpiredSessions(1, 2)],
  ])("%s", (_, indexes, work) => expectSearches((db) => work(sessionStore(db, touch())), indexes));

  test.each<readonly [string, readonly string[], (codes: CodeStore) => Promise<unknown>]>([
    ["a code", ["codes_hash_unique"], (one) => one.findCode("hash")],
    ["a good code", ["codes_account"], (one) => one.hasValidCode(anna, 5)],
    [
      "codes that are used up, and passwords with them",
      ["codes_account", "registration_passwords_account"],
      (one) => one.deleteCodesOf(anna),
    ],
    [
      "passwords of registrations",
      ["registration_passwords_account"],
      (one) => one.registrationPasswords(anna, 5),
    ],
    ["codes that ended", ["codes_ending"], (one) => one.deleteExpiredCodes("reset", 1, 2)],
  ])("%s", (_, indexes, work) => expectSearches((db) => work(codeStore(db)), indexes));

  test.each<readonly [string, readonly string[], (identities: IdentityStore) => Promise<unknown>]>([
    ["an account's identity", ["identities_pkey"], (one) => one.findIdentityOf(anna)],
    [
      "a person",
      ["identities_person"],
      (one) => one.findIdentity({ provider: "a", issuer: "b", subject: "c" }),
    ],
    ["people with an id", ["identities_subject"], (one) => one.findIdentitiesById("c")],
    ["who has no issuer", ["identities_person"], (one) => one.hasWithoutIssuer("a")],
    ["somebody who waits", ["pending_people_pkey"], (one) => one.findPending("hash")],
    ["people who wait no more", ["pending_people_expiry"], (one) => one.deleteExpiredPending(1)],
  ])("%s", (_, indexes, work) => expectSearches((db) => work(identityStore(db)), indexes));

  test.each<readonly [string, readonly string[], (suspensions: SuspensionStore) => Promise<unknown>]>([
    ["an account's suspension", ["suspensions_account_id_scope_pk"], (one) => one.findSuspension(anna)],
    ["suspensions that ended", ["suspensions_until"], (one) => one.listEndedSuspensions(1, 5)],
    [
      "a suspension, and whom it concerns",
      ["suspensions_account_id_scope_pk", "accounts_pkey"],
      (one) => one.deleteSuspension(anna),
    ],
  ])("%s", (_, indexes, work) =>
    expectSearches((db) => work(suspensionStore(db, { event: () => undefined })), indexes),
  );

  test.each<readonly [string, readonly string[], (aliases: AliasStore) => Promise<unknown>]>([
    ["whose an alias is", ["aliases_pkey"], (one) => one.findAliasOwner("a")],
    ["an account's aliases", ["aliases_account"], (one) => one.listAliases(anna)],
    ["an alias's end", ["aliases_pkey"], (one) => one.deleteAlias(anna, "a")],
  ])("%s", (_, indexes, work) => expectSearches((db) => work(aliasStore(db)), indexes));

  test.each<readonly [string, readonly string[], (claims: ClaimReads) => Promise<unknown>]>([
    [
      "whom codes are for",
      ["import_links_source_kind_key_pk", "import_links_local"],
      (one) => one.listClaimable("old", "users:5"),
    ],
    ["how many are to claim", ["accounts_to_claim"], (one) => one.countClaimable(5)],
  ])("%s", (_, indexes, work) => expectSearches((db) => work(claimReads(db)), indexes));

  test("what they would show is seen", async () => {
    const { scanned } = await stepsOf(sender, async (db) => {
      await db.send("SELECT id FROM accounts WHERE language = $1", ["de"]);
      await db.send("SELECT name FROM players ORDER BY id", []);
      await db.send("SELECT id FROM search_texts WHERE text LIKE $1", ["%ann%"]);
    });
    expect(scanned.toSorted()).toEqual(["accounts", "players", "search_texts"]);
  });
});
