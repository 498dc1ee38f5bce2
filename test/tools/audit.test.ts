import { expect, test } from "bun:test";
import { join } from "node:path";
import { holdClosedPort } from "../support/closed-port.ts";
import { type Acceptance, openAdvisories, parseAdvisories } from "../../tools/audit.ts";

const tool = join(import.meta.dir, "../../tools/audit.ts");
const finding = { url: "https://advisories.example/GHSA-aaaa-bbbb-cccc", title: "Reads what it should not" };

const serve = (answer: Response) => Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => answer });

/** Runs the audit against a registry of our own that gives this answer, or against none. */
async function audit(answer: Response | null) {
  using registry = answer === null ? await holdClosedPort() : serve(answer);
  const child = Bun.spawn([process.execPath, tool], {
    env: { PATH: process.env["PATH"] ?? "", BUN_CONFIG_REGISTRY: `http://127.0.0.1:${registry.port}/` },
    stderr: "pipe",
  });
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, out, error };
}

test("passes when the registry knows of nothing", async () => {
  expect(await audit(Response.json({}))).toMatchObject({ code: 0, out: "audit: 0 open, 0 accepted\n" });
});

test("fails and names what the registry knows of", async () => {
  const { code, error } = await audit(Response.json({ nodemailer: [finding] }));
  expect(code).toBe(1);
  expect(error).toBe(`audit: nodemailer: ${finding.title} (${finding.url})\n`);
});

test.each([
  ["there is no registry", null],
  ["the registry has no advisories", new Response("", { status: 405 })],
  ["the answer is no answer", new Response("<html>")],
])("says that it could not check when %s", async (_, answer) => {
  const { code, out, error } = await audit(answer);
  expect({ code, out }).toEqual({ code: 75, out: "" });
  expect(error).toStartWith("audit: NOT CHECKED, ");
});

const acceptance: Acceptance = { id: "GHSA-aaaa-bbbb-cccc", reason: "not reached", lookAgain: "2026-12-01" };
const advisory = { package: "nodemailer", ...finding };

test.each([
  ["accepted before its day", [acceptance], "2026-11-30", 0],
  ["accepted, on the day to look again", [acceptance], "2026-12-01", 1],
  ["another accepted", [{ ...acceptance, id: "GHSA-cccc" }], "2026-11-30", 1],
  ["none accepted", [], "2026-11-30", 1],
])("counts a finding: %s", (_, acceptances, today, open) => {
  expect(openAdvisories([advisory], acceptances, today)).toHaveLength(open);
});

test.each(["", "[", "null", `{"a":1}`, `{"a":[1]}`, `{"a":[{}]}`, "[]", "3"])(
  "takes %p for no list of findings",
  (text) => {
    expect(parseAdvisories(text)).toBeNull();
  },
);
