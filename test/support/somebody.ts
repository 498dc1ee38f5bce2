/* Somebody whom permissions bind: they do not bind root. */
import { tmpdir } from "node:os";
import { program } from "./program.ts";

export const isRoot = process.getuid?.() === 0;

/** The id of the user and group without rights, which root becomes. */
export const nobody = 65_534;

/** What stands before a command that somebody runs. */
export const asSomebody: readonly string[] = isRoot
  ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"]
  : [];

/** Whether somebody gets to folders that tests make: the one for temporary files may be root's own. */
export const somebodyGetsToFolders = works("test", "-x", tmpdir());

/** Why only root can run the program from its source here; null when others can. */
export const noSomebody: string | null = findReason();

function findReason(): string | null {
  if (process.platform === "win32") return "permissions are something else on Windows";
  if (isRoot && Bun.which("setpriv") === null) return "root cannot be somebody else here (setpriv)";
  if (!somebodyGetsToFolders) return "somebody else may not enter the folder for temporary files";
  return works(...program, "version") ? null : "somebody else may not read the project's folder";
}

function works(...command: readonly string[]): boolean {
  return Bun.spawnSync([...asSomebody, ...command]).success;
}
