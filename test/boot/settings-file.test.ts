/**
 * The file of settings: which one is read, and what is said of one that is no TOML (docs/guide/settings.md).
 */
import { afterAll, describe, expect, test } from "bun:test";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError, loadConfig, type ConfigSources } from "../../src/boot/config.ts";
import { makeData } from "../backup/data-world.ts";
import { run, runProcess, temporaryFolder } from "../cli/run-program.ts";

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

let folders = 0;

/** A data folder with this file of settings; null: without one. */
async function dataWith(content: string | null): Promise<string> {
  const path = join(folder.path, `data-${folders++}`);
  await mkdir(path, { mode: 0o700 });
  if (content !== null) await Bun.write(join(path, "cloakroom.toml"), content);
  return path;
}

async function fileOf(content: string): Promise<string> {
  const path = join(folder.path, `settings-${folders++}.toml`);
  await Bun.write(path, content);
  return path;
}

function load(given: Partial<ConfigSources>) {
  return loadConfig({ flags: {}, environment: {}, file: null, logsToTerminal: false, ...given });
}

async function faultsOf(given: Partial<ConfigSources>): Promise<readonly string[]> {
  const cause = await load(given).then(
    () => null,
    (error: unknown) => error,
  );
  return cause instanceof ConfigError ? cause.faults : [`no ConfigError but ${String(cause)}`];
}

describe("cloakroom.toml in the data folder", () => {
  test.each([
    ["by a flag", (path: string) => ({ flags: { DATA_DIR: path } })],
    ["by the environment", (path: string) => ({ environment: { DATA_DIR: path } })],
    [
      "by a flag, not by the environment",
      (path: string) => ({ flags: { DATA_DIR: path }, environment: { DATA_DIR: "/nowhere/x" } }),
    ],
  ])("is read where the folder is given %s", async (_, given) => {
    const path = await dataWith("port = 4001\n# port = 1\ncommunity_name = 'The Builders'\n");
    const { config, settingsFile, given: names } = await load(given(path));
    expect(config).toMatchObject({ port: 4001, communityName: "The Builders", dataDir: path });
    expect(settingsFile).toEqual({
      path: join(path, "cloakroom.toml"),
      isNamed: false,
      isThere: true,
      holdsSecrets: false,
    });
    expect(names.filter(({ name }) => name !== "DATA_DIR")).toEqual([
      { name: "PORT", from: "file" },
      { name: "COMMUNITY_NAME", from: "file" },
    ]);
  });

  test("need not be there, nor its folder", async () => {
    const path = await dataWith(null);
    for (const dataDir of [path, join(path, "not", "yet")]) {
      const { settingsFile } = await load({ flags: { DATA_DIR: dataDir } });
      expect(settingsFile).toEqual({
        path: join(dataDir, "cloakroom.toml"),
        isNamed: false,
        isThere: false,
        holdsSecrets: false,
      });
    }
  });

  test("is beaten by the environment and by flags", async () => {
    const path = await dataWith("port = 4001\nhost = '127.0.0.2'\nlog_level = 'warn'\n");
    const environment = { PORT: "4002", HOST: "127.0.0.3" };
    const { config } = await load({ flags: { DATA_DIR: path, PORT: "4003" }, environment });
    expect(config).toMatchObject({ port: 4003, host: "127.0.0.3", log: { level: "warn" } });
  });

  test("is not read when --config names another file, which a start says", async () => {
    const path = await dataWith("port = 4001\n");
    const file = await fileOf("host = '127.0.0.2'\n");
    const loaded = await load({ flags: { DATA_DIR: path }, file });
    expect(loaded.config).toMatchObject({ port: 3000, host: "127.0.0.2" });
    expect(loaded.settingsFile).toEqual({ path: file, isNamed: true, isThere: true, holdsSecrets: false });
    expect(loaded.unread).toBe(join(path, "cloakroom.toml"));
    const own = await load({ flags: { DATA_DIR: path }, file: join(path, "cloakroom.toml") });
    expect([own.config.port, own.unread]).toEqual([4001, null]);
  });

  test("is not read with --config none", async () => {
    const path = await dataWith("port = 4001\n");
    expect((await load({ flags: { DATA_DIR: path }, file: "none" })).config.port).toBe(3000);
  });

  test("may not name the folder that it lies in", async () => {
    const path = await dataWith("data_dir = '/elsewhere'\n");
    const faults = await faultsOf({ flags: { DATA_DIR: path } });
    expect(faults).toEqual([
      expect.stringMatching(/^DATA_DIR \(.*cloakroom\.toml\) must not stand in the file of the data folder/),
    ]);
  });

  test("is reported where it is a folder", async () => {
    const path = await dataWith(null);
    await mkdir(join(path, "cloakroom.toml"));
    const [fault = ""] = await faultsOf({ flags: { DATA_DIR: path } });
    expect(fault).toStartWith(`${join(path, "cloakroom.toml")} cannot be read: `);
  });

  test("counts for every command that gets the folder", async () => {
    const path = await dataWith("port = 0\nmetrics_port = 0\ncommunity_accent = 'teal'\n");
    const commands = [
      "serve",
      "doctor",
      "health",
      "migrate",
      "user list",
      "backup x.tar",
      "mail test a@example.org",
      "fsck",
    ];
    const ends = await Promise.all(
      commands.map((words) => runProcess([...words.split(" "), "--data-dir", path], { folder: folder.path })),
    );
    for (const { out, error } of ends)
      expect(out + error).toContain('COMMUNITY_ACCENT (cloakroom.toml) is "teal"');
  }, 60_000);
});

describe("a file of environment variables", () => {
  const text = [
    "# mail",
    "SMTP_URL=smtp://user:hunter2@mail.example.org:587",
    'MAIL_FROM="Skins <noreply@example.org>"',
    "export COMMUNITY_NAME=Anna's place",
    "COMMUNITY_ACCENT=#0f766e",
    "BACKUP_SCHEDULE=30 4 * * *",
    "USERNAME_PATTERN=^[a-z]\\d{3}$",
    "PORT=1",
    "PORT=3001",
    "POSTGRES_PASSWORD=swordfish",
    "",
  ];

  test.each([
    ["by --config", async (content: string) => ({ file: await fileOf(content) })],
    ["in the data folder", async (content: string) => ({ flags: { DATA_DIR: await dataWith(content) } })],
  ])("given %s is refused with the same settings in TOML, without secrets", async (_, given) => {
    const [fault = "", ...more] = await faultsOf(await given(text.join("\r\n")));
    expect(more).toEqual([]);
    expect(fault).toContain(" is written like a file of environment variables. It has to be TOML");
    const [, ...lines] = fault.split("\n    ");
    expect(lines).toEqual([
      "smtp_url = '…'",
      "mail_from = 'Skins <noreply@example.org>'",
      'community_name = "Anna\'s place"',
      "community_accent = '#0f766e'",
      "backup_schedule = '30 4 * * *'",
      "username_pattern = '^[a-z]\\d{3}$'",
      "port = '3001'",
    ]);
    expect(fault).not.toMatch(/hunter2|POSTGRES|swordfish/i);
  });

  test("can be corrected by its own message", async () => {
    const [fault = ""] = await faultsOf({ file: await fileOf(text.join("\n")) });
    const lines = fault
      .split("\n    ")
      .slice(1)
      .filter((line) => !line.includes("…"));
    const { config } = await load({ file: await fileOf(lines.join("\n")) });
    expect(config).toMatchObject({
      port: 3001,
      communityName: "Anna's place",
      mail: { from: { name: "Skins" } },
    });
  });

  test("is known also where every line is TOML by chance", async () => {
    const [fault = ""] = await faultsOf({ file: await fileOf("PORT=3001\nCONSOLE=false\n") });
    expect(fault.split("\n    ").slice(1)).toEqual(["port = '3001'", "console = 'false'"]);
  });

  test("is not seen in the comments and texts of a good file", async () => {
    const file = await fileOf("# PORT=1\ncommunity_text = '''\nPORT=2\n'''\n");
    expect((await load({ file })).config.port).toBe(3000);
  });
});

test.each([
  [
    "without quotes",
    "port = 1\njwt_secret = hunter2hunter2hunter2hunter2hunter2\n",
    "Strings must be quoted (line 2)",
  ],
  ["with a quote in it", `port = 1\njwt_secret = hunter2"hunter2\n`, "(line 2)"],
  [
    "without its end",
    "port = 1\n\njwt_secret = 'hunter2\nhost = 'a'\n",
    "Unterminated string; literal strings cannot contain newlines (line 3)",
  ],
  [
    "over lines without an end",
    "port = 1\nhost = '''\na'''\njwt_secret = '''hunter2\nhunter2\n",
    "Unterminated string (line 4)",
  ],
  ["with a colon", "port = 1\njwt_secret: hunter2\n", "Expected '=' after a key but found ':' (line 2)"],
  [
    "in round quotes",
    "port = 1\r\njwt_secret = “hunter2”\r\n",
    "has round quotes (line 2), such as “ or ”, around a value: write straight ones",
  ],
  ["with one round quote", "jwt_secret = 'hunter2’\n", "has round quotes (line 1)"],
  [
    "twice",
    "port = 1\njwt_secret = 'hunter2'\n\nport = 2\njwt_secret = 'hunter2'\n",
    "sets port twice (lines 1 and 4), and jwt_secret twice (lines 2 and 5): keep one of them",
  ],
  ["with another type", "jwt_secret = ['hunter2']\n", "must be a string or a number"],
])("a secret %s is not in what is said", async (_, content, reason) => {
  const faults = (await faultsOf({ file: await fileOf(content) })).join("\n");
  expect(faults).toContain(reason);
  expect(faults).not.toContain("hunter2");
});

test.each([
  ["with a mark", "\uFEFF"],
  ["without one", ""],
])("a file in UTF-16 %s is named as such", async (_, mark) => {
  const file = await fileOf("");
  await Bun.write(file, Buffer.from(`${mark}jwt_secret = 'hunter2'\n`, "utf16le"));
  expect(await faultsOf({ file })).toEqual([expect.stringContaining("is in UTF-16")]);
});

test("a large file is refused without a search for the line", async () => {
  const lines = "host = 'a'\n# b\n".repeat(20_000);
  const [fault = ""] = await faultsOf({ file: await fileOf(`${lines}x`) });
  expect(fault).toContain("sets host twice (lines 1 and 3)");
  const [other = ""] = await faultsOf({ file: await fileOf(`${"# b\n".repeat(20_000)}x`) });
  expect(other).toMatch(/cannot be read: [^(]*(?!\(line)/);
});

test("a file that other users can read is a finding", async () => {
  const path = await dataWith("port = 0\nsmtp_url = 'smtp://user:hunter2@127.0.0.1:1'\n");
  const file = join(path, "cloakroom.toml");
  await chmod(file, 0o644);
  const closed = await runProcess(["doctor", "--data-dir", path], { folder: folder.path });
  expect(closed.out).not.toContain(file);
  await chmod(path, 0o755);
  const { out } = await runProcess(["doctor", "--data-dir", path], { folder: folder.path });
  expect(out).toContain(`other users of this machine can read ${file}`);
  expect(out).not.toContain("hunter2");
  await chmod(file, 0o600);
  expect((await runProcess(["doctor", "--data-dir", path], { folder: folder.path })).out).not.toContain(file);
}, 60_000);

test("no backup holds it, a restore leaves it, and fsck and doctor find nothing wrong with it", async () => {
  const path = join(folder.path, "restored");
  await makeData(path);
  const file = join(path, "cloakroom.toml");
  await Bun.write(file, "port = 0\nsmtp_url = 'smtp://user:hunter2@127.0.0.1:1'\n");
  const backup = join(folder.path, "backup.tar");
  const go = (...words: string[]) => run([...words, "--data-dir", path]);
  const made = await go("backup", backup);
  expect(made.code).toBe(0);
  expect(made.out).toContain(`settings are not in the backup: keep a copy of ${file} beside it\n`);
  expect(Buffer.from(await Bun.file(backup).bytes()).toString("latin1")).not.toContain("hunter2");
  await Bun.write(file, "port = 0\n");
  const restored = await go("restore", backup);
  expect(restored.code).toBe(0);
  expect(restored.out).toContain(`settings are in no backup: ${file} is as it was\n`);
  const elsewhere = join(folder.path, "elsewhere");
  const moved = await run(["restore", backup, "--data-dir", elsewhere]);
  expect(moved.out).toContain(`copy it to ${join(elsewhere, "cloakroom.toml")}\n`);
  expect(await Bun.file(file).text()).toBe("port = 0\n");
  const checked = await go("fsck");
  expect(checked).toMatchObject({ code: 0, error: "" });
  expect(checked.out + (await go("doctor")).out).not.toContain("cloakroom.toml");
}, 60_000);

test("a move to a folder says that the file has to be copied, where it is the old folder's own", async () => {
  const path = join(folder.path, "leaving");
  await makeData(path);
  const file = join(path, "cloakroom.toml");
  const to = join(folder.path, "arriving");
  const go = async (...more: string[]) =>
    (await run(["move", "--to", to, "--dry-run", "--data-dir", path, ...more])).out;
  const said = `copy ${file} to the new folder, ${to}\n`;
  expect(await go()).not.toContain("cloakroom.toml");
  await Bun.write(file, "port = 0\n");
  expect(await go()).toEndWith(said);
  expect(await go("--config", file)).not.toContain("copy ");
}, 60_000);
