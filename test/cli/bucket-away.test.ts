/** Commands that need the bucket say why they cannot have it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { holdClosedPort } from "../support/closed-port.ts";
import { run, temporaryFolder, userCreation } from "./run-program.ts";
import { writeTexture } from "./textures.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let closed: Awaited<ReturnType<typeof holdClosedPort>>;
let skin = "";
beforeAll(async () => {
  folder = await temporaryFolder();
  closed = await holdClosedPort();
  skin = await writeTexture(folder.path, "skin.png", { width: 64, height: 64 });
});
afterAll(async () => {
  closed[Symbol.dispose]();
  await folder[Symbol.asyncDispose]();
});

const settings = (data: string) => ({
  DATA_DIR: join(folder.path, data),
  BLOBS: "s3://skins/textures",
  S3_ENDPOINT: `http://127.0.0.1:${closed.port}`,
  S3_ACCESS_KEY_ID: "an-id",
  S3_SECRET_ACCESS_KEY: "a-secret-key",
});

test("a bucket that does not answer is named with the reason", async () => {
  const environment = settings("data");
  const user = userCreation("Alice", "long enough");
  expect(await run(user, { environment })).toMatchObject({ code: 0 });
  const { code, error } = await run(["skin", "add", "--user", "Alice", "--file", skin], { environment });
  expect({ code, error }).toEqual({
    code: 1,
    error: expect.stringMatching(/Pictures are stored elsewhere.*\n {2}bucket: \S.*\n$/),
  });
  expect(error).not.toContain("a-secret-key");
}, 60_000);

test("an import says what becomes of what was applied", async () => {
  const environment = settings("imported");
  const list = join(folder.path, "people.csv");
  await Bun.write(list, "username,skin\nAnna,skin.png\n");
  const { code, error } = await run(["import", "--from", "csv", "--file", list], { environment });
  expect({ code, error }).toEqual({
    code: 1,
    error: expect.stringMatching(
      /Pictures are stored elsewhere.*What was applied stays: run again to go on\n {2}bucket: \S.*\n$/,
    ),
  });
}, 60_000);
