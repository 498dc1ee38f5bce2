import { choice } from "../boot/config/kinds.ts";
import { optional } from "../boot/config/options.ts";
import type { MailState, OutboxEntry, OutboxReads } from "../domain/mail/outbox.ts";
import { limits } from "../kernel/limits.ts";
import { command } from "./command.ts";
import { json, jsonText, tableText } from "./output.ts";
import { withServices } from "./with-services.ts";

export const mailList = command({
  name: "mail list",
  summary: "lists the mails of the outbox, with the mail server's last words",
  details: "What is sent is remembered for a week, what failed for 30 days. Contents are never shown.",
  settings: "taken",
  options: { state: optional(choice("waiting", "sent", "failed"), "only those in this state"), json },
  run: async ({ state, json }, context) => {
    const mails = await withServices(context, ({ reads }) => allMails(reads.outbox, state));
    if (json) return context.io.out(jsonText(mails.map(mailRecord)));
    const rows = mails.map(({ id, state, attempts, template, to, dueAt, lastReply }) => {
      return [String(id), state, String(attempts), template, to, timeText(dueAt), lastReply ?? "-"];
    });
    context.io.out(tableText(["id", "state", "tries", "mail", "to", "sent, failed or due", "reply"], rows));
  },
});

async function allMails(outbox: OutboxReads, state: MailState | null): Promise<OutboxEntry[]> {
  const mails: OutboxEntry[] = [];
  for (;;) {
    const page = await outbox.listMails({ state, afterId: mails.at(-1)?.id ?? 0, rows: limits.pageRowsMax });
    mails.push(...page);
    if (page.length < limits.pageRowsMax) return mails;
  }
}

function mailRecord(entry: OutboxEntry) {
  const { id, to, language, template, state, attempts, createdAt, dueAt, lastReply, hasContent } = entry;
  return {
    id,
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

function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000", "");
}
