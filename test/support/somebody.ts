/* Somebody whom permissions bind: they do not bind root. */
import { mainFile } from "../cli/run-program.ts";

export const isRoot = process.getuid?.() === 0;

/** The id of nobody's user and group, whom root becomes. */
export const nobody = 65_534;

/** What stands before a command that somebody runs. */
export const asSomebody: readonly string[] = isRoot
  ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"]
  : [];

/** Why nobody but root can run the program from its source here; null when somebody can. */
export const noSomebody: string | null = findReason();

function findReason(): string | null {
  if (process.platform === "win32") return "permissions are something else on Windows";
  if (isRoot && Bun.which("setpriv") === null) return "root cannot be somebody else here (setpriv)";
  const { success } = Bun.spawnSync([...asSomebody, process.execPath, mainFile, "version"]);
  return success ? null : "somebody else may not read the project's folder";
}
