import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileMailer } from "../../src/adapters/mail-file/file-mailer.ts";
import { mimeWriter } from "../../src/adapters/mail-mime/mime-writer.ts";
import { smtpMailer } from "../../src/adapters/mail-smtp/smtp-mailer.ts";
import type { SmtpServer } from "../../src/adapters/mail-smtp/smtp-session.ts";
import { openDatabase, type SqliteDatabase } from "../../src/adapters/sqlite/database.ts";
import { migrateDatabase } from "../../src/adapters/sqlite/migrate.ts";
import { coloursOf } from "../../src/domain/mail/html.ts";
import { ownTexts } from "./own-texts.ts";
import type { Language, Mail, PersonalMail } from "../../src/domain/model/mail.ts";
import type { Mailer } from "../../src/domain/ports/mailer.ts";
import { mailKinds, type OnMailDue, type OutboxEntry } from "../../src/domain/ports/outbox-store.ts";
import { sendNextMail, sweepOutbox, type SendDeps, type SendSlot } from "../../src/domain/mail/send-mail.ts";
import type { Atomically } from "../../src/domain/ports/stores.ts";
import { createTransact } from "../../src/domain/sessions/transact.ts";
import { runTwice } from "../support/run-twice.ts";
import { createLogger } from "../../src/kernel/log.ts";

export const site = "www.example.org";
export const look = coloursOf(null);
export const play = "https://www.example.org/play";
const sender = { name: "Example", address: "noreply@example.org" };
export const code = "ABCDE-12345";
export const link = "https://www.example.org/confirm?code=ABCDE-12345";
export const origin = { time: "2026-11-22 09:37 UTC", network: "203.0.113.0/24" };

/** One of each mail to one person. */
export const everyPersonalMail: readonly PersonalMail[] = [
  { template: "confirm", code, link, ...origin },
  { template: "already-registered", username: "Anna", link, ...origin },
  { template: "address-taken", username: "Anna", ...origin },
  { template: "unknown-address", ...origin },
  { template: "reset", username: "Anna", code, link, ...origin },
  { template: "claim", username: "Anna", code, link, ...origin },
  { template: "change-mail", username: "Anna", code, link, ...origin },
  { template: "mail-changed", username: "Anna", newMail: "new@example.net" },
  { template: "password-changed", username: "Anna" },
  { template: "skin-removed", username: "Anna", skin: "Diver", reason: "It shows a forbidden symbol" },
  { template: "suspended", username: "Anna", end: "2100-01-02 00:00 UTC", reason: "Griefing at the market" },
  { template: "leaving", username: "Anna", time: origin.time, link },
  { template: "test" },
];

const unsubscribeLink = (account: string) => `https://skins.example.org/mail/unsubscribe/${account}`;

const bulkMail: Mail = {
  template: "bulk",
  username: "Anna",
  subject: "News & more",
  message: "Hello!\n\nSee https://www.example.org/news?a=1&b=2.",
  unsubscribe: unsubscribeLink("token"),
};

/** One of each mail. */
export const everyMail: readonly Mail[] = [...everyPersonalMail, bulkMail];

export const confirmMail: PersonalMail = { template: "confirm", code, link, ...origin };

/** The outbox over a database of its own, a clock that a test turns, and a log that a test reads. */
export async function openWorld() {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "cloakroom-mail-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "cloakroom.db");
  migrateDatabase(path);
  const mailers: Mailer[] = [];
  opened.defer(async () => void (await Promise.all(mailers.map((mailer) => mailer[Symbol.asyncDispose]()))));
  let database: SqliteDatabase = openDatabase(path, { rerun: runTwice() });
  opened.defer(() => database[Symbol.dispose]());
  let now = Date.UTC(2100, 0, 1) / 1000;
  const lines: string[] = [];
  const log = createLogger({ level: "debug", format: "json", write: (line) => void lines.push(line) });
  const closing = opened.move();

  // Whichever database is open then.
  const atomically: Atomically = (work) => database.atomically(work);
  const world = {
    folder,
    path,
    lines,
    clock: { nowSeconds: () => now, steadySeconds: () => now },
    advance: (seconds: number) => void (now += seconds),
    toServer: (server: Partial<SmtpServer> & { readonly port: number }): Mailer => {
      const whole = { host: "127.0.0.1", secure: false, credentials: null, ...server };
      const mailer = smtpMailer(whole, sender.address, mimeWriter(sender));
      mailers.push(mailer);
      return mailer;
    },
    toFiles: (): Mailer => fileMailer(join(folder, "mail"), mimeWriter(sender)),
    deps: (mailer: Mailer): SendDeps & { readonly onMailDue: OnMailDue; readonly perSecondMax: number } => {
      const { reads, onMailDue } = database;
      const transact = createTransact({ atomically: database.atomically, clock: world.clock });
      const settings = {
        texts: ownTexts,
        site,
        look,
        play,
        messageDomain: site,
        unsubscribeLink,
        perSecondMax: 1000,
      };
      return { reads, transact, onMailDue, clock: world.clock, mailer, log, ...settings };
    },
    atomically,
    post: async (mail: PersonalMail, to = "anna@example.org", language: Language = "en") =>
      database.atomically(({ outbox }) => outbox.insertMail({ to, language, at: now, mail })),
    /** Sends until nothing is due; returns how many were tried. */
    sendAll: async (mailer: Mailer, slot: Partial<SendSlot> = {}) => {
      let tried = 0;
      while (await sendNextMail(world.deps(mailer), { ...calmly, ...slot })) tried += 1;
      return tried;
    },
    sweep: () => sweepOutbox(world.deps(world.toFiles()), () => false),
    entries: (): Promise<readonly OutboxEntry[]> =>
      database.reads.outbox.listMails({ state: null, copies: "all", afterId: 0, rows: 1000 }),
    /** As after the end of the process and a new start. */
    reopen: () => {
      database[Symbol.dispose]();
      database = openDatabase(path, { rerun: runTwice() });
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
  return world;
}

export const calmly: SendSlot = {
  interrupt: new AbortController().signal,
  kinds: mailKinds,
  atRate: (begin) => begin(),
  rest: () => Promise.resolve(),
};
