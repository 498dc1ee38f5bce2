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
  return installationOf(loaded, start).options;
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
  expect(installationOf(loaded, npm).restart.command).toBe("npm start -- --port 3001");
  expect(installationOf({ ...loaded, flags: {} }, npm).restart.command).toBe("npm start");
});

test("where --config names a file", async () => {
  await using temporary = await temporaryFolder();
  const file = `${temporary.path}/a.toml`;
  await Bun.write(file, "data_dir = '/srv/cloakroom/b'\n");
  expect(await optionsWith({ file })).toBe(` --config ${file} --data-dir /srv/cloakroom/b`);
});
