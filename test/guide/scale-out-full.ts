/*
 * docs/operate/scale-out.md works as it is pasted, on machines that are namespaces of this one (machines.sh),
 * with Debian's programs; between its blocks scale-out.sh looks at what has to hold. Some four minutes, as
 * root.
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

/** What runs before the block of this number in a section, and after its last one. */
type Checks = Readonly<Record<number, string>> & { readonly after?: string };

const checks: Readonly<Record<string, Checks>> = {
  "3. The standby": { after: "after_standby" },
  "8. HAProxy": { after: "after_haproxy" },
  "Restore to a moment": { 0: "before_restore", 2: "standby_of db2 db1", after: "after_restore" },
  "When the primary is lost": { 0: "before_failover", after: "after_failover" },
  "Restart and upgrade": { 0: "before_restart", after: "after_restart" },
  Secrets: { 0: "before_secret", after: "after_secret" },
  Poolers: { after: "after_pooler" },
  "Back to one folder": { 0: "before_back", after: "after_back" },
};

const programs = [
  "setpriv",
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

/** Calls a function of scale-out.sh; without a name nothing. */
const run = (call = "") => call && `echo "@ ${call}" >&2\n${call}`;

/** All blocks in order, each on its machines, and the checks between them. */
function planOf(text: string): string {
  const parts = text.split(/^## /m).flatMap((section) => {
    const [title = ""] = section.split("\n", 1);
    const between = checks[title] ?? {};
    const blocks = blocksOf(page, section).flatMap((block, at) => [
      run(between[at]),
      ...placesOf(block).map(
        (name) => `echo "@ ${title}, line ${block.line}, on ${name}" >&2\non ${name} ${hereOf(block.script)}`,
      ),
    ]);
    return [...blocks, run(between.after)];
  });
  const paths = `project=${projectRoot}\nbun=${process.execPath}\nversitygw=${versitygwProgram}`;
  return [
    paths,
    `source ${join(import.meta.dir, "scale-out.sh")}`,
    standbyOf(text),
    "prepare",
    ...parts,
    "echo the end",
  ].join("\n");
}

/** The lines as standard input of a command, with what stands for the reader's own values. */
function hereOf(script: string): string {
  const filled = script
    .replaceAll("ID_OF_THE_KEY", "guide")
    .replaceAll("THE_KEY", "guide-secret")
    .replaceAll(/^target='.*'$/gm, 'target="$(cat /root/moment)"');
  return `<<'END_OF_BLOCK'\n${filled}END_OF_BLOCK`;
}

/** `standby_of <machine> <primary>`: the two blocks to which the page leads back from elsewhere. */
function standbyOf(text: string): string {
  const section = text.split(/^## /m).find((one) => one.startsWith("3. The standby\n")) ?? "";
  const [copy, wait] = blocksOf(page, section).map(({ script }) =>
    hereOf(script.replace("db1.example.org", '"$PRIMARY"')),
  );
  return `standby_of() {\n{ echo "PRIMARY=$2.example.org"; cat ${copy}\n} | on "$1"\non "$2" ${wait}\n}`;
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
    const running = Bun.spawn(
      [
        "setpriv",
        "--pdeathsig",
        "KILL",
        "unshare",
        ...namespaces,
        "bash",
        join(import.meta.dir, "machines.sh"),
        room,
        plan,
      ],
      { stdout: "pipe", stderr: "pipe" },
    );
    const [out, errors, code] = await Promise.all([
      new Response(running.stdout).text(),
      new Response(running.stderr).text(),
      running.exited,
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
