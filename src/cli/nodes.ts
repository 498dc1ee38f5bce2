import { postgresTools } from "../boot/engines.ts";
import { oddSettings, settingDifferences } from "../boot/node-settings.ts";
import { PlainError } from "../kernel/errors.ts";
import { json } from "./arguments.ts";
import { command } from "./command.ts";
import { tableText } from "./output.ts";
import { timeText } from "./records.ts";

/** `nodes`: prints a table of the servers that share the database. Exits with 1 without DATABASE_URL. */
export const nodes = command({
  name: "nodes",
  summary: "lists the servers of DATABASE_URL, and which of them leads",
  details:
    "The leader sends mail and webhooks, ends what has an end, and tidies up. A server that stops takes itself off the list; one" +
    " that was killed, or that its network cut off, is silent: another one leads within 15 seconds, and it is listed for a day." +
    " The last column names the settings in which a server differs from most others, although all need them alike.",
  options: { json },
  run: async (_, { loadConfig }) => {
    const { database } = (await loadConfig()).config;
    if (database === null)
      throw new PlainError("invalid", "DATABASE_URL is not set: a community in a data folder has one server");
    const found = await (await postgresTools()).readNodes(database);
    const differences = settingDifferences(found);
    const all = found.map((node) => ({
      ...node,
      started: timeText(Math.floor(node.startedAt / 1000)),
      others: oddSettings(differences, node),
    }));
    const rows = all.map(({ name, version, schema, started, silentSeconds, isAlive, leads, others }) => [
      name,
      version,
      String(schema),
      started.replace(".000", ""),
      isAlive ? "serves" : `silent for ${silentSeconds} s`,
      leads ? "leads" : "-",
      others === null ? "not known" : others.join(", ") || "-",
    ]);
    const record = all.map(({ name, version, schema, started, silentSeconds, isAlive, leads, others }) => ({
      name,
      version,
      schema,
      started,
      silent_seconds: silentSeconds,
      alive: isAlive,
      leader: leads,
      other_settings: others,
    }));
    const head = ["name", "version", "schema", "started", "state", "leader", "other settings"];
    return { record, text: tableText(head, rows) };
  },
});
