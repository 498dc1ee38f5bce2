/** The rules of docs/operate/alerts.yml, as Prometheus itself reads them. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "../cli/run-program.ts";
import { projectRoot } from "../tidy/project-files.ts";

// Debian's package prometheus has it.
const promtool = Bun.which(process.env["PROMTOOL"] ?? "promtool");
if (promtool === null) console.error("NOT RUN: the alerts (promtool is not installed)");

const rules = join(projectRoot, "docs/operate/alerts.yml");

test.skipIf(promtool === null)("alerts are raised when they should be, and not otherwise", async () => {
  await using folder = await temporaryFolder();
  const tests = join(folder.path, "tests.yml");
  const given = await Bun.file(join(import.meta.dir, "alerts.yml")).text();
  const bare = join(folder.path, "rules.yml");
  // The tests name the summaries alone.
  await Bun.write(bare, (await Bun.file(rules).text()).replaceAll(/^ +remedy:.*\n(?: {12}.*\n)*/gm, ""));
  await Bun.write(tests, given.replace("RULES", bare));
  for (const args of [
    ["check", "rules", rules],
    ["test", "rules", tests],
  ]) {
    const child = Bun.spawn([promtool ?? "", ...args], { stdout: "pipe", stderr: "pipe" });
    const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    expect({ args, code, said: `${out}${error}` }).toEqual({
      args,
      code: 0,
      said: expect.stringContaining("SUCCESS"),
    });
  }
});
