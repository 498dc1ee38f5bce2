/*
 * The commit that is built. Without a repository, as in a container build, COMMIT names it.
 */
import { projectFolder } from "./bundle.ts";

export type Commit = {
  /** Twelve digits, or `unknown`. */
  readonly id: string;
  /** When it was made, or null where only its id is known. */
  readonly time: Date | null;
};

export async function readCommit(): Promise<Commit> {
  const given = process.env["COMMIT"];
  if (given) return { id: given, time: null };
  const shown = await Bun.$`git -C ${projectFolder} show --no-patch --format=%H:%ct HEAD`.nothrow().quiet();
  if (shown.exitCode !== 0) return { id: "unknown", time: null };
  const [hash = "", seconds] = shown.text().trim().split(":");
  return { id: hash.slice(0, 12), time: new Date(Number(seconds) * 1000) };
}
