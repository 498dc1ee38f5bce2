import type { Config, LoadedConfig } from "../../boot/config.ts";
import { settingTraps } from "../../boot/config/traps.ts";
import { isLoopbackHost } from "../../kernel/ip-address.ts";
import { mailNames, senderOf } from "../../boot/mail.ts";
import { ok, problem, warning, type Finding } from "./finding.ts";

/** Settings that can be used but hardly as they are meant. */
export function checkSettings(loaded: LoadedConfig): readonly Finding[] {
  const { config } = loaded;
  const findings = [
    ...settingTraps(loaded).map(({ message, remedy }) => warning(message, remedy)),
    ...checkAddresses(config),
    ...checkMailSettings(config),
    ...checkBackupSettings(config),
  ];
  return findings.length === 0 ? [ok("all of them can be used together")] : findings;
}

function checkAddresses({ publicUrl, siteUrl }: Config): readonly Finding[] {
  if (publicUrl === null) return [];
  const addresses = { PUBLIC_URL: publicUrl, SITE_URL: siteUrl ?? publicUrl };
  return Object.entries(addresses).flatMap(([name, url]) => {
    const { protocol, hostname } = new URL(url);
    if (protocol !== "http:" || isLoopbackHost(hostname)) return [];
    const message = `${name} is ${url}: passwords travel readable for all on the way`;
    return [warning(message, "serve it by https")];
  });
}

function checkMailSettings(config: Config): readonly Finding[] {
  if (config.mail.smtp === null) {
    return [
      warning(
        "SMTP_URL is not set: mails with codes become files that nobody gets",
        "set it to your mail server",
      ),
    ];
  }
  const { messageDomain } = mailNames(config, config.siteUrl ?? config.publicUrl ?? "http://localhost");
  const { address } = senderOf(config, messageDomain);
  if (!address.endsWith("@localhost")) return [];
  return [problem(`mails are from ${address}, which no mail server takes`, "set MAIL_FROM")];
}

function checkBackupSettings({ backup }: Config): readonly Finding[] {
  if (backup.schedule === null) {
    return [
      warning(
        "no backups are scheduled",
        "set BACKUP_SCHEDULE, or call cloakroom backup from where you schedule things",
      ),
    ];
  }
  if (backup.bucket === null || backup.passphrase !== null) return [];
  return [warning("backups go to a bucket with the secrets in clear", "set BACKUP_PASSPHRASE")];
}
