/** What the gate says of the servers that its tests need. Nothing is built here: no Go is found. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "../../tools/bundle.ts";

let emptyCache: string;
beforeAll(async () => void (emptyCache = await mkdtemp(join(tmpdir(), "cloakroom-cache-"))));
afterAll(() => rm(emptyCache, { recursive: true }));

function look(environment: Readonly<Record<string, string>>) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, "tools/test-servers.ts"], {
    cwd: projectFolder,
    env: { PATH: "", XDG_CACHE_HOME: emptyCache, ...environment },
  });
  return { code: exitCode, out: stdout.toString(), error: stderr.toString() };
}

const elsewhere = {
  TEST_DATABASE_URL: "postgres://user@db.example.org/tests",
  TEST_S3_ENDPOINT: "https://s3.example.org",
};

// Tests pass without it: SQLite and PostgreSQL are sources of imports as well.
const withoutSource =
  "servers: the tests with MariaDB as a source were NOT RUN (mariadb-server is not installed)\n";

test("servers that the environment names need nothing here", () => {
  const out = `${withoutSource}servers: PostgreSQL and S3 are there\n`;
  expect(look(elsewhere)).toEqual({ code: 0, out, error: "" });
});

test.each([
  ["passes the gate by", {}, 75],
  ["fails a release by", { REQUIRE_SERVERS: "1" }, 1],
])("a server that cannot be had %s its name", (_, environment, code) => {
  const { TEST_DATABASE_URL } = elsewhere;
  expect(look({ TEST_DATABASE_URL, ...environment })).toEqual({
    code,
    out: withoutSource,
    error:
      "servers: the tests on a bucket were NOT RUN (versitygw is not built, and go is not installed to build it)\n",
  });
});
