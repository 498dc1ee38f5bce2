import type { StaffWords } from "../../../words/en/staff-pages.ts";
import type { Topic } from "../../../words/findings.ts";
import type { Check } from "../../words/findings.ts";

type Code = Check["code"];

/** Settings are examined together. A finding is shown under the topic that it concerns. */
const topics: Partial<Readonly<Record<Code, Topic>>> = {
  smtp_unset: "mail server",
  mail_sender_local: "mail server",
  backups_unscheduled: "backups",
  backup_secrets_open: "backups",
  public_url_unset: "public address",
  public_url_unset_behind_proxy: "public address",
  trusted_proxies_unset: "public address",
  address_unencrypted: "public address",
  launchers_address_unset: "public address",
  launchers_address_local: "public address",
  database_unverified: "database",
};

/** A check without anything to examine is neither good nor bad. */
const unusedCodes: ReadonlySet<Code> = new Set([
  "mail_server_unset",
  "backups_off",
  "address_unset",
  "launchers_off",
  "certificate_unset",
] as const);

type Sorted = {
  readonly bad: readonly { readonly topic: string; readonly check: Check }[];
  readonly good: readonly string[];
  readonly unused: readonly string[];
};

/**
 * Checks that are not in order, the worst first; the names of topics in order; the names of unused topics.
 * Each name stands in one of the three.
 */
export function sortChecks(checks: readonly Check[]): Sorted {
  const all = checks.map((check) => ({ topic: topics[check.code] ?? check.name, check }));
  const faults = all.filter(({ check }) => check.state === "fault");
  const warnings = all.filter(({ check }) => check.state === "warning");
  const bad = [...faults, ...warnings];
  const badTopics = new Set(bad.map(({ topic }) => topic));
  const well = all.filter(({ topic }) => !badTopics.has(topic));
  const unused = new Set(well.filter(({ check }) => unusedCodes.has(check.code)).map(({ topic }) => topic));
  const good = new Set(well.map(({ topic }) => topic).filter((topic) => !unused.has(topic)));
  return { bad, good: [...good], unused: [...unused] };
}

/** A step of the set-up page, or another page. */
export type Place = keyof StaffWords["setup"]["steps"] | "outbox";

const placesOfTopics: Readonly<Record<string, Place>> = {
  "mail server": "mail",
  "public address": "address",
  launchers: "address",
  certificate: "tls",
  backups: "backups",
  outbox: "outbox",
};

const placesOfCodes: Partial<Readonly<Record<Code, Place>>> = {
  address_unencrypted: "tls",
  launchers_unencrypted: "tls",
  // That page shows the mail server's replies and sends test mails.
  mail_server_refuses: "outbox",
};

/** The page that corrects it or says how; null if no page does. */
export function placeOf({ code, name }: Check): Place | null {
  return placesOfCodes[code] ?? placesOfTopics[topics[code] ?? name] ?? null;
}
