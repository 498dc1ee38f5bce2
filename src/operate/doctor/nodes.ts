import { postgresTools } from "../../boot/engines.ts";
import { differencesFrom, isRefused, otherUrlText, settingsRemedy } from "../../boot/node-settings.ts";
import { ok, problem, warning, type Finding, type Subject } from "./finding.ts";

/** The nodes that serve from the same database, and what this machine's settings and theirs differ in. */
export async function* checkNodes({ loaded, config, reach }: Subject): AsyncIterable<Finding> {
  const { database, blobs, publicUrl } = config;
  if (database === null || (await reach()).state !== "readable") return;
  const nodes = await (await postgresTools()).readNodes(database);
  const alive = nodes.filter(({ isAlive }) => isAlive);
  const names = alive.map(({ name, leads }) => (leads ? `${name} leads` : name)).join(", ");
  yield ok(alive.length === 0 ? "no node serves now" : names);
  const versions = new Set(alive.map(({ version }) => version));
  if (versions.size > 1)
    yield warning(`they run ${[...versions].join(" and ")}`, "bring all of them to the same release");
  if (alive.length > 1 && blobs === null)
    yield warning(
      "BLOBS is files and several nodes serve: each needs the same files",
      "set BLOBS to a bucket, or give all of them one DATA_DIR on a shared file system",
    );
  if (alive.length > 1 && publicUrl === null)
    yield warning(
      "PUBLIC_URL is not set and several nodes serve: addresses of textures and in mails lead to the one that made them",
      "stop every node, set PUBLIC_URL to the balancer's address on each, and start them",
    );
  for (const [setting, others] of differencesFrom(await loaded.digests(), alive))
    yield isRefused(setting)
      ? problem(otherUrlText(others), settingsRemedy)
      : warning(`${setting} of this machine is not that of ${others}`, settingsRemedy);
}
