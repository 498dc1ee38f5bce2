/*
 * The S3 server of the tests, versitygw: where it is, and why it may not be here. It is no package of npm: Go
 * builds it from its source, once for a machine, into a folder outside the project
 * (`bun tools/test-servers.ts`).
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export const versitygwVersion = "1.8.0";

const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");

export const versitygwProgram = join(cache, "cloakroom", `versitygw-${versitygwVersion}`, "versitygw");

/** Why it cannot run here; null when it can. */
export function findVersitygwFault(): string | null {
  if (existsSync(versitygwProgram)) return null;
  return Bun.which("go") === null
    ? "versitygw is not built, and go is not installed to build it"
    : "versitygw is not built: bun tools/test-servers.ts";
}
