import { kind, refuse, text, uuid, type Kind } from "../boot/config/kinds.ts";
import { optional, required } from "../boot/config/options.ts";
import { findMember } from "../domain/accounts/identifier.ts";
import { commandLine } from "../domain/model/actor.ts";
import { changePlayer, type Dress } from "../domain/players/change-player.ts";
import { createPlayer } from "../domain/players/create-player.ts";
import { deletePlayer } from "../domain/players/delete-player.ts";
import { findPlayer, parsePlayerKey } from "../domain/players/list-players.ts";
import type { PlayerLook } from "../domain/ports/player-store.ts";
import { parseUuid, type PlayerId } from "../kernel/ids.ts";
import { limits } from "../kernel/limits.ts";
import { identifierKind, json } from "./arguments.ts";
import { command, UsageError } from "./command.ts";
import { factsText, pagesOf, printList } from "./output.ts";
import { playerRecord, timeText } from "./records.ts";

const player = required(kind("PLAYER", parsePlayerKey), "a player's uuid or name");

const uuidMeaning =
  "its uuid; one that another account's player had formerly is taken over, one in use is refused";

/** `player create`: prints the new player. */
export const playerCreate = command({
  name: "player create",
  summary: "gives an account another player",
  details: "PLAYERS_MAX does not bind it.",
  options: {
    user: required(identifierKind, "the account's id, uuid, username or mail address"),
    name: required(text("NAME"), "its name in the game"),
    uuid: optional(uuid, uuidMeaning, "one as PLAYER_UUIDS says"),
    json,
  },
  run: async ({ user, name, uuid }, { withServices }) => {
    const input = { identifier: user, name, uuid };
    return told(await withServices((services) => createPlayer(services, commandLine, input)));
  },
});

const head = ["id", "uuid", "name", "user", "main", "skin", "cape"];

/** `player list`: prints a table of all players, or of one account's. */
export const playerList = command({
  name: "player list",
  summary: "lists the players by id",
  options: {
    user: optional(identifierKind, "only this account's: id, uuid, username or mail address", "everybody's"),
    json,
  },
  run: async ({ user, json }, { io, withServices }) => {
    await withServices(async ({ reads: { accounts, players } }) => {
      const owner = user === null ? null : (await findMember(accounts, user)).account.id;
      const read = (after: number) => {
        // The boundary where the last row's number becomes an id again; 0 is before the first one.
        if (owner === null) return players.listAll({ after: after as PlayerId, rows: limits.pageRowsMax });
        // The players of one account are one page.
        return after === 0 ? players.listLooks(owner) : Promise.resolve([]);
      };
      const pages = pagesOf(read, ({ player }) => player.id);
      await printList(io, json, { pages, total: null, head, cells: playerCells, record: playerRecord });
    });
  },
});

function playerCells(look: PlayerLook): string[] {
  const { id, uuid, name, user, main, skin, cape } = playerRecord(look);
  return [String(id), uuid, name, String(user), main ? "main" : "", skin || "-", cape || "-"];
}

/** `player show`: prints the facts of a player. */
export const playerShow = command({
  name: "player show",
  summary: "shows a player and what it wears",
  positionals: { player },
  options: { json },
  run: async ({ player }, { withServices }) =>
    told(await withServices(({ reads }) => findPlayer(reads.players, player))),
});

/** A skin's UUID, or the word for no skin. */
const skinChoice: Kind<Pick<Dress, "skin">> = kind("UUID|none", (given) => ({
  skin: given === "none" ? null : (parseUuid(given) ?? refuse("must be a skin's UUID or none")),
}));

/** A cape's UUID, or the words for no cape and for the cape that the skin has. */
const capeChoice: Kind<Pick<Dress, "cape">> = kind("UUID|none|skin", (given) => {
  if (given === "none") return { cape: "none" };
  if (given === "skin") return { cape: null };
  return { cape: parseUuid(given) ?? refuse("must be a cape's UUID, none or skin") };
});

/** `player set`: prints the player as it is then. Exits with 2 if no change is named. */
export const playerSet = command({
  name: "player set",
  summary: "renames and dresses a player, or gives it another uuid",
  details:
    "A new name keeps the uuid, and the old name is reserved for the account for a while. After a new name or uuid, launchers" +
    " that play it have to refresh their sign-in once, which they do by themselves. A game server takes a new uuid for" +
    " another person: what it keeps under the old one stays there.",
  positionals: { player },
  options: {
    name: optional(text("NAME"), "another name"),
    uuid: optional(uuid, uuidMeaning),
    skin: optional(skinChoice, "a skin of the account's wardrobe, or none"),
    cape: optional(capeChoice, "a cape that the account may wear; none; or skin: the one that its skin has"),
    json,
  },
  run: async ({ player, name, uuid, skin, cape }, { withServices }) => {
    const change = {
      ...(name === null ? {} : { name }),
      ...(uuid === null ? {} : { uuid }),
      ...skin,
      ...cape,
    };
    if (Object.keys(change).length === 0)
      throw new UsageError(["at least one of --name, --uuid, --skin and --cape must be given"], "player set");
    return told(await withServices((services) => changePlayer(services, commandLine, player, change)));
  },
});

/** `player delete`: prints the deleted player. Exits with 1 for the main player of an account. */
export const playerDelete = command({
  name: "player delete",
  summary: "deletes a player that is not its account's main one",
  details:
    "It does not ask, and cannot be undone. Launchers that play it are signed out. The name is reserved for the account for a" +
    " while; skins and capes are the account's and stay.",
  positionals: { player },
  options: { json },
  run: async ({ player }, { withServices }) => {
    const deleted = await withServices((services) => deletePlayer(services, commandLine, player));
    const { id, name, uuid, accountId } = deleted.player;
    const text = `deleted player ${id} (${name}, ${uuid}) of user ${accountId}\n`;
    return { record: playerRecord(deleted), text };
  },
});

function told(look: PlayerLook) {
  const record = playerRecord(look);
  const { main, created } = record;
  return {
    record,
    text: factsText({ ...record, main: main ? "yes" : "no", created: timeText(created) }),
  };
}
