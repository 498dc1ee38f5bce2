/** Game servers that let in only players whose keys the service has signed. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ProfileKeys } from "prismarine-auth/src/TokenManagers/MinecraftJavaTokenManager.js";
import { loadGame, signedIn, type Game, type Outcome } from "./game.ts";
import { mainOf, openGameWorld, type GameWorld } from "./game-world.ts";
import { openJavaServices } from "./java-services.ts";
import { readMetadata, signInFlat } from "./yggdrasil-calls.ts";

let world: GameWorld;
let game: Game;
let accessToken: string;
let profileKeys: ProfileKeys;
beforeAll(async () => {
  world = await openGameWorld();
  game = await loadGame(world.root, (await readMetadata(world.root)).signaturePublickey);
  ({ accessToken } = await signInFlat(world, world.anna, "Anna"));
  ({ profileKeys } = await openJavaServices(world.root).fetchCertificates(accessToken));
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

function enter(version: string, keys: ProfileKeys | undefined): Promise<Outcome> {
  const client = signedIn(mainOf(world.anna), accessToken, { profileKeys: keys });
  return game.play({ version, client, enforceSecureProfile: true });
}

const flipped = (signature: Buffer): Buffer => {
  const copy = Buffer.from(signature);
  copy[100] = (copy[100] ?? 0) ^ 1;
  return copy;
};

const invalid = "multiplayer.disconnect.invalid_public_key_signature";

test.each(["1.19", "1.19.2"])(
  "%s takes the keys, and refuses others",
  async (version) => {
    expect(await enter(version, profileKeys)).toMatchObject({ entered: mainOf(world.anna) });
    const damaged = {
      ...profileKeys,
      signature: flipped(profileKeys.signature),
      signatureV2: flipped(profileKeys.signatureV2),
    };
    expect(await enter(version, damaged)).toMatchObject({ refused: expect.stringContaining(invalid) });
    const later = { ...profileKeys, expiresOn: new Date(profileKeys.expiresOn.getTime() + 1) };
    expect(await enter(version, later)).toMatchObject({ refused: expect.stringContaining(invalid) });
    expect(await enter(version, undefined)).toMatchObject({
      refused: expect.stringContaining("missing_public_key"),
    });
  },
  20_000,
);

test("keys of one player do not hold for another", async () => {
  const { accessToken: other } = await signInFlat(world, world.bert, "Bert");
  const client = signedIn(mainOf(world.bert), other, { profileKeys });
  const outcome = await game.play({ version: "1.19.2", client, enforceSecureProfile: true });
  expect(outcome).toMatchObject({ refused: expect.stringContaining(invalid) });
}, 20_000);
