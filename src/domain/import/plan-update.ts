import type { Level } from "../model/account.ts";
import type { NewAccount, PlannedAccount } from "../model/import-plan.ts";
import { newUuid, type PlayerId } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { mailKey } from "../model/mail-address.ts";
import { nameKey } from "../model/username.ts";
import type { AccountHere, PlayerHere } from "../ports/import-store.ts";
import type { BookAccount, BookPlayer } from "../ports/plan-book.ts";
import { importLanguage } from "./import-language.ts";
import { isUsername } from "./numbered-names.ts";
import { addressOf } from "./plan-mails.ts";
import type { Planning } from "./planning.ts";
import { accountDigest, comesOver, hasChanged, playerDigest, wasValue } from "./record-digest.ts";

/** What changes of accounts and players that came before, by their numbers in the book. */
export type Updates = {
  readonly accounts: ReadonlyMap<number, Pick<PlannedAccount, "account" | "base" | "suspension">>;
  /** The names that players that changed there have from now on. */
  readonly names: ReadonlyMap<number, string>;
};

/** With `--update`: finds what changed there since the accounts of a page came over. */
export async function findUpdates(planning: Planning, page: readonly BookAccount[]): Promise<Updates> {
  if (!planning.rules.updates) return { accounts: new Map(), names: new Map() };
  return { accounts: await accountUpdates(planning, page), names: await playerNames(planning, page) };
}

async function accountUpdates(
  planning: Planning,
  page: readonly BookAccount[],
): Promise<Updates["accounts"]> {
  const came = page.filter((account) => account.state === "here" && account.knownDigest !== null);
  const rows = await planning.reads.accountsHere(came.flatMap(({ id }) => id ?? []));
  const here = new Map(rows.map((row) => [row.id, row]));
  const updates = new Map<number, Pick<PlannedAccount, "account" | "base" | "suspension">>();
  for (const account of came) {
    const now = account.id === null ? undefined : here.get(account.id);
    const update = now === undefined ? null : await updateOf(planning, account, now);
    if (update !== null) updates.set(account.n, update);
  }
  return updates;
}

async function updateOf(
  planning: Planning,
  { id, source, knownDigest }: BookAccount,
  here: AccountHere,
): Promise<Pick<PlannedAccount, "account" | "base" | "suspension"> | null> {
  const passwordHash = await newPassword(planning, source, here);
  const isChanged = hasChanged(knownDigest, accountDigest(source));
  if (!isChanged && passwordHash === here.passwordHash) return null;
  const { id: _, isSuspended, ...kept } = here;
  const lastSeenAt = Math.max(source.lastSeenAt ?? 0, here.lastSeenAt ?? 0);
  // What is written of an account that is here leaves its uuid and the time when it was made.
  const unwritten = { uuid: newUuid(), createdAt: planning.now };
  const account: NewAccount = {
    ...unwritten,
    ...kept,
    passwordHash,
    lastSeenAt: lastSeenAt === 0 ? null : Math.min(lastSeenAt, planning.now),
    ...(isChanged && {
      ...(await newMail(planning, { id, source, knownDigest }, here)),
      ...ownChoices({ source, knownDigest }, here),
      level: newLevel(planning, { source, knownDigest }, here),
    }),
  };
  // Staff here is suspended by staff here alone: an import could take the last administrator. So is a person
  // whose ban from there was ended here.
  const isBannedSince = isChanged && !wasValue(knownDigest, "ban", source.suspended);
  const suspension = isBannedSince && !isSuspended && here.level === 1 ? source.suspended : null;
  return { account, base: kept, suspension };
}

/** A level that rose there since, if staff keeps its levels. One that was taken away here stays away. */
function newLevel(
  { rules }: Planning,
  { source: { level }, knownDigest }: Pick<BookAccount, "source" | "knownDigest">,
  here: AccountHere,
): Level {
  const isNew = rules.staff === "keep" && !wasValue(knownDigest, "level", level);
  return isNew && level > here.level ? level : here.level;
}

/** What people and staff choose here, too: their choice stays. */
function ownChoices(
  { source, knownDigest }: Pick<BookAccount, "source" | "knownDigest">,
  here: AccountHere,
): Pick<NewAccount, "language" | "playersMax"> {
  const language = importLanguage(source.language);
  const { playersMax } = source;
  return {
    language: comesOver(knownDigest, "language", { there: language, here: here.language })
      ? language
      : here.language,
    playersMax: comesOver(knownDigest, "players", { there: playersMax, here: here.playersMax })
      ? allowedPlayers(playersMax)
      : here.playersMax,
  };
}

/** How many players an account may have, within what staff can allow; null: as many as everybody. */
export function allowedPlayers(max: number | null): number | null {
  return max === null ? null : Math.min(Math.max(max, 1), limits.ownPlayersMax);
}

/** Its password there, while its hash here is of another kind than ours: then it was not used here yet. */
async function newPassword(
  { passwords, rules }: Planning,
  { password, login }: BookAccount["source"],
  { passwordHash }: AccountHere,
): Promise<string | null> {
  const kind = passwords.nameOf(passwordHash);
  // Whether a wrapped hash is the same one takes the time of a sign-in to find out.
  if (kind === "argon2id" || kind.startsWith("wrapped-") || password === null) return passwordHash;
  const read = await passwords.read({ ...password, kind: password.kind ?? rules.passwordKind, login });
  return "hash" in read ? read.hash : passwordHash;
}

/** Its address there, unless somebody else has it, or the person has chosen another one here. */
async function newMail(
  { book, reads, rules }: Planning,
  { id, source, knownDigest }: Pick<BookAccount, "id" | "source" | "knownDigest">,
  here: AccountHere,
): Promise<Pick<NewAccount, "mail" | "mailVerified">> {
  const { address } = addressOf(source.mail);
  const isVerified = source.mailVerified || rules.trustsMail;
  const kept = { mail: here.mail, mailVerified: here.mailVerified };
  if (address === null) return kept;
  const key = mailKey(address);
  if (here.mail !== null && mailKey(here.mail) === key)
    return { mail: here.mail, mailVerified: here.mailVerified || isVerified };
  const isOfTheirs = here.mail !== null;
  if (isOfTheirs && !comesOver(knownDigest, "mail", { there: key, here: mailKey(here.mail) })) return kept;
  const taken = await reads.takenMails([key]);
  const isFree = taken.every(({ account }) => account === id) && book.claimed("mail", key) === null;
  return isFree ? { mail: address, mailVerified: isVerified } : kept;
}

async function playerNames(
  { book, reads, rules }: Planning,
  page: readonly BookAccount[],
): Promise<ReadonlyMap<number, string>> {
  const changed = book
    .playersOf(page.at(0)?.n ?? 0, page.at(-1)?.n ?? 0)
    .filter((player) => player.state === "here" && isChangedPlayer(player));
  const rows = await reads.playersById(changed.flatMap(({ id }) => id ?? []));
  const here = new Map<PlayerId, PlayerHere>(rows.map((row) => [row.id, row]));
  const names = new Map<number, string>();
  for (const player of changed) {
    const row = player.id === null ? undefined : here.get(player.id);
    if (row === undefined) continue;
    const { name } = player.source;
    const taken = await reads.takenNames([nameKey(name)]);
    const isFree =
      isUsername(name, rules.settings.namePattern) &&
      taken.every(({ account }) => account === row.account) &&
      [null, player.n].includes(book.claim("name", nameKey(name), player.n));
    const isNew = comesOver(player.knownDigest, "name", { there: name, here: row.name });
    names.set(player.n, isNew && isFree ? name : row.name);
    book.setPlayer(player.n, { uuid: row.uuid });
  }
  return names;
}

/** Whether a player that came before is another one there now. */
export function isChangedPlayer({ source, knownDigest }: BookPlayer): boolean {
  return hasChanged(knownDigest, playerDigest(source));
}
