/** Games of several versions enter a server in online mode, which asks the service who they are. */
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { createVerify } from "node:crypto";
import { readJson } from "../support/answers.ts";
import { addSkin } from "../support/members.ts";
import { loadGame, signedIn, type Entered, type Game, type Outcome, type Play } from "./game.ts";
import {
  addPlayer,
  dashed,
  mainOf,
  openGameWorld,
  renamePlayer,
  type GameWorld,
  type Person,
} from "./game-world.ts";
import { readMetadata, signInFlat } from "./yggdrasil-calls.ts";

const versions = ["1.8.9", "1.12.2", "1.19.4", "1.20.4", "1.21.4"];

let world: GameWorld;
let game: Game;
let publicKey: string;
beforeAll(async () => {
  // One client says at each start that the sign-in with a password is old.
  spyOn(console, "warn").mockImplementation(() => undefined);
  world = await openGameWorld();
  await addSkin(world.harness, world.anna.member, { slim: "true" });
  publicKey = (await readMetadata(world.root)).signaturePublickey;
  game = await loadGame(world.root, publicKey);
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

const withPassword = ({ password }: Person, username: string): Play["client"] => ({
  username,
  auth: "mojang",
  password,
});

function verifies({ properties }: Entered): readonly boolean[] {
  return properties.map(({ value, signature = "" }) =>
    createVerify("RSA-SHA1").update(value).verify(publicKey, signature, "base64"),
  );
}

function enteredAs(outcome: Outcome): Entered {
  if (!("entered" in outcome)) throw new Error(`refused by the ${outcome.by}: ${outcome.refused}`);
  return outcome.entered;
}

test.each(versions)(
  "%s enters with name and password, and each of its properties is signed",
  async (version) => {
    const outcome = await game.play({ version, client: withPassword(world.anna, "Anna") });
    const entered = enteredAs(outcome);
    expect(entered).toMatchObject(mainOf(world.anna));
    expect(entered.properties.map(({ name }) => name).toSorted()).toEqual(["textures", "uploadableTextures"]);
    expect(verifies(entered)).toEqual([true, true]);
    const value = entered.properties.find(({ name }) => name === "textures")?.value ?? "";
    const textures: unknown = JSON.parse(Buffer.from(value, "base64").toString());
    expect(textures).toMatchObject({
      profileId: mainOf(world.anna).id,
      profileName: "Anna",
      textures: { SKIN: { metadata: { model: "slim" } } },
    });
    expect(textures).not.toHaveProperty("textures.CAPE");
  },
  20_000,
);

test.each(["anna", "ANNA", "anna@example.org"])(
  "a person signs in by %s and enters under the stored name",
  async (login) => {
    const outcome = await game.play({ version: "1.12.2", client: withPassword(world.anna, login) });
    expect(enteredAs(outcome)).toMatchObject(mainOf(world.anna));
  },
  20_000,
);

test("a person with several players enters as the one that it named", async () => {
  const { players } = world.bert;
  for (const player of players) {
    const outcome = await game.play({ version: "1.8.9", client: withPassword(world.bert, player.name) });
    expect(enteredAs(outcome)).toMatchObject(player);
  }
}, 20_000);

test("a client that did not join is refused", async () => {
  const outcome = await game.play({ version: "1.20.4", client: { username: "Anna" } });
  expect(outcome).toMatchObject({
    refused: expect.stringContaining("Failed to verify username!"),
    by: "server",
  });
}, 20_000);

test("a client with a token of another account is refused when it joins", async () => {
  const { accessToken } = await signInFlat(world, world.bert, "Bert");
  const outcome = await game.play({
    version: "1.20.4",
    client: signedIn(mainOf(world.anna), accessToken),
  });
  expect(outcome).toEqual({ refused: "Invalid token.", by: "client" });
}, 20_000);

test("a client with a token of another player of its own account is refused when it joins", async () => {
  const [bert, second] = world.bert.players;
  const { accessToken } = await signInFlat(world, world.bert, bert?.name ?? "");
  const client = signedIn(second ?? mainOf(world.anna), accessToken);
  expect(await game.play({ version: "1.8.9", client })).toEqual({ refused: "Invalid token.", by: "client" });
}, 20_000);

test.each(["Anna", "bert"])(
  "Bert, who joined as itself, does not enter as %s",
  async (username) => {
    const { accessToken } = await signInFlat(world, world.bert, "Bert");
    const client = signedIn(mainOf(world.bert), accessToken, { username });
    expect(await game.play({ version: "1.20.4", client })).toEqual({
      refused: expect.stringContaining("Failed to verify username!"),
      by: "server",
    });
  },
  20_000,
);

test("a player that is renamed or deleted between joining and the question does not enter", async () => {
  const { harness, bert } = world;
  const traveller = await addPlayer(harness, bert.member, "Traveller");
  const renamed = await game.play({
    version: "1.20.4",
    client: withPassword(bert, "Traveller"),
    meanwhile: () => renamePlayer(harness, bert, traveller, "Settler"),
  });
  const refused = { refused: expect.stringContaining("Failed to verify username!"), by: "server" } as const;
  expect(renamed).toEqual(refused);

  const deleted = await game.play({
    version: "1.20.4",
    client: withPassword(bert, "Settler"),
    meanwhile: async () => {
      const path = `/api/home/players/${dashed(traveller.id)}`;
      const gone = await harness.fetch(path, {
        method: "DELETE",
        headers: { authorization: bert.member.authorization, "content-type": "application/json" },
        body: JSON.stringify({ password: bert.password }),
      });
      expect(gone.status).toBe(204);
    },
  });
  expect(deleted).toEqual(refused);
}, 20_000);

test("an answer to the game server is the profile alone", async () => {
  const response = await fetch(
    `${world.root}/sessionserver/session/minecraft/profile/${mainOf(world.anna).id}?unsigned=false`,
  );
  expect(Object.keys(await readJson<object>(response)).toSorted()).toEqual(["id", "name", "properties"]);
});
