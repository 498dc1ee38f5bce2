/** The options of `import`, and what they come to. */
import { choice, integer, kind, path, refuse, text } from "../boot/config/kinds.ts";
import { flag, optional, required, withDefault } from "../boot/config/options.ts";
import { sourceNames } from "../operate/import/source-names.ts";
import { json } from "./arguments.ts";

/** More accounts than any community has. */
const accountsMax = 1_000_000_000;

/** It stands in the audit, and in the name of the uploader of capes. */
const sourceName = kind("NAME", (given) =>
  /^[\p{L}\p{N}._-]{1,64}$/u.test(given)
    ? given
    : refuse("must be 1 to 64 letters, digits, dots, dashes and underscores"),
);

const where = {
  from: required(
    { ...choice(...sourceNames), placeholder: "SYSTEM" },
    `the system that the community comes from: ${sourceNames.join(", ")}`,
  ),
  dsn: optional(
    text("URL"),
    "its database, without a password: mysql://user@host/name, postgres://user@host/name, sqlite:///path",
    "IMPORT_DSN in the environment, where it may have one",
  ),
  dsnStdin: flag("read the database's address from the first line of standard input"),
  passphraseStdin: flag(
    "read an export's passphrase from the first line of standard input, not from BACKUP_PASSPHRASE",
  ),
  file: optional(path("FILE"), "a list, an export, or a database of SQLite"),
  textures: optional(path("DIR"), "the folder of its skins, or of all its textures"),
  capesDir: optional(path("DIR"), "the folder of its capes, where they have one of their own"),
  launchserver: optional(path("FILE"), "GravitLauncher's LaunchServer.json"),
  env: optional(path("FILE"), "its own settings: Blessing Skin's .env, AuthMe's config.yml"),
  prefix: optional(text("TEXT"), "what the names of its tables begin with"),
  table: optional(text("NAME"), "its table, where that has another name than usual"),
  timeZone: optional(
    text("ZONE"),
    "where its times were written, as Europe/Moscow",
    "what the system writes by itself",
  ),
  sourceName: optional(
    sourceName,
    "what to call this source in later runs, should it move",
    "a name made of where it is",
  ),
};

const rules = {
  onNameClash: withDefault(
    choice("rename", "skip", "ask"),
    "rename",
    "players whose name is taken: come as NAME_2, do not come, or ask",
  ),
  onBadName: withDefault(
    choice("rename", "skip", "ask"),
    "rename",
    "players whose name USERNAME_PATTERN refuses; the old name of a renamed one stays for signing in",
  ),
  onMailClash: withDefault(
    choice("drop", "merge", "skip", "ask"),
    "drop",
    "accounts whose mail address is taken: come without, join the account there that has it, do not come, or ask",
  ),
  onNoMail: withDefault(choice("keep", "skip"), "keep", "accounts without a mail address"),
  onUuidClash: withDefault(choice("ask", "skip"), "ask", "players whose uuid an account here has or had"),
  onNoPlayer: withDefault(
    choice("keep", "skip"),
    "keep",
    "accounts without a player, which choose a name later",
  ),
  onSuspended: withDefault(
    choice("keep", "skip"),
    "keep",
    "accounts that are banned there: come suspended, or do not",
  ),
  trustMail: flag("every mail address counts as confirmed"),
  uuid: withDefault(
    choice("keep", "offline", "random"),
    "keep",
    "uuids of players: as there, or new ones by the name or at random",
  ),
  uuids: optional(
    path("FILE"),
    "uuids of players that have none there: usercache.json, or lines of uuid,name",
  ),
  staff: withDefault(choice("drop", "keep"), "drop", "staff there: comes as players, or keeps its level"),
  downscale: flag("make skins smaller that are wider than SKIN_WIDTH_MAX"),
  wardrobeNewest: flag("of a wardrobe over WARDROBE_MAX only the newest skins come"),
  capes: withDefault(choice("keep", "skip"), "keep", "capes, and who may wear them"),
  noFactors: flag("leave second factors out"),
  passwordKind: optional(text("KIND"), "the kind of passwords whose form several kinds have"),
  update: flag("also bring what changed there since the last run"),
};

const output = {
  limit: optional(integer(1, accountsMax), "only the first N accounts", "all"),
  dryRun: flag("only show the plan; nothing is written but the report"),
  claims: optional(
    path("FILE"),
    "write a code for each account of this source without mail address and password: its person claims it with the code; a further run makes new codes for those that are left",
  ),
  report: optional(path("DIR"), "write plan.jsonl, problems.csv, summary.json and result.jsonl there"),
  json,
};

/** Every option of `import`. */
export const importOptions = { ...where, ...rules, ...output };
