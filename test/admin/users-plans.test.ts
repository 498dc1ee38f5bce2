/** Lists of users stay fast however many there are: no statement reads a long table from end to end, or sorts one. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { accountReads } from "../../src/adapters/sqlite/account-store.ts";
import { identityReads } from "../../src/adapters/sqlite/identity-store.ts";
import { openWriter, type Db } from "../../src/adapters/sqlite/open.ts";
import type { AccountReads } from "../../src/domain/accounts/store.ts";
import type { AccountId } from "../../src/kernel/ids.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { isLong, stepsOf } from "../support/query-plan.ts";

let harness: Harness;
let database: Db;
beforeAll(async () => {
  harness = await openHarness();
  await addMember(harness, "Anna");
  database = openWriter(join(harness.folder, "cloakroom.db"));
});
afterAll(async () => {
  database.$client.close();
  await harness[Symbol.asyncDispose]();
});

const anna = 1 as AccountId;
const reads: readonly (readonly [string, (accounts: AccountReads) => Promise<unknown>])[] = [
  ["a page", (accounts) => accounts.listMembers({ after: 5, rows: 10, search: null })],
  [
    "a page of what a search finds",
    (accounts) => accounts.listMembers({ after: 5, rows: 10, search: "ann" }),
  ],
  ["a page with who is named", (accounts) => accounts.listMembers({ after: null, rows: 10, search: "anna" })],
  ["a page with who has the id", (accounts) => accounts.listMembers({ after: null, rows: 10, search: "1" })],
  ["a page of nobody", (accounts) => accounts.listMembers({ after: null, rows: 10, search: "x" })],
  ["the count", (accounts) => accounts.countMembers(null)],
  ["the count of what a search finds", (accounts) => accounts.countMembers("ann")],
  ["the count with who is named", (accounts) => accounts.countMembers("anna")],
  ["the count of nobody", (accounts) => accounts.countMembers("x")],
  ["another administrator", (accounts) => accounts.hasLastingAdministrator({ than: anna, now: 1 })],
  ["roles that have ended", (accounts) => accounts.listEndedRoles(1, 10)],
];

test.each(reads)("%s is found by indexes, without sorting", async (_, read) => {
  // Those that are prepared beforehand are among them.
  const steps = await stepsOf(database, (db) => read(accountReads(db)));
  expect(steps.filter((step) => step.startsWith("SEARCH")).length).toBeGreaterThan(5);
  expect(steps.filter(isLong)).toEqual([]);
});

test("the social links of a page are found by indexes, without sorting", async () => {
  const steps = await stepsOf(database, (db) => identityReads(db).listIdentities([anna, 2 as AccountId]));
  expect(steps.length).toBeGreaterThan(0);
  expect(steps.filter(isLong)).toEqual([]);
});

test("what the others would show is seen", async () => {
  const steps = await stepsOf(database, async ({ $client }) => [
    $client.query("SELECT mail FROM accounts"),
    $client.query("SELECT * FROM users_search WHERE name LIKE '%ann%'"),
    $client.query("SELECT id FROM accounts WHERE id > 5 ORDER BY created_at"),
  ]);
  expect(steps.filter(isLong)).toHaveLength(3);
});
