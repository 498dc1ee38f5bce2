/** What every outbox store must do, whatever it keeps mails in. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { PersonalMail } from "../../src/domain/model/mail.ts";
import { mailKey } from "../../src/domain/model/mail-address.ts";
import {
  mailKinds,
  type BulkMailId,
  type BulkText,
  type DueMail,
  type MailId,
  type OutboxEntry,
  type OutboxStore,
  type Post,
} from "../../src/domain/ports/outbox-store.ts";
import type { NewAccount } from "../../src/domain/ports/account-store.ts";
import type { Stores } from "../../src/domain/ports/stores.ts";
import { newUuid, type AccountId } from "../../src/kernel/ids.ts";
import type { OpenStores } from "./stores.suite.ts";

const origin = { time: "2026-11-22 09:37 UTC", network: "203.0.113.0/24" };
const reset: PersonalMail = {
  template: "reset",
  username: "Änna <b>",
  code: "ABCDE-12345",
  link: "https://www.example.org/?a=1&b=%20",
  ...origin,
};
const notice: PersonalMail = { template: "password-changed", username: "Anna" };
const to = "Anna@example.org";

const newAccount = (name: string): NewAccount => ({
  uuid: newUuid(),
  mail: `${name}@example.org`,
  registration: "unnamed",
  mailVerified: true,
  passwordHash: null,
  permanentLevel: 1,
  language: "en",
  createdAt: 1,
});

export function outboxSuite(name: string, open: () => Promise<OpenStores>): void {
  let opened: OpenStores;
  beforeEach(async () => void (opened = await open()));
  afterEach(() => opened[Symbol.asyncDispose]());

  const write = <T>(work: (outbox: OutboxStore) => Promise<T>) =>
    opened.atomically(({ outbox }) => work(outbox));
  const post = (rest: Partial<Post> = {}) =>
    write((outbox) => outbox.insertMail({ to, language: "en", at: 100, mail: reset, ...rest }));
  const list = (page: Partial<Parameters<OutboxStore["listMails"]>[0]> = {}) =>
    opened.reads.outbox.listMails({ state: null, copies: "all", afterId: 0, rows: 100, ...page });
  const claim = (at: number, until = at + 60) => write((outbox) => outbox.claimDue(mailKinds, at, until));
  const claimed = async (at: number): Promise<DueMail> => {
    const mail = await claim(at);
    if (mail === null) throw new Error("nothing is due");
    return mail;
  };
  const settle = (id: MailId, state: "waiting" | "sent" | "failed", dueAt: number, reply = "250 ok") =>
    write((outbox) => outbox.recordResult(id, { state, dueAt, reply }));

  const since = (mail: string, at: number) => opened.reads.outbox.codeSendsSince(mail, at);

  describe(`${name}: a posted mail`, () => {
    test("waits to be sent, and operators see nothing of its content", async () => {
      await post();
      const [entry] = await list();
      expect(entry).toEqual({
        id: expect.any(Number) as never,
        to,
        language: "en",
        template: "reset",
        state: "waiting",
        attempts: 0,
        createdAt: 100,
        dueAt: 100,
        lastReply: null,
        hasContent: true,
        bulk: null,
      });
      expect(JSON.stringify(await list())).not.toContain("ABCDE");
      expect(await opened.reads.outbox.findMail(entry!.id)).toEqual(entry!);
    });

    test("is not there when its transaction fails", async () => {
      const failed = write(async (outbox) => {
        await outbox.insertMail({ to, language: "en", at: 100, mail: reset });
        throw new Error("no");
      });
      expect(await failed.catch((error: unknown) => String(error))).toBe("Error: no");
      expect(await list()).toEqual([]);
    });

    test("is handed out whole, in the language that it is for", async () => {
      await post({ language: "ru" });
      const { id, ...rest } = await claimed(100);
      expect(id).toBeNumber();
      expect(rest).toEqual({ to, language: "ru", attempts: 1, createdAt: 100, mail: reset });
    });

    test("never has the number of one that is gone", async () => {
      await post();
      const { id } = await claimed(100);
      await settle(id, "sent", 100);
      await write((outbox) => outbox.deleteOldMails(101, 101));
      await post();
      expect((await list())[0]?.id).toBeGreaterThan(id);
    });

    test("is found by its number alone", async () => {
      await post();
      expect(await opened.reads.outbox.findMail(999 as MailId)).toBeNull();
    });
  });

  describe(`${name}: what is due`, () => {
    test("is what was posted by then", async () => {
      expect(await opened.reads.outbox.hasDue(mailKinds, 1e9)).toBe(false);
      await post();
      expect([
        await opened.reads.outbox.hasDue(mailKinds, 99),
        await opened.reads.outbox.hasDue(mailKinds, 100),
      ]).toEqual([false, true]);
      expect(await claim(99)).toBeNull();
      expect(await claim(100)).not.toBeNull();
    });

    test("is taken once: no other worker gets it until the claim ends", async () => {
      await post();
      await claim(100, 160);
      expect([await opened.reads.outbox.hasDue(mailKinds, 159), await claim(159)]).toEqual([false, null]);
      expect(await claim(160)).toMatchObject({ attempts: 2, mail: reset });
    });

    test("is given to one of many who ask at once", async () => {
      for (let i = 0; i < 3; i++) await post();
      const taken = await Promise.all(Array.from({ length: 10 }, () => claim(100)));
      const ids = taken.flatMap((mail) => (mail === null ? [] : [mail.id]));
      expect(ids).toHaveLength(3);
      expect(new Set(ids).size).toBe(3);
    });

    test("is taken by the time at which it became due", async () => {
      await post({ at: 102, to: "second@example.org" });
      await post({ at: 101, to: "first@example.org" });
      await post({ at: 103, to: "third@example.org" });
      const order = [await claimed(200), await claimed(200), await claimed(200)];
      expect(order.map((mail) => mail.to.split("@")[0])).toEqual(["first", "second", "third"]);
    });
  });

  describe(`${name}: what came of a try`, () => {
    test("is kept; a sent mail loses its content and is never due again", async () => {
      await post();
      const { id } = await claimed(100);
      await settle(id, "sent", 101, "250 2.0.0 Ok: queued");
      expect(await list()).toMatchObject([
        { id, state: "sent", attempts: 1, dueAt: 101, lastReply: "250 2.0.0 Ok: queued", hasContent: false },
      ]);
      expect([await opened.reads.outbox.hasDue(mailKinds, 1e9), await claim(1e9)]).toEqual([false, null]);
    });

    test("may be another try later, with the content kept", async () => {
      await post();
      const { id } = await claimed(100);
      await settle(id, "waiting", 130, "451 later");
      expect(await list()).toMatchObject([{ state: "waiting", dueAt: 130, lastReply: "451 later" }]);
      expect(await claim(129)).toBeNull();
      expect(await claim(130)).toMatchObject({ id, attempts: 2, mail: reset });
    });

    test("may be failure, which operators can read and undo", async () => {
      await post();
      const { id } = await claimed(100);
      await settle(id, "failed", 101, "550 no such user");
      expect(await claim(1e9)).toBeNull();
      expect(await list({ state: "failed" })).toMatchObject([
        { id, lastReply: "550 no such user", hasContent: true },
      ]);
      expect(await write((outbox) => outbox.makeDue(id, 200))).toBe(1);
      expect(await claim(200)).toMatchObject({ id, attempts: 1, mail: reset });
    });

    test("concerns one mail", async () => {
      await post();
      await post();
      const { id } = await claimed(100);
      await settle(id, "sent", 100);
      expect((await list()).map(({ state }) => state).sort()).toEqual(["sent", "waiting"]);
    });
  });

  describe(`${name}: making due`, () => {
    test("takes all that failed and still have their content, and returns how many", async () => {
      for (let i = 0; i < 4; i++) await post({ at: 100 + i });
      const ids = [await claimed(200), await claimed(200), await claimed(200)].map(({ id }) => id);
      await settle(ids[0]!, "failed", 200);
      await settle(ids[1]!, "failed", 200);
      await settle(ids[2]!, "sent", 200);
      expect(await write((outbox) => outbox.makeDue("failed", 300))).toBe(2);
      expect((await list({ state: "waiting" })).map(({ dueAt }) => dueAt)).toEqual([300, 300, 103]);
      expect(await write((outbox) => outbox.makeDue("failed", 400))).toBe(0);
    });

    test("leaves what is sent, what is empty and what is unknown", async () => {
      await post();
      const { id } = await claimed(100);
      await settle(id, "sent", 100);
      expect(await write((outbox) => outbox.makeDue(id, 200))).toBe(0);
      expect(await write((outbox) => outbox.makeDue(999 as MailId, 200))).toBe(0);
      expect(await list()).toMatchObject([{ state: "sent" }]);
    });

    test("brings forward what waits for a later time, and counts what is due", async () => {
      for (let i = 0; i < 3; i++) await post({ at: 100 });
      const ids = [await claimed(100), await claimed(100)].map(({ id }) => id);
      await settle(ids[0]!, "waiting", 5000);
      await settle(ids[1]!, "waiting", 130);
      expect(await write((outbox) => outbox.bringForward(100, 160))).toBe(2);
      expect(await write((outbox) => outbox.bringForward(100, 160))).toBe(0);
      expect(await write((outbox) => outbox.countDue(100))).toBe(3);
    });

    test("leaves what is being sent, which has no reply until the result is known", async () => {
      await post({ at: 100 });
      const { id } = await claimed(100);
      await settle(id, "waiting", 130);
      expect(await write((outbox) => outbox.findMail(id))).toMatchObject({ lastReply: expect.any(String) });
      await claimed(130);
      expect(await write((outbox) => outbox.findMail(id))).toMatchObject({ lastReply: null, attempts: 2 });
      expect(await write((outbox) => outbox.bringForward(130, 10_000))).toBe(0);
      expect(await write((outbox) => outbox.bringForward(130, 131))).toBe(1);
    });

    test("makes a waiting mail due at once", async () => {
      await post();
      const { id } = await claimed(100);
      await settle(id, "waiting", 5000);
      expect(await write((outbox) => outbox.makeDue(id, 200))).toBe(1);
      expect(await claim(200)).toMatchObject({ id });
    });
  });

  describe(`${name}: what is old`, () => {
    test("is given up when it was not sent, and loses its content", async () => {
      await post({ at: 100 });
      await post({ at: 200 });
      await post({ at: 300 });
      expect(await write((outbox) => outbox.giveUpMails("personal", 200, 400))).toBe(1);
      expect(await list()).toMatchObject([
        { state: "failed", createdAt: 100, dueAt: 400, hasContent: false },
        { state: "waiting", createdAt: 200, hasContent: true },
        { state: "waiting", createdAt: 300, hasContent: true },
      ]);
      expect(await write((outbox) => outbox.makeDue("failed", 400))).toBe(0);
      expect(await write((outbox) => outbox.giveUpMails("personal", 200, 500))).toBe(0);
    });

    test("loses its content, too, when it had failed before", async () => {
      await post({ at: 100 });
      const { id } = await claimed(100);
      await settle(id, "failed", 150);
      expect(await write((outbox) => outbox.giveUpMails("personal", 200, 400))).toBe(0);
      expect(await write((outbox) => outbox.wipeFailedMails("personal", 200))).toBe(1);
      expect(await write((outbox) => outbox.wipeFailedMails("personal", 200))).toBe(0);
      expect(await list()).toMatchObject([{ state: "failed", dueAt: 150, hasContent: false }]);
    });

    test("is forgotten: what was sent, and later what failed, but nothing that waits", async () => {
      for (let i = 0; i < 5; i++) await post({ at: 1 });
      const ids = [await claimed(1), await claimed(1), await claimed(1), await claimed(1)].map(
        ({ id }) => id,
      );
      await settle(ids[0]!, "sent", 99);
      await settle(ids[1]!, "sent", 100);
      await settle(ids[2]!, "failed", 49);
      await settle(ids[3]!, "failed", 50);
      await write((outbox) => outbox.deleteOldMails(100, 50));
      expect((await list()).map(({ state }) => state).sort()).toEqual(["failed", "sent", "waiting"]);
    });
  });

  describe(`${name}: the list`, () => {
    test("goes by number, a page at a time, of one state or all", async () => {
      for (let i = 0; i < 4; i++) await post();
      const { id } = await claimed(100);
      await settle(id, "failed", 100);
      const ids = (await list()).map((entry) => entry.id as number);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      expect((await list({ rows: 2 })).map((entry) => entry.id as number)).toEqual(ids.slice(0, 2));
      expect((await list({ afterId: ids[1]!, rows: 5 })).map((entry) => entry.id as number)).toEqual(
        ids.slice(2),
      );
      expect(await list({ state: "failed" })).toHaveLength(1);
      expect(await list({ state: "waiting" })).toHaveLength(3);
      expect(await list({ state: "sent" })).toEqual([]);
    });
  });

  describe(`${name}: sends to an address`, () => {
    test("are counted whatever its case and whatever became of them", async () => {
      await post({ at: 100, to: "ANNA@example.org" });
      await post({ at: 200 });
      const { id } = await claimed(200);
      await settle(id, "sent", 200);
      expect(new Set(await since("anna@example.org", 0))).toEqual(new Set([100, 200]));
      expect(await since("bob@example.org", 0)).toEqual([]);
    });

    test("are counted after the time alone", async () => {
      for (const at of [100, 200, 300]) await post({ at });
      expect([...(await since("anna@example.org", 200))]).toEqual([300]);
    });

    test("are those that strangers can cause, and no notices", async () => {
      const strangers: readonly PersonalMail[] = [
        { template: "confirm", code: "ABCDE-12345", link: "https://www.example.org/", ...origin },
        { template: "already-registered", username: "Anna", link: "https://www.example.org/", ...origin },
        { template: "address-taken", username: "Anna", ...origin },
        { template: "unknown-address", ...origin },
        reset,
        {
          template: "change-mail",
          username: "Anna",
          code: "ABCDE-12345",
          link: "https://www.example.org/",
          ...origin,
        },
      ];
      const own: readonly PersonalMail[] = [
        notice,
        { template: "mail-changed", username: "Anna", newMail: "new@example.org" },
        { template: "test" },
      ];
      for (const mail of [...strangers, ...own]) await post({ mail });
      expect(await since("anna@example.org", 0)).toHaveLength(strangers.length);
    });

    test("are seen within the transaction that posts them", async () => {
      const seen = write(async (outbox) => {
        await outbox.insertMail({ to, language: "en", at: 100, mail: reset });
        return outbox.codeSendsSince("anna@example.org", 0);
      });
      expect(await seen).toEqual([100]);
    });
  });

  const text = { subject: "News", message: "Hello!\n\nBye." };
  const postBulk = (at = 100) => write((outbox) => outbox.insertBulkMail({ ...text, issuer: "Boss", at }));
  const account = (name: string, rest: Partial<NewAccount> = {}) =>
    opened.atomically(({ accounts }) => accounts.insertAccount({ ...newAccount(name), ...rest }));
  const progress = () => opened.reads.outbox.bulkProgress();
  const known = (words: BulkText, after: number) => opened.reads.outbox.hasBulkMail(words, after);
  const shown = async (page: Partial<Parameters<OutboxStore["listMails"]>[0]>) =>
    (await list(page)).map(({ bulk, state }) => (bulk === null ? state : `${bulk} ${state}`));

  const unsent = async (page: Partial<Parameters<OutboxStore["listUnsent"]>[0]> = {}) => {
    const whole = { states: ["waiting", "failed"], bulk: null, before: null, rows: 100, ...page } as const;
    const found = await opened.reads.outbox.listUnsent(whole);
    expect(await opened.reads.outbox.countUnsent(whole)).toBeGreaterThanOrEqual(found.length);
    return found.map(({ id, state }) => `${id} ${state}`);
  };
  const countUnsent = (bulk: BulkMailId | null) =>
    opened.reads.outbox.countUnsent({ states: ["waiting", "failed"], bulk });
  const toEverybody = async (before: number | null, rows: number) =>
    (await opened.reads.outbox.listBulkMails({ before, rows })).map(({ id, total }) => [id, total]);

  const page = async (since: number, after: OutboxEntry | null = null, rows = 10) =>
    opened.reads.outbox.listMailsTo({ to: mailKey(to), since, after, rows });

  describe(`${name}: mails to one address`, () => {
    test("are listed from a time on, the oldest first, a page at a time", async () => {
      for (const at of [30, 10, 20, 20]) await post({ at });
      await post({ at: 15, to: "other@example.org" });
      const all = await page(0);
      expect(all.map(({ createdAt }) => createdAt)).toEqual([10, 20, 20, 30]);
      expect(await page(20)).toEqual(all.slice(1));
      expect(await page(21)).toEqual(all.slice(3));
      expect(await page(0, all[1] ?? null, 1)).toEqual(all.slice(2, 3));
    });
  });

  describe(`${name}: mails that are not sent`, () => {
    test("are listed from the newest to the oldest, a page at a time", async () => {
      for (let number = 1; number <= 6; number++) await post();
      await settle(2 as MailId, "sent", 100);
      await settle(3 as MailId, "failed", 100);
      expect(await unsent()).toEqual(["6 waiting", "5 waiting", "4 waiting", "3 failed", "1 waiting"]);
      expect(await unsent({ rows: 2 })).toEqual(["6 waiting", "5 waiting"]);
      expect(await unsent({ rows: 2, before: 5 })).toEqual(["4 waiting", "3 failed"]);
      expect(await unsent({ states: ["failed"] })).toEqual(["3 failed"]);
      expect(await unsent({ states: ["waiting"], before: 4 })).toEqual(["1 waiting"]);
      expect(await countUnsent(null)).toBe(5);
    });

    test("are copies where they failed, or where their mail to everybody is named", async () => {
      for (const reader of ["Anna", "Bob"]) await account(reader);
      const first = (await postBulk()).id;
      await post();
      const second = (await postBulk(200)).id;
      await settle(1 as MailId, "failed", 100);
      await settle(4 as MailId, "failed", 100);
      expect(await unsent()).toEqual(["4 failed", "3 waiting", "1 failed"]);
      expect(await unsent({ before: 4, rows: 2 })).toEqual(["3 waiting", "1 failed"]);
      expect(await unsent({ bulk: first })).toEqual(["2 waiting", "1 failed"]);
      expect(await unsent({ bulk: second })).toEqual(["5 waiting", "4 failed"]);
      expect(await unsent({ bulk: 99 as BulkMailId })).toEqual([]);
      const counts = [await countUnsent(null), await countUnsent(first), await countUnsent(99 as BulkMailId)];
      expect(counts).toEqual([3, 2, 0]);
    });
  });

  describe(`${name}: mails to everybody`, () => {
    test("are listed from the newest to the oldest, a page at a time", async () => {
      for (let at = 100; at < 104; at++) await postBulk(at);
      expect(await toEverybody(null, 2)).toEqual([
        [4, 0],
        [3, 0],
      ]);
      expect(await toEverybody(3, 100)).toEqual([
        [2, 0],
        [1, 0],
      ]);
      expect(await opened.reads.outbox.countBulkMails()).toBe(4);
    });

    test("have as many readers as one would get copies, by language", async () => {
      const readers = async () => Object.fromEntries(await opened.reads.outbox.countBulkReaders(1));
      expect(await readers()).toEqual({});
      await account("Anna", { language: "ru" });
      await account("Bob");
      await account("Carla");
      await account("Unverified", { mailVerified: false });
      await account("Nameless", { mail: null });
      const { id: silent } = await account("Silent", { language: "de" });
      await opened.atomically(({ accounts }) => accounts.updateAccount(silent, { wantsBulkMail: false }));
      expect(await readers()).toEqual({ en: 2, ru: 1 });
      expect((await postBulk()).copies).toBe(3);
    });
  });

  describe(`${name}: a mail to everybody`, () => {
    test("is copied for every verified address that wants it, in its language", async () => {
      await account("Anna", { language: "ru" });
      await account("Unverified", { mailVerified: false });
      await account("Nameless", { mail: null });
      const { id: silent } = await account("Silent");
      await opened.atomically(({ accounts }) => accounts.updateAccount(silent, { wantsBulkMail: false }));
      await account("Bob");
      const { id, copies } = await postBulk();
      expect(copies).toBe(2);
      expect(await list()).toMatchObject([
        { to: "Anna@example.org", language: "ru", template: "bulk", state: "waiting", attempts: 0, bulk: id },
        { to: "Bob@example.org", language: "en", createdAt: 100, dueAt: 100, hasContent: true, bulk: id },
      ]);
      expect(await since("anna@example.org", 0)).toEqual([]);
    });

    test("may find no recipient", async () => {
      expect(await postBulk()).toMatchObject({ copies: 0 });
      expect(await progress()).toMatchObject([{ subject: "News", waiting: 0, sent: 0, failed: 0 }]);
    });

    test("is not there when its transaction fails", async () => {
      await account("Anna");
      const failed = write(async (outbox) => {
        await outbox.insertBulkMail({ ...text, issuer: "Boss", at: 100 });
        throw new Error("no");
      });
      expect(await failed.catch((error: unknown) => String(error))).toBe("Error: no");
      expect([await list(), await progress()]).toEqual([[], []]);
    });

    test("leaves the event loop to others after every thousand accounts", async () => {
      await opened.atomically(async ({ accounts }) => {
        for (let number = 0; number <= 2000; number++) await accounts.insertAccount(newAccount(`m${number}`));
      });
      const others: string[] = [];
      const posted = postBulk();
      const other = async () => {
        for (let turn = 1; turn <= 2; turn++) {
          await new Promise((resolve) => void setImmediate(resolve));
          others.push(`turn ${turn}`);
        }
      };
      const turns = other();
      expect(await posted.finally(() => others.push("posted"))).toMatchObject({ copies: 2001 });
      await turns;
      expect(others).toEqual(["turn 1", "turn 2", "posted"]);
    });

    test("is handed out with its words and the account that it is for", async () => {
      const { uuid } = await account("Anna");
      await postBulk();
      const mail = { template: "bulk", ...text, username: "", account: uuid };
      expect(await claim(100)).toMatchObject({ to: "Anna@example.org", attempts: 1, createdAt: 100, mail });
      expect(await claim(159)).toBeNull();
      expect(await claim(160)).toMatchObject({ attempts: 2, mail });
    });

    test("comes after every mail to one person, whenever that was posted", async () => {
      await account("Anna");
      await account("Bob");
      await postBulk(100);
      await post({ at: 200 });
      await post({ at: 300, mail: notice });
      const order = [await claimed(300), await claimed(300), await claimed(300), await claimed(300)];
      expect(order.map(({ mail }) => mail.template)).toEqual(["reset", "password-changed", "bulk", "bulk"]);
    });

    test("is not handed out to a worker that takes mails to one person alone", async () => {
      await account("Anna");
      await postBulk();
      expect(await opened.reads.outbox.hasDue(["personal"], 100)).toBe(false);
      expect(await write((outbox) => outbox.claimDue(["personal"], 100, 160))).toBeNull();
      expect(await opened.reads.outbox.hasDue(["bulk"], 100)).toBe(true);
    });

    test.each<readonly [string, (stores: Stores, id: AccountId) => Promise<void>]>([
      ["is gone", ({ accounts }, id) => accounts.deleteAccount(id)],
      [
        "has another address",
        ({ accounts }, id) => accounts.updateAccount(id, { mail: "new@example.org", mailVerified: true }),
      ],
      [
        "has not shown the address to be its own",
        ({ accounts }, id) => accounts.updateAccount(id, { mail: "anna@example.org", mailVerified: false }),
      ],
      ["wants none any more", ({ accounts }, id) => accounts.updateAccount(id, { wantsBulkMail: false })],
    ])("is dropped for an account that %s by then", async (_, change) => {
      const { id } = await account("Anna");
      await account("Bob");
      await postBulk();
      await opened.atomically((stores) => change(stores, id));
      expect(await claim(100)).toMatchObject({ to: "Bob@example.org" });
      expect((await list()).map(({ to }) => to)).toEqual(["Bob@example.org"]);
    });

    test("loses its waiting copies for an address, and nothing else", async () => {
      await account("Anna");
      await account("Bob");
      await postBulk();
      await post({ to: "anna@example.org" });
      await settle((await claimed(100)).id, "sent", 100);
      await settle((await claimed(100)).id, "sent", 100);
      await postBulk(200);
      await post({ to: "anna@example.org" });
      await write((outbox) => outbox.dropWaitingCopies("anna@example.org"));
      const left = (await list()).map(({ to, template, state }) => `${to} ${template} ${state}`);
      expect(left.toSorted()).toEqual([
        "Anna@example.org bulk sent",
        "Bob@example.org bulk waiting",
        "Bob@example.org bulk waiting",
        "anna@example.org reset sent",
        "anna@example.org reset waiting",
      ]);
    });

    test("is recognised by its words after a time", async () => {
      await postBulk(100);
      expect(await known(text, 99)).toBe(true);
      expect(await known(text, 100)).toBe(false);
      expect(await known({ ...text, subject: "Other" }, 99)).toBe(false);
      expect(await known({ ...text, message: "Other" }, 99)).toBe(false);
    });

    test("is summed up by the state of its copies", async () => {
      for (const name of ["A", "B", "C", "D"]) await account(`${name}${name}${name}`);
      const { id } = await postBulk();
      await settle((await claimed(100)).id, "sent", 100);
      await settle((await claimed(100)).id, "failed", 100, "550 no such user");
      await postBulk(200);
      expect(await progress()).toEqual([
        { id, subject: "News", issuer: "Boss", createdAt: 100, total: 4, waiting: 2, sent: 1, failed: 1 },
        expect.objectContaining({ createdAt: 200, total: 4, waiting: 4, sent: 0, failed: 0 }),
      ]);
      await opened.atomically(({ outbox }) => outbox.makeDue("failed", 300));
      await opened.atomically(({ outbox }) => outbox.dropWaitingCopies("ddd@example.org"));
      expect(await progress()).toMatchObject([
        { total: 4, waiting: 2, sent: 1, failed: 0 },
        { total: 4, waiting: 3, sent: 0, failed: 0 },
      ]);
    });

    test("is listed by its copies, or left out but for what failed", async () => {
      await account("Anna");
      await account("Bob");
      const { id } = await postBulk();
      await settle((await claimed(100)).id, "failed", 100, "550 no such user");
      await post();
      await postBulk(200);
      expect(await shown({ copies: id })).toEqual([`${id} failed`, `${id} waiting`]);
      expect(await shown({ copies: "failed" })).toEqual([`${id} failed`, "waiting"]);
      expect(await shown({ copies: id, state: "waiting" })).toEqual([`${id} waiting`]);
      expect(await shown({ copies: "all" })).toHaveLength(5);
    });

    test("that failed for somebody is tried again", async () => {
      await account("Anna");
      await postBulk();
      const { id } = await claimed(100);
      await settle(id, "failed", 100, "550 no such user");
      expect(await write((outbox) => outbox.makeDue("failed", 200))).toBe(1);
      expect(await claim(200)).toMatchObject({ id, attempts: 1, mail: text });
    });

    test("is given up, loses its content and is forgotten as a whole, apart from other mails", async () => {
      await account("Anna");
      await account("Bob");
      await account("Carl");
      const { id } = await postBulk(100);
      await post({ at: 100 });
      await settle((await claimed(100)).id, "sent", 100);
      await settle((await claimed(100)).id, "sent", 100);
      await settle((await claimed(100)).id, "failed", 150);
      await postBulk(200);
      await write((outbox) => outbox.giveUpMails("personal", 200, 400));
      await write((outbox) => outbox.wipeFailedMails("personal", 200));
      expect((await list({ copies: id })).filter(({ hasContent }) => hasContent)).toHaveLength(2);
      expect(await write((outbox) => outbox.giveUpMails("bulk", 200, 400))).toBe(1);
      expect(await write((outbox) => outbox.wipeFailedMails("bulk", 200))).toBe(1);
      expect(await list({ copies: id })).toMatchObject([
        { state: "sent", dueAt: 100, hasContent: false },
        { state: "failed", dueAt: 150, hasContent: false },
        { state: "failed", dueAt: 400, hasContent: false },
      ]);
      expect(await write((outbox) => outbox.deleteOldBulkMails(100))).toBe(0);
      await write((outbox) => outbox.deleteOldMails(1000, 1000));
      expect(await list({ copies: id })).toHaveLength(3);
      expect(await write((outbox) => outbox.deleteOldBulkMails(200))).toBe(3);
      expect(await write((outbox) => outbox.deleteOldBulkMails(200))).toBe(1);
      expect(await write((outbox) => outbox.deleteOldBulkMails(200))).toBe(0);
      expect(await progress()).toMatchObject([{ createdAt: 200, waiting: 3 }]);
    });
  });
}
