import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { changeDatabase, makeData, rowsOf } from "../backup/data-world.ts";
import { run, temporaryFolder } from "./run-program.ts";

type Finding = { readonly check: string; readonly state: string; message: string; remedy: string | null };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let full: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  full = join(folder.path, "full");
  await makeData(full);
});
afterAll(() => folder[Symbol.asyncDispose]());

/**
 * What doctor says of social accounts when Anna and Boris, in this order, are linked to people of these
 * issuers.
 */
async function look(issuers: readonly string[], environment: Record<string, string>) {
  const dataDir = join(folder.path, crypto.randomUUID());
  await cp(full, dataDir, { recursive: true });
  const columns = "account_id, provider, issuer, subject, username, avatar, linked_at";
  for (const [at, issuer] of issuers.entries()) {
    const values = `${at + 1}, 'github', '${issuer}', '7${at}', 'somebody', '', 1`;
    changeDatabase(join(dataDir, "cloakroom.db"), `INSERT INTO identities (${columns}) VALUES (${values})`);
  }
  const before = rowsOf(dataDir);
  const args = ["doctor", "--json", "--data-dir", dataDir, "--port", "0"];
  const { code, out } = await run(args, { environment });
  expect(code).toBe(0);
  expect(rowsOf(dataDir)).toEqual(before);
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  return findings.filter(({ check }) => check === "social accounts");
}

const github = {
  SOCIAL_PROVIDERS: "github",
  SOCIAL_GITHUB_CLIENT_ID: "id",
  SOCIAL_GITHUB_CLIENT_SECRET: "a client's secret",
};
const enterprise = { ...github, SOCIAL_GITHUB_BASE_URL: "https://git.example.org" };
const [usual, old] = ["https://github.com", "https://old.example.org"];

test.each<
  [string, readonly string[], Record<string, string>, readonly (readonly [string, RegExp, RegExp])[]]
>([
  ["no account is linked", [], github, [["ok", /^0 accounts are linked/, /^$/]]],
  ["all is as it was", [usual, usual], github, [["ok", /^2 accounts are linked/, /^$/]]],
  [
    "the address of the provider has changed",
    [usual, usual],
    enterprise,
    [
      [
        "warning",
        /^2 identities of github .* by https:\/\/github\.com, .* https:\/\/git\.example\.org: these users cannot/,
        /^set SOCIAL_GITHUB_BASE_URL back, or unlink them/,
      ],
    ],
  ],
  [
    "some are of another address",
    [old, usual],
    github,
    [["warning", /^1 identity of github .* by https:\/\/old\.example\.org/, /^set SOCIAL_GITHUB_BASE_URL/]],
  ],
  [
    "the provider is gone",
    [usual, usual],
    {},
    [
      [
        "warning",
        /^2 identities of github: SOCIAL_PROVIDERS does not name it/,
        /^name it there again; users/,
      ],
    ],
  ],
  [
    "the provider is gone from before issuers were kept",
    [""],
    {},
    [["warning", /^1 identity of github: SOCIAL_PROVIDERS/, /use its former address/]],
  ],
  [
    "the server has not started since issuers are kept",
    ["", ""],
    enterprise,
    [
      [
        "warning",
        /^2 identities of github: their issuer is not recorded/,
        /records https:\/\/git\.example\.org: .* correct SOCIAL_GITHUB_BASE_URL first$/,
      ],
    ],
  ],
])("doctor on social accounts: %s", async (_, issuers, environment, expected) => {
  const findings = await look(issuers, environment);
  expect(findings).toMatchObject(
    expected.map(([state, message, remedy]) => ({
      state,
      message: expect.stringMatching(message),
      ...(state === "ok" ? {} : { remedy: expect.stringMatching(remedy) }),
    })),
  );
});
