/** What operators and staff see of the kinds of password hashes that are left. */
import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openWorkSession } from "../../src/adapters/postgres/connections/work-session.ts";
import { inspectRows } from "../../src/adapters/postgres/inspect.ts";
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import { system } from "../../src/domain/model/actor.ts";
import { createTransact } from "../../src/domain/sessions/transact.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import type { AccountId } from "../../src/kernel/ids.ts";
import { run, temporaryFolder } from "../cli/run-program.ts";
import { examineIn } from "../operate/doctor/beside-server.ts";
import { readJson } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { testDatabase } from "../support/migrated-postgres.ts";
import { notedDatabase } from "../support/noted-database.ts";
import { postgresMissing } from "../support/postgres.ts";
import { parsePrometheusText } from "../support/prometheus-text.ts";

const md5 = "$md5$0123456789abcdef0123456789abcdef";
const wrapped = "$wrapped$md5$$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc$MDEyMzQ1Njc4OWFiY2RlZg";
const bcrypt = "$2y$10$abcdefghijklmnopqrstuumTcqg1grN5CAaGoh7r2.xZmz16hfOb6";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  dataDir = join(folder.path, "data");
  for (const name of ["Anna", "Bert", "Cora", "Dora"])
    await cli("user", "create", "--mail", `${name}@example.org`, "--username", name);
});
afterAll(() => folder[Symbol.asyncDispose]());

const cli = (...args: string[]) => run([...args, "--data-dir", dataDir]);

/** Gives the account with this number a hash. */
async function keep(hashes: Readonly<Record<number, string | null>>): Promise<void> {
  using database = openDatabase(join(dataDir, "cloakroom.db"));
  const transact = createTransact({ ...database, clock: systemClock });
  await transact(system, async ({ accounts }) => {
    for (const [id, passwordHash] of Object.entries(hashes))
      // Numbers of accounts that were made above.
      await accounts.updateAccount(Number(id) as AccountId, { passwordHash });
  });
}

describe("the command line", () => {
  beforeAll(() => keep({ 2: md5, 3: bcrypt, 4: null }));

  test("user list shows how each password is hashed", async () => {
    const { out } = await cli("user", "list", "--json");
    expect(JSON.parse(out)).toMatchObject([
      { username: "Anna", password_kind: "argon2id" },
      { username: "Bert", password_kind: "md5" },
      { username: "Cora", password_kind: "bcrypt" },
      { username: "Dora", password_kind: "none" },
    ]);
    expect((await cli("user", "list")).out).toMatch(/ verified +password +level[^]* yes +md5 +1\n/);
  });

  test.each([
    ["argon2id", ["Anna"]],
    ["md5", ["Bert"]],
    ["bcrypt", ["Cora"]],
    ["none", ["Dora"]],
    ["wrapped-md5", []],
    ["unknown", []],
  ])("user list --password-kind %s shows those alone", async (kind, names) => {
    const { out } = await cli("user", "list", "--password-kind", kind, "--json");
    expect(JSON.parse(out).map(({ username }: { username: string }) => username)).toEqual(names);
  });

  test("user list refuses a kind that is not known, and names those that are", async () => {
    const { code, out, error } = await cli("user", "list", "--password-kind", "rot13");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(error).toContain("--password-kind must be one of argon2id, argon2i, argon2d, bcrypt");
  });

  test("user show says how the password is hashed, and no more of it", async () => {
    const { out } = await cli("user", "show", "Bert", "--json");
    expect(JSON.parse(out)).toMatchObject({ password_kind: "md5" });
    expect((await cli("user", "show", "Bert")).out).toMatch(/^password_kind: +md5$/m);
    expect(out).not.toContain("0123456789abcdef0123456789abcdef");
  });
});

const found = async (hashes: Readonly<Record<number, string | null>>) => {
  await keep({ 2: null, 3: null, 4: null, ...hashes });
  return (await examineIn(dataDir)).of("passwords");
};

describe("doctor", () => {
  test("is content with hashes of today", async () => {
    expect(await found({})).toMatchObject([
      { state: "ok", message: "all are hashed with Argon2id, as new ones are" },
    ]);
  });

  test("counts hashes of other systems by kind, and warns of fast ones", async () => {
    expect(await found({ 2: md5, 3: bcrypt, 4: wrapped })).toMatchObject([
      {
        state: "warning",
        message: "fast hashes of another system, which a thief of the database breaks in hours: 1 md5",
        remedy: expect.stringContaining("let the server run"),
      },
      { state: "ok", message: "replaced at the owner's next sign-in: 1 bcrypt, 1 wrapped-md5" },
    ]);
  });

  test("warns of hashes that no password can fit", async () => {
    expect(await found({ 2: "$rot13$x" })).toMatchObject([
      {
        state: "warning",
        message: "hashes of a kind that is not known: 1 unknown",
        remedy: expect.stringContaining("--password-kind unknown"),
      },
    ]);
  });
});

test.skipIf(postgresMissing !== null)("doctor counts them on PostgreSQL", async () => {
  await using database = await testDatabase();
  {
    await using sql = new SQL({ url: database.url, max: 1 });
    const today = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA";
    for (const [at, hash] of [md5, md5, wrapped, bcrypt, today, null, "nonsense"].entries())
      await sql`
        INSERT INTO accounts (uuid, mail_verified, registration, level, created_at, password_hash)
        VALUES (${`00000000-0000-4000-8000-00000000000${at}`}, true, 'unnamed', 1, 1, ${hash})`;
  }
  await using session = await openWorkSession(notedDatabase(database.url));
  const counts = await inspectRows(session).countOtherHashes();
  expect(counts.toSorted((one, other) => (one.head < other.head ? -1 : 1))).toEqual([
    { head: "$$", hashes: 1 },
    { head: "$2y$", hashes: 1 },
    { head: "$md5$", hashes: 2 },
    { head: "$wrapped$md5$", hashes: 1 },
  ]);
});

const put = async (harness: Harness, name: string, passwordHash: string | null) => {
  const { account } = await addMember(harness, name);
  await harness.services.transact(system, ({ accounts }) =>
    accounts.updateAccount(account.id, { passwordHash }),
  );
};

describe("a server", () => {
  test("shows staff how a password is hashed", async () => {
    await using harness = await openHarness();
    const chief = await addMember(harness, "Chief", { level: 3 });
    await put(harness, "Anna", md5);
    await put(harness, "Bert", null);
    const kindOf = async (name: string) => {
      const { authorization } = chief;
      const answer = await harness.fetch(`/api/admin/user/${name}`, { headers: { authorization } });
      return (await readJson<{ data: { password_kind: string } }>(answer)).data.password_kind;
    };
    expect(await kindOf("Anna")).toBe("md5");
    expect(await kindOf("Bert")).toBe("none");
    expect(await kindOf("Chief")).toBe("argon2id");
  });

  test("counts hashes of other systems by kind, once a minute", async () => {
    await using harness = await openHarness();
    await put(harness, "Anna", md5);
    await put(harness, "Bert", bcrypt);
    await put(harness, "Cora", wrapped);
    // Sign-ins have counted as well.
    harness.clock.advance(60);
    const counts = async () => {
      const metric = parsePrometheusText(await harness.metrics()).get("cloakroom_password_hashes");
      const lines = metric?.samples.map(({ labels, value }) => `${labels["kind"]} ${value}`) ?? [];
      // Of tests themselves, whose hashes are cheap.
      return lines.filter((line) => !line.startsWith("argon2id")).toSorted();
    };
    expect(await counts()).toEqual(["bcrypt 1", "md5 1", "wrapped-md5 1"]);
    await put(harness, "Dora", md5);
    expect(await counts()).toEqual(["bcrypt 1", "md5 1", "wrapped-md5 1"]);
    harness.clock.advance(60);
    expect(await counts()).toEqual(["bcrypt 1", "md5 2", "wrapped-md5 1"]);
  });
});
