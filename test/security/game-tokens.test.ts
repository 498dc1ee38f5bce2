/** What strangers may try with tokens of games (docs/contract/yggdrasil.md#authserver). */
import { commandLine } from "../../src/domain/model/actor.ts";
import { expect, test } from "bun:test";
import { createToken } from "../../src/domain/services/tokens.ts";
import { readJson } from "../support/answers.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, addPlayer } from "../support/members.ts";
import { badToken, done, enter, post } from "../yggdrasil/game-world.ts";

const auroraSecret = "a-secret-of-a-launch-server-0123456789";

test("an unknown token waits for no change of others and delays no change", async () => {
  let transactions = 0;
  await using harness = await openHarness({ beforeTransaction: async () => void (transactions += 1) });
  const member = await addMember(harness, "Anna");
  const { accessToken } = await enter(harness, member);
  const json = { accessToken: accessToken.replace(/^./, (first) => (first === "0" ? "1" : "0")) };
  transactions = 0;
  expect(await post(harness, "/authserver/refresh", json)).toEqual(badToken);
  expect(await post(harness, "/authserver/invalidate", json)).toEqual(done);
  expect(await post(harness, "/authserver/validate", json)).toEqual(badToken);
  expect(transactions).toBe(0);
  expect((await post(harness, "/authserver/refresh", { accessToken })).status).toBe(200);
  expect(transactions).toBe(1);
});

test.each<readonly [string, (password: string) => object]>([
  ["/api/gravit/auth/authorize", (password) => ({ password: { type: "plain", password } })],
  [`/api/aurora/${auroraSecret}/auth`, (password) => ({ password })],
])("%s leaves no session behind for an account without a player", async (path, proof) => {
  await using harness = await openHarness({ settings: { AURORA_SECRET: auroraSecret } });
  const late = await addMember(harness, "late", { finished: false });
  const { token } = await createToken(harness.services, commandLine, "launch", ["launcher"]);
  const before = harness.countRows("sessions");
  const response = await harness.fetch(path, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ login: late.mail, ...proof(late.password) }),
  });
  expect(response.status).toBe(403);
  expect(await response.text()).toContain("Finish your registration");
  expect(harness.countRows("sessions")).toBe(before);
});

test("a launch server's refresh of a token without a player leaves the token as it was", async () => {
  await using harness = await openHarness();
  const late = await addMember(harness, "late", { finished: false });
  const { accessToken } = await enter(harness, late);
  const refresh = (refreshToken: string) =>
    harness.fetch("/api/gravit/auth/refresh", { method: "POST", body: JSON.stringify({ refreshToken }) });
  expect((await refresh(accessToken)).status).toBe(403);
  expect(await post(harness, "/authserver/validate", { accessToken })).toEqual(done);
});

test("a launch server's refresh of a token without a player enters as the main one", async () => {
  await using harness = await openHarness({ settings: { PLAYERS_MAX: "2" } });
  const anna = await addMember(harness, "Anna");
  await addPlayer(harness, anna, "Berta");
  const { accessToken, selectedProfile } = await enter(harness, anna);
  expect(selectedProfile).toBeUndefined();
  const response = await harness.fetch("/api/gravit/auth/refresh", {
    method: "POST",
    body: JSON.stringify({ refreshToken: accessToken }),
  });
  expect(await readJson<unknown>(response)).toMatchObject({ session: { user: { username: "Anna" } } });
});
