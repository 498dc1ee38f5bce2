/** The outbox as administrators see it: what waits, what failed, another try, and test mails. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { system } from "../../src/domain/model/actor.ts";
import { languages } from "../../src/domain/model/mail.ts";
import type { MailId, MailState } from "../../src/domain/ports/outbox-store.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, edit, type Member } from "../support/members.ts";
import { expectError, play } from "../support/scenario.ts";

const code = "ABCDE-12345";
const link = "https://www.example.org/resetpassword?code=ABCDE-12345";
const reset = { template: "reset", username: "Anna", code, link, time: "now", network: "here" } as const;
const day = 24 * 60 * 60;

let harness: Harness;
let boss: Member;
let anna: Member;
beforeAll(async () => {
  harness = await openHarness();
  boss = await addMember(harness, "Boss", { level: 3 });
  anna = await addMember(harness, "Anna");
});
afterAll(() => harness[Symbol.asyncDispose]());

type Row = { readonly id: number; readonly state: string; readonly error: string | null };

const post = (on = harness, to = anna) =>
  on.services.transact(system, async ({ mail }) => (await mail(to.account, reset)) ?? (0 as MailId));
const settle = (id: MailId, state: MailState, reply: string, on = harness) =>
  on.services.transact(system, ({ outbox, now }) => outbox.recordResult(id, { state, dueAt: now, reply }));
const get = (path: string, on = harness, by = boss) =>
  on.fetch(path, { headers: { authorization: by.authorization } });
const list = async (query = "", on = harness, by = boss) => {
  const response = await get(`/api/admin/outbox${query}`, on, by);
  expect(response.status).toBe(200);
  const { data } = await readJson<Envelope<readonly Row[]>>(response);
  return { response, data, ids: data.map(({ id }) => id) };
};
const retry = (id: number) => edit(harness, boss, `POST /api/admin/outbox/${id}/retry`, undefined);
const audit = () => {
  const entry = harness.database.everything()["audit_entries"]?.at(-1) as {
    readonly issuer: string;
    readonly action: string;
    readonly detail: string;
  };
  return { issuer: entry.issuer, action: entry.action, detail: JSON.parse(entry.detail) };
};

describe("the list", () => {
  test("shows what waits and what failed, with the mail server's words and without the code", async () => {
    await using own = await openHarness();
    const chief = await addMember(own, "Chief", { level: 3 });
    const reader = await addMember(own, "Reader");
    const now = own.clock.nowSeconds();
    await post(own, reader);
    await settle(await post(own, reader), "sent", "250 ok", own);
    await settle(await post(own, reader), "failed", "550 5.1.1 no such user", own);
    await play(own, {
      name: "the outbox",
      actor: chief,
      request: "GET /api/admin/outbox",
      status: 200,
      msg: "Outbox",
      answerHeaders: { "x-total-count": "2", link: null },
      hasNot: [code, "ABCDE12345", link],
      data: [
        {
          id: 3,
          to: "Reader@example.org",
          template: "reset",
          language: "en",
          state: "failed",
          attempts: 0,
          created: now,
          next_at: null,
          error: "550 5.1.1 no such user",
          mailing: null,
          can_retry: true,
        },
        {
          id: 1,
          to: "Reader@example.org",
          template: "reset",
          language: "en",
          state: "waiting",
          attempts: 0,
          created: now,
          next_at: now,
          error: null,
          mailing: null,
          can_retry: true,
        },
      ],
    });
  });

  test("comes in pages that keep what was asked for", async () => {
    await using own = await openHarness();
    const chief = await addMember(own, "Chief", { level: 3 });
    for (let number = 0; number < 4; number++) await post(own, chief);
    const failed = await post(own, chief);
    await settle(failed, "failed", "550 no", own);
    const first = await list("?state=waiting&limit=3", own, chief);
    expect(first.ids).toEqual([4, 3, 2]);
    expect(first.response.headers.get("x-total-count")).toBe("4");
    const next = first.response.headers.get("link") ?? "";
    expect(next).toBe('</api/admin/outbox?state=waiting&limit=3&after=2>; rel="next"');
    const second = await list("?state=waiting&limit=3&after=2", own, chief);
    expect(second.ids).toEqual([1]);
    expect(second.response.headers.get("link")).toBeNull();
    expect((await list("?state=failed", own, chief)).ids).toEqual([failed]);
  });

  test("shows copies of a mail to everybody where they failed, all of them where it is named", async () => {
    await using own = await openHarness();
    const chief = await addMember(own, "Chief", { level: 3 });
    await addMember(own, "Anna");
    await edit(own, chief, "POST /api/admin/mail", { subject: "News", message: "It moves." });
    await settle(2 as MailId, "failed", "550 no", own);
    expect((await list("", own, chief)).data).toMatchObject([{ id: 2, template: "bulk", mailing: 1 }]);
    expect((await list("?mailing=1", own, chief)).ids).toEqual([2, 1]);
    expect((await list("?mailing=1&state=waiting", own, chief)).ids).toEqual([1]);
    expect((await list("?mailing=7", own, chief)).ids).toEqual([]);
  });

  test.each([
    ["?state=sent", /^state: must be waiting or failed/],
    ["?state=", /^state: must be/],
    ["?mailing=x", /^mailing: must be the number/],
    ["?mailing=-1", /^mailing: must be the number/],
    ["?limit=0", /^limit: /],
    ["?after=x", /^after: /],
  ])("refuses %s", async (query, msg) => {
    await expectError(await get(`/api/admin/outbox${query}`), 400, msg);
  });
});

describe("one mail", () => {
  test("is shown also once it is sent, without what was an answer to it", async () => {
    const id = await post();
    await settle(id, "sent", "250 2.0.0 queued");
    const { data } = await readJson<Envelope<Row>>(await get(`/api/admin/outbox/${id}`));
    expect(data).toMatchObject({ id, state: "sent", error: null, next_at: null, can_retry: false });
  });

  test.each([
    ["4711", 404, /no mail 4711/],
    ["test", 400, /^id: must be the number of a mail/],
    ["1e3", 400, /^id: must be the number of a mail/],
  ])("that is not there: %s", async (id, status, msg) => {
    await expectError(await get(`/api/admin/outbox/${id}`), status, msg);
  });
});

describe("another try", () => {
  test("makes a failed mail due now, and is audited", async () => {
    const id = await post();
    await settle(id, "failed", "550 no such user");
    const now = harness.clock.nowSeconds();
    await play(harness, {
      name: "retry",
      actor: boss,
      request: `POST /api/admin/outbox/${id}/retry`,
      status: 200,
      msg: "Mail retry successfully",
      hasNot: [code],
      data: expect.objectContaining({ id, state: "waiting", attempts: 0, next_at: now }),
    });
    expect((await list()).data).toContainEqual(expect.objectContaining({ id, state: "waiting" }));
    expect(audit()).toEqual({
      issuer: "Boss",
      action: "mail.retry",
      detail: { new: { mail: id, template: "reset" } },
    });
  });

  test("leaves a mail alone that may be on its way", async () => {
    await using own = await openHarness();
    const chief = await addMember(own, "Chief", { level: 3 });
    const id = await post(own, chief);
    const until = own.clock.nowSeconds() + 60;
    await own.services.transact(system, ({ outbox, now }) => outbox.claimDue(["personal"], now, until));
    const response = await edit(own, chief, `POST /api/admin/outbox/${id}/retry`, undefined);
    const { data } = await readJson<Envelope<Row>>(response);
    expect(data).toMatchObject({ id, state: "waiting", attempts: 1, next_at: until });
  });

  test("is refused where the mail was sent, or nothing of it is left", async () => {
    const sent = await post();
    await settle(sent, "sent", "250 ok");
    await expectError(await retry(sent), 409, /was sent already/);
    const old = await post();
    await settle(old, "failed", "550 no such user");
    const before = harness.clock.nowSeconds() + 1;
    await harness.services.transact(system, ({ outbox }) => outbox.wipeFailedMails("personal", before));
    await expectError(await retry(old), 409, /too old: its content is gone/);
    const { data } = await readJson<Envelope<Row>>(await get(`/api/admin/outbox/${old}`));
    expect(data).toMatchObject({ state: "failed", can_retry: false });
    await expectError(await retry(4711), 404, /no mail 4711/);
  });
});

const send = (json: unknown) => edit(harness, boss, "POST /api/admin/outbox/test", json);
const newest = () => harness.database.everything()["outbox"]?.at(-1);

describe("a test mail", () => {
  test("goes to the administrator's own address, in the language of their mails", async () => {
    const { account } = boss;
    await harness.services.transact(system, ({ accounts }) =>
      accounts.updateAccount(account.id, { language: "de" }),
    );
    const response = await harness.fetch("/api/admin/outbox/test", {
      method: "POST",
      headers: { authorization: boss.authorization },
    });
    const { msg, data } = await readJson<Envelope<{ readonly id: number; readonly to: string }>>(response);
    expect([response.status, msg]).toEqual([200, "Test mail queued"]);
    expect(data).toEqual({ id: expect.any(Number), to: "Boss@example.org" });
    expect(newest()).toMatchObject({ id: data.id, template: "test", language: "de", state: "waiting" });
    expect(audit()).toEqual({
      issuer: "Boss",
      action: "mail.test",
      detail: { new: { mail: data.id, to: "Boss@example.org" } },
    });
  });

  test.each(languages)("goes to another address, in %s", async (language) => {
    expect((await send({ to: "somebody@example.net", language })).status).toBe(200);
    expect(newest()).toMatchObject({ recipient: "somebody@example.net", language });
  });

  test.each([
    [{ to: "nobody" }, /^to: must be an address/],
    [{ to: "a@example.org\r\nBcc: b@example.org" }, /^to: must be an address/],
    [{ to: 7 }, /^to: must be a text/],
    [{ language: "fr" }, /^language: must be one of en, ru, de, zh-Hans/],
  ])("is refused for %j", async (json, msg) => {
    const before = harness.database.everything();
    await expectError(await send(json), 400, msg);
    expect(harness.database.everything()).toEqual(before);
  });

  test("needs an address where the administrator has none", async () => {
    await using own = await openHarness();
    const chief = await addMember(own, "Chief", { level: 3 });
    await own.services.transact(system, ({ accounts }) =>
      accounts.updateAccount(chief.account.id, { mail: null, mailVerified: false }),
    );
    await expectError(
      await edit(own, chief, "POST /api/admin/outbox/test", {}),
      400,
      /^to: must be given: your account has no mail address/,
    );
    expect(own.countRows("outbox")).toBe(0);
  });
});

test("a mail that is given up after a day is listed without its content for 30 days", async () => {
  await using own = await openHarness();
  const chief = await addMember(own, "Chief", { level: 3 });
  const id = await post(own, chief);
  const at = own.clock.nowSeconds() + day + 1;
  await own.services.transact(system, ({ outbox }) => outbox.giveUpMails("personal", at, at));
  expect((await list("", own, chief)).data).toMatchObject([{ id, state: "failed", can_retry: false }]);
});
