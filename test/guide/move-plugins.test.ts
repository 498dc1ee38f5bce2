/** The commands of docs/move for plugins, lists of names and folders work as they are pasted. */
import { Database } from "bun:sqlite";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "bun:test";
import vectors from "../passwords/vectors.json";
import { projectRoot } from "../tidy/project-files.ts";
import { commandsOf, paste, startPastedServer } from "./pasted-commands.ts";

const scout = join(projectRoot, "docs/examples/scout.png");
const cape = join(projectRoot, "docs/examples/cape.png");

const commandsOfPage = async (page: string) =>
  commandsOf(await Bun.file(join(projectRoot, "docs/move", page)).text());

test("the commands of docs/move/sign-in-plugins.md", async () => {
  await using server = await startPastedServer();
  const vector = vectors.find(({ name }) => name === "AuthMe SALTED2MD5");
  const plugin = join(server.folder, "plugins/AuthMe");
  const settings =
    "settings: {security: {passwordHash: SALTED2MD5}}\nExternalBoardOptions: {mySQLColumnSalt: salt}\n";
  await Bun.write(join(plugin, "config.yml"), `DataSource: {}\n${settings}`);
  using database = new Database(join(plugin, "authme.db"), { create: true });
  database.run("CREATE TABLE authme (id INTEGER PRIMARY KEY, username, realname, password, salt)");
  database.run("INSERT INTO authme VALUES (1, 'anna', 'Anna', ?, ?)", [
    vector?.text ?? "",
    vector?.salt ?? "",
  ]);
  const commands = await commandsOfPage("sign-in-plugins.md");
  expect(commands).toContain("import --from authme --file");
  const { code, said } = await paste(server, commands);
  expect({ code, said: code === 0 ? "" : said }).toEqual({ code: 0, said: "" });
  const answer = await fetch(`${server.address}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "Anna", password: vector?.password }),
  });
  expect(answer.status).toBe(200);
}, 60_000);

test("the commands of docs/move/names-and-textures.md", async () => {
  await using server = await startPastedServer();
  const uuid = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";
  await Bun.write(join(server.folder, "world/usercache.json"), JSON.stringify([{ name: "Anna", uuid }]));
  await Bun.write(join(server.folder, "members.csv"), "username,mail\nBert,bert@example.org\n");
  await Bun.write(join(server.folder, "skins/anna.png"), Bun.file(scout));
  await Bun.write(join(server.folder, `capes/${uuid}.png`), Bun.file(cape));
  await cp(scout, join(server.folder, "skins/Stranger.png"));
  const commands = await commandsOfPage("names-and-textures.md");
  expect(commands).toContain("--claims claims.csv");
  const { code, said } = await paste(server, commands);
  expect({ code, said: code === 0 ? "" : said }).toEqual({ code: 0, said: "" });
  expect(await Bun.file(join(server.folder, "claims.csv")).text()).toContain(`Anna,${uuid},`);
  const profile = await (await fetch(`${server.address}/csl/Anna.json`)).text();
  expect(Object.keys(JSON.parse(profile).textures)).toEqual(expect.arrayContaining(["slim", "cape"]));
}, 60_000);
