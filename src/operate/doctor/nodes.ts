import { postgresTools } from "../../boot/engines.ts";
import { differencesFrom, isRefused, otherUrlFinding } from "../../boot/node-settings.ts";
import { found, type CodedFinding } from "../../domain/health/finding.ts";
import type { Subject } from "./finding.ts";

/** The nodes that serve from the same database, and what this machine's settings and theirs differ in. */
export async function* checkNodes({ loaded, config, reach }: Subject): AsyncIterable<CodedFinding> {
  const { database, blobs, publicUrl } = config;
  if (database === null || (await reach()).state !== "readable") return;
  const nodes = await (await postgresTools()).readNodes(database);
  const alive = nodes.filter(({ isAlive }) => isAlive);
  const names = alive.map(({ name, leads }) => (leads ? `${name} leads` : name)).join(", ");
  yield alive.length === 0 ? found("nodes_none") : found("nodes_serving", { nodes: names });
  const versions = new Set(alive.map(({ version }) => version));
  if (versions.size > 1) yield found("nodes_versions", { versions: [...versions].join(" and ") });
  if (alive.length > 1 && blobs === null) yield found("nodes_textures_apart");
  if (alive.length > 1 && publicUrl === null) yield found("nodes_public_url_unset");
  for (const [setting, others] of differencesFrom(await loaded.digests(), alive))
    yield isRefused(setting)
      ? otherUrlFinding(others)
      : found("nodes_setting_other", { setting, nodes: others });
}
