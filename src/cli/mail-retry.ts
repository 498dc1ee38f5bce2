import { optional } from "../boot/config/options.ts";
import { integer } from "../boot/config/kinds.ts";
import type { MailId } from "../domain/mail/outbox.ts";
import { retryFailedMails, retryMail } from "../domain/mail/retry-mail.ts";
import { command } from "./command.ts";
import { withServices } from "./with-services.ts";

const id = optional(integer(1, Number.MAX_SAFE_INTEGER), "the mail's number", "every failed one");

export const mailRetry = command({
  name: "mail retry",
  summary: "has a mail, or all that failed, sent at once",
  details: "The server sends it; when none runs, the next one does.",
  settings: "taken",
  positionals: { id },
  run: async ({ id }, context) => {
    if (id !== null) {
      await withServices(context, (services) => retryMail(services, id as MailId)); // whether it is a mail's, the store tells
      return context.io.out(`mail ${id} is due now\n`);
    }
    const mails = await withServices(context, retryFailedMails);
    context.io.out(mails === 1 ? "1 mail is due now\n" : `${mails} mails are due now\n`);
  },
});
