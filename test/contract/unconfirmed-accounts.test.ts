/**
 * Accounts whose address was never confirmed: they go after seven days, and block no owner of the address
 * before.
 */
import { describe, expect, test } from "bun:test";
import { commandLine, system } from "../../src/domain/model/actor.ts";
import { createAccount } from "../../src/domain/accounts/create-account.ts";
import { updateUser } from "../../src/domain/members/administer.ts";
import { removeUnconfirmed } from "../../src/domain/accounts/unconfirmed.ts";
import { startHousekeeping } from "../../src/jobs/housekeeping.ts";
import { newUuid } from "../../src/kernel/ids.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { orderCode, profileOf, send, signInStatus } from "../support/registration.ts";
import {
  createAccount as createSocially,
  meet,
  newPerson,
  openSocialWorld,
} from "../support/social/social-world.ts";

const week = 7 * 24 * 60 * 60;
const password = "a password that will do";

/** One round of what works in the background. */
async function sweep({ services, log }: Harness): Promise<void> {
  await startHousekeeping({ ...services, log })[Symbol.asyncDispose]();
}

/** The addresses of all accounts, in their order. */
async function addresses({ services }: Harness): Promise<readonly (string | null)[]> {
  const members = await services.reads.accounts.listMembers({ after: null, rows: 1000, search: null });
  return members.map(({ account }) => account.mail);
}

const byOperator = (harness: Harness, mail: string, rest: object = {}) => {
  const input = { mail, username: null, password, level: 1, mailVerified: false, ...rest } as const;
  return createAccount(harness.services, commandLine, input);
};

describe("after seven days an account goes", () => {
  test("that was registered and never confirmed, not a second sooner, and says so in the log", async () => {
    await using harness = await openHarness();
    await orderCode(harness, "confirm", "early@example.org");
    harness.clock.advance(1);
    await orderCode(harness, "confirm", "late@example.org");
    harness.clock.advance(week - 2);
    await sweep(harness);
    expect(await addresses(harness)).toEqual(["early@example.org", "late@example.org"]);
    harness.clock.advance(1);
    harness.takeLog();
    await sweep(harness);
    expect(await addresses(harness)).toEqual(["late@example.org"]);
    expect(harness.takeLog()).toMatchObject([{ level: "info", accounts: 1 }]);
    expect(harness.countRows("audit_entries")).toBe(0);
  });

  test.each<[string, (harness: Harness) => Promise<unknown>]>([
    ["with a player", (harness) => addMember(harness, "Anna", { mailVerified: false })],
    ["that is confirmed", (harness) => addMember(harness, "half", { finished: false })],
    ["of staff", (harness) => byOperator(harness, "staff@example.org", { level: 2 })],
    [
      "with a player, whose address an administrator changed",
      async (harness) => {
        const { uuid } = await addMember(harness, "Anna");
        await updateUser(harness.services, commandLine, {
          identifier: uuid,
          change: { mail: "b@example.org" },
        });
      },
    ],
    [
      "that a role makes staff",
      async (harness) => {
        const { account } = await byOperator(harness, "role@example.org");
        const role = { level: 2, expiresAt: harness.clock.nowSeconds() + 2 * week } as const;
        await harness.services.transact(system, ({ accounts }) =>
          accounts.updateAccount(account.id, { permanentLevel: 1, temporaryLevel: role }),
        );
      },
    ],
    [
      "whose owner may have a code in the mailbox",
      async (harness) => {
        await orderCode(harness, "confirm", "again@example.org");
        harness.clock.advance(week - 60);
        await orderCode(harness, "confirm", "again@example.org");
      },
    ],
    [
      "whose owner may have a code for a reset",
      async (harness) => {
        await byOperator(harness, "reset@example.org");
        harness.clock.advance(week - 60);
        await orderCode(harness, "reset", "reset@example.org");
      },
    ],
  ])("but none %s", async (name, make) => {
    await using harness = await openHarness();
    const started = harness.clock.nowSeconds();
    await make(harness);
    harness.clock.advance(week + 1 - (harness.clock.nowSeconds() - started));
    await sweep(harness);
    expect(await addresses(harness)).toHaveLength(1);
    if (!name.includes("a code")) return;
    harness.clock.advance(60 * 60);
    await sweep(harness);
    expect(await addresses(harness)).toEqual([]);
  });

  test("of a thousand in one round, however many others stand between them", async () => {
    await using harness = await openHarness();
    const at = harness.clock.nowSeconds();
    await harness.services.transact(system, async ({ accounts, players }) => {
      for (let number = 0; number < 1260; number++) {
        const uuid = newUuid();
        const fixed = { mailVerified: false, passwordHash: null, permanentLevel: 1, language: "en" } as const;
        const mail = number % 21 > 0 ? `a${number}@example.org` : null;
        const registration = mail === null ? "complete" : "unconfirmed";
        const row = { uuid, mail, registration, ...fixed, createdAt: at } as const;
        const { id } = await accounts.insertAccount(row);
        if (mail === null)
          await players.insertPlayer({ uuid, accountId: id, name: `Player${number}`, createdAt: at });
      }
    });
    harness.clock.advance(week + 1);
    const first = await removeUnconfirmed(harness.services, null);
    expect(first).toMatchObject({ removed: 1000, next: { createdAt: at } });
    expect(await removeUnconfirmed(harness.services, first.next)).toEqual({ removed: 200, next: null });
    expect(await removeUnconfirmed(harness.services, null)).toMatchObject({ removed: 0 });
    expect(harness.countRows("accounts")).toBe(60);
  });
});

describe("who comes from a provider that vouches for the address", () => {
  test("takes it from an unconfirmed account, whose codes and passwords are worthless then", async () => {
    await using world = await openSocialWorld();
    const { harness } = world;
    const mail = "begun@example.net";
    const code = await orderCode(harness, "confirm", mail, password);
    newPerson(world, { email: mail.toUpperCase() });
    const authorization = `Bearer ${await createSocially(world)}`;
    expect(await profileOf(harness, { authorization })).toMatchObject({
      Mail: mail.toUpperCase(),
      Mail_verification: 1,
    });
    expect((await send(harness, "POST /api/auth/confirm", { code })).status).toBe(400);
    expect(await signInStatus(harness, mail, password)).toBe(401);
    expect(await addresses(harness)).toEqual([mail.toUpperCase()]);
  });

  test.each<[string, (harness: Harness, mail: string) => Promise<unknown>]>([
    ["a player's", (harness, mail) => byOperator(harness, mail, { username: "Anna" })],
    ["that is confirmed", (harness, mail) => byOperator(harness, mail, { mailVerified: true })],
    ["of staff", (harness, mail) => byOperator(harness, mail, { level: 3 })],
  ])("does not take an address %s", async (_, make) => {
    await using world = await openSocialWorld();
    const { harness } = world;
    const mail = "taken@example.net";
    await make(harness, mail);
    newPerson(world, { email: mail });
    const authorization = `Bearer ${await createSocially(world)}`;
    expect(await profileOf(harness, { authorization })).toMatchObject({ Mail: "" });
    expect(await addresses(harness)).toEqual([mail, null]);
  });

  test("takes nothing by coming alone", async () => {
    await using world = await openSocialWorld();
    const mail = "begun@example.net";
    await orderCode(world.harness, "confirm", mail);
    newPerson(world, { email: mail });
    await meet(world);
    expect(await addresses(world.harness)).toEqual([mail]);
  });

  test("who is not vouched for takes nothing", async () => {
    await using world = await openSocialWorld();
    const mail = "begun@example.net";
    await orderCode(world.harness, "confirm", mail);
    newPerson(world, { email: mail, verified: false });
    await createSocially(world);
    expect(await addresses(world.harness)).toEqual([mail, null]);
  });
});
