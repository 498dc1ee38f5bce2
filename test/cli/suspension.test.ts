/** `user suspend` and `user unsuspend`, beside a server that answers meanwhile. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { homeStatus, signInStatus } from "../support/registration.ts";
import { addGamer, root } from "../yggdrasil/world.ts";
import { run, runProcess } from "./run-program.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());

const environment = harness.storageSettings;
const cli = (...args: string[]) => run(args, { environment });
async function jsonOf(...args: string[]) {
  const { code, out, error } = await cli(...args, "--json");
  expect({ code, error }).toEqual({ code: 0, error: "" });
  return JSON.parse(out);
}

test("a person who plays through the server is out at once, and comes back", async () => {
  const { member, main, token } = await addGamer(harness, "Gamer");
  const json = { accessToken: token, selectedProfile: main.uuid, serverId: "5f3a" };
  const join = () =>
    harness.fetch(`${root}/sessionserver/session/minecraft/join`, {
      method: "POST",
      body: JSON.stringify(json),
    });
  const query = new URLSearchParams({ username: main.name, serverId: "5f3a" }).toString();
  const hasJoined = async () =>
    (await harness.fetch(`${root}/sessionserver/session/minecraft/hasJoined?${query}`)).status;
  expect([(await join()).status, await hasJoined()]).toEqual([204, 200]);
  const given = { folder: harness.folder, environment };
  const { code, out } = await runProcess(["user", "suspend", "gamer", "--reason", "x"], given);
  expect({ code, out }).toEqual({
    code: 0,
    out: `user ${member.account.id} (Gamer) is suspended without an end\n`,
  });
  expect([(await join()).status, await hasJoined()]).toEqual([403, 204]);
  expect(await homeStatus(harness, member.jwt)).toBe(401);
  expect(await signInStatus(harness, "Gamer", member.password)).toBe(403);
  expect((await cli("user", "unsuspend", "gamer")).out).toBe(
    `user ${member.account.id} (Gamer) is not suspended\n`,
  );
  expect(await signInStatus(harness, "Gamer", member.password)).toBe(200);
});

test("the terms are shown, and may be changed", async () => {
  await addMember(harness, "Anna");
  const until = Date.UTC(2200, 0, 1) / 1000;
  const first = await jsonOf(
    "user",
    "suspend",
    "anna",
    "--until",
    "2200-01-01T00:00Z",
    "--reason",
    "one line",
  );
  expect(first).toMatchObject({ username: "Anna", suspended: { until, reason: "one line" } });
  expect(await jsonOf("user", "show", "anna")).toMatchObject({ suspended: { until, reason: "one line" } });
  const { out } = await cli("user", "show", "anna");
  expect(out).toMatch(/suspended: +until 2200-01-01T00:00:00.000Z/);
  expect(out).toMatch(/reason: +one line/);
  expect((await jsonOf("user", "suspend", "anna")).suspended).toEqual({ until: null, reason: "" });
  expect((await jsonOf("user", "unsuspend", "anna")).suspended).toBeNull();
  expect((await jsonOf("user", "unsuspend", "anna")).suspended).toBeNull();
  expect((await jsonOf("user", "show", "anna")).suspended).toBeNull();
});

describe("is refused:", () => {
  beforeAll(async () => {
    await addMember(harness, "Boss", { level: 3 });
    await addMember(harness, "Bert");
  });

  test.each<readonly [string, readonly string[], number, RegExp]>([
    ["an unknown account", ["user", "suspend", "nobody_here"], 1, /No user is known as nobody_here/],
    [
      "a time in the past",
      ["user", "suspend", "bert", "--until", "2001-01-01T00:00Z"],
      1,
      /must lie in the future/,
    ],
    ["no time", ["user", "suspend", "bert", "--until", "soon"], 2, /ISO 8601/],
    ["a reason of two lines", ["user", "suspend", "bert", "--reason", "a\nb"], 1, /reason: must be one line/],
    ["the last administrator", ["user", "suspend", "boss"], 1, /The last administrator/],
    ["no account at all", ["user", "unsuspend"], 2, /IDENTIFIER/i],
  ])("%s", async (_, args, code, message) => {
    const outcome = await cli(...args);
    expect(outcome).toEqual({ code, out: "", error: expect.stringMatching(message) });
  });
});
