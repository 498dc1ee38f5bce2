/*
 * docs/operate/patroni.md works as it is pasted, on machines that are namespaces of this one (machines.sh),
 * with Debian's programs; between its blocks patroni.sh looks at what has to hold. Some six minutes, as root.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { projectRoot } from "../tidy/project-files.ts";
import { blocksOf } from "./blocks.ts";
import { machinesMissing, pasteAll, placesOf, type PastedPage } from "./machines.ts";

const page: PastedPage = {
  page: "docs/operate/patroni.md",
  script: "patroni.sh",
  checks: new Map([
    ["3. PostgreSQL", ["", "after_start"]],
    ["4. Nodes", ["", "after_nodes"]],
    ["HAProxy instead of a list of hosts", ["", "after_haproxy"]],
    ["When something happens", ["", "after_trouble"]],
    ["Backups", ["whole", "before_return"]],
    ["Back to an earlier time", ["", "after_return"]],
    ["Two machines are gone", ["before_alone", "after_alone"]],
  ]),
  replaced: {
    // The hour of the test.
    "2026-11-23 12:00:00+00": "$(cat /root/target)",
  },
};

const fault = machinesMissing(["patroni", "etcd", "etcdctl", "haproxy", "pgbackrest"]);
if (fault !== null) console.error(`NOT RUN: the page about Patroni (${fault})`);

test.skipIf(fault !== null)(
  "the page about Patroni can be pasted block by block",
  async () => {
    const { code, out, errors } = await pasteAll(page);
    const at = code === 0 ? "" : `${errors.slice(-4000)}\n${out.slice(-4000)}`;
    expect({ code, at }).toEqual({ code: 0, at: "" });
    expect(out).toEndWith("the end\n");
  },
  1_200_000,
);

test("every block of the page about Patroni says where it is pasted", async () => {
  const blocks = blocksOf(page.page, await Bun.file(join(projectRoot, page.page)).text());
  expect(blocks.length).toBeGreaterThan(15);
  for (const block of blocks)
    expect({ block, places: placesOf(block).length > 0 }).toEqual({ block, places: true });
});
