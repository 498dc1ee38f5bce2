/**
 * The libraries of launchers, one after the other, as a program of its own that runs under Node.js and Bun
 * alike.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { YggdrasilThirdPartyClient } from "@xmcl/user";
import EmlAuth from "eml-lib/lib/auth/yggdrasil.js";
import launcherCore from "minecraft-launcher-core";
import yggdrasil from "yggdrasil";
import { openJavaServices } from "./java-services.ts";

const { ROOT: root = "", PASSWORD: password = "", SKIN: skin = "" } = process.env;
const name = "Walker";

async function walkYggdrasil(): Promise<void> {
  const client = yggdrasil({ host: `${root}/authserver` });
  const first = await client.auth({ user: name, pass: password, token: "walk" });
  assert.equal(first.selectedProfile?.name, name);
  assert.equal(await client.validate(first.accessToken), "");
  const second = await client.refresh(first.accessToken, first.clientToken);
  assert.equal(await client.invalidate(second.accessToken, second.clientToken), "");
  await assert.rejects(client.validate(second.accessToken), { message: "Invalid token." });
  assert.equal(await client.signout(name, password), "");
}

async function walkLauncherCore(): Promise<void> {
  const { Authenticator } = launcherCore;
  Authenticator.changeApiUrl(`${root}/authserver`);
  const { access_token: token, client_token: clientToken } = await Authenticator.getAuth(name, password);
  assert.equal(await Authenticator.validate(token, clientToken), true);
  const { access_token: next } = await Authenticator.refreshAuth(token, clientToken);
  assert.equal(await Authenticator.invalidate(next, clientToken), true);
  assert.equal(await Authenticator.signOut(name, password), true);
}

async function walkXmcl(): Promise<void> {
  const client = new YggdrasilThirdPartyClient(root);
  const { accessToken, selectedProfile } = await client.login({
    username: name,
    password,
    clientToken: "walk",
  });
  const { id: uuid } = selectedProfile;
  const data = new Uint8Array(await readFile(skin));
  for (const model of ["slim", "steve"] as const) {
    await client.setTexture({ accessToken, uuid, type: "skin", texture: { data, metadata: { model } } });
    const shown = Reflect.get(Object((await client.lookup(uuid)).properties), "textures");
    const { textures } = JSON.parse(Buffer.from(String(shown), "base64").toString());
    assert.equal(textures.SKIN.metadata?.model, model === "slim" ? "slim" : undefined);
  }
  await client.setTexture({ accessToken, uuid, type: "skin" });
}

async function walkEml(): Promise<void> {
  const client = new EmlAuth(root);
  const account = await client.auth(name, password);
  assert.ok("uuid" in account);
  const renewed = await client.refresh(account);
  assert.equal(await client.validate(renewed), true);
  await client.logout(renewed);
  assert.equal(await client.validate(renewed), false);
}

async function walkServices(): Promise<void> {
  const signedIn = await yggdrasil({ host: root }).auth({ user: name, pass: password });
  const client = openJavaServices(root);
  assert.equal(Reflect.get(Object(await client.fetchProfile(signedIn.accessToken)), "name"), name);
  assert.equal((await client.fetchEntitlements(signedIn.accessToken)).items.length, 2);
  assert.ok(
    (await client.fetchCertificates(signedIn.accessToken)).profileKeys.expiresOn.getTime() > Date.now(),
  );
}

await walkYggdrasil();
await walkLauncherCore();
await walkXmcl();
await walkEml();
await walkServices();
console.log("walked");
