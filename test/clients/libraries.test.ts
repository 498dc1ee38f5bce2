/** What launchers are built of: libraries that sign in, keep tokens and upload skins. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { getTextureType, YggdrasilClient, YggdrasilError, YggdrasilThirdPartyClient } from "@xmcl/user";
import EmlAuth from "eml-lib/lib/auth/yggdrasil.js";
import { Authenticator } from "minecraft-launcher-core";
import yggdrasil from "yggdrasil";
import { readJson } from "../support/answers.ts";
import { fetchTextures, type Shown } from "./textures-of.ts";
import { dashed, mainOf, openGameWorld, type GameWorld } from "./game-world.ts";
import { openJavaServices } from "./java-services.ts";
import { post, readMetadata, signInFlat } from "./yggdrasil-calls.ts";
import { bitmapHash, skinBitmap, skinPng } from "../support/textures.ts";
import { certificateFaults } from "./certificates.ts";

let world: GameWorld;
beforeAll(async () => {
  world = await openGameWorld();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

/** Why a promise failed. Waiting for it in the ordinary way is faster than the runner's own. */
const faultOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (fault: unknown) => fault,
  );

const wrong = "Invalid credentials. Invalid username or password.";

test.each(["/authserver", ""])("yggdrasil signs in, refreshes and signs out at <root>%s", async (below) => {
  const { anna } = world;
  const client = yggdrasil({ host: `${world.root}${below}` });
  const login = { user: anna.mail, pass: anna.password, token: "a launcher's own token" };
  const first = await client.auth({ ...login, requestUser: true });
  expect(first).toEqual({
    accessToken: expect.stringMatching(/^\S{22,}$/),
    clientToken: "a launcher's own token",
    availableProfiles: [mainOf(anna)],
    selectedProfile: mainOf(anna),
    user: { id: mainOf(anna).id, properties: [] },
  });
  expect(await client.validate(first.accessToken)).toBe("");
  const { 1: second } = await refreshBy(client, first);
  world.hide(first.accessToken, second.accessToken);
  expect(second.accessToken).not.toBe(first.accessToken);
  expect(second).toMatchObject({ selectedProfile: mainOf(anna), availableProfiles: [mainOf(anna)] });
  expect(second).not.toHaveProperty("user");
  expect(await faultOf(client.validate(first.accessToken))).toHaveProperty(
    "message",
    expect.stringContaining("Invalid token."),
  );
  expect(await client.invalidate(second.accessToken, second.clientToken)).toBe("");
  expect(await faultOf(client.validate(second.accessToken))).toHaveProperty(
    "message",
    expect.stringContaining("Invalid token."),
  );
  expect(await client.invalidate(second.accessToken, second.clientToken)).toBe("");

  const third = await client.auth(login);
  expect(await client.signout(anna.mail, anna.password)).toBe("");
  expect(await faultOf(client.validate(third.accessToken))).toHaveProperty(
    "message",
    expect.stringContaining("Invalid token."),
  );
  expect(await faultOf(client.refresh(third.accessToken, third.clientToken))).toHaveProperty(
    "message",
    expect.stringContaining("Invalid token."),
  );
});

test("what /play shows for a launcher is what its library takes: the address, and a player's name", async () => {
  const { anna } = world;
  const html = await (await fetch(new URL("/play", world.root))).text();
  const parts = [...html.matchAll(/id="(\w+)" aria-labelledby(.*?)<\/section>/gs)];
  const addresses = parts.flatMap(([, launcher = "", part = ""]) => {
    const [, address] = /<div class="play-address"><code>([^<]+)</.exec(part) ?? [];
    return address === undefined ? [] : [{ launcher, address }];
  });
  expect(addresses.map(({ launcher }) => launcher)).toEqual(["hmcl", "pcl", "fjord", "xmcl", "other"]);
  for (const { address } of addresses) {
    const client = new YggdrasilThirdPartyClient(address);
    const login = { username: mainOf(anna).name, password: anna.password, clientToken: "steps" };
    const { accessToken, selectedProfile } = await client.login(login);
    world.hide(accessToken);
    expect(selectedProfile).toMatchObject(mainOf(anna));
    // Launchers with authlib-injector read this before they start the game.
    expect(await readMetadata(address)).toMatchObject({ meta: { serverName: expect.any(String) } });
  }
});

type YggdrasilAnswer = Awaited<ReturnType<ReturnType<typeof yggdrasil>["auth"]>>;

/** Its promise holds the last part of a pair, or the pair itself. */
async function refreshBy(
  client: ReturnType<typeof yggdrasil>,
  { accessToken, clientToken }: YggdrasilAnswer,
): Promise<readonly [string, YggdrasilAnswer]> {
  const answer = await client.refresh(accessToken, clientToken);
  return [answer.accessToken, answer];
}

test("yggdrasil hears the protocol's words when a sign-in is refused", async () => {
  const { anna } = world;
  const client = yggdrasil({ host: `${world.root}/authserver` });
  for (const user of [anna.mail, "Anna", "Stranger", "stranger@example.org"])
    expect(await faultOf(client.auth({ user, pass: "another person's words" }))).toHaveProperty(
      "message",
      expect.stringContaining(wrong),
    );
  expect(await faultOf(client.signout("Anna", "another person's words"))).toHaveProperty(
    "message",
    expect.stringContaining(wrong),
  );
  const { accessToken } = await signInFlat(world, anna, "Anna");
  expect(await faultOf(client.refresh(accessToken, "another client"))).toHaveProperty(
    "message",
    expect.stringContaining("Invalid token."),
  );
  expect(await client.validate(accessToken)).toBe("");
  expect(await faultOf(client.refresh("x".repeat(32), ""))).toHaveProperty(
    "message",
    expect.stringContaining("Invalid token."),
  );
});

test.each(["/authserver", ""])("minecraft-launcher-core signs in at <root>%s", async (below) => {
  const { anna } = world;
  Authenticator.changeApiUrl(`${world.root}${below}`);
  const first = await Authenticator.getAuth(anna.mail, anna.password);
  expect(first).toMatchObject({ uuid: mainOf(anna).id, name: "Anna", user_properties: "{}" });
  expect(await Authenticator.validate(first.access_token, first.client_token)).toBe(true);
  const second = await Authenticator.refreshAuth(first.access_token, first.client_token);
  expect(second).toMatchObject({ uuid: mainOf(anna).id, name: "Anna", client_token: first.client_token });
  world.hide(first.access_token, second.access_token);
  const ended = { error: "ForbiddenOperationException", errorMessage: "Invalid token." };
  expect(await faultOf(Authenticator.validate(first.access_token, first.client_token))).toEqual(ended);
  expect(await Authenticator.invalidate(second.access_token, second.client_token)).toBe(true);
  expect(await faultOf(Authenticator.validate(second.access_token, second.client_token))).toEqual(ended);

  const third = await Authenticator.getAuth("Anna", anna.password);
  expect(await faultOf(Authenticator.validate(third.access_token, "another client"))).toEqual(ended);
  expect(await Authenticator.signOut("Anna", anna.password)).toBe(true);
  expect(await faultOf(Authenticator.validate(third.access_token, third.client_token))).toEqual(ended);
  expect(await faultOf(Authenticator.signOut("Anna", "another person's words"))).toEqual({
    error: "ForbiddenOperationException",
    errorMessage: wrong,
  });
  expect(await faultOf(Authenticator.getAuth("Anna", "another person's words"))).toHaveProperty(
    "message",
    expect.stringContaining("Validation error: Forbidden"),
  );
});

test("@xmcl/user signs in, looks up, uploads and deletes a skin", async () => {
  const { anna, root } = world;
  const client = new YggdrasilThirdPartyClient(root);
  const login = { username: "Anna", password: anna.password, clientToken: "xmcl", requestUser: true };
  const { accessToken, selectedProfile, ...others } = await client.login(login);
  world.hide(accessToken);
  const user: unknown = others.user;
  expect(user).toEqual({ id: mainOf(anna).id, properties: [] });
  expect(await client.validate(accessToken, "xmcl")).toBe(true);
  expect(await client.validate(accessToken, "another client")).toBe(false);

  const uuid = selectedProfile.id;
  const shows = async (): Promise<Shown> => fetchTextures((await client.lookup(uuid)).properties);
  expect(await shows()).toEqual({});
  for (const [seed, model] of [
    [1, "slim"],
    [2, "steve"],
    [3, undefined],
  ] as const) {
    const data = skinPng(seed);
    const metadata = model === undefined ? {} : { metadata: { model } };
    await client.setTexture({ accessToken, uuid, type: "skin", texture: { data, ...metadata } });
    const { SKIN } = await shows();
    expect(SKIN?.url).toEndWith(`/textures/${bitmapHash(skinBitmap(seed))}`);
    expect(getTextureType(SKIN ?? { url: "" })).toBe(model ?? "steve");
  }
  await client.setTexture({ accessToken, uuid, type: "skin" });
  expect(await shows()).toEqual({});
  expect(await client.invalidate(accessToken, "xmcl")).toBe(true);
});

test("@xmcl/user hears why it may not upload", async () => {
  const { anna, bert, root } = world;
  const client = new YggdrasilThirdPartyClient(root);
  const { accessToken } = await signInFlat(world, anna, "Anna");
  const upload = (token: string, uuid: string, data = skinPng(1)) =>
    client
      .setTexture({ accessToken: token, uuid, type: "skin", texture: { data } })
      .then(() => null)
      .catch((fault: unknown) => fault);
  const mine = mainOf(anna).id;
  for (const stranger of ["", "x".repeat(32), anna.member.jwt])
    expect(await upload(stranger, mine)).toMatchObject({ statusCode: 401, error: "Unauthorized" });
  expect(await upload(accessToken, mainOf(bert).id)).toMatchObject({ statusCode: 403 });
  expect(await upload(accessToken, "0123456789ab4def8123456789abcdef")).toMatchObject({ statusCode: 404 });
  expect(await upload(accessToken, mine, Buffer.from("no picture"))).toMatchObject({ statusCode: 400 });
  expect(await upload(accessToken, mine)).toBeNull();
  await client.setTexture({ accessToken, uuid: mine, type: "skin" });
});

test("@xmcl/user reads the refusal of a sign-in", async () => {
  const client = new YggdrasilClient(`${world.root}/authserver`);
  const refused = client.login({ username: "Anna", password: "another's", clientToken: "x" });
  const fault: unknown = await refused.catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(YggdrasilError);
  expect(fault).toMatchObject({
    statusCode: 403,
    error: "ForbiddenOperationException",
    errorMessage: wrong,
  });
});

test("eml-lib lets a person with several players choose", async () => {
  const { bert, root } = world;
  const client = new EmlAuth(root);
  const answer = await client.auth(bert.mail, bert.password);
  if (!("needsProfileSelection" in answer)) throw new Error("a player was chosen");
  expect(answer.availableProfiles).toEqual([...bert.players]);
  const [, second] = bert.players;
  const chosen = client.selectProfile(answer, { name: second?.name ?? "" });
  expect(chosen).toMatchObject({ name: "Bert_2", uuid: second?.id });
  // The library keeps the choice to itself; the launcher sends it, as the protocol says.
  const { accessToken, clientToken } = chosen;
  const bound = await post(`${root}/refresh`, { accessToken, clientToken, selectedProfile: second });
  const { accessToken: next } = await readJson<{ accessToken: string }>(bound);
  const renewed = await client.refresh({ ...chosen, accessToken: next });
  world.hide(chosen.accessToken, renewed.accessToken);
  expect(renewed).toMatchObject({ name: "Bert_2", uuid: second?.id, clientToken: chosen.clientToken });
  expect(await client.validate(chosen)).toBe(false);
  expect(await client.validate(renewed)).toBe(true);
  await client.logout(renewed);
  expect(await client.validate(renewed)).toBe(false);
  expect(await faultOf(client.refresh(renewed))).toHaveProperty(
    "message",
    expect.stringContaining("Invalid token."),
  );
});

test("eml-lib needs no choice after a sign-in by a player's name, nor for the only player", async () => {
  const { anna, bert, root } = world;
  const client = new EmlAuth(`${root}/`);
  const [, second] = bert.players;
  expect(await client.auth("bert_2", bert.password)).toMatchObject({ name: "Bert_2", uuid: second?.id });
  expect(await client.auth(anna.mail, anna.password)).toMatchObject({ name: "Anna" });
  expect(await faultOf(client.auth(anna.mail, "another person's words"))).toHaveProperty(
    "message",
    expect.stringContaining("HTTP 403"),
  );
});

test("prismarine-auth reads profile, entitlements and certificates", async () => {
  const { anna, root } = world;
  const client = openJavaServices(root);
  const { accessToken } = await signInFlat(world, anna, "Anna");
  expect(await client.fetchProfile(accessToken)).toEqual({
    ...mainOf(anna),
    skins: expect.any(Array),
    capes: [],
  });
  const { items } = await client.fetchEntitlements(accessToken);
  expect(items.map(({ name }) => name)).toEqual(["product_minecraft", "game_minecraft"]);
  const { profileKeys } = await client.fetchCertificates(accessToken);
  const { signaturePublickey } = await readMetadata(root);
  expect(certificateFaults(profileKeys, dashed(mainOf(anna).id), signaturePublickey)).toEqual([]);
  for (const token of ["", anna.member.jwt])
    for (const call of ["fetchProfile", "fetchEntitlements", "fetchCertificates"] as const)
      expect(await faultOf(client[call](token))).toHaveProperty("message", expect.stringMatching(/^401 /));
});
