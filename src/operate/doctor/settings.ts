import type { Config } from "../../boot/config.ts";
import { settingTraps } from "../../boot/config/traps.ts";
import { isLoopbackHost } from "../../kernel/ip-address.ts";
import { letterheadOf, senderOf } from "../../boot/mail.ts";
import { problem, warning, type Finding, type Subject } from "./finding.ts";

/** Settings that are valid, but hardly what the operator wants. */
export function* checkSettings({ loaded, config }: Subject): Iterable<Finding> {
  for (const { message, remedy } of settingTraps(loaded)) yield warning(message, remedy);
  yield* checkAddresses(config);
  yield* checkMailSettings(config);
  const { schedule, bucket, passphrase } = config.backup;
  if (schedule === null)
    yield warning(
      "no backups are scheduled",
      "set BACKUP_SCHEDULE, or run cloakroom backup from your own scheduler",
    );
  else if (bucket !== null && passphrase === null)
    yield warning("backups go to a bucket with the secrets unencrypted", "set BACKUP_PASSPHRASE");
}

function* checkAddresses({ publicUrl, siteUrl, console }: Config): Iterable<Finding> {
  if (publicUrl === null) return;
  for (const [name, url] of Object.entries({ PUBLIC_URL: publicUrl, SITE_URL: siteUrl ?? publicUrl })) {
    const { protocol, hostname } = new URL(url);
    if (protocol !== "http:" || isLoopbackHost(hostname)) continue;
    // Cookies know no ports.
    const cookie = name === "PUBLIC_URL" && console !== null;
    const risk = cookie ? ", and whatever listens on this host gets the console's cookie" : "";
    yield warning(`${name} is ${url}: passwords are sent unencrypted${risk}`, "serve it by https");
  }
}

function* checkMailSettings(config: Config): Iterable<Finding> {
  if (config.mail.smtp === null) {
    yield warning(
      "SMTP_URL is not set: mails with codes are written to files and reach no user",
      "set it to your mail server",
    );
    return;
  }
  const { messageDomain } = letterheadOf(config, config.siteUrl ?? config.publicUrl ?? "http://localhost");
  const { address } = senderOf(config, messageDomain);
  if (address.endsWith("@localhost"))
    yield problem(`the sender of mails is ${address}, which no mail server accepts`, "set MAIL_FROM");
}
