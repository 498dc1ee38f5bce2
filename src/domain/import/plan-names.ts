import { mayBeUsername, nameKey } from "../model/username.ts";
import type { BookPlayer } from "../ports/plan-book.ts";
import { usernameCandidates } from "../social/derive-username.ts";
import { isUsername, withNumber } from "./numbered-names.ts";
import { rankedPages, told, turnAway, type Planning } from "./planning.ts";

const clashHere = "the name is taken here";
const clashThere = "another player there has the name";
/** Why a player does not come under its own name: the name cannot be one here. */
export const badName = "the name is reserved or outside USERNAME_PATTERN";

/** Names that are tried for one player before it is left out: far more than any source has of one name. */
const triesMax = 10_000;

/**
 * Gives each new player its name. A person who is here keeps the name, always; of those there the player
 * whose account was seen last has it. The others come under another name.
 */
export async function planNames(planning: Planning): Promise<void> {
  const { book } = planning;
  for await (const page of told(planning, "comparing names", rankedPages(book.rankedPlayers))) {
    const coming = page.filter((player) => siftPlayer(planning, player));
    await claimOwnNames(planning, coming);
  }
  for await (const page of told(planning, "renaming players", rankedPages(book.rankedPlayers)))
    await rename(
      planning,
      page.filter(({ name }) => name === null),
    );
}

/** Whether the player's account comes or is here. */
function siftPlayer({ book }: Planning, player: BookPlayer): boolean {
  const account = player.account === null ? null : book.account(player.account);
  const { name } = player.source;
  if (account === null || account.state === "skipped") {
    turnAway(book, "player", player, { decision: "skip", reason: "its account does not come", from: name });
    return false;
  }
  if (account.state === "gone") {
    turnAway(book, "player", player, {
      decision: "keep",
      reason: "its account was deleted here",
      from: name,
    });
    return false;
  }
  return true;
}

async function claimOwnNames(planning: Planning, players: readonly BookPlayer[]): Promise<void> {
  const { book, rules } = planning;
  const isValid = (name: string) => isUsername(name, rules.settings.namePattern);
  const taken = await takenByOthers(
    planning,
    players.map((player) => ({ player, key: nameKey(player.source.name) })),
  );
  for (const player of players) {
    const { name } = player.source;
    const key = nameKey(name);
    if (!isValid(name)) book.setPlayer(player.n, { reason: badName });
    else if (taken.has(player.n)) book.setPlayer(player.n, { reason: clashHere });
    else if (book.claim("name", key, player.n) === null) book.setPlayer(player.n, { name });
    else book.setPlayer(player.n, { reason: clashThere });
  }
}

/** The players whose names are those of other accounts here. */
async function takenByOthers(
  { book, reads }: Planning,
  wanted: readonly { readonly player: BookPlayer; readonly key: string }[],
): Promise<ReadonlySet<number>> {
  const rows = await reads.takenNames([...new Set(wanted.map(({ key }) => key))]);
  const owners = Map.groupBy(rows, ({ key }) => key);
  const isTaken = ({ player, key }: (typeof wanted)[number]) => {
    const found = owners.get(key);
    if (found === undefined) return false;
    const own = player.account === null ? null : (book.account(player.account)?.id ?? null);
    return found.some(({ account }) => account !== own);
  };
  return new Set(wanted.filter(isTaken).map(({ player }) => player.n));
}

async function rename(planning: Planning, players: readonly BookPlayer[]): Promise<void> {
  const { book } = planning;
  let left = players
    .filter((player) => mayRename(planning, player))
    .map((player) => ({ player, names: otherNames(planning, player) }));
  while (left.length > 0) {
    const tried = left.flatMap(({ player, names }) => {
      const { value } = names.next();
      if (typeof value === "string") return [{ player, names, name: value, key: nameKey(value) }];
      const reason = "no other name could be made of it";
      turnAway(book, "player", player, { decision: "skip", reason, from: player.source.name });
      return [];
    });
    const taken = await takenByOthers(planning, tried);
    left = tried.filter(({ player, name, key }) => {
      if (taken.has(player.n) || book.claim("name", key, player.n) !== null) return true;
      book.setPlayer(player.n, { name });
      return false;
    });
  }
}

/** Whether the rules let a player come under another name. */
function mayRename({ book, rules }: Planning, player: BookPlayer): boolean {
  const isBad = player.reason === badName;
  const rule = isBad ? rules.onBadName : rules.onNameClash;
  if (rule === "rename") return true;
  const flag = isBad ? "--on-bad-name" : "--on-name-clash";
  const reason = rule === "ask" ? `${player.reason}: ${flag} says what to do` : player.reason;
  turnAway(book, "player", player, { decision: rule, reason, from: player.source.name });
  return false;
}

/** `Ada_2`, `Ada_3`, …; of a name that cannot be one here first its letters in the Latin script. */
function* otherNames({ book, rules }: Planning, player: BookPlayer): Generator<string, undefined> {
  const pattern = rules.settings.namePattern;
  const { name } = player.source;
  const stem = player.reason === badName ? firstCandidate(name, pattern) : name;
  if (stem === null) return;
  if (stem !== name && book.claimed("name", nameKey(stem)) === null) yield stem;
  for (let tries = 0; tries < triesMax; tries++) {
    const next = withNumber(stem, book.nextSuffix(nameKey(stem)), pattern);
    if (next === null) return;
    if (book.claimed("name", nameKey(next)) === null) yield next;
  }
}

function firstCandidate(name: string, pattern: RegExp): string | null {
  for (const candidate of usernameCandidates(name, pattern)) return candidate;
  return null;
}

/** Whether a person may sign in by this name: an `@` would make it a mail address. */
export function mayBeAlias(name: string): boolean {
  return name.trim() === name && mayBeUsername(name);
}
