/** Every fact that an entry of the audit stores, in the words of the API. The console has a name for each. */
export const auditFacts = [
  "accounts",
  "action",
  "announced_before",
  "ban",
  "by",
  "cape",
  "capeid",
  "capes",
  "cloakid",
  "dsid",
  "expired_at",
  "expires",
  "expires_at",
  "filter",
  "for",
  "format",
  "hash",
  "id",
  "iss",
  "issuer",
  "kind",
  "last_used",
  "mail",
  "mail_verify",
  "may",
  "message_sha256",
  "name",
  "owner",
  "owners",
  "owners_count",
  "owners_of",
  "password",
  "perms",
  "perms_expires_at",
  "perms_permanent",
  "players",
  "players_max",
  "reason",
  "recipients",
  "sealed",
  "search",
  "selected_skin",
  "sessions",
  "sha256",
  "shares_skin",
  "since",
  "skinid",
  "skins",
  "skins_removed",
  "slim",
  "subject",
  "template",
  "time",
  "to",
  "until",
  "users",
  "username",
  "uuid",
] as const;

type AuditFact = (typeof auditFacts)[number];

/** Facts of one thing at one time. */
export type Facts = { readonly [Name in AuditFact]?: unknown };

/**
 * What an entry stores: facts, and under `old` and `new` those before and after a change. Any other name is
 * an error of types.
 */
export type AuditDetail<Detail> = {
  readonly [Name in keyof Detail]: Name extends AuditFact
    ? Detail[Name]
    : Name extends "old" | "new"
      ? AuditDetail<Detail[Name]>
      : never;
};

/**
 * The facts that differ, as they were and as they are; null when all are equal. A password's hash is not
 * shown.
 */
export function changedFacts(
  before: Facts,
  after: Facts,
): { readonly old: Facts; readonly new: Facts } | null {
  const now: Readonly<Record<string, unknown>> = after;
  const changed = Object.entries(before)
    .filter(([name, old]) => !Bun.deepEquals(old, now[name]))
    .map(([name]) => name);
  if (changed.length === 0) return null;
  const show = (facts: Readonly<Record<string, unknown>>): Facts =>
    Object.fromEntries(changed.map((name) => [name, name === "password" ? "[redacted]" : facts[name]]));
  return { old: show(before), new: show(now) };
}
