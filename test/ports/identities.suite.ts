/** What every identity store must do, whatever it keeps people in. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { PendingPerson, Person } from "../../src/domain/model/identity.ts";
import type { Atomically } from "../../src/domain/ports/stores.ts";
import { newUuid, type AccountId } from "../../src/kernel/ids.ts";
import type { OpenStores } from "./stores.suite.ts";

const person = (rest: Partial<Person> = {}): Person => ({
  provider: "discord",
  issuer: "https://discord.example",
  subject: "9007199254740993",
  username: "nelly",
  avatar: "https://pictures.example/n",
  ...rest,
});
const pending = (hash: string, rest: Partial<PendingPerson> = {}): PendingPerson => ({
  ...person(),
  verifiedMail: "nelly@example.net",
  hash,
  expiresAt: 100,
  ...rest,
});

export function identitiesSuite(name: string, open: () => Promise<OpenStores>): void {
  let opened: OpenStores;
  let transact: Atomically;
  let alice: AccountId;
  let bob: AccountId;
  beforeEach(async () => {
    opened = await open();
    ({ atomically: transact } = opened);
    [alice, bob] = [await addAccount(), await addAccount()];
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  const addAccount = () =>
    transact(async ({ accounts }) => {
      const fixed = {
        mail: null,
        registration: "unconfirmed",
        mailVerified: false,
        passwordHash: null,
        permanentLevel: 1,
      } as const;
      return (await accounts.insertAccount({ uuid: newUuid(), ...fixed, language: "en", createdAt: 1 })).id;
    });
  const link = (accountId: AccountId, rest: Partial<Person> = {}) =>
    transact(({ identities }) => identities.insertIdentity({ ...person(rest), accountId, linkedAt: 7 }));

  const adopt = (issuer: string) =>
    transact(({ identities }) => identities.setMissingIssuer({ provider: "discord", issuer }));

  const put = (...people: readonly PendingPerson[]) =>
    transact(async ({ identities }) => {
      for (const one of people) await identities.putPending(one);
    });
  const find = (hash: string) => opened.reads.identities.findPending(hash);
  const useUp = (hash: string) =>
    transact(async ({ identities }) => {
      const found = await identities.findPending(hash);
      await identities.deletePending(hash);
      return found !== null;
    });

  /** The ids that the list of users shows. */
  const listed = async () => {
    const members = await opened.reads.accounts.listMembers({ after: null, rows: 10, search: null });
    return members.map(({ socialId }) => socialId);
  };

  describe(`${name}: identities`, () => {
    test("are found by account, by person and by id", async () => {
      await link(alice);
      const identity = { ...person(), accountId: alice, linkedAt: 7 };
      const { identities } = opened.reads;
      expect(await identities.findIdentityOf(alice)).toEqual(identity);
      expect(await identities.findIdentityOf(bob)).toBeNull();
      expect(await identities.findIdentity(person())).toEqual(identity);
      expect(await identities.findIdentity(person({ provider: "github" }))).toBeNull();
      expect(await identities.findIdentity(person({ issuer: "https://elsewhere.example" }))).toBeNull();
      expect(await identities.findIdentity(person({ subject: "9007199254740992" }))).toBeNull();
      expect(await identities.findIdentitiesById("9007199254740993")).toEqual([identity]);
      expect(await listed()).toEqual([person().subject, null]);
    });

    test("of two providers may have one id", async () => {
      await link(alice);
      await link(bob, { provider: "github" });
      expect(await opened.reads.identities.findIdentitiesById("9007199254740993")).toHaveLength(2);
    });

    test("of two issuers of one provider may have one id", async () => {
      await link(alice);
      await link(bob, { issuer: "https://elsewhere.example" });
      expect(await opened.reads.identities.findIdentitiesById("9007199254740993")).toHaveLength(2);
    });

    test.each([
      ["one person has two accounts", () => link(bob)],
      ["one account has two people", () => link(alice, { subject: "2" })],
    ])("fail with conflict when %s", async (_, second) => {
      await link(alice);
      expect(await second().catch((error: unknown) => error)).toMatchObject({ kind: "conflict" });
      expect((await listed()).filter((one) => one !== null)).toHaveLength(1);
    });

    test("without an issuer get one, those of one provider, once", async () => {
      const carol = await addAccount();
      await link(alice, { issuer: "" });
      await link(bob, { provider: "github", issuer: "" });
      await link(carol, { subject: "2", issuer: "https://elsewhere.example" });
      const { identities } = opened.reads;
      const lacking = () =>
        Promise.all(["discord", "github", "twitch"].map((one) => identities.hasWithoutIssuer(one)));
      expect(await lacking()).toEqual([true, true, false]);
      expect([await adopt("https://a.example"), await adopt("https://b.example")]).toEqual([1, 0]);
      expect(await lacking()).toEqual([false, true, false]);
      const found = await Promise.all([alice, bob, carol].map(identities.findIdentityOf));
      expect(found.map((one) => one?.issuer)).toEqual(["https://a.example", "", "https://elsewhere.example"]);
    });

    test("without an issuer stay so where the person behind it has another account", async () => {
      await link(alice, { issuer: "" });
      await link(bob);
      expect(await adopt(person().issuer)).toBe(0);
      expect(await opened.reads.identities.findIdentity(person())).toMatchObject({ accountId: bob });
    });

    test("are refreshed, and go alone or with their account", async () => {
      await link(alice);
      await link(bob, { subject: "2" });
      await transact(({ identities }) => identities.refreshIdentity(alice, { username: "new", avatar: "" }));
      const { identities } = opened.reads;
      expect(await identities.findIdentityOf(alice)).toMatchObject({
        username: "new",
        avatar: "",
        linkedAt: 7,
      });
      expect(await identities.findIdentityOf(bob)).toMatchObject({ username: "nelly" });
      await transact(({ identities }) => identities.deleteIdentityOf(alice));
      await transact(({ accounts }) => accounts.deleteAccount(bob));
      expect(await listed()).toEqual([null]);
    });
  });

  describe(`${name}: people who wait to be linked`, () => {
    test("are found by their hash, as they were put", async () => {
      await put(pending("a"), pending("b", { subject: "2", verifiedMail: null }));
      expect(await find("a")).toEqual(pending("a"));
      expect(await find("b")).toEqual(pending("b", { subject: "2", verifiedMail: null }));
      expect(await find("c")).toBeNull();
    });

    test("take the place of their older wait", async () => {
      await put(pending("a"), pending("b", { username: "new", expiresAt: 200 }));
      expect(await find("a")).toBeNull();
      expect(await find("b")).toEqual(pending("b", { username: "new", expiresAt: 200 }));
    });

    test.each([
      ["providers", { provider: "github" }],
      ["issuers", { issuer: "https://elsewhere.example" }],
    ])("wait beside those of other %s", async (_, other) => {
      await put(pending("a"), pending("b", other));
      expect([await find("a"), await find("b")]).not.toContain(null);
    });

    test("of two who use a hash up at once, one finds it", async () => {
      await put(pending("a"));
      const found = await Promise.all([useUp("a"), useUp("a")]);
      expect(found.filter(Boolean)).toHaveLength(1);
    });

    test("go when their time has passed", async () => {
      await put(pending("a", { expiresAt: 99 }), pending("b", { subject: "2", expiresAt: 100 }));
      await transact(({ identities }) => identities.deleteExpiredPending(100));
      expect(await find("a")).toBeNull();
      expect(await find("b")).not.toBeNull();
    });
  });
}
