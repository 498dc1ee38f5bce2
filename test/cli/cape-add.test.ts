import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { run, temporaryFolder } from "./run-program.ts";
import { writeTexture } from "./textures.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  await writeTexture(folder.path, "cape.png", { width: 64, height: 32 });
  const names = ["--mail", "anna@example.org", "--username", "Anna"];
  await cli("user", "create", ...names, "--password", "correct horse battery");
});
afterAll(() => folder[Symbol.asyncDispose]());

const cli = (...args: string[]) => run([...args, "--data-dir", join(folder.path, "data")]);
const add = (until: string) => {
  const file = join(folder.path, "cape.png");
  const args = ["--file", file, "--name", "Founders", "--owner", "Anna", "--until", until, "--json"];
  return cli("cape", "add", ...args);
};

describe("cape add --until", () => {
  const end = 4_102_444_800;
  test.each([
    ["seconds", String(end)],
    ["milliseconds", `${end}999`],
    ["ISO 8601", "2100-01-01T00:00:00Z"],
    ["ISO 8601 with an offset", "2100-01-01T02:00+02:00"],
  ])("grants until a time in %s", async (_, until) => {
    const { code, out } = await add(until);
    expect(code).toBe(0);
    const { capeid, expired_at: told } = JSON.parse(out);
    expect(told).toBe(end);
    const shown = JSON.parse((await cli("user", "show", "Anna", "--json")).out);
    expect(shown.capes).toContainEqual(expect.objectContaining({ uuid: capeid }));
    const entries = (await cli("audit", "export")).out.trimEnd().split("\n");
    const { detail, ...entry } = JSON.parse(entries.at(-1) ?? "");
    expect(entry).toMatchObject({ iss: "cli", action: "cape.upload" });
    expect(JSON.parse(detail)).toMatchObject({ capeid, owners: [1], expired_at: end });
  });

  test.each([
    ["the past", "1000000000", "--until must lie in the future"],
    ["a time without a zone", "2100-01-01T00:00:00", ": must be ISO 8601 with a zone, like"],
    ["a word", "tomorrow", ": must be ISO 8601 with a zone, like"],
    ["nothing", "", ": must be ISO 8601 with a zone, like"],
  ])("refuses %s, and stores nothing", async (_, until, message) => {
    const before = (await cli("audit", "export")).out;
    const { code, out, error } = await add(until);
    expect([code === 0, out]).toEqual([false, ""]);
    expect(error).toContain(message);
    expect((await cli("audit", "export")).out).toBe(before);
  });
});
