/** A command that needs the bucket says why it cannot have it. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { holdClosedPort } from "../support/closed-port.ts";
import { run, temporaryFolder, userCreation } from "./run-program.ts";
import { writeTexture } from "./textures.ts";

test("a bucket that does not answer is named with the reason", async () => {
  await using folder = await temporaryFolder();
  using closed = await holdClosedPort();
  const environment = {
    DATA_DIR: join(folder.path, "data"),
    BLOBS: "s3://skins/textures",
    S3_ENDPOINT: `http://127.0.0.1:${closed.port}`,
    S3_ACCESS_KEY_ID: "an-id",
    S3_SECRET_ACCESS_KEY: "a-secret-key",
  };
  const skin = await writeTexture(folder.path, "skin.png", { width: 64, height: 64 });
  const user = userCreation("Alice", "long enough");
  expect(await run(user, { environment })).toMatchObject({ code: 0 });
  const { code, error } = await run(["skin", "add", "--user", "Alice", "--file", skin], { environment });
  expect({ code, error }).toEqual({
    code: 1,
    error: expect.stringMatching(/Pictures are stored elsewhere.*\n {2}bucket: \S.*\n$/),
  });
  expect(error).not.toContain("a-secret-key");
}, 60_000);
