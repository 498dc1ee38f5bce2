import { AppError } from "../../kernel/errors.ts";
import { newUuid, parseUuid, type AccountId, type Uuid } from "../../kernel/ids.ts";
import { offlineUuid, parsePlayerUuid } from "../model/player-uuid.ts";
import { nameKey } from "../model/username.ts";
import type { BookPlayer } from "../ports/plan-book.ts";
import { rankedPages, reasonOf, told, turnAway, type Planning } from "./planning.ts";

type Wished = {
  readonly player: BookPlayer;
  readonly uuid: Uuid;
  readonly isGiven: boolean;
  readonly reason: string;
};

/** Gives each new player its uuid: the one that it has there, or one by the rule there or here. */
export async function planUuids(planning: Planning): Promise<void> {
  const { book, reads } = planning;
  for await (const page of told(planning, "comparing uuids", rankedPages(book.rankedPlayers))) {
    const wished = page.map((player) => ({ player, ...uuidOf(planning, player) }));
    const taken = await reads.takenUuids(wished.map(({ uuid }) => uuid));
    const owners = Map.groupBy(taken, ({ uuid }) => uuid);
    for (const one of wished) {
      const found = owners.get(one.uuid)?.map(({ account }) => account) ?? [];
      settle(planning, one, found);
    }
  }
}

function settle(
  { book, rules }: Planning,
  { player, uuid, isGiven, reason }: Wished,
  owners: readonly AccountId[],
): void {
  if (isOthers(book, player, owners)) {
    if (!isGiven) return give(book, player, newUuid(), reasonOf(reason, takenHere));
    const clash = "an account here has or had its uuid";
    const how = rules.onUuidClash === "ask" ? `${clash}: --on-uuid-clash skip leaves it out` : clash;
    return turnAway(book, "player", player, {
      decision: rules.onUuidClash,
      reason: how,
      from: player.source.name,
    });
  }
  if (book.claim("uuid", uuid, player.n) === null) return give(book, player, uuid, reason);
  give(book, player, newUuid(), reasonOf(reason, takenThere));
}

/** Most uuids are nobody's here: only of the others the player's account is looked up. */
function isOthers(book: Planning["book"], { account }: BookPlayer, owners: readonly AccountId[]): boolean {
  if (owners.length === 0) return false;
  const own = account === null ? null : (book.account(account)?.id ?? null);
  return owners.some((owner) => owner !== own);
}

/** Worlds and ranks are kept by uuid, so a new one is said, also in place of one that a rule gives. */
const takenHere = "an account here has or had the uuid of its name: it gets a new one";
const takenThere = "another player there has its uuid: it gets a new one";

function give(book: Planning["book"], player: BookPlayer, uuid: Uuid, reason: string): void {
  book.setPlayer(player.n, { uuid, reason: reasonOf(player.reason, reason) });
}

/** The uuid that a player shall have, and whether the source or a file says so. */
function uuidOf({ source, rules }: Planning, player: BookPlayer): Omit<Wished, "player"> {
  const { name } = player.source;
  if (rules.uuid === "random") return { uuid: newUuid(), isGiven: false, reason: "" };
  if (rules.uuid === "offline") return { uuid: offlineUuid(name), isGiven: false, reason: "" };
  const given = player.source.uuid ?? rules.uuids.get(nameKey(name)) ?? null;
  const uuid = given === null ? null : playerUuid(given);
  if (uuid !== null) return { uuid, isGiven: true, reason: "" };
  const rule = source.facts.uuidRule ?? rules.settings.playerUuids;
  const reason = given === null || given === "" ? "" : "games take no uuid like its own: it gets a new one";
  return { uuid: rule === "offline" ? offlineUuid(name) : newUuid(), isGiven: false, reason };
}

function playerUuid(text: string): Uuid | null {
  const uuid = parseUuid(text);
  if (uuid === null) return null;
  try {
    return parsePlayerUuid(uuid);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    return null;
  }
}
