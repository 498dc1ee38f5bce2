/**
 * Secrets that were deleted beside a running server: doctor names them, and what it advises brings them back.
 */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { cp, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { changeDatabase } from "../../backup/data-world.ts";
import { run, temporaryFolder, userCreation } from "../../cli/run-program.ts";
import { examineIn, serveIn } from "./beside-server.ts";

const password = "correct horse 9";

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "Anna", password }),
  });
  const { data } = (await answer.json()) as { readonly data: { readonly jwt: string } };
  return data.jwt;
}

const statusAt = async (url: string, jwt: string) =>
  (await fetch(`${url}/api/home`, { headers: { authorization: `Bearer ${jwt}` } })).status;

const WEBHOOK_URLS = "https://hooks.example.org/";
const absent = (name: string, isNewWith: string) => ({
  check: "secrets",
  state: "warning" as const,
  message: `secrets/${name} is not there`,
  remedy: `if this server had one, restore it before a restart; if ${isNewWith}, the next start makes it`,
});
const lost = (name: string) => ({
  state: "problem",
  message: expect.stringContaining(`secrets/${name} is gone: only the server that runs still has it, and`),
  remedy: expect.stringMatching(/^do not restart the server before it is back/),
});

describe("deleted secrets", () => {
  test("of a running server are a problem until they are back from a backup, and no session ends", async () => {
    await using folder = await temporaryFolder();
    const [dataDir, other, backup] = ["data", "other", "backup"].map((name) => join(folder.path, name));
    expect(await run([...userCreation("Anna", password), "--data-dir", dataDir!])).toMatchObject({ code: 0 });
    await using server = await serveIn(dataDir!);
    const jwt = await signIn(server.url);
    expect((await examineIn(dataDir!, server.environment)).of("secrets")).toMatchObject([{ state: "ok" }]);
    expect(await run(["backup", backup!, "--data-dir", dataDir!])).toMatchObject({ code: 0 });

    const secrets = join(dataDir!, "secrets");
    await rm(secrets, { recursive: true });
    const { code, of } = await examineIn(dataDir!, server.environment);
    expect({ code, found: of("secrets") }).toEqual({
      code: 1,
      found: [
        {
          check: "secrets",
          state: "problem",
          message:
            "secrets/jwt-secret, secrets/signing-key are gone: only the server that runs still has them, and the next start" +
            " makes others (everybody has to sign in again; games show no skins until launchers have asked for the new one)",
          remedy: expect.stringMatching(
            /^do not restart the server before .*: cloakroom restore BACKUP --data-dir OTHER .* OTHER\/secrets goes to /,
          ),
        },
      ],
    });

    // Nothing has used the key so far: the server keeps the one of its start all the same, and makes no
    // other.
    expect((await fetch(`${server.url}/api/yggdrasil`)).status).toBe(200);
    expect(existsSync(secrets)).toBe(false);

    expect(await run(["restore", backup!, "--data-dir", other!])).toMatchObject({ code: 0 });
    await cp(join(other!, "secrets"), secrets, { recursive: true });
    expect((await examineIn(dataDir!, server.environment)).of("secrets")).toMatchObject([{ state: "ok" }]);
    await server[Symbol.asyncDispose]();
    await using again = await serveIn(dataDir!);
    expect(await statusAt(again.url, jwt)).toBe(200);
  }, 30_000);

  test("are a problem before a start where sessions need them, and none where nothing does", async () => {
    await using folder = await temporaryFolder();
    const dataDir = join(folder.path, "data");
    expect(await run([...userCreation("Anna", password), "--data-dir", dataDir])).toMatchObject({ code: 0 });
    expect((await examineIn(dataDir)).of("secrets")).toMatchObject([{ state: "ok" }]);
    changeDatabase(
      join(dataDir, "cloakroom.db"),
      "INSERT INTO codes (account_id, purpose, hash, mail, expires_at) VALUES (1, 'reset', 'x', 'a@example.org', 4102444800)",
    );
    expect((await examineIn(dataDir)).of("secrets")).toMatchObject([
      { state: "problem", remedy: expect.stringMatching(/^do not start the server before/) },
    ]);
    const JWT_SECRET = "correct horse battery staple, twice";
    expect((await examineIn(dataDir, { JWT_SECRET })).of("secrets")).toMatchObject([{ state: "ok" }]);
  });

  test("are not said to be lost where only new settings ask for them", async () => {
    await using folder = await temporaryFolder();
    const dataDir = join(folder.path, "data");
    expect(await run([...userCreation("Anna", password), "--data-dir", dataDir])).toMatchObject({ code: 0 });
    await using server = await serveIn(dataDir, { environment: { PROTOCOLS: "none" } });
    // A folder that has served for long.
    await utimes(join(dataDir, "lock"), 1, 1);
    const { PROTOCOLS = "", ...others } = server.environment;
    const JWT_SECRET = "correct horse battery staple, twice";
    await using other = await temporaryFolder();
    const fixedDir = join(other.path, "data");
    await using fixed = await serveIn(fixedDir, { environment: { PROTOCOLS: "none", JWT_SECRET } });
    const [same, protocols, webhooks] = await Promise.all([
      examineIn(dataDir, server.environment),
      examineIn(dataDir, others),
      examineIn(dataDir, { ...others, PROTOCOLS, WEBHOOK_URLS }),
    ]);
    expect(same.of("secrets")).toMatchObject([{ state: "ok" }]);
    expect(protocols.of("secrets")).toEqual([absent("signing-key", "its protocol is new in PROTOCOLS")]);
    expect(webhooks.of("secrets")).toEqual([absent("webhook-secret", "WEBHOOK_URLS is new")]);
    const { of } = await examineIn(fixedDir, { ...fixed.environment, JWT_SECRET: "" });
    expect(of("secrets")).toEqual([absent("jwt-secret", "JWT_SECRET was set until now")]);
    expect([same.code, protocols.code, webhooks.code]).toEqual([0, 0, 0]);
  }, 30_000);

  test("are lost where the server shows the key, or receivers of webhooks know it", async () => {
    await using folder = await temporaryFolder();
    const dataDir = join(folder.path, "data");
    await using server = await serveIn(dataDir, { environment: { PROTOCOLS: "ely", WEBHOOK_URLS } });
    // Answered after the key was made.
    expect((await fetch(`${server.url}/ely/signature-verification-key.pem`)).status).toBe(200);
    await rm(join(dataDir, "secrets/signing-key"));
    expect((await examineIn(dataDir, server.environment)).of("secrets")).toMatchObject([lost("signing-key")]);
    await rm(join(dataDir, "secrets/webhook-secret"));
    changeDatabase(
      join(dataDir, "cloakroom.db"),
      `INSERT OR REPLACE INTO webhooks (address, position, delivered_at) VALUES ('${WEBHOOK_URLS}', 0, 1)`,
    );
    expect((await examineIn(dataDir, server.environment)).of("secrets")).toMatchObject([
      {
        message: expect.stringMatching(
          /^secrets\/signing-key, secrets\/webhook-secret are gone: .* has them/,
        ),
      },
    ]);
  }, 30_000);
});
