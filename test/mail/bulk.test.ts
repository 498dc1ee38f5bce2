/** Mails to everybody on their way: a real outbox, a real mail server. */
import { describe, expect, test } from "bun:test";
import { smtpMailer } from "../../src/adapters/mail-smtp/smtp-mailer.ts";
import { mimeWriter } from "../../src/adapters/mail-mime/mime-writer.ts";
import { secretOf, subscriptionNames, unsubscribeLinks } from "../../src/boot/secrets.ts";
import type { Language } from "../../src/domain/model/mail.ts";
import { startMailOutbox } from "../../src/jobs/mail-outbox.ts";
import { createLogger } from "../../src/kernel/log.ts";
import { newUuid } from "../../src/kernel/ids.ts";
import { jwtSecret, openHarness, publicUrl, type Harness } from "../support/harness.ts";
import { addMember, edit } from "../support/members.ts";
import { openMailServer, type MailServer } from "./mail-server.ts";
import { confirmMail, look, openWorld, site } from "./outbox-world.ts";
import { ownTexts } from "./own-texts.ts";

type World = Awaited<ReturnType<typeof openWorld>>;

const text = { subject: "News", message: "Hello!\n\nMore on https://www.example.org/news?a=1&b=2." };

async function addReaders(world: World, count: number, language: Language = "en"): Promise<void> {
  const rest = {
    registration: "unnamed",
    mailVerified: true,
    passwordHash: null,
    permanentLevel: 1,
    createdAt: 1,
    language,
  } as const;
  await world.atomically(async ({ accounts }) => {
    for (let number = 0; number < count; number++) {
      await accounts.insertAccount({ ...rest, uuid: newUuid(), mail: `m${number}@example.org` });
    }
  });
}

const postBulk = (world: World, words = text) =>
  world.atomically(({ outbox }) =>
    outbox.insertBulkMail({ ...words, issuer: "Boss", at: world.clock.nowSeconds() }),
  );

const recipientsOf = ({ mails }: MailServer) =>
  mails.map(({ to }) => (to === undefined || Array.isArray(to) ? "" : to.text));

describe("a mail to everybody", () => {
  test("reaches each once, and a code that is posted in the middle overtakes the rest", async () => {
    await using server = await openMailServer();
    await using world = await openWorld();
    const copies = 120;
    await addReaders(world, copies);
    await postBulk(world);
    {
      await using _job = startMailOutbox(world.deps(world.toServer(server)));
      await server.has(10);
      await world.post(confirmMail, "late@example.org");
      await server.has(copies + 1);
    }
    const recipients = recipientsOf(server);
    expect(new Set(recipients).size).toBe(copies + 1);
    expect(recipients).toHaveLength(copies + 1);
    // Ten had arrived, and twenty may have been in hand.
    expect(recipients.indexOf("late@example.org")).toBeLessThan(copies - 30);
    expect(await world.entries()).toSatisfy((entries) => entries.every(({ state }) => state === "sent"));
  });

  test("that hangs at the mail server does not keep codes from being sent", async () => {
    const hanging = Promise.withResolvers<void>();
    await using server = await openMailServer({
      onRcptTo: async ({ address }, _, done) => {
        if (address !== "late@example.org") await hanging.promise;
        done();
      },
    });
    await using world = await openWorld();
    await addReaders(world, 10);
    await postBulk(world);
    const job = startMailOutbox(world.deps(world.toServer(server)));
    await world.post(confirmMail, "late@example.org");
    await server.has(1);
    expect(recipientsOf(server)).toEqual(["late@example.org"]);
    hanging.resolve();
    await job[Symbol.asyncDispose]();
  });

  test("has headers and a link by which mail programs end it, which other mails have not", async () => {
    await using server = await openMailServer();
    await using world = await openWorld();
    await addReaders(world, 1);
    await postBulk(world);
    await world.post(confirmMail);
    await world.sendAll(world.toServer(server));
    const [personal, bulk] = server.mails;
    const link = /https:\/\/skins\.example\.org\/mail\/unsubscribe\/[\w-]+/.exec(bulk?.text ?? "")?.[0] ?? "";
    expect(link).not.toBe("");
    const linesOf = (mail: typeof bulk) =>
      (mail?.headerLines ?? []).filter(({ key }) => key.startsWith("list-")).map(({ line }) => line);
    expect(linesOf(bulk)).toEqual([
      `List-Unsubscribe: <${link}>`,
      "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
    ]);
    expect(bulk?.html).toContain(`href="${link}"`);
    expect(linesOf(personal)).toEqual([]);
    expect(personal?.text).not.toContain("unsubscribe");
  });

  test("is tried on its writer alone, who gets what all would get", async () => {
    await using server = await openMailServer();
    await using world = await openWorld();
    await addReaders(world, 2);
    await world.atomically(async ({ accounts, outbox }) => {
      const member = await accounts.findMember({ by: "mail", value: "m0@example.org" });
      const mail = { template: "bulk", ...text, username: "Boss", account: member!.account.uuid } as const;
      await outbox.insertMail({ to: "m0@example.org", language: "de", at: world.clock.nowSeconds(), mail });
    });
    await world.sendAll(world.toServer(server));
    expect(recipientsOf(server)).toEqual(["m0@example.org"]);
    expect(server.mails[0]).toMatchObject({ subject: text.subject });
    expect(server.mails[0]?.text).toContain("Boss");
    expect(server.mails[0]?.text).toMatch(/https:\/\/skins\.example\.org\/mail\/unsubscribe\/[\w-]+/);
  });

  test("shows tags and odd characters as they were written, in both forms", async () => {
    const words = {
      subject: `<b>"News"</b> & {username} $& \u{1F469}\u200d\u{1F680}`,
      message: `<script>alert(1)</script>\n\n- one\n- two {site} {message}\n\n<a href="https://evil.example">x</a>`,
    };
    await using server = await openMailServer();
    await using world = await openWorld();
    await addReaders(world, 1);
    await postBulk(world, words);
    await world.sendAll(world.toServer(server));
    const [mail] = server.mails;
    expect(mail?.subject).toBe(words.subject);
    expect(mail?.text).toContain("<script>alert(1)</script>\n\n- one\n- two {site} {message}\n\n<a href=");
    const html = String(mail?.html);
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;</p>");
    expect(html).toContain("- one<br>\n- two {site} {message}</p>");
    expect(html).toContain(
      "&lt;b&gt;&quot;News&quot;&lt;/b&gt; &amp; {username} $&amp; \u{1F469}\u200d\u{1F680}",
    );
    expect(html).not.toMatch(/<script|<b>|<a href="https:\/\/evil/);
  });

  test("is written in the account's language", async () => {
    await using server = await openMailServer();
    await using world = await openWorld();
    await addReaders(world, 1, "ru");
    await postBulk(world);
    await world.sendAll(world.toServer(server));
    expect(server.mails[0]?.text).toContain("Не получать такие письма:");
  });

  test("waits for a week where other mails wait for a day", async () => {
    const day = 24 * 60 * 60;
    await using world = await openWorld();
    await addReaders(world, 1);
    const { id } = await postBulk(world);
    const states = async () => (await world.entries()).map(({ state, hasContent }) => [state, hasContent]);
    world.advance(7 * day);
    await world.sweep();
    expect(await states()).toEqual([["waiting", true]]);
    world.advance(1);
    await world.sweep();
    expect(await states()).toEqual([["failed", false]]);
    world.advance(7 * day - 1);
    await world.sweep();
    expect(await world.entries()).toMatchObject([{ bulk: id }]);
    world.advance(1);
    await world.sweep();
    expect(await world.entries()).toEqual([]);
  });

  test("whose link a server quotes does not bring it into the list or the log", async () => {
    await using world = await openWorld();
    await addReaders(world, 1);
    await postBulk(world);
    const link = /unsubscribe\/[0-9a-f-]{36}/;
    await world.sendAll({
      deliver: async ({ unsubscribe }) => ({ outcome: "refused", reply: `554 spam: ${unsubscribe}` }),
      [Symbol.asyncDispose]: async () => undefined,
    });
    expect(await world.entries()).toMatchObject([{ state: "failed", lastReply: "554 spam: [link]" }]);
    expect(world.lines.join("")).not.toMatch(link);
  });
});

describe("who unsubscribes as mail programs do", () => {
  test("gets no more mails to everybody, waiting ones included, but codes", async () => {
    await using server = await openMailServer();
    await using harness = await openHarness();
    const boss = await addMember(harness, "Boss", { level: 3 });
    const anna = await addMember(harness, "Anna");
    const write = (subject: string) => edit(harness, boss, "POST /api/admin/mail", { ...text, subject });
    await write("First");
    await using _job = startJob(harness, server.port);
    await server.has(2);
    const first = server.mails.find(({ to }) => JSON.stringify(to).includes(anna.mail));
    const [, url = "", path = ""] =
      /^List-Unsubscribe: <(https:\/\/[^/]+)(\/\S+)>$/.exec(
        first?.headerLines.find(({ key }) => key === "list-unsubscribe")?.line ?? "",
      ) ?? [];
    expect(url).toBe(publicUrl);

    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    expect((await harness.fetch(path, { method: "POST", body })).status).toBe(200);
    expect((await write("Second")).headers.get("x-mails-queued")).toBe("1");
    await edit(harness, anna, "POST /api/auth/forgetpass", { mail: anna.mail });
    await server.has(4);
    const toAnna = server.mails.filter(({ to }) => JSON.stringify(to).includes(anna.mail));
    expect(toAnna.map(({ subject }) => subject)).toEqual(["First", "Set a new password for www.example.org"]);
  });

  test("loses copies that wait, with the same request", async () => {
    await using harness = await openHarness();
    const boss = await addMember(harness, "Boss", { level: 3 });
    const anna = await addMember(harness, "Anna");
    await edit(harness, boss, "POST /api/admin/mail", text);
    expect(harness.countRows("outbox")).toBe(2);
    const link = unsubscribeLinks("", subscriptionNames(secretOf(jwtSecret)))(anna.account.uuid);
    await harness.fetch(link, { method: "POST" });
    expect(harness.database.everything()["outbox"]).toMatchObject([{ recipient: boss.mail }]);
  });
});

/** Sends the harness's outbox to the mail server on this port. */
function startJob({ services }: Harness, port: number): AsyncDisposable {
  const sender = { name: "Example", address: "noreply@example.org" };
  const server = { host: "127.0.0.1", port, secure: false, credentials: null };
  return startMailOutbox({
    ...services,
    mailer: smtpMailer(server, sender.address, mimeWriter(sender)),
    texts: ownTexts,
    look,
    play: null,
    site,
    messageDomain: site,
    unsubscribeLink: unsubscribeLinks(publicUrl, subscriptionNames(secretOf(jwtSecret))),
    perSecondMax: 1000,
    log: createLogger({ level: "error", format: "json" }),
  });
}
