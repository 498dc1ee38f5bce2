import type { PlannedAccount, PlannedIdentity } from "../model/import-plan.ts";
import type { OwnAccount } from "../model/own-records.ts";
import { limits } from "../../kernel/limits.ts";
import { newUuid, parseUuid, type Uuid } from "../../kernel/ids.ts";
import type { BookAccount } from "../ports/plan-book.ts";
import { importLanguage } from "./import-language.ts";
import { planIdentities } from "./plan-identities.ts";
import { nameOf } from "./plan-mails.ts";
import { allowedPlayers, findUpdates, type Updates } from "./plan-update.ts";
import { accountDigest, hasChanged } from "./record-digest.ts";
import { planPasswords, type PlannedPassword } from "./plan-passwords.ts";
import { gatherThings, planWardrobe, type Things } from "./plan-wardrobe.ts";
import { pagesOf, reasonOf, turnAway, type Planning } from "./planning.ts";
import { mainFirst, planPlayers } from "./plan-players.ts";

/** What the operator wants to know of all accounts that come. */
export type AccountCounts = {
  /** By the name of their passwords' kind. */
  readonly hashes: Map<string, number>;
  /** Those that come with neither an address nor a password nor a connection. */
  toClaim: number;
  /** Names of the staff there, the first ones. */
  readonly staff: string[];
  staffCount: number;
};

/** Staff that is listed by name. A system with more has another meaning of the word. */
const staffListedMax = 1000;

/** What an account comes with beside its players and textures. */
type Belongings = {
  readonly password: PlannedPassword;
  readonly identity: PlannedIdentity | null;
  readonly things: Things;
  readonly uuid: Uuid | null;
};

/** Puts each account together with everything that comes in its transaction, and decides of all of it. */
export async function planAccounts(planning: Planning): Promise<AccountCounts> {
  const { book, progress } = planning;
  const counts: AccountCounts = { hashes: new Map(), toClaim: 0, staff: [], staffCount: 0 };
  const total = book.countAccounts();
  let done = 0;
  for (const page of pagesOf(book.accounts)) {
    const coming = page.filter(({ state }) => state === "new");
    const passwords = await planPasswords(planning, coming);
    const passwordOf = new Map(coming.map(({ n }, index) => [n, passwords[index]]));
    const identities = await planIdentities(planning, page);
    const updates = await findUpdates(planning, page);
    const things = { ...gatherThings(planning, page), newNames: updates.names };
    const uuids = await freeUuids(planning, coming);
    for (const account of page) {
      const password = passwordOf.get(account.n);
      const belongings = {
        identity: identities.get(account.n) ?? null,
        things,
        uuid: uuids.get(account.n) ?? null,
      };
      if (account.state === "gone") decideGone(planning, account, things);
      else if (account.state === "here") planHere(planning, account, { things, updates, counts });
      else if (password !== undefined) planNew(planning, account, { ...belongings, password }, counts);
    }
    done += page.length;
    await progress("planning accounts", done, total);
  }
  return counts;
}

/** Accounts' own UUIDs, of an export of a cloakroom, that are free here. */
async function freeUuids(
  { reads }: Planning,
  accounts: readonly BookAccount[],
): Promise<ReadonlyMap<number, Uuid>> {
  const own = accounts.flatMap(({ n, source }) => {
    const uuid = source.uuid === null ? null : parseUuid(source.uuid);
    return uuid === null ? [] : [[n, uuid] as const];
  });
  const taken = new Set((await reads.takenUuids(own.map(([, uuid]) => uuid))).map(({ uuid }) => uuid));
  return new Map(own.filter(([, uuid]) => !taken.has(uuid)));
}

function decideGone({ book }: Planning, account: BookAccount, { players }: Things): void {
  const gone = { decision: "keep", to: null, reason: "it was deleted here" } as const;
  book.decide({ kind: "account", source: account.source.key, from: nameOf(account), ...gone });
  for (const { state, source } of players.get(account.n) ?? [])
    if (state === "gone") book.decide({ kind: "player", source: source.key, from: source.name, ...gone });
}

/** An account that is here gets what is new there and, with `--update`, what changed there. */
function planHere(
  planning: Planning,
  account: BookAccount,
  {
    things,
    updates,
    counts,
  }: { readonly things: Things; readonly updates: Updates; readonly counts: AccountCounts },
): void {
  const { book } = planning;
  const update = updates.accounts.get(account.n) ?? null;
  const { source, knownDigest } = account;
  const isOther = hasChanged(knownDigest, accountDigest(source));
  const [decision, reason] =
    update !== null
      ? (["merge", reasonOf("what changed there comes over", staffHere(update, account, counts))] as const)
      : isOther
        ? (["keep", "it changed there: --update brings that"] as const)
        : (["match", ""] as const);
  if (!source.key.startsWith("here:"))
    book.decide({
      kind: "account",
      decision,
      source: source.key,
      from: nameOf(account),
      to: null,
      reason,
    });
  const planned = {
    ...nothingOf(account),
    ...contentOf(planning, account, things),
    ...(update && {
      ...update,
      suspension: suspensionOf(planning, update.suspension, false),
    }),
    ...(update && { digest: accountDigest(source) }),
  };
  const isChanged =
    update !== null ||
    planned.players.length > 0 ||
    planned.skins.some(({ id }) => id === null) ||
    planned.grants.length > 0 ||
    planned.aliases.length > 0;
  if (isChanged) book.putAccount(planned);
}

/** Names staff there that is not staff here yet, or gets a higher level now. */
function staffHere(
  { account, base }: Pick<PlannedAccount, "account" | "base">,
  here: BookAccount,
  counts: AccountCounts,
): string {
  const level = levelThere(here.source);
  const before = base?.level ?? 1;
  if (account === null || level <= before) return "";
  countStaff(nameOf(here) ?? here.source.key, counts);
  return account.level > before
    ? `it is staff there and gets level ${account.level}`
    : `it is staff there: user set-level gives it level ${level} here`;
}

/** The higher one of the permanent and the temporary level. */
function levelThere({ level, own }: BookAccount["source"]): number {
  return Math.max(level, own?.temporaryLevel?.level ?? 1);
}

function nothingOf({
  source,
  id,
}: BookAccount): Pick<PlannedAccount, "key" | "id" | "account" | "identity" | "suspension"> {
  return { key: source.key, id, account: null, identity: null, suspension: null };
}

function contentOf(planning: Planning, account: BookAccount, things: Things) {
  const wardrobe = planWardrobe(planning, account, things);
  const players = planPlayers(planning, account, { things, skins: wardrobe.skins, capes: wardrobe.capes });
  const { skins, grants, ownGrants } = wardrobe;
  return {
    aliases: things.aliases.get(account.n) ?? [],
    players,
    skins,
    grants,
    ...(ownGrants && { ownGrants }),
  };
}

function planNew(
  planning: Planning,
  account: BookAccount,
  belongings: Belongings,
  counts: AccountCounts,
): void {
  const { book, rules } = planning;
  const { password, things } = belongings;
  const { source } = account;
  const from = nameOf(account) ?? firstName(things, account);
  if (password.asks !== "")
    return turnAway(book, "account", account, { decision: "ask", reason: password.asks, from });
  const hasPlayer = (things.players.get(account.n) ?? []).some(
    ({ state }) => state === "new" || state === "here",
  );
  if (!hasPlayer && rules.onNoPlayer === "skip")
    return turnAway(book, "account", account, { decision: "skip", reason: "it has no player", from });
  count(account, belongings, counts);
  const level = levelThere(source);
  const staff = level > 1 ? noteStaff(planning, level, from ?? source.key, counts) : "";
  const reason = reasonOf(
    account.reason,
    passwordReason(account, password),
    source.suspended === null ? "" : "it is banned there and comes suspended",
    staff,
    hasPlayer ? "" : "it chooses a name when it signs in",
  );
  const [main] = mainFirst(
    account,
    (things.players.get(account.n) ?? []).filter(({ state }) => state === "new"),
  );
  const to = main?.name ?? account.mail;
  book.decide({ kind: "account", decision: "create", source: source.key, from, to, reason });
  book.putAccount(plannedOf(planning, account, belongings));
}

function noteStaff({ rules }: Planning, level: number, name: string, counts: AccountCounts): string {
  countStaff(name, counts);
  return rules.staff === "keep"
    ? `it is staff there and comes with level ${level}`
    : "it is staff there and comes as a player";
}

function countStaff(name: string, counts: AccountCounts): void {
  counts.staffCount += 1;
  if (counts.staff.length < staffListedMax) counts.staff.push(name);
}

function count(account: BookAccount, { password, identity }: Belongings, counts: AccountCounts): void {
  const { kind, hash } = password;
  counts.hashes.set(kind, (counts.hashes.get(kind) ?? 0) + 1);
  if (account.mail === null && hash === null && kind === "none" && identity === null) counts.toClaim += 1;
}

/** Why it comes without its password, and what its person does then. */
function passwordReason({ mail }: BookAccount, { problem }: PlannedPassword): string {
  if (problem === "") return "";
  return `its password does not come (${problem}): ${mail === null ? "it has to be claimed" : "it is reset by mail"}`;
}

function firstName({ players }: Things, { n }: BookAccount): string | null {
  return players.get(n)?.[0]?.source.name ?? null;
}

function plannedOf(planning: Planning, account: BookAccount, belongings: Belongings): PlannedAccount {
  const { rules, now } = planning;
  const { password, identity, things, uuid } = belongings;
  const { source, mail } = account;
  const content = contentOf(planning, account, things);
  const oldest = Math.min(
    ...(things.players.get(account.n) ?? []).map((player) => player.source.createdAt ?? now),
    now,
  );
  return {
    ...nothingOf(account),
    account: {
      uuid: uuid ?? newUuid(),
      mail,
      mailVerified: mail !== null && (source.mailVerified || rules.trustsMail),
      passwordHash: password.hash,
      level: rules.staff === "keep" ? source.level : 1,
      language: importLanguage(source.language),
      createdAt: Math.min(source.createdAt ?? oldest, now),
      lastSeenAt: source.lastSeenAt === null ? null : Math.min(source.lastSeenAt, now),
      playersMax: allowedPlayers(source.playersMax),
      ...(source.own && { own: ownOf(planning, source.own) }),
    },
    ...content,
    identity,
    suspension: suspensionOf(planning, source.suspended, source.own !== undefined),
    digest: accountDigest(source),
    joined: things.joined.get(account.n) ?? [],
  };
}

/** A temporary level comes over with the permanent one alone. */
function ownOf({ rules }: Planning, own: OwnAccount): OwnAccount {
  return rules.staff === "keep" ? own : { ...own, temporaryLevel: null };
}

/**
 * A suspension as it is written; null for one that has ended. Another cloakroom's one without a reason comes
 * as it is.
 */
function suspensionOf(
  { now, source }: Planning,
  suspended: PlannedAccount["suspension"],
  isOwn: boolean,
): PlannedAccount["suspension"] {
  if (suspended === null || (suspended.until !== null && suspended.until <= now)) return null;
  const reason = suspended.reason
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, limits.reasonLengthMax)
    .toWellFormed();
  return { until: suspended.until, reason: reason || (isOwn ? "" : `came over from ${source.system}`) };
}
