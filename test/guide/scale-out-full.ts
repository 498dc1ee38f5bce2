/*
 * docs/operate/scale-out.md works as it is pasted, on machines that are namespaces of this one (machines.sh), with Debian's programs;
 * between its blocks scale-out.sh looks at what has to hold. Some four minutes, as root.
 */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../cli/run-program.ts";
import { isRoot } from "../support/run-servers.ts";
import { versitygwProgram } from "../support/versitygw.ts";
import { projectRoot } from "../tidy/project-files.ts";
import { blocksOf, type Block } from "./blocks.ts";

const page = "docs/operate/scale-out.md";
const machines = ["db1", "db2", "node1", "node2", "balancer"];

/** What runs before the first block of a section, and after its last one. */
const checks = new Map([
  ["8. HAProxy", ["", "after_haproxy"]],
  ["When the primary is lost", ["before_failover", "after_failover"]],
  ["Restart and upgrade", ["before_restart", "after_restart"]],
  ["Secrets", ["before_secret", "after_secret"]],
  ["Poolers", ["", "after_pooler"]],
  ["Back to one folder", ["before_back", "after_back"]],
]);

const programs = [
  "unshare",
  "nsenter",
  "ip",
  "curl",
  "openssl",
  "pg_createcluster",
  "haproxy",
  "pgbouncer",
  "pgbackrest",
];

/** Why the machines cannot be made here; null when they can. */
function findFault(): string | null {
  if (process.platform !== "linux" || !isRoot) return "it needs Linux and root";
  if (!existsSync(versitygwProgram)) return "versitygw is not built: bun tools/test-servers.ts";
  const missing = programs.filter(
    (name) => Bun.which(name, { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" }) === null,
  );
  if (missing.length > 0) return `these are not installed: ${missing.join(", ")}`;
  if (!existsSync("/usr/lib/postgresql/15/bin/postgres")) return "Debian's postgresql-15 is not installed";
  return null;
}

/** The machines that the first line of a block names. */
function placesOf({ script }: Block): readonly string[] {
  const [first = ""] = script.split("\n", 1);
  return first.startsWith("# on ") ? machines.filter((name) => new RegExp(`\\b${name}\\b`).test(first)) : [];
}

/** All blocks in order, each on its machines, and the checks of their sections. */
function planOf(text: string): string {
  const parts = text.split(/^## /m).flatMap((section) => {
    const [title = ""] = section.split("\n", 1);
    const [before = "", after = ""] = checks.get(title) ?? [];
    const pasted = blocksOf(page, section).flatMap((block) =>
      placesOf(block).map((name) => {
        const script = block.script
          .replaceAll("ID_OF_THE_KEY", "guide")
          .replaceAll("THE_KEY", "guide-secret");
        return `echo "@ ${title}, line ${block.line}, on ${name}" >&2\non ${name} <<'END_OF_BLOCK'\n${script}END_OF_BLOCK`;
      }),
    );
    return [before, ...pasted, after && `echo "@ ${after}" >&2\n${after}`];
  });
  const paths = `project=${projectRoot}\nbun=${process.execPath}\nversitygw=${versitygwProgram}`;
  return [paths, `source ${join(import.meta.dir, "scale-out.sh")}`, "prepare", ...parts, "echo the end"].join(
    "\n",
  );
}

const fault = findFault();
if (fault !== null) console.error(`NOT RUN: the guide for several nodes (${fault})`);

test.skipIf(fault !== null)(
  "the guide for several nodes can be pasted block by block",
  async () => {
    await using folder = await temporaryFolder();
    const [room, plan] = [join(folder.path, "room"), join(folder.path, "plan.sh")];
    await mkdir(room);
    await Bun.write(plan, planOf(await Bun.file(join(projectRoot, page)).text()));
    const namespaces = ["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];
    const run = Bun.spawn(
      ["unshare", ...namespaces, "bash", join(import.meta.dir, "machines.sh"), room, plan],
      { stdout: "pipe", stderr: "pipe" },
    );
    const [out, errors, code] = await Promise.all([
      new Response(run.stdout).text(),
      new Response(run.stderr).text(),
      run.exited,
    ]);
    expect({ code, at: code === 0 ? "" : `${errors.slice(-4000)}\n${out.slice(-4000)}` }).toEqual({
      code: 0,
      at: "",
    });
    expect(out).toEndWith("the end\n");
  },
  900_000,
);

test("every block of the guide for several nodes says where it is pasted", async () => {
  const blocks = blocksOf(page, await Bun.file(join(projectRoot, page)).text());
  expect(blocks.length).toBeGreaterThan(15);
  for (const block of blocks)
    expect({ block, places: placesOf(block).length > 0 }).toEqual({ block, places: true });
});
