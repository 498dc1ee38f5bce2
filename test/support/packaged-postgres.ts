import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * The programs of the newest PostgreSQL that Debian's packages have installed, which compiles statements;
 * null without one.
 */
export function packagedPrograms(): string | null {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).map(Number) : [];
  const folders = versions.toSorted((a, b) => b - a).map((version) => join(root, String(version), "bin"));
  return folders.find((folder) => existsSync(join(folder, "postgres"))) ?? null;
}
