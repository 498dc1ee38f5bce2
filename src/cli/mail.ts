import { choice, integer, text } from "../boot/config/kinds.ts";
import { optional, required, withDefault } from "../boot/config/options.ts";
import { letterheadOf, loadMailTexts, openMailer } from "../boot/mail.ts";
import { wordsOf } from "../domain/mail/replace-texts.ts";
import { retryAllMails, retryMail } from "../domain/mail/retry-mail.ts";
import { sendTestMail } from "../domain/mail/send-mail.ts";
import { commandLine } from "../domain/model/actor.ts";
import { languages } from "../domain/model/mail.ts";
import { parseMail } from "../domain/model/mail-address.ts";
import type { BulkMailId, BulkProgress, MailId, OutboxEntry } from "../domain/ports/outbox-store.ts";
import { systemClock } from "../kernel/clock.ts";
import { PlainError } from "../kernel/errors.ts";
import { limits } from "../kernel/limits.ts";
import { json } from "./arguments.ts";
import { command } from "./command.ts";
import { countText, pagesOf, printList, tableText } from "./output.ts";
import { timeText } from "./records.ts";

// Without Intl, which takes a start a megabyte of memory.
const languageNames = `${languages.slice(0, -1).join(", ")} or ${languages.at(-1)}`;
const rowNumber = integer(1, Number.MAX_SAFE_INTEGER);

/** `mail list`: prints a table of the outbox, after a summary of each mail to everybody. */
export const mailList = command({
  name: "mail list",
  summary: "lists the mails of the outbox, with the mail server's last replies",
  details:
    "Sent mails stay in the list for a week, failed ones for 30 days, mails to everybody for 14 days. Contents are never" +
    " shown. A summary of each mail to everybody comes first; of its copies only those that failed are listed, unless --bulk" +
    " or --json asks for more.",
  options: {
    state: optional(choice("waiting", "sent", "failed"), "only those in this state"),
    bulk: optional(rowNumber, "only the copies of the mail to everybody with this id"),
    json,
  },
  run: async ({ state, bulk, json }, { io, withServices }) => {
    await withServices(async ({ reads: { outbox } }, { mail }) => {
      const copies = bulk as BulkMailId | null; // the store knows whether it is a mail's
      if (!json) await io.stream(bulkProgressText(await outbox.bulkProgress(), mail.perSecondMax));
      const wanted = { state, copies: copies ?? (json ? "all" : "failed") } as const;
      const pages = pagesOf(
        (afterId) => outbox.listMails({ ...wanted, afterId, rows: limits.pageRowsMax }),
        ({ id }) => id,
      );
      await printList(io, json, { pages, total: null, head, cells: mailCells, record: mailRecord });
    });
  },
});

const head = ["id", "state", "tries", "mail", "to", "sent, failed or due", "reply"];

function mailCells({ id, state, attempts, template, bulk, to, dueAt, lastReply }: OutboxEntry): string[] {
  const mail = bulk === null ? template : `${template} ${bulk}`;
  return [String(id), state, String(attempts), mail, to, momentText(dueAt), lastReply ?? "-"];
}

function mailRecord({ createdAt, dueAt, lastReply, hasContent, ...entry }: OutboxEntry) {
  const { id, bulk, to, language, template, state, attempts } = entry;
  return {
    id,
    bulk,
    to,
    language,
    template,
    state,
    attempts,
    created: createdAt,
    due: state === "waiting" ? dueAt : null,
    done: state === "waiting" ? null : dueAt,
    reply: lastReply,
    can_retry: state !== "sent" && hasContent,
  };
}

const bulkHead = ["id", "to everybody", "by", "written", "copies", "sent", "failed", "waiting", "left"];
/** Longer subjects are cut, so that the columns fit. */
const subjectShown = 40;

/** The progress of each mail to everybody, with the time left at this rate. Empty if there is none. */
function bulkProgressText(mails: readonly BulkProgress[], perSecondMax: number): string {
  if (mails.length === 0) return "";
  let ahead = 0;
  const rows = mails.map(({ id, subject, issuer, createdAt, sent, failed, waiting }) => {
    // Earlier mails are sent first.
    ahead += waiting;
    const left = waiting === 0 ? "-" : durationText(ahead / perSecondMax);
    const counts = [sent + failed + waiting, sent, failed, waiting].map(String);
    return [String(id), shortened(subject), issuer, momentText(createdAt), ...counts, left];
  });
  return `${tableText(bulkHead, rows)}\n`;
}

function shortened(subject: string): string {
  const characters = Array.from(subject);
  return characters.length <= subjectShown ? subject : `${characters.slice(0, subjectShown - 1).join("")}…`;
}

/** `2100-01-01T00:00:00Z` */
function momentText(seconds: number): string {
  return timeText(seconds).replace(".000", "");
}

/** Roughly how long, in the two largest units: `2 h 46 min`. */
function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const sendingText = "being sent, and due again within a minute if that fails";

/** `mail retry`: prints how many mails are due now. Exits with 1 for a mail that cannot be sent again. */
export const mailRetry = command({
  name: "mail retry",
  summary: "brings forward all mails that wait or failed, or one mail",
  details:
    "The server sends them at once; if no server runs, the next one does. Mails that are being sent at this moment are left" +
    " alone: they are due again within a minute if that fails.",
  positionals: { id: optional(rowNumber, "the mail's number", "every one that waits or failed") },
  run: async ({ id }, { withServices }) => {
    if (id !== null) {
      // The store knows whether it is a mail's.
      const { due } = await withServices((services) => retryMail(services, commandLine, id as MailId));
      return due === "now" ? `mail ${id} is due now\n` : `mail ${id} is ${sendingText}\n`;
    }
    const { now, sending } = await withServices(retryAllMails);
    const more = sending === 0 ? "" : `, ${sending} more ${sending === 1 ? "is" : "are"} ${sendingText}`;
    return `${countText(now, "mail is", "mails are")} due now${more}\n`;
  },
});

/** `mail test`: prints the mail server's reply. Exits with 1 if it refused the mail. */
export const mailTest = command({
  name: "mail test",
  summary: "sends a test mail at once and shows the mail server's reply",
  details: "It does not go through the outbox. Without SMTP_URL it is written to a file.",
  positionals: { address: required(text("ADDRESS"), "the recipient") },
  options: { language: withDefault(choice(...languages), "en", `of the mail: ${languageNames}`) },
  run: async ({ address, language }, { loadConfig }) => {
    const to = parseMail(address);
    const { config } = await loadConfig();
    const texts = await loadMailTexts(config);
    const letterhead = letterheadOf(config, config.siteUrl ?? config.publicUrl ?? "http://localhost");
    await using mailer = openMailer(config, letterhead);
    const deps = { mailer, texts, ...letterhead, clock: systemClock };
    const { outcome, reply } = await sendTestMail(deps, to, language);
    if (outcome !== "accepted") throw new PlainError("invalid", `the test mail was refused: ${reply}`);
    return `${reply}\n`;
  },
});

/**
 * `mail texts`: prints the texts of one language as TOML, as `mail-templates` in the data folder takes them.
 */
export const mailTexts = command({
  name: "mail texts",
  summary: "prints the texts of the mails, as a file to change them with",
  details:
    "Saved as mail-templates/<language>.toml in the data folder, the file replaces the built-in texts at the next start." +
    " Texts that are missing in it stay the built-in ones.",
  positionals: { language: required(choice(...languages), languageNames) },
  run: async ({ language }, { loadConfig }) => {
    const { config } = await loadConfig();
    const texts = await loadMailTexts(config);
    const tables = Object.entries(wordsOf(texts[language])).map(([table, words]) => {
      const lines = Object.entries(words).filter(([, text]) => text !== null);
      // Every JSON string, and every list of them, is TOML as well.
      return `[${table}]\n${lines.map(([key, text]) => `${key} = ${JSON.stringify(text)}\n`).join("")}`;
    });
    return tables.join("\n");
  },
});
