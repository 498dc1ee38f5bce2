/*
 * The pages of docs/move about systems with a database of their own: their commands work as they are pasted,
 * and people then sign in as before.
 */
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { makeBlessing, userRow } from "../import/blessing-database.ts";
import { makeDrasl } from "../import/drasl-database.ts";
import { foreignDatabase } from "../import/foreign-database.ts";
import { projectRoot } from "../tidy/project-files.ts";
import { commandsOf, paste, startPastedServer } from "./pasted-commands.ts";

const uuid = "11111111-1111-4111-8111-111111111111";
const skinFile = join(projectRoot, "docs/examples/scout.png");

const commandsOfPage = async (page: string) =>
  commandsOf(await Bun.file(join(projectRoot, "docs/move", page)).text());

/** What a launcher gets of a sign-in, and the game of the player. */
async function signIn(address: string, username: string, password: string) {
  const answer = await fetch(`${address}/api/yggdrasil/authserver/authenticate`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password, agent: { name: "Minecraft", version: 1 } }),
  });
  // As Yggdrasil answers.
  const { selectedProfile } = (await answer.json()) as { selectedProfile: { id: string; name: string } };
  const profile = await fetch(
    `${address}/api/yggdrasil/sessionserver/session/minecraft/profile/${selectedProfile.id}`,
  );
  const { properties } = (await profile.json()) as { properties: readonly [{ value: string }] };
  const { textures } = JSON.parse(Buffer.from(properties[0].value, "base64").toString());
  return {
    player: selectedProfile,
    looks: Object.keys(textures),
    model: textures.SKIN?.metadata?.model ?? null,
  };
}

test("the commands of docs/move/blessing.md work as they are pasted", async () => {
  await using server = await startPastedServer();
  await using foreign = await foreignDatabase("sqlite");
  await makeBlessing(foreign, "bs_");
  await foreign.insert("bs_users", [
    // Of the password "Пароль-harbour 7".
    userRow(1, { email: "anna@example.org", verified: 1 }),
    // Of the same one, with the salt of `.env`.
    userRow(2, {
      email: "bea@example.org",
      password: "04509da06a3a4fc092de22be2773c7b53b47421794f1836ed10e5931e8f47358",
    }),
  ]);
  const skin = await readFile(skinFile);
  const hash = createHash("sha256").update(skin).digest("hex");
  await foreign.insert("bs_textures", [
    { tid: 3, name: "Scout", type: "alex", hash, size: 1, uploader: 1, public: 1 },
  ]);
  await foreign.insert("bs_players", [
    { pid: 1, uid: 1, name: "Anna", tid_skin: 3 },
    { pid: 2, uid: 2, name: "Bea" },
  ]);
  await foreign.insert("bs_user_closet", [{ user_uid: 1, texture_tid: 3, item_name: "My scout" }]);
  await foreign.insert("bs_uuid", [{ id: 1, name: "Anna", uuid: uuid.replaceAll("-", "") }]);
  const site = join(server.folder, "blessing");
  await mkdir(join(site, "storage/textures"), { recursive: true });
  await writeFile(join(site, "storage/textures", hash), skin);
  await writeFile(
    join(site, ".env"),
    `DB_CONNECTION=sqlite\nDB_DATABASE=${foreign.dsn.slice("sqlite://".length)}\nDB_PREFIX=bs_\nPWD_METHOD=BCRYPT\nPASSWORD_METHODS=SALTED2SHA256\nSALT=pepper-of-env\n`,
  );
  const commands = (await commandsOfPage("blessing.md")).replaceAll("/var/www/blessing", site);
  expect(commands).toContain("import --from blessing --env");
  const { code, said } = await paste(server, commands);
  expect({ code, said: code === 0 ? "" : said }).toEqual({ code: 0, said: "" });
  expect(await signIn(server.address, "anna@example.org", "Пароль-harbour 7")).toEqual({
    player: { id: uuid.replaceAll("-", ""), name: "Anna" },
    looks: ["SKIN"],
    model: "slim",
  });
  expect(await signIn(server.address, "Bea", "Пароль-harbour 7")).toMatchObject({ player: { name: "Bea" } });
}, 60_000);

test("the commands of docs/move/drasl.md work as they are pasted, while drasl runs", async () => {
  await using server = await startPastedServer();
  await using drasl = await makeDrasl();
  const skin = await readFile(skinFile);
  const hash = createHash("sha256").update(skin).digest("hex");
  await cp(skinFile, join(drasl.folder, `skin/${hash}.png`));
  drasl.run("INSERT INTO users VALUES (0, 0, ?, 'ada', ?, ?, NULL, 'MC_x', 'x', 'en', -2)", [
    "u1",
    Uint8Array.fromHex("8a57295dd309583b634fb2bea287680b"),
    Uint8Array.fromHex("83e89330147d6a240419114c14f71fcbd0bf85b93aea11318707beb782432037"),
  ]);
  drasl.run(
    `INSERT INTO players (uuid, name, offline_uuid, created_at, skin_hash, skin_model, user_uuid)
     VALUES (?, 'Ada', '', '2026-11-22 06:48:57.7+00:00', ?, 'slim', 'u1')`,
    [uuid, hash],
  );
  const commands = (await commandsOfPage("drasl.md")).replaceAll("/var/lib/drasl", drasl.folder);
  expect(commands).toContain("import --from drasl --file");
  const { code, said } = await paste(server, commands);
  expect({ code, said: code === 0 ? "" : said }).toEqual({ code: 0, said: "" });
  const expected = {
    player: { id: uuid.replaceAll("-", ""), name: "Ada" },
    looks: ["SKIN"],
    model: "slim",
  };
  expect(await signIn(server.address, "ada", "ada long pass 1")).toEqual(expected);
  await rm(join(server.folder, "plan"), { recursive: true });
}, 60_000);
