/** What operators do to accounts, below the command line. */
import { afterAll, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { deleteAccount, updateUser } from "../../src/domain/members/administer.ts";
import { createAccount } from "../../src/domain/accounts/create-account.ts";
import { setLevel } from "../../src/domain/members/levels.ts";
import { named } from "../support/actors.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, type Member } from "../support/members.ts";
import { skinPng } from "../support/textures.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const { services } = harness;
await addMember(harness, "Taken");

const input = {
  mail: "new@example.org",
  username: "Newcomer",
  password: "a long password",
  level: 1,
  mailVerified: true,
} as const;

test.each([
  ["no valid mail address", { mail: "new" }, "invalid"],
  ["a reserved name", { username: "admin" }, "invalid"],
  ["a name of digits", { username: "12345" }, "invalid"],
  ["a short password", { password: "short" }, "invalid"],
  ["a mail address that is taken", { mail: "TAKEN@example.org" }, "conflict"],
  ["a name that is taken", { username: "TAKEN" }, "conflict"],
])("an account with %s is not made, and nothing of it stays", async (_, fields, kind) => {
  const before = [harness.countRows("accounts"), harness.countRows("audit_entries")];
  expect(await kindOf(createAccount(services, commandLine, { ...input, ...fields }))).toBe(kind);
  expect([harness.countRows("accounts"), harness.countRows("audit_entries")]).toEqual(before);
});

test("a uuid is random, version 4, and fixed; ids are never used again", async () => {
  const first = await addMember(harness, "First");
  expect(first.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  await deleteAccount(services, commandLine, "First");
  const second = await addMember(harness, "Second");
  expect(second.account.id).toBeGreaterThan(first.account.id);
  expect(second.uuid).not.toBe(first.uuid);
});

test("the name of a deleted account is held for 30 days", async () => {
  await addMember(harness, "Leaver");
  await deleteAccount(services, commandLine, "leaver");
  const again = { ...input, mail: "leaver2@example.org", username: "LEAVER" };
  expect(await kindOf(createAccount(services, commandLine, again))).toBe("conflict");
  harness.clock.advance(30 * 24 * 60 * 60 - 1);
  expect(await kindOf(createAccount(services, commandLine, again))).toBe("conflict");
  harness.clock.advance(1);
  expect(await createAccount(services, commandLine, again)).toMatchObject({ player: { name: "LEAVER" } });
});

test("a deleted account takes its skins' files with it, but not those that others wear", async () => {
  const [one, two] = [await addMember(harness, "One"), await addMember(harness, "Two")];
  await addSkin(harness, two, { file: skinPng(1) });
  const files = await harness.countFiles();
  await addSkin(harness, one, { file: skinPng(1) });
  await addSkin(harness, one, { file: skinPng(2) });
  expect(await harness.countFiles()).toBe(files + 1);
  await deleteAccount(services, commandLine, "One");
  expect(await harness.countFiles()).toBe(files);
});

test("the last administrator can be neither demoted nor deleted", async () => {
  await using other = await openHarness();
  await addMember(other, "Chief", { level: 3 });
  await addMember(other, "Deputy");
  const demote = () =>
    updateUser(other.services, commandLine, { identifier: "Chief", change: { permanentLevel: 2 } });
  expect(await kindOf(demote())).toBe("conflict");
  expect(await kindOf(deleteAccount(other.services, commandLine, "Chief"))).toBe("conflict");
  await updateUser(other.services, commandLine, { identifier: "Chief", change: { permanentLevel: 3 } });
  await updateUser(other.services, commandLine, { identifier: "Deputy", change: { permanentLevel: 3 } });
  expect((await demote()).account.permanentLevel).toBe(2);
  expect(
    await kindOf(
      updateUser(other.services, commandLine, { identifier: "Deputy", change: { permanentLevel: 1 } }),
    ),
  ).toBe("conflict");
});

test("two administrators who demote each other at once leave one", async () => {
  await using other = await openHarness();
  for (const name of ["Chief", "Deputy"]) await addMember(other, name, { level: 3 });
  const demotions = ["Chief", "Deputy"].map((identifier) =>
    updateUser(other.services, commandLine, { identifier, change: { permanentLevel: 1 } }),
  );
  const results = await Promise.allSettled(demotions);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("an administrator whose registration is unfinished is none: another may go, that one may not be relied on", async () => {
  await using other = await openHarness();
  await addMember(other, "Chief", { level: 3 });
  await addMember(other, "Half", { level: 3, finished: false });
  expect(await kindOf(deleteAccount(other.services, commandLine, "Chief"))).toBe("conflict");
  expect(await kindOf(deleteAccount(other.services, commandLine, "half@example.org"))).toBe("done");
});

test("a change, a role and a deletion at once leave an administrator", async () => {
  await using other = await openHarness();
  const { services, clock } = other;
  const names = ["One", "Two", "Three"];
  const members: Member[] = [];
  for (const name of names) members.push(await addMember(other, name, { level: 3 }));
  const role = { account: members[1]!.account.id, level: 1, expiresAt: clock.nowSeconds() + 60 } as const;
  const results = await Promise.all([
    kindOf(updateUser(services, commandLine, { identifier: "One", change: { permanentLevel: 1 } })),
    kindOf(setLevel(services, commandLine, role)),
    kindOf(deleteAccount(services, commandLine, "Three")),
  ]);
  expect(results).toEqual(["done", "done", "conflict"]);
});

test.each([
  [
    "setting a level",
    () => updateUser(services, commandLine, { identifier: "Nobody", change: { permanentLevel: 2 } }),
  ],
  [
    "setting a password",
    () =>
      updateUser(services, commandLine, { identifier: "Nobody", change: { password: "a long password" } }),
  ],
  ["deleting", () => deleteAccount(services, commandLine, "Nobody")],
])("%s fails for an unknown user, and nothing is audited", async (_, change) => {
  const before = harness.countRows("audit_entries");
  expect(await kindOf(change())).toBe("not_found");
  expect(harness.countRows("audit_entries")).toBe(before);
});

test("every change is audited with its actor and the account concerned, without a secret", async () => {
  await using other = await openHarness();
  const { account } = await addMember(other, "Chief", { level: 3 });
  const member = await addMember(other, "Member");
  await updateUser(other.services, named("Chief"), { identifier: "Member", change: { permanentLevel: 2 } });
  await updateUser(other.services, named("Chief"), {
    identifier: "Member",
    change: { password: "another long password" },
  });
  await deleteAccount(other.services, named("Chief"), "Member");
  const entries = auditOf(other);
  expect(entries.map(({ issuer, action, for_account_id: about }) => [issuer, action, about])).toEqual([
    ["cli", "user.create", account.id],
    ["cli", "user.create", member.account.id],
    ["Chief", "user.update", member.account.id],
    ["Chief", "user.update", member.account.id],
    ["Chief", "user.delete", member.account.id],
  ]);
  expect(entries.every(({ at }) => at === other.clock.nowSeconds())).toBe(true);
  const details = JSON.stringify(entries);
  for (const secret of [member.password, "another long password", "$argon2"])
    expect(details).not.toContain(secret);
  expect(details).toContain(member.uuid);
});

async function kindOf(failing: Promise<unknown>): Promise<unknown> {
  return failing.then(
    () => "done",
    (error: unknown) => Reflect.get(Object(error), "kind"),
  );
}

type AuditRow = { issuer: string; action: string; for_account_id: number; at: number; detail: string };
function auditOf({ database }: Harness): readonly AuditRow[] {
  return database.rows("SELECT * FROM audit_entries ORDER BY id") as readonly AuditRow[];
}
