/** Mails to everybody: who gets one, what is refused, what stays behind. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { system } from "../../src/domain/model/actor.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, edit, type Member } from "../support/members.ts";
import { expectError } from "../support/scenario.ts";

const message = "Hello!\n\nThe server moves tomorrow.";

let harness: Harness;
let admin: Member;
beforeAll(async () => {
  harness = await openHarness();
  admin = await addMember(harness, "Boss", { level: 3 });
});
afterAll(() => harness[Symbol.asyncDispose]());

const send = (json: unknown, actor = admin, on = harness) => edit(on, actor, "POST /api/admin/mail", json);
const rows = (table: string) => harness.database.everything()[table] ?? [];

describe("a mail to everybody", () => {
  test("goes to every verified address that wants it, and is answered without an envelope", async () => {
    await using own = await openHarness();
    const boss = await addMember(own, "Boss", { level: 3 });
    await addMember(own, "Anna");
    await addMember(own, "Unready", { finished: false });
    await addMember(own, "Unverified", { mailVerified: false });
    const silent = await addMember(own, "Silent");
    await own.services.transact(system, ({ accounts }) =>
      accounts.updateAccount(silent.account.id, { wantsBulkMail: false }),
    );

    const response = await send({ subject: "  News  ", message }, boss, own);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ msg: "Mail sent to all users: 3 on their way" });
    expect(response.headers.get("x-mails-queued")).toBe("3");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const { outbox = [], bulk_mails: mails = [], audit_entries: audit = [] } = own.database.everything();
    expect(mails).toEqual([
      {
        id: 1,
        subject: "News",
        message,
        issuer: "Boss",
        created_at: own.clock.nowSeconds(),
        total: 3,
        waiting: 3,
        sent: 0,
        failed: 0,
      },
    ]);
    expect(outbox).toHaveLength(3);
    expect(new Set(outbox.map((row) => (row as { recipient: string }).recipient))).toEqual(
      new Set(["Boss@example.org", "Anna@example.org", "Unready@example.org"]),
    );
    const sha256 = new Bun.CryptoHasher("sha256").update(message).digest("hex");
    const entry = audit.at(-1) as { detail: string };
    expect(entry).toMatchObject({ issuer: "Boss", action: "mail.bulk", for_account_id: 0 });
    expect(JSON.parse(entry.detail)).toEqual({
      old: null,
      new: { mail: 1, subject: "News", message_sha256: sha256, recipients: 3 },
    });
  });

  test("keeps its words once, not in every copy", async () => {
    await send({ subject: "Once", message: "A word that is rare: heliotrope" });
    expect(rows("outbox").length).toBeGreaterThan(0);
    expect(JSON.stringify(rows("outbox"))).not.toContain("heliotrope");
  });

  test("gets line ends of one kind and loses blanks at its ends", async () => {
    await send({ subject: "Ends", message: "\n one\r\ntwo\rthree\u2028four\u2029\tfive \r\n" });
    expect(rows("bulk_mails").at(-1)).toMatchObject({ message: "one\ntwo\nthree\nfour\n\tfive" });
  });

  test("is taken once when it is posted twice, also at the same moment", async () => {
    const before = rows("outbox").length;
    const mail = { subject: "Twice", message };
    const answers = await Promise.all([send(mail), send(mail), send(mail)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const queued = Number(answers.find(({ status }) => status === 200)?.headers.get("x-mails-queued"));
    expect(rows("outbox").length - before).toBe(queued);
    await expectError(await send(mail), 409, /less than ten minutes ago/);
    expect((await send({ ...mail, message: `${message} Again.` })).status).toBe(200);
    harness.clock.advance(10 * 60);
    expect((await send(mail)).status).toBe(200);
  });
});

describe("the words may be", () => {
  const face = "\u{1F600}";
  test.each([
    ["a subject of 150 characters", { subject: face.repeat(150), message }],
    ["a subject with joined emoji", { subject: "\u{1F469}\u200d\u{1F680} lands", message }],
    ["a message of 20,000 characters", { subject: "Long", message: face.repeat(20_000) }],
    ["a single character each", { subject: "!", message: "?" }],
    ["tags, which are shown as they are written", { subject: "<b>", message: "<script>alert(1)</script>" }],
  ])("%s", async (_, json) => {
    expect((await send(json)).status).toBe(200);
    expect(rows("bulk_mails").at(-1)).toMatchObject(json);
  });
});

describe("is refused, and nothing is queued,", () => {
  const subjectRule = /^subject: must be one line of 1 to 150 characters/;
  const messageRule = /^message: must have 1 to 20000 characters/;
  test.each<readonly [string, unknown, RegExp]>([
    ["no subject", { message }, /^subject: must be a text/],
    ["no message", { subject: "x" }, /^message: must be a text/],
    ["a number for a subject", { subject: 7, message }, /^subject: must be a text/],
    ["a list for a message", { subject: "x", message: ["x"] }, /^message: must be a text/],
    ["null", { subject: null, message: null }, /^subject: must be a text/],
    ["an empty subject", { subject: "", message }, subjectRule],
    ["a blank subject", { subject: " \u00a0 ", message }, subjectRule],
    ["an invisible subject", { subject: "\u200b\u2060", message }, subjectRule],
    ["151 characters of subject", { subject: "x".repeat(151), message }, subjectRule],
    ["two lines of subject", { subject: "x\nBcc: all@example.org", message }, subjectRule],
    ["a carriage return in the subject", { subject: "x\rBcc: all@example.org", message }, subjectRule],
    ["a line separator in the subject", { subject: "x\u2028y", message }, subjectRule],
    ["a null in the subject", { subject: "x\0y", message }, subjectRule],
    ["half a character in the subject", { subject: "x\ud800", message }, subjectRule],
    ["an empty message", { subject: "x", message: "" }, messageRule],
    ["a message of line ends", { subject: "x", message: "\n\n\t" }, messageRule],
    ["20,001 characters of message", { subject: "x", message: "x".repeat(20_001) }, messageRule],
    ["an escape in the message", { subject: "x", message: "a\u001b[2Jb" }, messageRule],
    ["half a character in the message", { subject: "x", message: "\udc00" }, messageRule],
    ["a list", [], /./],
  ])("%s", async (_, json, msg) => {
    const before = harness.database.everything();
    await expectError(await send(json), 400, msg);
    expect(harness.database.everything()).toEqual(before);
  });

  test.each([
    ["what is no JSON", "{", "application/json", 400],
    ["a form", "subject=x&message=y", "application/x-www-form-urlencoded", 415],
    ["600 kB", JSON.stringify({ subject: "x", message: "x".repeat(600_000) }), "application/json", 413],
  ])("%s", async (_, body, type, status) => {
    const headers = { authorization: admin.authorization, "content-type": type };
    const path = "/api/admin/mail";
    await expectError(await harness.fetch(path, { method: "POST", headers, body }), status);
  });

  test("below level 3, before anything is read", async () => {
    const moderator = await addMember(harness, "Helper", { level: 2 });
    await expectError(await send({}, moderator), 403, /level 3/);
    await expectError(await harness.fetch("/api/admin/mail", { method: "POST", body: "{" }), 401);
  });
});
