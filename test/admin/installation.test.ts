/** What administrators read of the settings and of the start (docs/contract/admin.md#installation). */
import { afterAll, expect, test } from "bun:test";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { play } from "../support/scenario.ts";

const password = "hunter2";
const harness = await openHarness({ settings: { SMTP_URL: `smtp://user:${password}@127.0.0.1:1` } });
afterAll(() => harness[Symbol.asyncDispose]());

test("names the file, the settings that are given without their values, and the commands", async () => {
  const { authorization } = await addMember(harness, "Chief", { level: 3 });
  const answer = await harness.fetch("/api/admin/installation", { headers: { authorization } });
  const text = await answer.clone().text();
  expect(text).not.toContain(password);
  expect(text).not.toContain("smtp://");
  const { data } = await readJson<Envelope<{ settings: unknown }>>(answer);
  expect(data).toMatchObject({
    settings_file: "/var/lib/skins/cloakroom.toml",
    is_there: false,
    command: "cloakroom",
    options: " --data-dir /var/lib/skins",
    folder: "/srv",
    restart: { by: "systemd", command: "systemctl restart cloakroom" },
  });
  expect(data.settings).toContainEqual({ name: "SMTP_URL", from: "environment" });
  expect(data.settings).toContainEqual({ name: "DATA_DIR", from: "flag" });
});

test("is not for moderators", async () => {
  const actor = await addMember(harness, "Mod", { level: 2 });
  await play(harness, { name: "", actor, request: "GET /api/admin/installation", status: 403 });
});
