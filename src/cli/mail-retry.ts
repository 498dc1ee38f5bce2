import { optional } from "../boot/config/options.ts";
import { integer } from "../boot/config/kinds.ts";
import type { MailId } from "../domain/ports/outbox-store.ts";
import { retryAllMails, retryMail } from "../domain/mail/retry-mail.ts";
import { command } from "./command.ts";
import { withServices } from "./with-services.ts";

const id = optional(
  integer(1, Number.MAX_SAFE_INTEGER),
  "the mail's number",
  "every one that waits or failed",
);

const soonText = "on its way or due within a minute";

export const mailRetry = command({
  name: "mail retry",
  summary: "brings forward everything that waits or failed, or one mail",
  details:
    "The server sends it at once; when none runs, the next one does. What may be on its way just now is left alone: it is due within" +
    " a minute.",
  settings: "taken",
  positionals: { id },
  run: async ({ id }, context) => {
    if (id !== null) {
      // Whether it is a mail's, the store tells.
      const due = await withServices(context, (services) => retryMail(services, id as MailId));
      return context.io.out(due === "now" ? `mail ${id} is due now\n` : `mail ${id} is ${soonText}\n`);
    }
    const { now, soon } = await withServices(context, retryAllMails);
    const more = soon === 0 ? "" : `, ${soon} more ${soon === 1 ? "is" : "are"} ${soonText}`;
    context.io.out(`${now} ${now === 1 ? "mail is" : "mails are"} due now${more}\n`);
  },
});
