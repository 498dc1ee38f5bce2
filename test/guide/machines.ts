/*
 * Pages whose blocks are pasted on machines that are namespaces of this one (machines.sh), as root on Debian.
 */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../cli/run-program.ts";
import { isRoot } from "../support/run-servers.ts";
import { versitygwProgram } from "../support/versitygw.ts";
import { projectRoot } from "../tidy/project-files.ts";
import { blocksOf, type Block } from "./blocks.ts";

export type PastedPage = {
  readonly page: string;
  /** Functions of shell lines, of which `prepare` runs before the first block. */
  readonly script: string;
  /** What of the script runs before the first block of a section, and after its last one. */
  readonly checks: ReadonlyMap<string, readonly [before: string, after: string]>;
  /** The page's words for what is another one here. */
  readonly replaced: Readonly<Record<string, string>>;
};

const machines = ["db1", "db2", "db3", "node1", "node2", "balancer"];

/** Why the machines, with these programs, cannot be made here; null when they can. */
export function machinesMissing(programs: readonly string[]): string | null {
  if (process.platform !== "linux" || !isRoot) return "it needs Linux and root";
  if (!existsSync(versitygwProgram)) return "versitygw is not built: bun tools/test-servers.ts";
  const needed = ["setpriv", "unshare", "nsenter", "ip", "curl", "openssl", ...programs];
  const missing = needed.filter(
    (name) => Bun.which(name, { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" }) === null,
  );
  if (missing.length > 0) return `these are not installed: ${missing.join(", ")}`;
  if (!existsSync("/usr/lib/postgresql/15/bin/postgres")) return "Debian's postgresql-15 is not installed";
  return null;
}

/** The machines that the first line of a block names. */
export function placesOf({ script }: Block): readonly string[] {
  const [first = ""] = script.split("\n", 1);
  return first.startsWith("# on ") ? machines.filter((name) => new RegExp(`\\b${name}\\b`).test(first)) : [];
}

/**
 * Pastes all blocks in order, each on its machines, and runs the checks of their sections. Returns what was
 * printed, and the exit code.
 */
export async function pasteAll(given: PastedPage): Promise<{ code: number; out: string; errors: string }> {
  await using folder = await temporaryFolder();
  const [room, plan] = [join(folder.path, "room"), join(folder.path, "plan.sh")];
  await mkdir(room);
  await Bun.write(plan, planOf(given, await Bun.file(join(projectRoot, given.page)).text()));
  const namespaces = ["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];
  const machinesScript = join(import.meta.dir, "machines.sh");
  const command = ["unshare", ...namespaces, "bash", machinesScript, room, plan];
  const run = Bun.spawn(["setpriv", "--pdeathsig", "KILL", ...command], { stdout: "pipe", stderr: "pipe" });
  const [out, errors, code] = await Promise.all([run.stdout.text(), run.stderr.text(), run.exited]);
  return { code, out, errors };
}

function planOf({ page, script, checks, replaced }: PastedPage, text: string): string {
  const parts = text.split(/^## /m).flatMap((section) => {
    const [title = ""] = section.split("\n", 1);
    const [before = "", after = ""] = checks.get(title) ?? [];
    const pasted = blocksOf(page, section).flatMap((block) =>
      placesOf(block).map((name) => {
        const lines = Object.entries(replaced).reduce(
          (so, [word, other]) => so.replaceAll(word, other),
          block.script,
        );
        return `echo "@ ${title}, line ${block.line}, on ${name}" >&2\non ${name} <<'END_OF_BLOCK'\n${lines}END_OF_BLOCK`;
      }),
    );
    return [before, ...pasted, after && `echo "@ ${after}" >&2\n${after}`];
  });
  const paths = `project=${projectRoot}\nbun=${process.execPath}\nversitygw=${versitygwProgram}`;
  return [paths, `source ${join(import.meta.dir, script)}`, "prepare", ...parts, "echo the end"].join("\n");
}
