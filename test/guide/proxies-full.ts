/*
 * The proxies of docs/operate, pasted from the guide, hold one client to its bound: on machines that are
 * namespaces of this one (machines.sh), with Debian's programs; proxies.sh has what is looked at. Some ten
 * minutes, as root.
 */
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../cli/run-program.ts";
import { isRoot } from "../support/run-servers.ts";
import { projectRoot } from "../tidy/project-files.ts";
import { blocksOf } from "./blocks.ts";

const programs = [
  "setpriv",
  "unshare",
  "nsenter",
  "ip",
  "curl",
  "openssl",
  "haproxy",
  "nginx",
  "caddy",
  "nft",
];

/** Why the machines cannot be made here; null when they can. */
function findFault(): string | null {
  if (process.platform !== "linux" || !isRoot) return "it needs Linux and root";
  const missing = programs.filter(
    (name) => Bun.which(name, { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" }) === null,
  );
  return missing.length === 0 ? null : `these are not installed: ${missing.join(", ")}`;
}

/** The first block of a section, as it is pasted on the balancer. */
async function pasted(page: string, title: string): Promise<string> {
  const text = await Bun.file(join(projectRoot, page)).text();
  const section = text.split(/^## /m).find((one) => one.startsWith(`${title}\n`)) ?? "";
  const [block] = blocksOf(page, section);
  if (block === undefined) throw new Error(`${page} has no block in "${title}"`);
  // certbot's certificates are there already, and its package need not be.
  const script = block.script.replace("nginx certbot", "nginx");
  return `echo "@ ${title}" >&2\non balancer <<'END_OF_BLOCK'\ncd /root/operate\n${script}END_OF_BLOCK`;
}

const operate = "docs/operate/README.md";
const connections = [operate, "Connections of one client"] as const;
const proxies = [
  { name: "haproxy", blocks: [["docs/operate/scale-out.md", "8. HAProxy"]], service: "node1" },
  { name: "caddy", blocks: [[operate, "3. Caddy"], connections], service: "balancer" },
  { name: "nginx", blocks: [[operate, "3. nginx"], connections], service: "balancer" },
] as const;

const fault = findFault();
if (fault !== null) console.error(`NOT RUN: the guide's proxies (${fault})`);

test.skipIf(fault !== null).each(proxies)(
  "$name holds one client to its bound, cuts slow heads, lets slow bodies and streams live, and logs no code",
  async ({ blocks, service }) => {
    await using folder = await temporaryFolder();
    const [room, plan] = [join(folder.path, "room"), join(folder.path, "plan.sh")];
    await mkdir(room);
    const scripts = await Promise.all(blocks.map(([page, title]) => pasted(page, title)));
    const lines = [
      `project=${projectRoot}\nbun=${process.execPath}`,
      `source ${join(import.meta.dir, "proxies.sh")}`,
      "prepare",
      ...scripts,
      `check ${service}`,
      "echo the end",
    ];
    await Bun.write(plan, lines.join("\n"));
    const namespaces = ["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];
    const machines = ["bash", join(import.meta.dir, "machines.sh"), room, plan];
    const run = Bun.spawn(["setpriv", "--pdeathsig", "KILL", "unshare", ...namespaces, ...machines], {
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, errors, code] = await Promise.all([run.stdout.text(), run.stderr.text(), run.exited]);
    expect({ code, at: code === 0 ? "" : `${errors.slice(-4000)}\n${out.slice(-4000)}` }).toEqual({
      code: 0,
      at: "",
    });
    expect(out).toEndWith("the end\n");
  },
  900_000,
);
