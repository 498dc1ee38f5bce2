/** Mails to everybody before and after they are sent: the preview, and how far they are. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { system } from "../../src/domain/model/actor.ts";
import type { MailId } from "../../src/domain/ports/outbox-store.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { writeFreshDatabase } from "../support/fresh-database.ts";
import { openHarness, publicUrl, type Harness } from "../support/harness.ts";
import { addMember, edit, type Member } from "../support/members.ts";
import { expectError } from "../support/scenario.ts";

type Preview = {
  readonly recipients: number;
  readonly languages: readonly {
    readonly language: string;
    readonly recipients: number;
    readonly subject: string;
    readonly text: string;
    readonly html: string;
  }[];
};

const words = { subject: "News", message: "Hello!\n\nSee https://play.example.org <b>now</b>." };

let harness: Harness;
let boss: Member;
beforeAll(async () => {
  harness = await openHarness({ settings: { COMMUNITY_NAME: "Blocks & Friends" } });
  boss = await addMember(harness, "Boss", { level: 3 });
  for (const [name, language] of [
    ["Anna", "de"],
    ["Bob", "de"],
    ["Carla", "ru"],
  ] as const) {
    const { account } = await addMember(harness, name);
    await harness.services.transact(system, ({ accounts }) =>
      accounts.updateAccount(account.id, { language }),
    );
  }
  await addMember(harness, "Unverified", { mailVerified: false });
});
afterAll(() => harness[Symbol.asyncDispose]());

const preview = async (json: unknown) => {
  const response = await edit(harness, boss, "POST /api/admin/mail/preview", json);
  expect(response.status).toBe(200);
  return (await readJson<Envelope<Preview>>(response)).data;
};

describe("a preview", () => {
  test("counts the readers and shows the mail in every language, and sends nothing", async () => {
    const before = harness.database.everything();
    const { recipients, languages } = await preview(words);
    expect(harness.database.everything()).toEqual(before);
    expect(recipients).toBe(4);
    expect(languages.map(({ language, recipients }) => [language, recipients])).toEqual([
      ["en", 1],
      ["ru", 1],
      ["de", 2],
      ["zh-Hans", 0],
    ]);
    for (const { language, subject, text, html } of languages) {
      expect(subject).toBe("News");
      expect(text).toContain("Hello!\n\nSee https://play.example.org <b>now</b>.");
      expect(text).toContain("Blocks & Friends");
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).toContain("&lt;b&gt;now&lt;/b&gt;");
      expect(html).toContain("Blocks &amp; Friends");
      expect(text.replaceAll(/\s+/g, " ")).toContain("Boss");
    }
    expect(languages[2]?.text).toContain("Solche Mails abbestellen:");
    expect(languages[3]?.text).toContain("不再接收这类邮件：");
  });

  test("has as many readers as the mail gets copies", async () => {
    const { recipients } = await preview({ ...words, subject: "Counted" });
    const sent = await edit(harness, boss, "POST /api/admin/mail", { ...words, subject: "Counted" });
    expect(sent.headers.get("x-mails-queued")).toBe(String(recipients));
  });

  test("holds no link that ends the mails of the administrator", async () => {
    const { languages } = await preview(words);
    for (const { html } of languages) {
      const [, token = ""] = new RegExp(`${publicUrl}/mail/unsubscribe/([^"<]*)`).exec(html) ?? [];
      expect(token).toBe("…");
    }
  });

  test.each([
    [{ message: "x" }, /^subject: must be a text/],
    [{ subject: "x\nBcc: all@example.org", message: "x" }, /^subject: must be one line/],
    [{ subject: "x", message: "" }, /^message: must have 1 to 20000 characters/],
  ])("is refused as the mail would be: %j", async (json, msg) => {
    await expectError(await edit(harness, boss, "POST /api/admin/mail/preview", json), 400, msg);
  });
});

test("an operator's own texts are in the preview", async () => {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-texts-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  await Bun.write(join(folder, "mail-templates/de.toml"), `[frame]\nfooter = "Eure Leute von {site}"\n`);
  await writeFreshDatabase(join(folder, "cloakroom.db"));
  const own = opened.use(await openHarness({ folder }));
  const chief = await addMember(own, "Chief", { level: 3 });
  const response = await edit(own, chief, "POST /api/admin/mail/preview", words);
  const { languages } = (await readJson<Envelope<Preview>>(response)).data;
  const german = languages.find(({ language }) => language === "de");
  expect(german?.text).toContain("Eure Leute von www.example.org");
});

describe("a trial", () => {
  test("is queued for its writer alone, and is in the audit", async () => {
    await using own = await openHarness();
    const chief = await addMember(own, "Chief", { level: 3 });
    await addMember(own, "Anna");
    const response = await edit(own, chief, "POST /api/admin/mail/trial", words);
    expect(await response.json()).toEqual({
      error: false,
      msg: "Mail to yourself queued",
      url: null,
      data: { id: 1, to: "Chief@example.org" },
    });
    const { outbox = [], bulk_mails: mails = [], audit_entries: audit = [] } = own.database.everything();
    expect(outbox).toMatchObject([{ recipient: "Chief@example.org", template: "bulk", bulk_mail_id: null }]);
    expect(mails).toEqual([]);
    const entry = audit.at(-1) as { action: string; detail: string };
    expect(entry.action).toBe("mail.test");
    expect(JSON.parse(entry.detail).new).toEqual({
      mail: 1,
      to: "Chief@example.org",
      subject: words.subject,
    });
  });

  test("of words that no mail may have is refused", async () => {
    await expectError(
      await edit(harness, boss, "POST /api/admin/mail/trial", { ...words, subject: "" }),
      400,
    );
  });
});

describe("the list of mails to everybody", () => {
  test("counts the copies of each, the newest first", async () => {
    await using own = await openHarness();
    const chief = await addMember(own, "Chief", { level: 3 });
    for (const name of ["Anna", "Bob", "Carla"]) await addMember(own, name);
    const send = (subject: string) => edit(own, chief, "POST /api/admin/mail", { ...words, subject });
    expect((await send("First")).headers.get("x-mailing")).toBe("1");
    expect((await send("Second")).headers.get("x-mailing")).toBe("2");
    const record = (id: number, state: "sent" | "failed") =>
      own.services.transact(system, ({ outbox, now }) =>
        outbox.recordResult(id as MailId, { state, dueAt: now, reply: "x" }),
      );
    await record(1, "sent");
    await record(2, "failed");
    await own.services.transact(system, ({ outbox }) => outbox.dropWaitingCopies("bob@example.org"));
    await own.services.transact(system, ({ outbox }) => outbox.dropWaitingCopies("carla@example.org"));
    const time = own.clock.nowSeconds();
    const mails = [
      { id: 2, subject: "Second", iss: "Chief", time, total: 4, sent: 0, failed: 0, waiting: 2 },
      { id: 1, subject: "First", iss: "Chief", time, total: 4, sent: 1, failed: 1, waiting: 0 },
    ];
    const get = async (query: string) => {
      const headers = { authorization: chief.authorization };
      const response = await own.fetch(`/api/admin/mail${query}`, { headers });
      return { response, data: (await readJson<Envelope<unknown>>(response)).data };
    };
    expect((await get("")).data).toEqual(mails);
    const { response, data } = await get("?limit=1");
    expect(data).toEqual(mails.slice(0, 1));
    expect(response.headers.get("x-total-count")).toBe("2");
    expect(response.headers.get("link")).toBe('</api/admin/mail?limit=1&after=2>; rel="next"');
    expect((await get("?limit=1&after=2")).data).toEqual(mails.slice(1));
  });
});
