import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createTransact } from "../../src/domain/sessions/transact.ts";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "../../src/adapters/sqlite/database.ts";
import type { Level } from "../../src/domain/model/account.ts";
import { setLevel } from "../../src/domain/members/levels.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import type { AccountId } from "../../src/kernel/ids.ts";
import { takeFolder } from "../../src/adapters/sqlite/folder-lock.ts";
import { named } from "../support/actors.ts";
import { run, runProcess, temporaryFolder } from "./run-program.ts";
import { writeTexture } from "./textures.ts";

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const password = "correct horse battery";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;

beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder[Symbol.asyncDispose]());
beforeEach(async () => {
  dataDir = join(folder.path, "data");
  await rm(dataDir, { recursive: true, force: true });
});

const cli = (...args: string[]) => run([...args, "--data-dir", dataDir]);

/** Runs a command that must succeed, and reads its JSON. */
async function jsonOf(...args: string[]) {
  const { code, out, error } = await cli(...args, "--json");
  expect({ code, error }).toEqual({ code: 0, error: "" });
  return JSON.parse(out);
}

async function failureOf(...args: string[]): Promise<string> {
  const { code, out, error } = await cli(...args);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  return error;
}

/** What administrators do over HTTP. */
async function giveRole(account: AccountId, level: Level, expiresAt: number) {
  using database = openDatabase(join(dataDir, "cloakroom.db"));
  const transact = createTransact({ ...database, clock: systemClock });
  await setLevel({ transact }, named("Chief"), { account, level, expiresAt });
}

const createAnna = (...more: string[]) =>
  jsonOf(
    "user",
    "create",
    "--mail",
    "anna@example.org",
    "--username",
    "Anna",
    "--password",
    password,
    ...more,
  );

describe("user create", () => {
  test("makes a verified player and prints id and uuid, not the password that was given", async () => {
    const anna = await createAnna();
    expect(anna).toEqual({
      id: 1,
      uuid: expect.stringMatching(uuidPattern),
      username: "Anna",
      mail: "anna@example.org",
      mail_verify: 1,
      perms: 1,
      perms_permanent: 1,
      perms_expires_at: null,
      created: expect.any(Number),
    });
  });

  test.each([
    [["--admin"], { perms: 3 }],
    [["--level", "2"], { perms: 2 }],
    [["--level", "3", "--admin"], { perms: 3 }],
    [["--unverified"], { mail_verify: 0 }],
  ])("heeds %j", async (options, fields) => {
    expect(await createAnna(...options)).toMatchObject(fields);
  });

  test("makes a password when the option is left out, another one each time", async () => {
    const [one, other] = [
      await jsonOf("user", "create", "--mail", "a@example.org"),
      await jsonOf("user", "create", "--mail", "b@example.org"),
    ];
    expect(one.password).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
    expect(other.password).not.toBe(one.password);
    expect(one.username).toBe("");
  });

  test("prints the facts a line each without --json", async () => {
    const { out } = await cli("user", "create", "--mail", "a@example.org");
    expect(out).toMatch(/^id: +1\nuuid: +[0-9a-f-]{36}\nusername: +-\n/);
    expect(out).toMatch(/\npassword: +\S{23}\n$/);
  });

  test("takes the password from the first line of standard input", async () => {
    const args = ["user", "create", "--mail", "a@example.org", "--password-stdin", "--json"];
    const { code, out } = await runProcess(args, { folder: folder.path, input: `${password}\r\nnot this\n` });
    expect(code).toBe(0);
    expect(JSON.parse(out)).not.toHaveProperty("password");
  });

  test.each([
    [["--mail", "nobody"], "mail: must be an address"],
    [["--mail", "a@example.org", "--username", "x"], "username: must match"],
    [["--mail", "a@example.org", "--username", "admin"], "username: admin is reserved"],
    [["--mail", "a@example.org", "--password", "short"], "password: must have 8 to 128 characters"],
  ])("refuses %j", async (args, rule) => {
    expect(await failureOf("user", "create", ...args)).toStartWith(`cloakroom: ${rule}`);
    expect(await jsonOf("user", "list")).toEqual([]);
  });

  test.each([
    [["--mail", "ANNA@example.org"], "mail: "],
    [["--mail", "b@example.org", "--username", "aNNa"], "username: "],
  ])("refuses what somebody has: %j", async (args, start) => {
    await createAnna();
    expect(await failureOf("user", "create", ...args)).toStartWith(`cloakroom: ${start}`);
  });
});

describe("with an account", () => {
  test.each<[string, (uuid: string) => string]>([
    ["id", () => "1"],
    ["username", () => "Anna"],
    ["username in another case", () => "aNNA"],
    ["mail", () => "ANNA@example.org"],
    ["uuid", (uuid) => uuid],
    ["uuid without dashes in upper case", (uuid) => uuid.replaceAll("-", "").toUpperCase()],
  ])("finds it by %s", async (_, identifier) => {
    const { uuid } = await createAnna();
    expect(await jsonOf("user", "show", identifier(uuid))).toMatchObject({ uuid, skins: [], capes: [] });
  });

  test.each(["show", "delete", "set-password"])("user %s fails for an unknown user", async (verb) => {
    await createAnna();
    expect(await failureOf("user", verb, "Nobody")).toContain("No user is known as Nobody");
  });

  test("user list shows everybody by id", async () => {
    await createAnna();
    await jsonOf("user", "create", "--mail", "b@example.org");
    const listed: { id: number; username: string }[] = await jsonOf("user", "list");
    expect(listed.map(({ id, username }) => [id, username])).toEqual([
      [1, "Anna"],
      [2, ""],
    ]);
    const { out } = await cli("user", "list");
    expect(out.split("\n").map((line) => line.trimEnd().length > 0)).toEqual([true, true, true, false]);
  });

  test("user set-level changes the level, but not of the last administrator", async () => {
    await createAnna("--admin");
    expect(await failureOf("user", "set-level", "Anna", "1")).toContain("last administrator");
    await jsonOf("user", "create", "--mail", "b@example.org", "--username", "Bert", "--admin");
    expect((await cli("user", "set-level", "Anna", "2")).out).toBe("user 1 (Anna) has level 2\n");
    expect(await jsonOf("user", "show", "Anna")).toMatchObject({ perms: 2 });
  });

  test("a temporary role is shown with its end, and outlasts user set-level", async () => {
    const { id } = await createAnna();
    const ends = "2100-01-01T00:00:00.000Z";
    await giveRole(id, 3, Date.parse(ends) / 1000);
    expect(await jsonOf("user", "show", "Anna")).toMatchObject({
      perms: 3,
      perms_permanent: 1,
      perms_expires_at: Date.parse(ends) / 1000,
    });
    expect((await cli("user", "show", "Anna")).out).toMatch(
      /^perms: +3$\nperms_permanent: +1$[^]*^perms_expires_at: +2100-01-01T00:00:00.000Z$/m,
    );
    expect((await cli("user", "list")).out).toMatch(
      /password +level +role\n1 .* yes +argon2id +1 +3 until 2100-01-01T00:00:00.000Z\n$/,
    );
    expect((await cli("user", "set-level", "Anna", "2")).out).toBe(
      `user 1 (Anna) has level 2, but 3 until ${ends}\n`,
    );
  });

  test("a temporary role that has ended is not shown", async () => {
    const { id } = await createAnna();
    await giveRole(id, 2, 1);
    expect((await cli("user", "show", "Anna")).out).not.toContain("perms_expires_at");
    expect((await cli("user", "list")).out).toMatch(/ yes +argon2id +1\n$/);
  });

  test("user list finds parts of names and addresses", async () => {
    await createAnna();
    await jsonOf("user", "create", "--mail", "hannah@example.net");
    const found = async (text: string) =>
      (await jsonOf("user", "list", "--search", text)).map((user: { id: number }) => user.id);
    expect([
      await found("ANNA"),
      await found("example.net"),
      await found("1"),
      await found("nobody"),
    ]).toEqual([[1, 2], [2], [1], []]);
  });

  test("user list says that two characters are too few", async () => {
    await createAnna();
    const msg =
      "--search: must have 3 characters or more (2 where they are Chinese, Japanese or Korean), unless it is a whole id, UUID or username";
    const search = ["user", "list", "--search", "an"];
    expect(await cli(...search)).toEqual({ code: 1, out: "", error: `cloakroom: ${msg}\n` });
    const { code, error } = await cli(...search, "--json");
    const coded = { code: "search_too_short", field: "--search", msg };
    expect([code, JSON.parse(error)]).toEqual([1, { error: coded }]);
    expect((await cli("user", "list", "--search", "77")).code).toBe(0);
  });

  test("user set-password sets the given one, or makes one", async () => {
    await createAnna();
    expect((await cli("user", "set-password", "Anna", "--password", "another one")).out).toBe(
      "user 1 (Anna) has a new password\n",
    );
    const { out } = await cli("user", "set-password", "Anna");
    expect(out).toMatch(/^user 1 \(Anna\) has a new password: [a-z2-9]{5}(-[a-z2-9]{5}){3}\n$/);
    const given = await run(["user", "set-password", "Anna", "--password-stdin", "--data-dir", dataDir], {
      secret: "short",
    });
    expect(given.error).toContain("password: must have");
  });

  test("user delete removes it with its skins", async () => {
    await createAnna();
    const file = await writeTexture(folder.path, "skin.png", { width: 64, height: 64 });
    await jsonOf("skin", "add", "--user", "Anna", "--file", file);
    expect((await cli("user", "delete", "Anna")).out).toBe("deleted user 1 (Anna)\n");
    expect(await jsonOf("user", "list")).toEqual([]);
    const next = await jsonOf("user", "create", "--mail", "anna@example.org");
    expect(next.id).toBe(2);
  });
});

const addSkin = (...more: string[]) =>
  jsonOf("skin", "add", "--user", "Anna", "--file", join(folder.path, "skin.png"), ...more);

describe("skin add", () => {
  beforeEach(async () => {
    await createAnna();
    await writeTexture(folder.path, "skin.png", { width: 64, height: 64 });
  });

  test("puts it into the wardrobe; the first is worn, a later one when selected", async () => {
    const first = await addSkin();
    expect(first).toMatchObject({
      id: 1,
      uuid: expect.stringMatching(uuidPattern),
      slim: false,
      hd: false,
      selected: true,
    });
    expect(await addSkin("--name", "Second", "--slim", "true")).toMatchObject({
      name: "Second",
      slim: true,
      selected: false,
    });
    expect(await addSkin("--slim", "false", "--select")).toMatchObject({ slim: false, selected: true });
    const { skins } = await jsonOf("user", "show", "Anna");
    expect(skins.map((skin: { selected: boolean }) => skin.selected)).toEqual([false, false, true]);
  });

  test("heeds the limits of the settings", async () => {
    const wide = await writeTexture(folder.path, "wide.png", { width: 128, height: 128 });
    const args = ["skin", "add", "--user", "Anna", "--file", wide];
    expect(await failureOf(...args, "--skin-width-max", "64")).toStartWith(`cloakroom: ${wide}: `);
    expect(
      await failureOf(
        "skin",
        "add",
        "--user",
        "Anna",
        "--file",
        import.meta.path,
        "--texture-bytes-max",
        "4096",
      ),
    ).toContain("at most 4096 are allowed");
    expect(await jsonOf(...args)).toMatchObject({ hd: true, width: 128 });
    expect(await failureOf(...args, "--wardrobe-max", "1")).toContain("the wardrobe holds 1 skins already");
  });

  test("fails for an account without a player", async () => {
    await jsonOf("user", "create", "--mail", "b@example.org");
    const file = join(folder.path, "skin.png");
    expect(await failureOf("skin", "add", "--user", "b@example.org", "--file", file)).toContain(
      "has no username yet",
    );
  });
});

describe("cape add", () => {
  beforeEach(async () => {
    await createAnna();
    await writeTexture(folder.path, "cape.png", { width: 22, height: 17 });
  });

  test("grants it to every owner once", async () => {
    await jsonOf("user", "create", "--mail", "b@example.org", "--username", "Bert");
    const file = join(folder.path, "cape.png");
    const owners = ["--owner", "Anna", "--owner", "2", "--owner", "anna@example.org"];
    const cape = await jsonOf("cape", "add", "--file", file, "--name", "Founders", ...owners);
    expect(cape).toMatchObject({ id: 1, name: "Founders", owners: [1, 2], width: 64, height: 32 });
    expect(cape.capeid).toBe(cape.uuid);
    expect((await jsonOf("user", "show", "Bert")).capes).toMatchObject([
      { uuid: cape.uuid, name: "Founders" },
    ]);
  });

  test("stores nothing when an owner is unknown", async () => {
    const file = join(folder.path, "cape.png");
    const args = ["cape", "add", "--file", file, "--name", "None", "--owner", "Anna", "--owner", "Nobody"];
    expect(await failureOf(...args)).toContain("No user is known as Nobody");
    expect((await jsonOf("user", "show", "Anna")).capes).toEqual([]);
  });
});

describe("migrate", () => {
  test("prints what it would do without doing it, then does it, then has nothing to do", async () => {
    const dry = await jsonOf("migrate", "--dry-run");
    expect(dry.applied.length).toBeGreaterThan(0);
    expect(await Bun.file(join(dataDir, "cloakroom.db")).exists()).toBe(false);
    expect(await jsonOf("migrate")).toEqual({ dry_run: false, applied: dry.applied, copy: null });
    expect((await cli("migrate")).out).toBe("the database is up to date\n");
    expect((await cli("migrate", "--dry-run")).out).toBe("the database is up to date\n");
  });

  test.each([["--dry-run"], []])("with %p keeps out of a folder that is being restored", async (...flags) => {
    await cli("migrate");
    using _restoring = takeFolder(dataDir);
    expect(await failureOf("migrate", ...flags)).toContain("a backup is being restored into it");
  });
});

describe("a data folder without a database", () => {
  test.each([
    "user list",
    "user show Anna",
    "user delete Anna",
    "skin add --user Anna --file skin.png",
    "token list",
    "mail list",
    "audit verify",
    "audit export",
  ])("is a mistyped one for %s, which makes none", async (line) => {
    const error = await failureOf(...line.split(" "));
    expect(error).toBe(`cloakroom: ${dataDir} holds no database: is --data-dir (or DATA_DIR) right?\n`);
    expect(existsSync(dataDir)).toBe(false);
  });

  test.each(["user create --mail a@example.org", "token create shop", "migrate"])(
    "gets one from %s",
    async (line) => {
      await jsonOf(...line.split(" "));
      expect(existsSync(join(dataDir, "cloakroom.db"))).toBe(true);
    },
  );

  test.each(["migrate", "user create --mail a@example.org", "serve --port 0"])(
    "but with textures gets none from %s: it is lost, not new",
    async (line) => {
      const texture = join(dataDir, "textures/ab", `ab${"0".repeat(62)}.png`);
      await Bun.write(texture, "a texture");
      expect(await failureOf(...line.split(" "))).toContain(
        "holds textures but no database: is a disk missing?",
      );
      expect(existsSync(join(dataDir, "cloakroom.db"))).toBe(false);
      expect(await Bun.file(texture).text()).toBe("a texture");
    },
  );
});

describe("a data folder that cannot be used is explained", () => {
  test("when it is a file", async () => {
    await Bun.write(dataDir, "");
    const error = await failureOf("user", "list");
    expect(error).toBe(
      `cloakroom: the data folder ${dataDir} cannot be used: there is a file of that name\n`,
    );
  });

  test("when its database is none", async () => {
    await Bun.write(join(dataDir, "cloakroom.db"), "x".repeat(9000));
    expect(await failureOf("user", "list")).toContain("the file cloakroom.db in it is no database");
    expect(await failureOf("migrate")).toContain("the file cloakroom.db in it is no database");
  });
});
