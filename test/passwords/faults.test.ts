/**
 * What a fault of hashing does to people: nothing that lasts (SECURITY.md, docs/contract/limits.md#attempts).
 */
import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { createToken } from "../../src/domain/services/tokens.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { argon2Hasher } from "../../src/adapters/passwords/argon2-hasher.ts";
import { cheapHasher, openHarness, type Harness } from "../support/harness.ts";
import { addMember, edit, type Member } from "../support/members.ts";

/** The program's own way to compare, with hashes that are made at little cost. */
const hasher = { ...cheapHasher, verify: argon2Hasher.verify };
const settings = {
  RATE_LIMIT_FACTOR: "1",
  TRUSTED_PROXIES: "127.0.0.1",
  AURORA_SECRET: "aurora-secret-of-more-than-32-characters",
};

/** The system has no memory for a hash. It cannot be made so here, so Bun's answer stands for it. */
function failHashes() {
  const fault = Object.assign(new Error("Password verification failed"), { code: "PASSWORD_OUT_OF_MEMORY" });
  return spyOn(Bun.password, "verify").mockRejectedValue(fault);
}
afterEach(() => spyOn(Bun.password, "verify").mockRestore());

type Ways = Readonly<
  Record<string, (harness: Harness, member: Member, service: string) => Promise<Response>>
>;

const post = (
  harness: Harness,
  path: string,
  json: unknown,
  headers: Readonly<Record<string, string>> = {},
) =>
  harness.fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": "192.0.2.1", ...headers },
    body: JSON.stringify(json),
  });

/** All places where a password is compared. */
const ways: Ways = {
  "the website": (harness, { name: username, password }) =>
    post(harness, "/api/auth/login", { username, password }),
  "a launcher": (harness, { name: username, password }) =>
    post(harness, "/api/yggdrasil/authenticate", { username, password }),
  "a LaunchServer": (harness, { name: login, password }, service) =>
    post(
      harness,
      "/api/gravit/auth/authorize",
      { login, password: { type: "plain", password }, context: { ip: "192.0.2.1" } },
      { authorization: service },
    ),
  "an AuroraLauncher server": (harness, { name: login, password }) =>
    post(harness, `/api/aurora/${settings.AURORA_SECRET}/auth`, { login, password }),
  "a change of the account": (harness, member) =>
    edit(harness, member, "PATCH /api/home/edit/username", {
      username: member.name,
      password: member.password,
    }),
};

describe("while no password can be compared", () => {
  test.each(Object.entries(ways))(
    "%s hears 503, one line says why, and no try has counted",
    async (_, way) => {
      await using harness = await openHarness({ settings, hasher, secrets: () => [settings.AURORA_SECRET] });
      const member = await addMember(harness, "Anna");
      const { token } = await createToken(harness.services, commandLine, "launch", ["launcher"]);
      harness.clock.advance(120);
      harness.takeComplaints();
      const failing = failHashes();
      for (let time = 0; time < 25; time++) {
        const answer = await way(harness, member, token);
        expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
        expect(harness.takeComplaints()).toMatchObject([{ level: "error" }]);
      }
      failing.mockRestore();
      const answer = await way(harness, member, token);
      expect(answer.status).toBe(200);
    },
  );
});

test("a hash is computed although the process has no file descriptor left", async () => {
  const script = `
    import { openSync } from "node:fs";
    import { argon2Hasher } from "${import.meta.dir}/../../src/adapters/passwords/argon2-hasher.ts";
    const hash = await Bun.password.hash("right", { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
    try { for (;;) openSync("/dev/null"); } catch (error) { console.log(error.code); }
    console.log(await argon2Hasher.verify("right", hash), await argon2Hasher.verify("wrong", hash));`;
  const child = Bun.spawn(["sh", "-c", `ulimit -n 64; exec "${process.execPath}" -e "$0"`, script], {
    stderr: "pipe",
  });
  expect([await child.stdout.text(), await child.stderr.text()]).toEqual(["EMFILE\ntrue false\n", ""]);
});
