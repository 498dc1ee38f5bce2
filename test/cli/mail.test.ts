import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { simpleParser } from "mailparser";
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import { migrateDatabase } from "../../src/adapters/sqlite/migrate.ts";
import { languages } from "../../src/domain/model/mail.ts";
import type { MailId, MailState } from "../../src/domain/ports/outbox-store.ts";
import { newUuid } from "../../src/kernel/ids.ts";
import { openMailServer, openScriptedServer } from "../mail/mail-server.ts";
import { code, confirmMail } from "../mail/outbox-world.ts";
import { holdClosedPort } from "../support/closed-port.ts";
import { run, runProcess, temporaryFolder } from "./run-program.ts";

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;
let folder: Folder;

beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder[Symbol.asyncDispose]());

/** A data folder with a mail to everybody: of three copies one is sent and one failed. */
async function bulkFolder(): Promise<string> {
  const dataDir = join(folder.path, crypto.randomUUID());
  await mkdir(dataDir);
  const path = join(dataDir, "cloakroom.db");
  migrateDatabase(path);
  using database = openDatabase(path);
  const at = 4_102_444_800;
  const rest = {
    registration: "unnamed",
    mailVerified: true,
    passwordHash: null,
    permanentLevel: 1,
    createdAt: 1,
  } as const;
  await database.atomically(async ({ accounts, outbox }) => {
    for (const name of ["sent", "failed", "waiting"]) {
      await accounts.insertAccount({ ...rest, uuid: newUuid(), mail: `${name}@example.org`, language: "en" });
    }
    await outbox.insertBulkMail({ subject: "News ".repeat(20), message: "Secret plans", issuer: "Boss", at });
    const settle = (id: number, state: MailState) =>
      outbox.recordResult(id as MailId, { state, dueAt: at, reply: "550 no such user" });
    await settle(1, "sent");
    await settle(2, "failed");
    await outbox.insertMail({ to: "anna@example.org", language: "en", at, mail: confirmMail });
  });
  return dataDir;
}

/** A data folder with one mail for each state, and one whose content is gone. */
async function outboxFolder(): Promise<string> {
  const dataDir = join(folder.path, crypto.randomUUID());
  await mkdir(dataDir);
  const path = join(dataDir, "cloakroom.db");
  migrateDatabase(path);
  using database = openDatabase(path);
  const at = 4_102_444_800;
  const states: readonly MailState[] = ["waiting", "sent", "failed", "failed"];
  await database.atomically(async ({ outbox }) => {
    for (const [index, state] of states.entries()) {
      const to = `${state}@example.org`;
      await outbox.insertMail({ to, language: "en", at: index === 3 ? at - 1 : at, mail: confirmMail });
      const reply = state === "failed" ? "550 no such user" : "250 ok";
      await outbox.recordResult((index + 1) as MailId, { state, dueAt: at, reply });
    }
    await outbox.wipeFailedMails("personal", at);
  });
  return dataDir;
}

const mail = (dataDir: string, ...args: string[]) => run(["mail", ...args, "--data-dir", dataDir]);
const listed = async (dataDir: string, ...args: string[]): Promise<Record<string, unknown>[]> =>
  JSON.parse((await mail(dataDir, "list", "--json", ...args)).out);

describe("mail list", () => {
  test("shows every mail with the server's words, and no content", async () => {
    const { code: exit, out, error } = await mail(await outboxFolder(), "list");
    expect({ exit, error }).toEqual({ exit: 0, error: "" });
    expect(out).toMatch(/^1 +waiting +0 +confirm +waiting@example\.org +2100-01-01T00:00:00Z/m);
    expect(out).toMatch(/^3 +failed .*550 no such user$/m);
    expect(out).not.toContain(code);
  });

  test("as JSON says what can be tried again", async () => {
    const mails = await listed(await outboxFolder());
    expect(mails.map(({ id, state, can_retry }) => [id, state, can_retry])).toEqual([
      [1, "waiting", true],
      [2, "sent", false],
      [3, "failed", true],
      [4, "failed", false],
    ]);
    expect(mails[2]).toEqual({
      id: 3,
      bulk: null,
      to: "failed@example.org",
      language: "en",
      template: "confirm",
      state: "failed",
      attempts: 0,
      created: 4_102_444_800,
      due: null,
      done: 4_102_444_800,
      reply: "550 no such user",
      can_retry: true,
    });
  });

  test.each(["waiting", "sent", "failed"])("--state %s shows only those", async (state) => {
    const mails = await listed(await outboxFolder(), "--state", state);
    expect(new Set(mails.map((one) => one["state"]))).toEqual(new Set([state]));
  });

  test("begins with how far mails to everybody have come, and of their copies shows what failed", async () => {
    const { out } = await mail(await bulkFolder(), "list");
    const [head = "", line = "", blank, ...mails] = out.split("\n");
    expect(head).toMatch(/^id +to everybody +by +written +copies +sent +failed +waiting +left$/);
    expect(line).toMatch(/^1 +(?:News ){7}News… +Boss +2100-01-01T00:00:00Z +3 +1 +1 +1 +1 s$/);
    expect(blank).toBe("");
    expect(mails.map((row) => row.split(/ {2,}/).slice(0, 5).join("|"))).toEqual([
      "id|state|tries|mail|to",
      "2|failed|0|bulk 1|failed@example.org",
      "4|waiting|0|confirm|anna@example.org",
      "",
    ]);
    expect(out).not.toContain("Secret plans");
  });

  test("reckons with the pace that is set", async () => {
    const dataDir = await bulkFolder();
    using database = openDatabase(join(dataDir, "cloakroom.db"));
    const rest = {
      registration: "unnamed",
      mailVerified: true,
      passwordHash: null,
      permanentLevel: 1,
      createdAt: 1,
    } as const;
    await database.atomically(async ({ accounts, outbox }) => {
      for (let number = 0; number < 177; number++) {
        const mail = `m${number}@example.org`;
        await accounts.insertAccount({ ...rest, uuid: newUuid(), mail, language: "en" });
      }
      await outbox.insertBulkMail({ subject: "Second", message: "x", issuer: "Boss", at: 4_102_444_800 });
    });
    const leftAt = async (...args: string[]) =>
      (await mail(dataDir, "list", ...args)).out
        .split("\n")
        .slice(1, 3)
        .map((line) => line.split(/ {2,}/).at(-1));
    // One of the first waits, and 180 of the second, which comes after it.
    expect(await leftAt()).toEqual(["1 s", "19 s"]);
    expect(await leftAt("--mail-per-second-max", "1")).toEqual(["1 s", "4 min"]);
  });

  test("--bulk shows all the copies of one", async () => {
    const dataDir = await bulkFolder();
    const { out } = await mail(dataDir, "list", "--bulk", "1", "--state", "waiting");
    expect(out).toContain("waiting@example.org");
    expect(out).not.toContain("anna@example.org");
    const ids = async (...args: string[]) =>
      (await listed(dataDir, ...args)).map(({ id, bulk }) => [id, bulk]);
    expect(await ids("--bulk", "1")).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
    expect(await ids("--bulk", "2")).toEqual([]);
    expect(await ids()).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
      [4, null],
    ]);
  });

  test("is whole beyond what is read at once", async () => {
    const dataDir = await outboxFolder();
    using database = openDatabase(join(dataDir, "cloakroom.db"));
    await database.atomically(async ({ outbox }) => {
      for (let number = 4; number < 2000; number++) {
        await outbox.insertMail({ to: "a@example.org", language: "en", at: 1, mail: confirmMail });
      }
    });
    const mails = await listed(dataDir);
    expect(mails.map(({ id }) => id)).toEqual(Array.from({ length: 2000 }, (_, index) => index + 1));
    expect((await mail(dataDir, "list")).out.match(/^id /gm)).toHaveLength(2);
  });

  test("as JSON is an empty array when there is none", async () => {
    const dataDir = join(folder.path, "empty");
    await run(["migrate", "--data-dir", dataDir]);
    expect(await listed(dataDir)).toEqual([]);
  });

  test("refuses a state that there is not", async () => {
    expect(await mail(folder.path, "list", "--state", "lost")).toMatchObject({ code: 2, out: "" });
  });
});

describe("mail retry", () => {
  test("without a number brings forward what waits, and what failed and still has its content", async () => {
    const dataDir = await outboxFolder();
    expect(await mail(dataDir, "retry")).toEqual({ code: 0, out: "2 mails are due now\n", error: "" });
    const mails = await listed(dataDir);
    expect(mails.map(({ state }) => state)).toEqual(["waiting", "sent", "waiting", "failed"]);
    const now = Math.floor(Date.now() / 1000);
    for (const index of [0, 2]) expect(mails[index]?.["due"]).toBeLessThanOrEqual(now);
  });

  test("is in the audit, of one mail and of all", async () => {
    const dataDir = await outboxFolder();
    await mail(dataDir, "retry");
    await mail(dataDir, "retry", "1");
    const exported = await run(["audit", "export", "--data-dir", dataDir]);
    const entries = exported.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(entries.map(({ iss, action, detail }) => [iss, action, JSON.parse(detail)])).toEqual([
      ["cli", "mail.retry", { new: { mail: "all" } }],
      ["cli", "mail.retry", { new: { mail: 1, template: "confirm" } }],
    ]);
  });

  test("counts what was due before, too: nothing that waits is passed over in silence", async () => {
    const dataDir = await outboxFolder();
    for (const _ of [1, 2])
      expect(await mail(dataDir, "retry")).toEqual({ code: 0, out: "2 mails are due now\n", error: "" });
  });

  test("leaves alone what may be on its way just now, lest it goes out twice", async () => {
    const dataDir = await outboxFolder();
    expect((await mail(dataDir, "retry")).code).toBe(0);
    const now = Math.floor(Date.now() / 1000);
    {
      using database = openDatabase(join(dataDir, "cloakroom.db"));
      await database.atomically(({ outbox }) => outbox.claimDue(["personal"], now, now + 60));
    }
    const before = await listed(dataDir);
    const soon = "being sent, and due again within a minute if that fails";
    expect(await mail(dataDir, "retry")).toEqual({
      code: 0,
      out: `1 mail is due now, 1 more is ${soon}\n`,
      error: "",
    });
    const taken = String(before.find(({ attempts }) => attempts === 1)?.["id"]);
    expect(await mail(dataDir, "retry", taken)).toEqual({
      code: 0,
      out: `mail ${taken} is ${soon}\n`,
      error: "",
    });
    expect(await listed(dataDir)).toEqual(before);
  });

  test("brings forward what waits for its second try", async () => {
    const dataDir = await outboxFolder();
    const now = Math.floor(Date.now() / 1000);
    {
      using database = openDatabase(join(dataDir, "cloakroom.db"));
      const taken = await database.atomically(({ outbox }) =>
        outbox.claimDue(["personal"], 4_102_444_800, now + 60),
      );
      const result = { state: "waiting", dueAt: now + 30, reply: "451 try again" } as const;
      await database.atomically(({ outbox }) => outbox.recordResult(taken!.id, result));
    }
    expect(await mail(dataDir, "retry")).toEqual({ code: 0, out: "2 mails are due now\n", error: "" });
  });

  test("has copies of a mail to everybody sent, one or all that failed or wait", async () => {
    const dataDir = await bulkFolder();
    expect(await mail(dataDir, "retry", "2")).toMatchObject({ code: 0, out: "mail 2 is due now\n" });
    const other = await bulkFolder();
    expect(await mail(other, "retry")).toMatchObject({ code: 0, out: "3 mails are due now\n" });
    for (const one of [dataDir, other]) expect(await listed(one, "--state", "failed")).toEqual([]);
  });

  test.each(["1", "3"])("makes mail %s due now", async (id) => {
    const dataDir = await outboxFolder();
    expect(await mail(dataDir, "retry", id)).toEqual({ code: 0, out: `mail ${id} is due now\n`, error: "" });
    const found = (await listed(dataDir, "--state", "waiting")).find((one) => one["id"] === Number(id));
    expect(found?.["due"]).toBeLessThan(4_102_444_800);
  });

  test.each([
    ["2", "Mail 2 was sent already"],
    ["4", "its content is gone"],
    ["99", "There is no mail 99"],
  ])("refuses mail %s, saying why", async (id, reason) => {
    const { code: exit, error } = await mail(await outboxFolder(), "retry", id);
    expect(exit).toBe(1);
    expect(error).toContain(reason);
  });

  test.each(["0", "x", "-1", "1.5"])("takes no %s for a number", async (id) => {
    expect(await mail(folder.path, "retry", "--", id)).toMatchObject({ code: 2, out: "" });
  });

  test("says in its help that the number may be left out", async () => {
    expect((await run(["mail", "retry", "--help"])).out).toContain("cloakroom mail retry [id]");
  });
});

/** Sends a test mail to the server on the port. */
const send = (port: number, ...args: string[]) =>
  run(["mail", "test", "anna@example.org", "--data-dir", folder.path, ...args], {
    environment: {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      SITE_URL: "https://www.example.org",
      MAIL_FROM: "Our Crew <crew@example.org>",
    },
  });

describe("mail test", () => {
  test("shows the server's own words when it takes the mail", async () => {
    await using server = await openMailServer();
    expect(await send(server.port)).toEqual({ code: 0, out: "250 2.0.0 taken\n", error: "" });
    expect(server.mails[0]).toMatchObject({
      subject: "Test mail from www.example.org",
      from: { value: [{ name: "Our Crew", address: "crew@example.org" }] },
    });
  });

  test("speaks the language that is asked for", async () => {
    await using server = await openMailServer();
    await send(server.port, "--language", "ru");
    expect(server.mails[0]!.subject).toStartWith("Проверка почты");
  });

  test("shows them, and fails, when it does not", async () => {
    await using server = await openScriptedServer({ "RCPT TO": "550 5.1.1 no such user here" });
    const { code: exit, out, error } = await send(server.port);
    expect({ exit, out }).toEqual({ exit: 1, out: "" });
    expect(error).toContain("550 5.1.1 no such user here");
  });

  // A mail server that hangs would hold the process for half a minute; systemd and Docker wait 15 s for one
  // that stops.
  const endsWithinMs = 15_000;
  test(
    "ends although the server does not answer the good-bye",
    async () => {
      await using server = await openScriptedServer({ QUIT: "silence" });
      const environment = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: "crew@example.org" };
      const args = ["mail", "test", "anna@example.org"];
      const { code: exit, out } = await runProcess(args, { folder: folder.path, environment });
      expect({ exit, out }).toEqual({ exit: 0, out: "250 taken\n" });
    },
    endsWithinMs,
  );

  test("fails when no server is there", async () => {
    using closed = await holdClosedPort();
    const { code: exit, error } = await send(closed.port);
    expect(exit).toBe(1);
    expect(error).toContain("the test mail was refused: ");
    expect(error).not.toContain("internal fault");
  });

  test("writes a file, and names it, where no server is set", async () => {
    const { out } = await run(["mail", "test", "anna@example.org", "--data-dir", folder.path]);
    const [name = ""] = await readdir(join(folder.path, "mail"));
    expect(out).toBe(`written to ${join(folder.path, "mail", name)}\n`);
    const written = await simpleParser(await Bun.file(join(folder.path, "mail", name)).text());
    expect(written.from?.value[0]?.address).toBe("noreply@localhost");
  });

  test.each(["anna", "a@b", "a@example.org,b@example.org", "a@example.org\r\nBcc: b@example.org"])(
    "refuses %j for an address",
    async (address) => {
      const { code: exit, error } = await mail(folder.path, "test", address);
      expect(exit).toBe(1);
      expect(error).toContain("mail: must be an address");
    },
  );
});

describe("the words of mails", () => {
  test.each(languages)("are printed in %s as the file that replaces them", async (language) => {
    const dataDir = join(folder.path, `texts-${language}`);
    const printed = await mail(dataDir, "texts", language);
    expect(printed).toMatchObject({ code: 0, error: "" });
    await Bun.write(join(dataDir, "mail-templates", `${language}.toml`), printed.out);
    expect(await mail(dataDir, "texts", language)).toEqual(printed);
  });

  test("that cannot be used stop the program with 2, all faults named", async () => {
    const dataDir = join(folder.path, "faulty-texts");
    await Bun.write(
      join(dataDir, "mail-templates/en.toml"),
      `[confirm]\nsubjekt = "x"\n[reset]\nheading = "{x}"\n`,
    );
    await Bun.write(join(dataDir, "mail-templates/ru.toml"), "= nonsense");
    const { code: exit, error } = await mail(dataDir, "test", "anna@example.org");
    expect(exit).toBe(2);
    expect(error).toContain("mail-templates/en.toml: confirm.subjekt: there is no such text");
    expect(error).toContain("mail-templates/en.toml: reset.heading: {x} stands for nothing here");
    expect(error).toContain("ru.toml cannot be read");
  });
});
