import type { PlannedAccount, PlannedIdentity } from "../model/import-plan.ts";
import { newUuid, parseUuid, type Uuid } from "../../kernel/ids.ts";
import { nameKey } from "../model/username.ts";
import type { BookAccount, BookPlayer } from "../ports/plan-book.ts";
import { importLanguage } from "./import-language.ts";
import { planIdentities } from "./plan-identities.ts";
import { nameOf } from "./plan-mails.ts";
import { planPasswords, type PlannedPassword } from "./plan-passwords.ts";
import { gatherThings, planWardrobe, type Things } from "./plan-wardrobe.ts";
import { pagesOf, reasonOf, turnAway, type Planning } from "./planning.ts";
import { planPlayers } from "./plan-players.ts";

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
    const things = gatherThings(planning, page);
    const uuids = await freeUuids(planning, coming);
    for (const account of page) {
      const password = passwordOf.get(account.n);
      const belongings = {
        identity: identities.get(account.n) ?? null,
        things,
        uuid: uuids.get(account.n) ?? null,
      };
      if (account.state === "gone") decideGone(planning, account);
      else if (account.state === "here") planHere(planning, account, things);
      else if (password !== undefined) planNew(planning, account, { ...belongings, password }, counts);
    }
    done += page.length;
    progress("planning accounts", done, total);
  }
  return counts;
}

/** Accounts' own UUIDs, of an export of a cloakroom, that nobody here has. */
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

function decideGone({ book }: Planning, account: BookAccount): void {
  const reason = "it was deleted here";
  book.decide({
    kind: "account",
    decision: "keep",
    source: account.source.key,
    from: nameOf(account),
    to: null,
    reason,
  });
}

/** An account that is here gets what is new there. */
function planHere(planning: Planning, account: BookAccount, things: Things): void {
  const { book } = planning;
  const isRecord = !account.source.key.startsWith("here:");
  if (isRecord)
    book.decide({
      ...{ kind: "account", decision: "match", source: account.source.key, from: nameOf(account), to: null },
      reason: "",
    });
  const planned = { ...nothingOf(account), ...contentOf(planning, account, things) };
  const isChanged =
    planned.players.length > 0 ||
    planned.skins.some(({ id }) => id === null) ||
    planned.grants.length > 0 ||
    planned.aliases.length > 0;
  if (isChanged) book.putAccount(planned);
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
  const { password, identity, things } = belongings;
  const { source } = account;
  const from = nameOf(account) ?? firstName(things, account);
  if (password.asks !== "")
    return turnAway(book, "account", account, { decision: "ask", reason: password.asks, from });
  const hasPlayer = (things.players.get(account.n) ?? []).some(
    ({ state }) => state === "new" || state === "here",
  );
  if (!hasPlayer && rules.onNoPlayer === "skip")
    return turnAway(book, "account", account, { decision: "skip", reason: "it has no player", from });
  counts.hashes.set(password.kind, (counts.hashes.get(password.kind) ?? 0) + 1);
  if (account.mail === null && password.hash === null && password.kind === "none" && identity === null)
    counts.toClaim += 1;
  const staff = source.level > 1 ? noteStaff(planning, source.level, from ?? source.key, counts) : "";
  const reason = reasonOf(
    account.reason,
    password.problem,
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
  counts.staffCount += 1;
  if (counts.staff.length < staffListedMax) counts.staff.push(name);
  return rules.staff === "keep"
    ? `it is staff there and comes with level ${level}`
    : "it is staff there and comes as a player";
}

function firstName({ players }: Things, { n }: BookAccount): string | null {
  return players.get(n)?.[0]?.source.name ?? null;
}

function plannedOf(planning: Planning, account: BookAccount, belongings: Belongings): PlannedAccount {
  const { rules, now, source: system } = planning;
  const { password, identity, things, uuid } = belongings;
  const { source, mail } = account;
  const content = contentOf(planning, account, things);
  const oldest = Math.min(
    ...(things.players.get(account.n) ?? []).map((player) => player.source.createdAt ?? now),
    now,
  );
  const { suspended } = source;
  const isSuspended = suspended !== null && (suspended.until === null || suspended.until > now);
  // Another cloakroom's suspension without a reason comes as it is.
  const otherReason = source.own === undefined ? `came over from ${system.system}` : "";
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
      playersMax: source.playersMax,
      ...(source.own && { own: source.own }),
    },
    ...content,
    identity,
    suspension: isSuspended ? { until: suspended.until, reason: suspended.reason || otherReason } : null,
  };
}

/** The main player: the one whose name is the login there, else the oldest. */
export function mainFirst(account: BookAccount, players: readonly BookPlayer[]): readonly BookPlayer[] {
  const login = account.source.login === null ? null : nameKey(account.source.login);
  const isLogin = ({ source }: BookPlayer) => (login !== null && nameKey(source.name) === login ? 0 : 1);
  const ageOf = ({ source }: BookPlayer) => source.createdAt ?? Infinity;
  return players.toSorted(
    (one, other) =>
      isLogin(one) - isLogin(other) ||
      (ageOf(one) === ageOf(other) ? 0 : ageOf(one) - ageOf(other)) ||
      one.n - other.n,
  );
}
