import type { FindingText } from "./finding-text.ts";

/** Settings that are valid, but hardly what the operator wants. */
export const settingFindings = {
  settings_fit: { state: "ok", text: "all of them can be used together" },
  settings_file_unread: {
    state: "warning",
    text: ({ file }: { file: string }) => `${file} is not read, because --config names another file`,
    remedy:
      "put all settings into one of the two, and start without --config if that is the one in the data folder",
  },
  setting_misspelt: {
    state: "warning",
    text: ({ name, setting }: { name: string; setting: string }) =>
      `${name} (environment) is no setting; did you mean ${setting}?`,
    remedy: "give it that name, or take it out",
  },
  setting_without_provider: {
    state: "warning",
    text: ({ setting }: { setting: string }) =>
      `${setting} has no effect: SOCIAL_PROVIDERS does not name its provider`,
    remedy: "name it there, or take this out",
  },
  public_url_unset_behind_proxy: {
    state: "warning",
    text: "PUBLIC_URL is not set although a proxy stands before this server: behind one that speaks TLS the console refuses to sign people in",
    remedy: "set it to the address that players reach",
  },
  public_url_unset: {
    state: "warning",
    text: ({ address }: { address: string }) =>
      `PUBLIC_URL is not set: texture addresses begin with ${address}`,
    remedy: "set it to the address that players reach",
  },
  trusted_proxies_unset: {
    state: "warning",
    text: "TRUSTED_PROXIES is not set although a proxy stands before this server: all clients count as one",
    remedy: "set it to the proxy's address, 127.0.0.1 when it runs on this machine",
  },
  database_unverified: {
    state: "warning",
    text: ({ mode }: { mode: string }) =>
      `DATABASE_URL has sslmode=${mode}: another machine may answer in the database's place`,
    remedy: "take sslmode=verify-full, with sslrootcert for an authority of your own",
  },
  drain_seconds_zero: {
    state: "warning",
    text: "DRAIN_SECONDS is 0: a balancer sends requests to this node until its next look finds it closed",
    remedy: "set it to a few seconds more than the balancer's interval of looks at /health/ready",
  },
  username_pattern_wide: {
    state: "warning",
    text: ({ pattern }: { pattern: string }) =>
      `USERNAME_PATTERN ${pattern} takes names with blanks, invisible characters or service: before them`,
    remedy: "leave them out of it: no player may have such a name, whatever the pattern",
  },
  limits_off: {
    state: "warning",
    text: "RATE_LIMIT_FACTOR is 0: password and code guessing is not limited",
    remedy: "take it out, except for tests",
  },
  address_unencrypted: {
    state: "warning",
    // Cookies know no ports.
    text: ({ setting, address, cookie }: { setting: string; address: string; cookie: boolean }) =>
      `${setting} is ${address}: passwords are sent unencrypted${cookie ? ", and whatever listens on this host gets the console's cookie" : ""}`,
    remedy: "serve it by https",
  },
  smtp_unset: {
    state: "warning",
    text: "SMTP_URL is not set: mails with codes are written to files and reach no user",
    remedy: "set it to your mail server",
  },
  mail_sender_local: {
    state: "problem",
    text: ({ sender }: { sender: string }) =>
      `the sender of mails is ${sender}, which no mail server accepts`,
    remedy: "set MAIL_FROM",
  },
  backups_unscheduled: {
    state: "warning",
    text: "no backups are scheduled",
    remedy: "set BACKUP_SCHEDULE, or run cloakroom backup from your own scheduler",
  },
  backup_secrets_open: {
    state: "warning",
    text: "backups go to a bucket with the secrets unencrypted",
    remedy: "set BACKUP_PASSPHRASE",
  },
} as const satisfies Readonly<Record<string, FindingText>>;
