import { choice, integer } from "../boot/config/kinds.ts";
import { optional } from "../boot/config/options.ts";
import type { BulkMailId, OutboxEntry } from "../domain/ports/outbox-store.ts";
import { limits } from "../kernel/limits.ts";
import { bulkProgressText, momentText } from "./bulk-progress.ts";
import { command } from "./command.ts";
import { pagesOf, printList } from "./list-output.ts";
import { json } from "./output.ts";
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
    const { io } = context;
    await withServices(context, async ({ reads: { outbox } }, { mail }) => {
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
