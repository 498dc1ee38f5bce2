import type { Config } from "../config.ts";
import { unnamedProviderText } from "../config/social-settings.ts";
import { defaultSender, siteName } from "../mail.ts";
import { ok, problem, warning, type Finding } from "./finding.ts";

/** Settings that can be used but hardly as they are meant. */
export function checkSettings(config: Config, withoutEffect: readonly string[]): readonly Finding[] {
  const findings = [
    ...withoutEffect.map((name) => warning(unnamedProviderText(name), "name it there, or take this out")),
    ...checkAddresses(config),
    ...checkMailSettings(config),
    ...checkBackupSettings(config),
  ];
  if (config.rateLimitFactor === 0) {
    const message = "RATE_LIMIT_FACTOR is 0: nothing stops who tries out passwords and codes";
    findings.push(warning(message, "take it out, except for tests"));
  }
  return findings.length === 0 ? [ok("all of them can be used together")] : findings;
}

function checkAddresses(config: Config): readonly Finding[] {
  const { host, publicUrl, siteUrl, socketFile, tls, trustedProxies } = config;
  if (publicUrl === null) {
    if (isLoopback(host)) return [];
    return [
      warning(
        `PUBLIC_URL is not set: texture addresses begin with ${tls === null ? "http" : "https"}://${host}`,
        "set it to the address that players reach",
      ),
    ];
  }
  const findings: Finding[] = [];
  for (const [name, url] of Object.entries({ PUBLIC_URL: publicUrl, SITE_URL: siteUrl ?? publicUrl })) {
    const { protocol, hostname } = new URL(url);
    if (protocol === "http:" && !isLoopback(hostname)) {
      findings.push(
        warning(`${name} is ${url}: passwords travel readable for all on the way`, "serve it by https"),
      );
    }
  }
  const speaksPlainly = tls === null && socketFile === null;
  if (publicUrl.startsWith("https:") && speaksPlainly && trustedProxies.length === 0) {
    const message =
      "TRUSTED_PROXIES is not set although a proxy stands before this server: all clients count as one";
    findings.push(warning(message, "set it to the proxy's address, 127.0.0.1 when it runs on this machine"));
  }
  return findings;
}

function checkMailSettings({ mail, siteUrl, publicUrl }: Config): readonly Finding[] {
  if (mail.smtp === null) {
    return [
      warning(
        "SMTP_URL is not set: mails with codes become files that nobody gets",
        "set it to your mail server",
      ),
    ];
  }
  const { address } = mail.from ?? defaultSender(siteName(siteUrl ?? publicUrl ?? "http://localhost"));
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

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
