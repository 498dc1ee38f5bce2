import { choice, integer } from "../boot/config/kinds.ts";
import { optional } from "../boot/config/options.ts";
import type { BulkMailId, OutboxEntry, OutboxReads } from "../domain/mail/outbox.ts";
import { limits } from "../kernel/limits.ts";
import { bulkProgressText, momentText } from "./bulk-progress.ts";
import { command } from "./command.ts";
import { json, tableText } from "./output.ts";
import { withServices } from "./with-services.ts";

export const mailList = command({
  name: "mail list",
  summary: "lists the mails of the outbox, with the mail server's last words",
  details:
    "What is sent is remembered for a week, what failed for 30 days, a mail to everybody for 14 days. Contents are never" +
    " shown. Mails to everybody come first, summed up; of their copies only those that failed are listed, unless --bulk" +
    " or --json asks for more.",
  settings: "taken",
  options: {
    state: optional(choice("waiting", "sent", "failed"), "only those in this state"),
    bulk: optional(
      integer(1, Number.MAX_SAFE_INTEGER),
      "only the copies of the mail to everybody with this id",
    ),
    json,
  },
  run: async ({ state, bulk, json }, context) => {
    const { out } = context.io;
    await withServices(context, async ({ reads: { outbox } }, { mail }) => {
      const only = bulk as BulkMailId | null; // whether it is a mail's, the store tells
      if (json) return printJson(out, pagesOf(outbox, { state, copies: only ?? "all" }));
      out(bulkProgressText(await outbox.bulkProgress(), mail.perSecondMax));
      return printTables(out, pagesOf(outbox, { state, copies: only ?? "failed" }));
    });
  },
});

type Print = (text: string) => void;
type Pages = AsyncIterable<readonly OutboxEntry[]>;
type Wanted = Pick<Parameters<OutboxReads["listMails"]>[0], "state" | "copies">;

/** The first page, be it empty, and those that follow: a million copies are never in memory at once. */
async function* pagesOf(outbox: OutboxReads, wanted: Wanted): Pages {
  const pageAfter = (afterId: number) => outbox.listMails({ ...wanted, afterId, rows: limits.pageRowsMax });
  let page = await pageAfter(0);
  do {
    yield page;
    page = await pageAfter(page.at(-1)?.id ?? Number.MAX_SAFE_INTEGER);
  } while (page.length > 0);
}

async function printTables(out: Print, pages: Pages): Promise<void> {
  for await (const page of pages) {
    const rows = page.map(({ id, state, attempts, template, bulk, to, dueAt, lastReply }) => {
      const mail = bulk === null ? template : `${template} ${bulk}`;
      return [String(id), state, String(attempts), mail, to, momentText(dueAt), lastReply ?? "-"];
    });
    out(tableText(["id", "state", "tries", "mail", "to", "sent, failed or due", "reply"], rows));
  }
}

/** An array, printed as it is read. */
async function printJson(out: Print, pages: Pages): Promise<void> {
  let before = "[";
  for await (const page of pages) {
    // Without the brackets around them.
    const items = JSON.stringify(page.map(mailRecord), null, 2).slice(1, -1).trimEnd();
    out(before + items);
    before = ",";
  }
  out("\n]\n");
}

function mailRecord(entry: OutboxEntry) {
  const { id, to, language, template, state, attempts, createdAt, dueAt, lastReply, hasContent, bulk } =
    entry;
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
