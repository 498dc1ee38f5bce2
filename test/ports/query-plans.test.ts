/** Lists stay fast however long they are: no statement reads a long table from end to end, or sorts one. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { hotReads } from "../../src/adapters/sqlite/hot-reads.ts";
import { openSender } from "../../src/adapters/sqlite/sender.ts";
import { openWriter } from "../../src/adapters/sqlite/open.ts";
import type { Database } from "bun:sqlite";
import { storesOf } from "../../src/adapters/sql/stores.ts";
import { createTouch } from "../../src/adapters/sql/touch.ts";
import { searchesOf } from "../../src/adapters/sqlite/search.ts";
import type { AccountReads } from "../../src/domain/ports/account-store.ts";
import type { AuditFilter, AuditReads } from "../../src/domain/ports/audit-store.ts";
import type { CodeStore } from "../../src/domain/ports/code-store.ts";
import type { ClaimReads } from "../../src/domain/ports/claim-store.ts";
import type { AliasStore } from "../../src/domain/ports/alias-store.ts";
import type { PlayerStore } from "../../src/domain/ports/player-store.ts";
import type { SessionStore } from "../../src/domain/ports/session-store.ts";
import {
  mailKinds,
  type BulkMailId,
  type MailId,
  type OutboxStore,
} from "../../src/domain/ports/outbox-store.ts";
import type { Texture } from "../../src/domain/model/texture.ts";
import type { TextureStore } from "../../src/domain/ports/texture-store.ts";
import {
  newUuid,
  parseTextureHash,
  type AccountId,
  type CapeId,
  type PlayerId,
  type SessionId,
} from "../../src/kernel/ids.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { isLong, stepsOf } from "./query-plan.ts";

let harness: Harness;
let database: Database;
beforeAll(async () => {
  harness = await openHarness();
  await addMember(harness, "Anna");
  database = openWriter(join(harness.folder, "cloakroom.db"));
  database.run(
    "INSERT INTO import_links (source, kind, key, local_id) VALUES ('old', 'account', 'users:6', 1)",
  );
});
afterAll(async () => {
  database.close(true);
  await harness[Symbol.asyncDispose]();
});

const anna = 1 as AccountId;
const cape = 1 as CapeId;
const bulk = 1 as BulkMailId;
const uuid = newUuid();
const hash = parseTextureHash("0".repeat(64))!;
const page = (search: string | null, after: number | null = 5) => ({ search, after, rows: 10 });
const fromNewest = (search: string | null) => ({ ...page(search), isNewestFirst: true });
const everyEntry = {
  forAccountId: null,
  actorAccountId: null,
  actor: null,
  action: null,
  since: null,
  until: null,
};

/**
 * Scans that are short: as many rows as were passed in, accounts of sessions that were just written, no more
 * entries and mails than are counted, a row for each table, places of a sample, mails to all users, a part of
 * a cape's owners, and others that show a bitmap, up to a bound.
 */
const isAllowed =
  /^SCAN (?:(?:json_each|given|account|cape) VIRTUAL TABLE INDEX 1:|uses|found|mails|counted|due|posted|sqlite_sequence|bulk_mails|place|part|others)$/;

/** The work is done by searching, in these indexes among others, and reads nothing long. */
async function expectSearches(work: (db: Database) => Promise<unknown>, ...indexes: readonly string[]) {
  // Those that are prepared beforehand are among them.
  const steps = await stepsOf(database, work);
  expect(steps.some((step) => step.startsWith("SEARCH"))).toBe(true);
  expect(steps.filter(isLong).filter((step) => !isAllowed.test(step))).toEqual([]);
  for (const index of indexes) expect(steps.join("\n")).toMatch(new RegExp(`INDEX ${index} \\(`));
}

/** The stores as the program has them: a few reads are SQLite's own. */
function storesOn(db: Database) {
  const sender = openSender(db);
  const stores = storesOf(sender, createTouch(sender).touch, searchesOf(sender));
  const hot = hotReads(db);
  return {
    ...stores,
    sessions: { ...stores.sessions, ...hot.sessions },
    textures: { ...stores.textures, ...hot.textures },
  };
}

describe("sessions", () => {
  test.each<readonly [string, (sessions: SessionStore) => Promise<unknown>, string]>([
    ["by their token", ({ findGameSession }) => findGameSession("hash"), "sessions_token_hash_unique"],
    [
      "by their token, of a join",
      ({ findGamePlayer }) => findGamePlayer("hash"),
      "sessions_token_hash_unique",
    ],
    ["that may have ended", ({ hasSession }) => hasSession("s" as SessionId), "sqlite_autoindex_sessions_1"],
    ["by their addresses", ({ listAddresses }) => listAddresses(anna, 1), "sessions_account"],
    ["that are trimmed", ({ trimSessions }) => trimSessions(anna, "game", 10), "sessions_account"],
    ["of a renamed player", ({ markRefreshOnly }) => markRefreshOnly(1 as PlayerId), "sessions_player"],
    ["that have expired", ({ deleteExpiredSessions }) => deleteExpiredSessions(1, 2), "sessions_expiry"],
  ])("%s are found by an index", async (_, work, index) => {
    const steps = await stepsOf(database, (db) => work(storesOn(db).sessions));
    expect(steps.join("\n")).toMatch(new RegExp(`INDEX ${index} \\(`));
    // Those of one account are sorted.
    expect(steps.filter((step) => step.startsWith("SCAN") && !isAllowed.test(step))).toEqual([]);
  });
});

describe("suspensions", () => {
  test.each<readonly [string, (stores: ReturnType<typeof storesOn>) => Promise<unknown>, string]>([
    [
      "of an account",
      ({ suspensions }) => suspensions.findSuspension(anna),
      "sqlite_autoindex_suspensions_1",
    ],
    ["that have ended", ({ suspensions }) => suspensions.listEndedSuspensions(5, 10), "suspensions_until"],
    [
      "of other administrators",
      ({ accounts }) => accounts.hasLastingAdministrator({ than: anna, now: 5 }),
      "sqlite_autoindex_suspensions_1",
    ],
    [
      "of the readers of a mail to everybody",
      ({ outbox }) => outbox.countBulkReaders(5),
      "sqlite_autoindex_suspensions_1",
    ],
    [
      "of the reader of a copy that is due",
      ({ outbox }) => outbox.claimDue(["bulk"], 5, 6),
      "sqlite_autoindex_suspensions_1",
    ],
  ])("%s are found by an index", (_, work, index) => expectSearches((db) => work(storesOn(db)), index));
});

describe("the audit", () => {
  test.each<readonly [string, (audit: AuditReads) => Promise<unknown>]>([
    ["a page", (audit) => audit.listEntries(page(null))],
    ["a page of what a search finds", (audit) => audit.listEntries(page("cli"))],
    ["a page about an account", (audit) => audit.listEntries(page("7"))],
    [
      "a page about an account whose number may stand in a name",
      (audit) => audit.listEntries(page("777", null)),
    ],
    ["the count", (audit) => audit.countEntries(null)],
    ["the count of what a search finds", (audit) => audit.countEntries("cli")],
    ["the count about an account", (audit) => audit.countEntries("7")],
    ["the count about an account whose number may stand in a name", (audit) => audit.countEntries("777")],
    ["the chain", (audit) => audit.readChain(5, 10)],
  ])("%s", (_, work) => expectSearches((db) => work(storesOn(db).audit)));
});

describe("the audit under a filter", () => {
  test.each<readonly [string, Partial<AuditFilter>, string]>([
    ["about an account", { forAccountId: anna }, "audit_entries_account_time"],
    [
      "by an actor about an account",
      { forAccountId: anna, actor: "cli", action: "role.set" },
      "audit_entries_account_time",
    ],
    ["by an actor", { actor: "cli" }, "audit_entries_issuer"],
    ["by an account", { actorAccountId: anna, action: "role.set" }, "audit_entries_actor"],
    ["of an action", { action: "role.set", since: 5 }, "audit_entries_action"],
    ["of an action by an actor", { actor: "cli", action: "role.set" }, "audit_entries_issuer_action"],
    ["since a time", { since: 5 }, "audit_entries_time"],
    ["between times", { since: 5, until: 6 }, "audit_entries_time"],
  ])("a page and the count %s", async (_, given, index) => {
    const filter = { ...everyEntry, ...given };
    await expectSearches((db) => storesOn(db).audit.listEntries(page(null), filter), index);
    await expectSearches((db) => storesOn(db).audit.listEntries(page("77"), filter), index);
    await expectSearches((db) => storesOn(db).audit.countEntries(null, undefined, filter), index);
  });
});

describe("skins and capes", () => {
  const keys = [
    { by: "id", value: cape },
    { by: "uuid", value: uuid },
  ] as const;

  test.each<readonly [string, readonly string[], (textures: TextureStore) => Promise<unknown>]>([
    [
      "what an offline uuid shows",
      ["players_offline_uuid"],
      (textures) => textures.findAppearance({ by: "offlineUuid", value: uuid }),
    ],
    ["a page of skins", [], ({ listAllSkins }) => listAllSkins(page(null))],
    ["a page of the newest skins", [], ({ listAllSkins }) => listAllSkins(fromNewest(null))],
    ["a page of the newest skins by name", [], ({ listAllSkins }) => listAllSkins(fromNewest("diver"))],
    ["a page of the newest capes", [], ({ listAllCapes }) => listAllCapes(fromNewest("founders"))],
    ["a page of the newest bans", [], ({ listBans }) => listBans(fromNewest(null))],
    ["a page of skins by name", [], ({ listAllSkins }) => listAllSkins(page("diver"))],
    ["a page of skins by uuid", ["skins_uuid_unique"], ({ listAllSkins }) => listAllSkins(page(uuid))],
    ["a page of skins by number", [], ({ listAllSkins }) => listAllSkins(page("1234"))],
    ["the count of skins", [], ({ countAllSkins }) => countAllSkins(null)],
    ["the count of skins by name", [], ({ countAllSkins }) => countAllSkins("diver")],
    ["the count of skins by uuid", ["skins_uuid_unique"], ({ countAllSkins }) => countAllSkins(uuid)],
    ["a user's skins", ["skins_account"], ({ listSkinsOf }) => listSkinsOf(anna)],
    ["a skin", ["skins_uuid_unique"], ({ findOwnedSkin }) => findOwnedSkin(uuid)],
    ["a page of capes", [], ({ listAllCapes }) => listAllCapes(page(null))],
    ["a page of capes by name", [], ({ listAllCapes }) => listAllCapes(page("founders"))],
    ["a page of capes by uuid", ["capes_uuid_unique"], ({ listAllCapes }) => listAllCapes(page(uuid))],
    ["the count of capes", [], ({ countAllCapes }) => countAllCapes(null)],
    ["the count of capes by name", [], ({ countAllCapes }) => countAllCapes("founders")],
    ["a cape's owners", ["cape_grants_cape"], ({ listGrants }) => listGrants(cape, 10)],
    ["how many they are", ["cape_grants_cape"], ({ countOwners }) => countOwners(cape)],
    [
      "owners of a cape, a part at a time",
      ["cape_grants_cape"],
      ({ listOwners }) => listOwners(cape, null, { after: 5, rows: 10 }),
    ],
    [
      "those of two capes",
      ["cape_grants_cape"],
      ({ listOwners }) => listOwners(cape, cape, { after: 5, rows: 10 }),
    ],
    ["accounts without a cape", [], ({ listNonOwners }) => listNonOwners(cape, null, { after: 5, rows: 10 })],
    [
      "owners of another cape without it",
      ["cape_grants_cape"],
      ({ listNonOwners }) => listNonOwners(cape, { cape, now: 5 }, { after: 5, rows: 10 }),
    ],
    [
      "how many show a bitmap",
      ["skins_texture", "capes_texture", "capes_wings"],
      ({ countUses }) => countUses(hash),
    ],
    [
      "others that show a bitmap",
      ["skins_texture"],
      (textures) =>
        textures.listOthersShowing(
          { accountId: anna, texture: { hash } as Texture /* all that is read */ },
          10,
        ),
    ],
    [
      "capes not searched for wings",
      ["capes_wings_unsought"],
      (textures) => textures.listUnsearchedCapes(null, 10),
    ],
    ["more of them", ["capes_wings_unsought"], (textures) => textures.listUnsearchedCapes(cape, 10)],
    ["bitmaps without a use", ["capes_wings"], (textures) => textures.listUnusedTextures("0a", 10)],
    ["removing one", ["capes_wings"], (textures) => textures.deleteTextureIfUnused(hash)],
    ["removing what shows a bitmap", ["skins_texture"], (textures) => textures.deleteSkinsShowing(hash, 10)],
    ["a page of bans", [], ({ listBans }) => listBans(page(null))],
    ["a page of bans by hash", ["texture_bans_hash_unique"], ({ listBans }) => listBans(page("abc"))],
    ["the count of bans by hash", ["texture_bans_hash_unique"], ({ countBans }) => countBans("abc")],
    ["a ban", ["texture_bans_hash_unique"], ({ findBan }) => findBan(hash)],
    ["bans that are not finished", ["skins_texture"], ({ listUnfinishedBans }) => listUnfinishedBans(10)],
    ["many capes", ["capes_uuid_unique"], ({ findCapes }) => findCapes(keys)],
    ["owners among some", [], ({ listOwnersAmong }) => listOwnersAmong(cape, [anna])],
    ["grants that have ended", ["cape_grants_expiry"], ({ listEndedGrants }) => listEndedGrants(5, 10)],
    ["taking grants away", [], ({ deleteGrants }) => deleteGrants([anna], [cape])],
    [
      "taking capes off",
      ["skins_account", "players_account"],
      ({ unlinkCapes }) => unlinkCapes([anna], [cape]),
    ],
    [
      "granting",
      [],
      ({ grantCapes }) => grantCapes({ accounts: [], capes: [cape], grantedAt: 1, expiresAt: null }),
    ],
  ])("%s", (_, indexes, work) => expectSearches((db) => work(storesOn(db).textures), ...indexes));
});

describe("users", () => {
  test.each<readonly [string, (accounts: AccountReads) => Promise<unknown>]>([
    ["a page", (accounts) => accounts.listMembers(page(null))],
    ["a page of the newest", (accounts) => accounts.listMembers(fromNewest(null))],
    ["a page by name", (accounts) => accounts.listByName({ after: null, rows: 3 })],
    [
      "a page of those without a name",
      (accounts) => accounts.listByName({ after: { id: 1, key: null }, rows: 3 }),
    ],
    ["a page by last use", (accounts) => accounts.listByLastSeen({ after: null, rows: 3 })],
    [
      "a page of those never seen",
      (accounts) => accounts.listByLastSeen({ after: { id: 9, key: null }, rows: 3 }),
    ],
    ["a page of the newest of what a search finds", (accounts) => accounts.listMembers(fromNewest("ann"))],
    ["when one was last seen", (accounts) => accounts.findLastSeen(anna)],
    ["the count of the unconfirmed", (accounts) => accounts.countUnconfirmed()],
    ["a page of what a search finds", (accounts) => accounts.listMembers(page("ann"))],
    ["a page of those with the name", (accounts) => accounts.listMembers(page("anna", null))],
    ["a page of those with the id", (accounts) => accounts.listMembers(page("1", null))],
    ["an empty page", (accounts) => accounts.listMembers(page("x", null))],
    ["the count", (accounts) => accounts.countMembers(null)],
    ["the count of what a search finds", (accounts) => accounts.countMembers("ann")],
    ["the count of those with the name", (accounts) => accounts.countMembers("anna")],
    ["an empty count", (accounts) => accounts.countMembers("x")],
    ["another administrator", (accounts) => accounts.hasLastingAdministrator({ than: anna, now: 1 })],
    ["some password hashes", (accounts) => accounts.sampleHashes(16)],
    ["roles that have ended", (accounts) => accounts.listEndedLevels(1, 10)],
  ])("%s", (_, work) => expectSearches((db) => work(storesOn(db).accounts)));

  test("a page of hashes of other systems", () =>
    expectSearches(
      (db) => storesOn(db).accounts.listOtherHashes({ after: anna, rows: 3 }),
      "accounts_other_hashes",
    ));

  test("their counts: only a page of them is grouped", async () => {
    const steps = await stepsOf(database, (db) =>
      storesOn(db).accounts.countOtherHashes({ after: anna, rows: 3 }),
    );
    expect(steps.filter(isLong)).toEqual(["SCAN page", "USE TEMP B-TREE FOR GROUP BY"]);
    expect(steps.join("\n")).toMatch(/INDEX accounts_other_hashes \(/);
  });

  test("those who never confirmed", () =>
    expectSearches(
      (db) => storesOn(db).accounts.listUnconfirmed({ createdUntil: 5, after: null, rows: 10 }),
      "accounts_unconfirmed",
    ));

  test("deletions that are due", () =>
    expectSearches((db) => storesOn(db).accounts.listLeaving(5, 10), "accounts_ending"));

  test("their players", () => expectSearches((db) => storesOn(db).players.list(anna), "players_account"));

  test.each<readonly [string, readonly string[], (store: PlayerStore) => Promise<unknown>]>([
    ["their players with what they show", ["players_account"], ({ listLooks }) => listLooks(anna)],
    ["a page of all players", [], ({ listAll }) => listAll({ after: 5 as PlayerId, rows: 10 })],
    ["a player", ["players_uuid_unique"], ({ findLook }) => findLook({ by: "uuid", value: uuid })],
    ["a player by name", ["players_name_key_unique"], ({ findLook }) => findLook({ by: "name", value: "a" })],
    ["players by name", ["players_name_key_unique"], ({ listNamed }) => listNamed(["a", "b"])],
    ["how many players", ["players_account"], ({ count }) => count(anna)],
    ["a uuid that is used", ["players_uuid_unique"], ({ isUuidUsed }) => isUuidUsed(uuid, anna)],
    ["offline uuids", [], ({ listOfflineUuids }) => listOfflineUuids({ after: 5 as PlayerId, rows: 10 })],
    ["another name", [], ({ renamePlayer }) => renamePlayer(5 as PlayerId, "a")],
    [
      "writing an offline uuid",
      [],
      ({ writeOfflineUuids }) => writeOfflineUuids([{ id: 5 as PlayerId, name: "a" }]),
    ],
    ["another uuid", [], ({ setUuid }) => setUuid(5 as PlayerId, uuid)],
    ["a player's end", [], ({ deletePlayer }) => deletePlayer(5 as PlayerId)],
  ])("%s", (_, indexes, work) => expectSearches((db) => work(storesOn(db).players), ...indexes));

  test.each<readonly [string, readonly string[], (store: AliasStore) => Promise<unknown>]>([
    ["whose an alias is", ["sqlite_autoindex_aliases_1"], ({ findAliasOwner }) => findAliasOwner("a")],
    ["an account's aliases", ["aliases_account"], ({ listAliases }) => listAliases(anna)],
    ["an alias's end", ["sqlite_autoindex_aliases_1"], ({ deleteAlias }) => deleteAlias(anna, "a")],
  ])("%s", (_, indexes, work) => expectSearches((db) => work(storesOn(db).aliases), ...indexes));

  test.each<readonly [string, readonly string[], (claims: ClaimReads) => Promise<unknown>]>([
    [
      "whom codes are for",
      ["sqlite_autoindex_import_links_1", "import_links_local"],
      (one) => one.listClaimable("old", "users:5"),
    ],
    ["how many are to claim", ["accounts_to_claim"], (one) => one.countClaimable(5)],
  ])("%s", (_, indexes, work) => expectSearches((db) => work(storesOn(db).claims), ...indexes));

  test("an account's end", () =>
    expectSearches((db) => storesOn(db).accounts.deleteAccount(99 as AccountId), "players_account"));

  test("dropping held names", () =>
    expectSearches((db) => storesOn(db).players.dropHolds(anna, 3), "held_names_account"));

  test.each<readonly [string, (codes: CodeStore) => Promise<unknown>]>([
    ["whether a code is good", (codes) => codes.hasValidCode(anna, 5)],
    ["the end of an account's registrations", (codes) => codes.deleteCodesOf(anna, "confirm")],
    ["a registration's password that is kept", (codes) => codes.keepRegistrationPassword(anna, "hash", 5)],
    ["passwords of registrations", (codes) => codes.registrationPasswords(anna, 5)],
  ])("%s", (_, work) => expectSearches((db) => work(storesOn(db).codes)));

  test("who has no issuer", () => expectSearches((db) => storesOn(db).identities.hasWithoutIssuer("github")));
});

describe("the outbox", () => {
  test.each<readonly [string, readonly string[], (outbox: OutboxStore) => Promise<unknown>]>([
    [
      "writing to everybody",
      [],
      (outbox) => outbox.insertBulkMail({ subject: "x", message: "y", issuer: "z", at: 5 }),
    ],
    ["is a mail due?", ["outbox_due", "outbox_bulk_due"], (outbox) => outbox.hasDue(mailKinds, 5)],
    [
      "counting what waits",
      ["outbox_due", "outbox_bulk_due"],
      (outbox) => Promise.all(mailKinds.map((kind) => outbox.queue(kind))),
    ],
    ["taking one", ["outbox_due", "outbox_bulk_due"], (outbox) => outbox.claimDue(mailKinds, 5, 6)],
    ["dropping copies for an address", ["outbox_recipient"], (outbox) => outbox.dropWaitingCopies("a")],
    [
      "giving up mails to one person",
      ["outbox_(?:due|bulk)"],
      (outbox) => outbox.giveUpMails("personal", 5, 6),
    ],
    ["giving up copies", ["outbox_content"], (outbox) => outbox.giveUpMails("bulk", 5, 6)],
    [
      "wiping what failed for one person",
      ["outbox_(?:due|bulk)"],
      (outbox) => outbox.wipeFailedMails("personal", 5),
    ],
    ["wiping copies that failed", ["outbox_content"], (outbox) => outbox.wipeFailedMails("bulk", 5)],
    ["forgetting mails to one person", ["outbox_due"], (outbox) => outbox.deleteOldMails(5, 5)],
    ["forgetting a mail to everybody", ["outbox_bulk"], (outbox) => outbox.deleteOldBulkMails(5)],
    [
      "a page of mails to an address",
      ["outbox_recipient"],
      (outbox) =>
        outbox.listMailsTo({
          to: "a@example.org",
          since: 5,
          after: { id: 1 as MailId, createdAt: 5 },
          rows: 10,
        }),
    ],
    [
      "a page of mails that are not sent",
      ["outbox_bulk"],
      (outbox) => outbox.listUnsent({ states: ["waiting", "failed"], bulk: null, before: 5, rows: 10 }),
    ],
    [
      "a page of copies that are not sent",
      ["outbox_bulk"],
      (outbox) => outbox.listUnsent({ states: ["waiting", "failed"], bulk, before: null, rows: 10 }),
    ],
    [
      "counting mails that are not sent",
      ["outbox_(?:due|bulk)"],
      (outbox) => outbox.countUnsent({ states: ["waiting", "failed"], bulk: null }),
    ],
    ["a page of mails to everybody", [], (outbox) => outbox.listBulkMails({ before: 5, rows: 10 })],
    ["counting readers", [], (outbox) => outbox.countBulkReaders(1)],
    ["counting what is due", ["outbox_due", "outbox_bulk_due"], (outbox) => outbox.countDue(5)],
    ["bringing forward what waits", ["outbox_due", "outbox_bulk_due"], (outbox) => outbox.bringForward(5, 6)],
    [
      "having what failed sent again",
      ["outbox_(?:due|bulk)", "outbox_bulk_due"],
      (outbox) => outbox.makeDue("failed", 5),
    ],
  ])("%s", (_, indexes, work) => expectSearches((db) => work(storesOn(db).outbox), ...indexes));
});

test("what they would show is seen", async () => {
  const steps = await stepsOf(database, async (client) => [
    client.query("SELECT id FROM audit_entries WHERE detail = '{}'"),
    client.query("SELECT mail FROM accounts"),
    client.query("SELECT rowid FROM audit_search WHERE issuer LIKE '%cli%'"),
    client.query("SELECT * FROM users_search WHERE name LIKE '%ann%'"),
    client.query("SELECT id FROM accounts WHERE id > 5 ORDER BY created_at"),
  ]);
  expect(steps.filter(isLong)).toHaveLength(5);
});
