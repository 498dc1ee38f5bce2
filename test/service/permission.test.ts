/** Levels that services grant (docs/contract/service.md#grant-a-permission). */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { run } from "../cli/run-program.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, type Member } from "../support/members.ts";
import { play, type Scenario } from "../support/scenario.ts";

const setting = "a service token that is long enough";
const harness = await openHarness({ settings: { SERVICE_API_TOKEN: setting } });
afterAll(() => harness[Symbol.asyncDispose]());
const chief = await addMember(harness, "Chief", { level: 3 });
const now = harness.clock.nowSeconds();

let counter = 0;
let member: Member;
beforeEach(async () => {
  counter += 1;
  member = await addMember(harness, `Member${counter}`);
});

const request = "POST /api/service/permission";
function grant(json: object, authorization = setting): Promise<Response> {
  return harness.fetch("/api/service/permission", {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify(json),
  });
}
async function levels({ account }: Member) {
  const found = await harness.services.reads.accounts.findMember({ by: "id", value: account.id });
  return { permanent: found?.account.permanentLevel, role: found?.account.temporaryLevel };
}
async function newestEntry() {
  const headers = { authorization: chief.authorization };
  const response = await harness.fetch("/api/admin/audit?limit=1", { headers });
  return (await readJson<Envelope<readonly unknown[]>>(response)).data[0];
}

describe("gives", () => {
  test.each([1, 2, 3] as const)("level %i for good", async (permission) => {
    const response = await grant({ userid: member.account.id, permission });
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 200,
      body: {
        error: false,
        msg: "Permission change successfully",
        url: null,
        data: { id: member.account.id, new_role_level: permission },
      },
    });
    expect(await levels(member)).toEqual({ permanent: permission, role: null });
  });

  test.each([
    ["Unix seconds", now + 3600],
    ["milliseconds", (now + 3600) * 1000],
    ["text", new Date((now + 3600) * 1000).toISOString()],
    ["text of another zone", "2100-01-01T03:00:00+02:00"],
  ])("a level until a time in %s, and answers it in seconds", async (_, expired_at) => {
    const response = await grant({ userid: member.account.id, permission: 2, expired_at });
    const { data } = await readJson<Envelope<object>>(response);
    expect(data).toEqual({ id: member.account.id, new_role_level: 2, expired_at: now + 3600 });
    expect(await levels(member)).toEqual({ permanent: 1, role: { level: 2, expiresAt: now + 3600 } });
  });

  test("a level for good where the end is null", async () => {
    const response = await grant({ userid: member.account.id, permission: 2, expired_at: null });
    expect((await readJson<Envelope<object>>(response)).data).toEqual({
      id: member.account.id,
      new_role_level: 2,
    });
  });
});

test("is audited as the service's, with old and new", async () => {
  await grant({ userid: member.account.id, permission: 2, expired_at: now + 60 });
  expect(await newestEntry()).toMatchObject({
    iss: "service:default",
    action: "role.set",
    for: member.account.id,
    time: now,
    detail: { old: { perms: 1 }, new: { perms: 2, perms_permanent: 1, perms_expires_at: now + 60 } },
  });
  const { out } = await run(["token", "create", `shop${counter}`, "--json"], {
    environment: harness.storageSettings,
  });
  await grant({ userid: member.account.id, permission: 3 }, `Bearer ${JSON.parse(out).token}`);
  expect(await newestEntry()).toMatchObject({ iss: `service:shop${counter}`, action: "role.set" });
});

test("takes nothing from the last administrator", async () => {
  await using world = await openHarness({ settings: { SERVICE_API_TOKEN: setting } });
  const { account } = await addMember(world, "Chief", { level: 3 });
  const scenario: Scenario = { name: "", request, headers: { authorization: setting }, status: 409 };
  for (const json of [
    { userid: account.id, permission: 1 },
    { userid: account.id, permission: 2, expired_at: now + 60 },
  ]) {
    await play(world, { ...scenario, json, msg: /last administrator/ });
  }
});

const user = "userid: must be a user's id";
const level = "permission: must be 1, 2 or 3";
const time = "expired_at: must be ISO 8601 text with a zone, or a whole number of Unix seconds";
const past = "expired_at: must lie in the future";
describe("refuses", () => {
  test.each<readonly [string, string, number, string]>([
    ["no user", '{"permission":2}', 400, user],
    ["user 0", '{"userid":0,"permission":2}', 400, user],
    ["a negative user", '{"userid":-1,"permission":2}', 400, user],
    ["a user with a fraction", '{"userid":1.5,"permission":2}', 400, user],
    ["a user as text", '{"userid":"1","permission":2}', 400, user],
    ["a user beyond a double", '{"userid":9007199254740993,"permission":2}', 400, user],
    ["a user beyond every id", '{"userid":9007199254740991,"permission":2}', 400, user],
    ["a user beyond every number", '{"userid":1e400,"permission":2}', 400, user],
    ["a user that is null", '{"userid":null,"permission":2}', 400, user],
    ["a user that is a list", '{"userid":[1],"permission":2}', 400, user],
    ["no level", '{"userid":1}', 400, level],
    ["level 0", '{"userid":1,"permission":0}', 400, level],
    ["level 4", '{"userid":1,"permission":4}', 400, level],
    ["level -1", '{"userid":1,"permission":-1}', 400, level],
    ["level 1.5", '{"userid":1,"permission":1.5}', 400, level],
    ["a level as text", '{"userid":1,"permission":"2"}', 400, level],
    ["a level beyond a double", '{"userid":1,"permission":9007199254740993}', 400, level],
    ["a time that has passed", `{"userid":1,"permission":2,"expired_at":${now - 1}}`, 400, past],
    ["now", `{"userid":1,"permission":2,"expired_at":${now}}`, 400, past],
    ["0", '{"userid":1,"permission":2,"expired_at":0}', 400, past],
    ["a negative time", '{"userid":1,"permission":2,"expired_at":-5}', 400, time],
    ["a time with a fraction", `{"userid":1,"permission":2,"expired_at":${now + 60}.5}`, 400, time],
    ["a time beyond a double", '{"userid":1,"permission":2,"expired_at":99999999999999999999}', 400, time],
    ["a text without a zone", '{"userid":1,"permission":2,"expired_at":"2199-01-01T00:00:00"}', 400, time],
    ["a text of seconds", `{"userid":1,"permission":2,"expired_at":"${now + 60}"}`, 400, time],
    ["an empty text", '{"userid":1,"permission":2,"expired_at":""}', 400, time],
    ["a flag for a time", '{"userid":1,"permission":2,"expired_at":true}', 400, time],
    ["an unknown id", '{"userid":4711,"permission":2}', 404, "No user is known as 4711"],
  ])("%s", async (_, body, status, msg) => {
    const headers = { authorization: setting, "content-type": "application/json" };
    await play(harness, { name: "", request, headers, body, status, msg });
  });
});
