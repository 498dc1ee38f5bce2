import { choice, text } from "../boot/config/kinds.ts";
import { required, withDefault } from "../boot/config/options.ts";
import { loadMailTexts, mailNames, openMailer } from "../boot/mail.ts";
import { parseMail } from "../domain/model/mail-address.ts";
import { languages } from "../domain/model/mail.ts";
import { sendTestMail } from "../domain/mail/send-mail.ts";
import { systemClock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import { command } from "./command.ts";

export const mailTest = command({
  name: "mail test",
  summary: "sends a test mail at once and shows what the mail server says",
  details: "It does not go through the outbox. Without SMTP_URL it becomes a file.",
  settings: "taken",
  positionals: { address: required(text("ADDRESS"), "where to") },
  options: { language: withDefault(choice(...languages), "en", "of the mail: en or ru") },
  run: async ({ address, language }, context) => {
    const to = parseMail(address);
    const { config } = await context.loadConfig();
    const texts = await loadMailTexts(config);
    const names = mailNames(config, config.siteUrl ?? config.publicUrl ?? "http://localhost");
    await using mailer = openMailer(config, names);
    const deps = { mailer, texts, ...names, clock: systemClock };
    const { outcome, reply } = await sendTestMail(deps, to, language);
    if (outcome !== "accepted") throw new AppError("invalid", `the test mail was not taken: ${reply}`);
    context.io.out(`${reply}\n`);
  },
});
