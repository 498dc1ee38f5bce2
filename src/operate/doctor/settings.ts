import type { Config } from "../../boot/config.ts";
import { settingTraps } from "../../boot/config/traps.ts";
import { found, type CodedFinding } from "../../domain/health/finding.ts";
import { isLoopbackHost } from "../../kernel/ip-address.ts";
import { letterheadOf, senderOf } from "../../boot/mail.ts";
import type { Subject } from "./finding.ts";

/** Settings that are valid, but hardly what the operator wants. */
export function* checkSettings({ loaded, config }: Subject): Iterable<CodedFinding> {
  yield* settingTraps(loaded);
  yield* checkAddresses(config);
  yield* checkMailSettings(config);
  const { schedule, bucket, passphrase } = config.backup;
  if (schedule === null) yield found("backups_unscheduled");
  else if (bucket !== null && passphrase === null) yield found("backup_secrets_open");
}

function* checkAddresses({ publicUrl, siteUrl, console }: Config): Iterable<CodedFinding> {
  if (publicUrl === null) return;
  for (const [name, url] of Object.entries({ PUBLIC_URL: publicUrl, SITE_URL: siteUrl ?? publicUrl })) {
    const { protocol, hostname } = new URL(url);
    if (protocol !== "http:" || isLoopbackHost(hostname)) continue;
    const cookie = name === "PUBLIC_URL" && console !== null;
    yield found("address_unencrypted", { setting: name, address: url, cookie });
  }
}

function* checkMailSettings(config: Config): Iterable<CodedFinding> {
  if (config.mail.smtp === null) {
    yield found("smtp_unset");
    return;
  }
  const { messageDomain } = letterheadOf(config, config.siteUrl ?? config.publicUrl ?? "http://localhost");
  const { address } = senderOf(config, messageDomain);
  if (address.endsWith("@localhost")) yield found("mail_sender_local", { sender: address });
}
