/**
 * The work of a transaction may run more than once. Here it always runs twice, as in every harness: what a
 * work does outside its transaction happens twice, and what it does inside happens once.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import { system } from "../../src/domain/model/actor.ts";
import type { Actor } from "../../src/domain/ports/unit-of-work.ts";
import { createTransact } from "../../src/domain/sessions/transact.ts";
import { PlainError } from "../../src/kernel/errors.ts";
import { named } from "../support/actors.ts";
import { openHarness } from "../support/harness.ts";
import { runTwice } from "../support/run-twice.ts";
import { openOtherEngine } from "../support/other-engine.ts";
import { isLeftOut } from "../support/storages.ts";

const harness = await openHarness({ works: "twice" });
afterAll(() => harness[Symbol.asyncDispose]());
const { services, clock } = harness;

const to = { mail: "anna@example.org", language: "en" } as const;
const letter = { template: "password-changed", username: "Anna" } as const;
const mails = () => services.reads.outbox.listMails({ state: null, copies: "all", afterId: 0, rows: 100 });

describe("a work that runs twice", () => {
  test("leaves one mail, one entry and one row, all of the same moment", async () => {
    const before = { mails: (await mails()).length, entries: harness.countRows("audit_entries") };
    const moments: number[] = [];
    const id = await services.transact(named("Chief"), async (tx) => {
      moments.push(tx.now);
      clock.advance(5);
      await tx.mail(to, letter);
      tx.audit("mail.test", null, { new: 1 });
      return (
        await tx.serviceTokens.insertToken({ name: "shop", hash: "h", may: ["find"], createdAt: tx.now })
      ).id;
    });
    expect(moments).toHaveLength(2);
    expect(new Set(moments).size).toBe(1);
    expect((await mails()).length).toBe(before.mails + 1);
    expect(harness.countRows("audit_entries")).toBe(before.entries + 1);
    const [entry] = await services.reads.audit.listEntries({ after: null, rows: 1, search: null });
    const actor = { name: "Chief", accountId: null, via: null };
    expect(entry).toMatchObject({ actor, action: "mail.test", at: moments[0] });
    expect(await services.reads.serviceTokens.listTokens()).toMatchObject([{ id, createdAt: moments[0] }]);
  });

  test("looks the right up before each run", async () => {
    let looks = 0;
    const actor: Actor = { ...system, check: async () => void (looks += 1) };
    await services.transact(actor, async () => undefined);
    expect(looks).toBe(2);
  });

  test("does nothing where the right is gone", async () => {
    const gone: Actor = {
      ...system,
      check: () => Promise.reject(new PlainError("unauthenticated", "gone")),
    };
    const worked = services.transact(gone, () => {
      throw new Error("the work ran");
    });
    expect(await worked.catch(String)).toContain("gone");
  });

  test("that fails fails once more alike, and leaves nothing", async () => {
    const before = harness.countRows("audit_entries");
    const failed = services.transact(system, async (tx) => {
      tx.audit("mail.test", null, {});
      throw new PlainError("conflict", "taken");
    });
    expect(await failed.catch((error: unknown) => error)).toMatchObject({ kind: "conflict" });
    expect(harness.countRows("audit_entries")).toBe(before);
  });
});

describe("is found out when it", () => {
  test("mails outside its transaction", async () => {
    await using other = await openOtherEngine(harness);
    const before = (await mails()).length;
    const posted: Promise<unknown>[] = [];
    await services.transact(system, async () => {
      posted.push(
        other.atomically(({ outbox }) => outbox.insertMail({ ...to, to: to.mail, at: 1, mail: letter })),
      );
    });
    await Promise.all(posted);
    expect((await mails()).length).toBe(before + 2);
  });

  test("counts outside its transaction, and ends otherwise for it", async () => {
    let counted = 0;
    const ended = services.transact(system, async () => {
      counted += 1;
      if (counted > 1) throw new PlainError("limited", "too many");
    });
    expect(await ended.catch(String)).toContain("a second run ended otherwise");
  });

  test.skipIf(isLeftOut("sqlite", "this one opens a file of its own"))(
    "takes the time from elsewhere than its transaction",
    async () => {
      const rerun = runTwice();
      const now = () => clock.nowSeconds();
      using database = openDatabase(join(harness.folder, "cloakroom.db"), { rerun });
      const transact = createTransact({ atomically: database.atomically, clock });
      const until = now() + 1;
      const ended = transact(system, async () => {
        const late = now() > until;
        clock.advance(5);
        if (late) throw new PlainError("invalid", "too late");
      });
      expect(await ended.catch(String)).toContain("a second run ended otherwise");
    },
  );
});
