/** The options by which commands on the set-up page find what the server found. */
import { expect, test } from "bun:test";
import { loadConfig, type ConfigSources } from "../../src/boot/config.ts";
import { installationOf } from "../../src/boot/installation.ts";
import { temporaryFolder } from "../cli/run-program.ts";

const folder = process.cwd();
const start = { command: "cloakroom", folder, restart: { by: "unknown", command: null } } as const;

async function optionsWith(given: Partial<ConfigSources>): Promise<string> {
  const loaded = await loadConfig({
    flags: {},
    environment: {},
    file: null,
    logsToTerminal: false,
    ...given,
  });
  return (await installationOf(loaded, start)()).options;
}

test.each<[string, Partial<ConfigSources>, string]>([
  ["nothing is given", {}, ""],
  ["the usual folder is given", { environment: { DATA_DIR: "data" } }, ""],
  [
    "the environment names a folder",
    { environment: { DATA_DIR: "/srv/cloakroom/a b" } },
    " --data-dir '/srv/cloakroom/a b'",
  ],
  [
    "a flag names a folder",
    { flags: { DATA_DIR: "/srv/cloakroom/it's" } },
    " --data-dir '/srv/cloakroom/it'\\''s'",
  ],
  [
    "there are other flags, of which a secret is left out",
    { flags: { PORT: "3001", MAIL_FROM: "A <a@b.example>", SMTP_URL: "smtp://u:hunter2@h.example" } },
    " --port 3001 --mail-from 'A <a@b.example>'",
  ],
])("where %s", async (_, given, options) => {
  expect(await optionsWith(given)).toBe(options);
});

test("npm starts the server again with the same options", async () => {
  const loaded = await loadConfig({
    flags: { PORT: "3001" },
    environment: {},
    file: null,
    logsToTerminal: false,
  });
  const npm = { ...start, restart: { by: "npm", command: "npm start" } } as const;
  expect((await installationOf(loaded, npm)()).restart.command).toBe("npm start -- --port 3001");
  expect((await installationOf({ ...loaded, flags: {} }, npm)()).restart.command).toBe("npm start");
});

test("where --config names a file", async () => {
  await using temporary = await temporaryFolder();
  const file = `${temporary.path}/a.toml`;
  await Bun.write(file, "data_dir = '/srv/cloakroom/b'\n");
  expect(await optionsWith({ file })).toBe(` --config ${file} --data-dir /srv/cloakroom/b`);
});

test("the file is looked at again after the start", async () => {
  await using temporary = await temporaryFolder();
  const file = `${temporary.path}/cloakroom.toml`;
  const loaded = await loadConfig({
    flags: { DATA_DIR: temporary.path },
    environment: { PORT: "1" },
    file: null,
    logsToTerminal: false,
  });
  const look = installationOf(loaded, start);
  const seen = async () => {
    const { settingsFile, settings } = await look();
    return {
      ...settingsFile,
      inFile: settings.filter(({ from }) => from === "file").map(({ name }) => name),
    };
  };
  const unchanged = { path: file, isThere: false, isChanged: false, faults: [], inFile: [] };
  expect(await seen()).toEqual(unchanged);
  await Bun.write(file, "# nothing yet\n");
  expect(await seen()).toEqual({ ...unchanged, isThere: true });
  // PORT is beaten by the environment.
  await Bun.write(file, "community_name = 'The Builders'\nport = 2\n");
  expect(await seen()).toEqual({
    ...unchanged,
    isThere: true,
    isChanged: true,
    inFile: ["COMMUNITY_NAME"],
  });
  await Bun.write(file, "community_name = 'a'\ncommunity_name = 'b'\n");
  expect(await seen()).toEqual({
    ...unchanged,
    isThere: true,
    isChanged: true,
    faults: [`${file} sets community_name twice (lines 1 and 2): keep one of them`],
  });
  await Bun.write(file, "x".repeat(1024 * 1024 + 1));
  expect((await seen()).faults).toEqual([expect.stringContaining("at most 1048576 are allowed")]);
});
