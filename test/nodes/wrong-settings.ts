/* What names a setting in which nodes differ. */
import type { Nodes } from "./node-processes.ts";

type Settings = Readonly<Record<string, string>>;

/** What each warning of a node's log says of differing settings, oldest first. */
export async function logSays(nodes: Nodes, name: string): Promise<readonly string[]> {
  const lines = (await nodes.logged(name)).split("\n").filter((line) => line.startsWith("{"));
  return lines.flatMap((line) => {
    const { level, message, differences } = JSON.parse(line);
    const isSaid = level === "warn" && message === "nodes differ in settings that all of them need alike";
    return isSaid ? [String(differences)] : [];
  });
}

/** By the node's name, the settings that `nodes` names. */
export async function oddNodes(nodes: Nodes): Promise<Readonly<Record<string, readonly string[]>>> {
  const { out } = await nodes.command(["nodes", "--json"]);
  const listed: readonly { name: string; other_settings: readonly string[] }[] = JSON.parse(out);
  return Object.fromEntries(listed.map(({ name, other_settings: settings }) => [name, settings]));
}

/** What doctor says of settings on a machine with these. */
export async function doctorSays(nodes: Nodes, settings: Settings): Promise<readonly string[]> {
  const { out } = await nodes.command(["doctor", "--json"], settings);
  const { findings }: { findings: readonly Readonly<Record<"check" | "state" | "message", string>>[] } =
    JSON.parse(out);
  return findings
    .filter(({ check, message }) => check === "nodes" && /^[A-Z_0-9]+ (?:of this machine )?is /.test(message))
    .filter(({ message }) => !message.startsWith("BLOBS is files"))
    .map(({ state, message }) => `${state}: ${message}`);
}
