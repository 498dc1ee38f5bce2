import { integer, kind, password, text, type Kind } from "../boot/config/kinds.ts";
import { flag, optional, required } from "../boot/config/options.ts";
import { createAccount } from "../domain/accounts/create-account.ts";
import { findMember } from "../domain/accounts/identifier.ts";
import { deleteAccount, updateUser } from "../domain/members/administer.ts";
import { isLevel, type Level } from "../domain/model/account.ts";
import { commandLine } from "../domain/model/actor.ts";
import { systemClock } from "../kernel/clock.ts";
import { PlainError } from "../kernel/errors.ts";
import { limits } from "../kernel/limits.ts";
import { identifier, json } from "./arguments.ts";
import { command, UsageError } from "./command.ts";
import type { Io } from "./io.ts";
import { countText, factsText, printable, tableText } from "./output.ts";
import { suspensionFacts, suspensionRecord } from "./suspension.ts";
import {
  capeRecord,
  memberText,
  playerRecord,
  readable,
  roleText,
  skinRecord,
  timeText,
  userRecord,
} from "./records.ts";

const levelMeaning = "1 player, 2 moderator, 3 administrator";

const level: Kind<Level> = {
  ...integer(1, 3),
  parse: (given) => {
    const value = integer(1, 3).parse(given);
    if (!isLevel(value)) throw new PlainError("invalid", "must be 1, 2 or 3");
    return value;
  },
};

/** Options of the commands that set a password. */
const passwordOptions = {
  password: optional(
    password,
    "8 to 128 characters; other users of the machine may see it",
    "a random one, printed once",
  ),
  passwordStdin: flag("read the password from the first line of standard input"),
};

/** `user create`: prints the new account and, if the program made it, its password. */
export const userCreate = command({
  name: "user create",
  summary: "makes an account",
  options: {
    mail: required(text("MAIL"), "mail address, also for signing in"),
    username: optional(text("NAME"), "name in the game", "chosen by the user, who finishes registration"),
    ...passwordOptions,
    level: optional(level, levelMeaning, "1"),
    admin: flag("the same as --level 3"),
    unverified: flag("the mail address still has to be confirmed"),
    json,
  },
  run: async ({ mail, username, level, admin, unverified, ...given }, { io, withServices }) => {
    const chosen = chosenLevel(level, admin);
    const { password, shown } = await newPassword(given, io, "user create");
    const input = { mail, username, password, level: chosen, mailVerified: !unverified };
    const member = await withServices((services) => createAccount(services, commandLine, input), {
      begins: true,
    });
    const record = { ...userRecord(member, systemClock.nowSeconds()), ...shown };
    return { record, text: factsText(readable(record)) };
  },
});

function chosenLevel(level: Level | null, admin: boolean): Level {
  if (admin && level !== null && level !== 3)
    throw new UsageError([`--admin means --level 3, not --level ${level}`], "user create");
  return admin ? 3 : (level ?? 1);
}

/** `user show`: prints an account, then its players, skins and capes. */
export const userShow = command({
  name: "user show",
  summary: "shows an account with its players, skins and capes",
  positionals: { identifier },
  options: { json },
  run: async ({ identifier }, { withServices }) => {
    const { user, aliases, players, skins, capes } = await withServices(async ({ reads, hasher, clock }) => {
      const member = await findMember(reads.accounts, identifier);
      const { id, playersMax, deleteAt } = member.account;
      const skins = await reads.textures.listSkins(id);
      const capes = await reads.textures.listGrantedCapes(id, clock.nowSeconds());
      return {
        user: {
          ...userRecord(member, clock.nowSeconds()),
          players_max: playersMax,
          password_kind: hasher.nameOf(member.account.passwordHash),
          suspended: suspensionRecord(await reads.suspensions.findSuspension(id), clock.nowSeconds()),
          deletes_at: deleteAt,
        },
        aliases: (await reads.aliases.listAliases(id)).map(({ name }) => name),
        players: (await reads.players.listLooks(id)).map(playerRecord),
        skins: skins.map((skin) => skinRecord(skin, skin.id === member.player?.selectedSkinId)),
        capes: capes.map(capeRecord),
      };
    });
    const capeRows = capes.map(({ id, uuid, name }) => [String(id), uuid, name]);
    const { players_max: max, suspended, deletes_at: deletesAt, ...facts } = user;
    const text = [
      factsText({
        ...readable(facts),
        players_max: max ?? "default",
        ...suspensionFacts(suspended),
        ...(deletesAt === null ? {} : { deletes_at: timeText(deletesAt) }),
        ...(aliases.length === 0 ? {} : { aliases: aliases.map(printable).join(", ") }),
      }),
      ...(players.length < 2 ? [] : [playerTable(players)]),
      ...(skins.length === 0 ? [] : [skinTable(skins)]),
      ...(capes.length === 0 ? [] : [tableText(["cape", "uuid", "name"], capeRows)]),
    ].join("\n");
    return { record: { ...user, aliases, players, skins, capes }, text };
  },
});

/** The main player is the account's username. */
function playerTable(players: readonly ReturnType<typeof playerRecord>[]): string {
  const rows = players.map(({ id, uuid, name, main }) => [String(id), uuid, name, main ? "main" : ""]);
  return tableText(["player", "uuid", "name", ""], rows);
}

function skinTable(skins: readonly ReturnType<typeof skinRecord>[]): string {
  const rows = skins.map(({ id, uuid, name, slim, width, height, selected }) => {
    const model = slim ? "slim" : "classic";
    return [String(id), uuid, name, model, `${width}x${height}`, selected ? "selected" : ""];
  });
  return tableText(["skin", "uuid", "name", "model", "size", ""], rows);
}

/** `user delete`: prints the deleted account. Exits with 1 for the last permanent administrator. */
export const userDelete = command({
  name: "user delete",
  summary: "deletes an account with its players, sessions and skins",
  details: "It does not ask, and cannot be undone. The players' names are reserved for a while.",
  positionals: { identifier },
  run: async ({ identifier }, { withServices }) => {
    const member = await withServices((services) => deleteAccount(services, commandLine, identifier));
    return `deleted ${memberText(member)}\n`;
  },
});

/** `user set-password`: prints the new password if the program made it. */
export const userSetPassword = command({
  name: "user set-password",
  summary: "gives an account a new password and ends its sessions",
  details: "The account's mail address gets a notice.",
  positionals: { identifier },
  options: { ...passwordOptions, json },
  run: async ({ identifier, ...given }, { io, withServices }) => {
    const { password, shown } = await newPassword(given, io, "user set-password");
    const input = { identifier, change: { password } };
    const member = await withServices((services) => updateUser(services, commandLine, input));
    return {
      record: { ...userRecord(member, systemClock.nowSeconds()), ...shown },
      text: `${memberText(member)} has a new password${"password" in shown ? `: ${password}` : ""}\n`,
    };
  },
});

/** `user set-level`: prints the level. Exits with 1 for the last permanent administrator. */
export const userSetLevel = command({
  name: "user set-level",
  summary: "sets what an account may do",
  details: "A temporary level, which administrators give over HTTP, stays until it ends.",
  positionals: { identifier, level: required(level, levelMeaning) },
  run: async ({ identifier, level }, { withServices }) => {
    const input = { identifier, change: { permanentLevel: level } };
    const member = await withServices((services) => updateUser(services, commandLine, input));
    const role = roleText(member, systemClock.nowSeconds());
    return `${memberText(member)} has level ${level}${role === "" ? "" : `, but ${role}`}\n`;
  },
});

/** `default` is no number of the account's own. */
const playersMax: Kind<number | null> = kind("N|default", (given) =>
  given === "default" ? null : integer(1, limits.ownPlayersMax).parse(given),
);

/** `user set-players-max`: prints how many players the account may have. */
export const userSetPlayersMax = command({
  name: "user set-players-max",
  summary: "sets how many players an account's owner may make",
  details:
    "default stands for the setting PLAYERS_MAX. Players that there are stay, and player create is not bound by it.",
  positionals: { identifier, max: required(playersMax, `1 to ${limits.ownPlayersMax}, or default`) },
  options: { json },
  run: async ({ identifier, max }, { withServices }) => {
    const input = { identifier, change: { playersMax: max } };
    const member = await withServices((services) => updateUser(services, commandLine, input));
    const record = { ...userRecord(member, systemClock.nowSeconds()), players_max: max };
    const many = max === null ? "as many players as PLAYERS_MAX says" : countText(max, "player");
    return { record, text: `${memberText(member)} may have ${many}\n` };
  },
});

type Given = { readonly password: string | null; readonly passwordStdin: boolean };

/**
 * The password to set. `shown` holds it if it was made here and has to be printed, because only this process
 * knows it.
 */
async function newPassword(
  given: Given,
  io: Io,
  commandName: string,
): Promise<{ readonly password: string; readonly shown: { readonly password?: string } }> {
  if (given.password !== null && given.passwordStdin)
    throw new UsageError(["--password and --password-stdin exclude each other"], commandName);
  if (given.password !== null) return { password: given.password, shown: {} };
  if (given.passwordStdin) return { password: await io.readSecret("Password: "), shown: {} };
  const password = makePassword();
  return { password, shown: { password } };
}

/** 32 letters and digits, so five bits each, without those that look alike. */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";

/** 100 random bits in four groups. */
function makePassword(): string {
  const letters = Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) =>
    alphabet.charAt(byte % 32),
  );
  return [0, 5, 10, 15].map((start) => letters.slice(start, start + 5).join("")).join("-");
}
