/** Capes that services grant and revoke (docs/contract/service.md#grant-a-cape). */
import { commandLine } from "../../src/domain/model/actor.ts";
import { afterAll, describe, expect, test } from "bun:test";
import type { Cape } from "../../src/domain/model/texture.ts";
import { createToken } from "../../src/domain/services/tokens.ts";
import { readJson, type Descriptor } from "../support/answers.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, addSkin, grantCape, wearCape, type Member } from "../support/members.ts";
import { profileOf } from "../support/registration.ts";
import { play, type Scenario } from "../support/scenario.ts";
import { capePng } from "../support/textures.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const { token: authorization } = await createToken(harness.services, commandLine, "shop", ["cape"]);
const headers = { authorization };
const now = harness.clock.nowSeconds();
const red = await grantCape(harness, [], capePng(1));
const blue = await grantCape(harness, [], capePng(2));
let count = 0;
const someone = () => addMember(harness, `Some_${(count += 1)}`);

const asking = (method: "POST" | "DELETE", member: Member, cape: unknown, more: object = {}): Scenario => ({
  name: "",
  request: `${method} /api/service/cape`,
  headers,
  json: { userid: member.account.id, cape, ...more },
  status: 200,
  msg: method === "POST" ? "Cape grant successfully" : "Cape revocation successfully",
});
const held = (member: Member, ...capes: readonly (readonly [Cape, number | null])[]) => ({
  id: member.account.id,
  new_role_level: 1,
  capes: capes.map(([{ id, name, uuid }, end]) => ({ Id: id, Name: name, Uuid: uuid, Expires_at: end })),
});

type Row = { issuer: string; action: string; for_account_id: number; detail: string };
const told = ({ account }: Member) =>
  (harness.database.everything()["audit_entries"] as readonly Row[])
    .filter(({ for_account_id: id, action }) => id === account.id && action !== "user.create")
    .map(({ issuer, action, detail }) => ({ issuer, action, ...JSON.parse(detail) }));
const fact = ({ id }: Cape, end: number | null = null) => ({ Id: id, Expires_at: end });

describe("POST grants", () => {
  test("one cape beside those that the user has, audited as the service's", async () => {
    const member = await someone();
    await play(harness, { ...asking("POST", member, blue.uuid), data: held(member, [blue, null]) });
    const both = held(member, [red, null], [blue, null]);
    await play(harness, { ...asking("POST", member, red.id), data: both });
    const by = { issuer: "service:shop", action: "cape.grant" };
    expect(told(member)).toEqual([
      { ...by, old: { cape: [] }, new: { cape: [fact(blue)] } },
      { ...by, old: { cape: [fact(blue)] }, new: { cape: [fact(red), fact(blue)] } },
    ]);
    const profile = await profileOf(harness, member);
    expect((profile["Capes"] as { Id: number }[]).map(({ Id }) => Id)).toEqual([red.id, blue.id]);
  });

  test.each<readonly [string, (cape: Cape) => unknown]>([
    ["a UUID without dashes, in capitals", ({ uuid }) => uuid.replaceAll("-", "").toUpperCase()],
    ["an id", ({ id }) => id],
    ["an id as a text", ({ id }) => String(id)],
  ])("a cape that is given as %s", async (_, write) => {
    const member = await someone();
    await play(harness, { ...asking("POST", member, write(red)), data: held(member, [red, null]) });
  });

  test.each([
    ["Unix seconds", now + 3600],
    ["milliseconds", (now + 3600) * 1000],
    ["text", new Date((now + 3600) * 1000).toISOString()],
  ])("until a time in %s", async (_, expires_at) => {
    const member = await someone();
    const data = held(member, [red, now + 3600]);
    await play(harness, { ...asking("POST", member, red.uuid, { expires_at }), data });
  });

  test("again with another end, or none, which replaces the earlier one", async () => {
    const member = await someone();
    await play(harness, asking("POST", member, red.uuid, { expires_at: now + 60 }));
    const later = asking("POST", member, red.uuid, { expires_at: now + 120 });
    await play(harness, { ...later, data: held(member, [red, now + 120]) });
    const forever = { ...asking("POST", member, red.uuid, { expires_at: null }) };
    await play(harness, { ...forever, data: held(member, [red, null]) });
    await play(harness, { ...forever, data: held(member, [red, null]) });
    expect(told(member)).toHaveLength(3);
  });

  test("to a user whose registration is unfinished", async () => {
    const member = await addMember(harness, "early", { finished: false });
    await play(harness, { ...asking("POST", member, red.uuid), data: held(member, [red, null]) });
  });
});

describe("DELETE", () => {
  test("takes the cape off the user's skins, and leaves other capes and other users alone", async () => {
    const [member, other] = [await someone(), await someone()];
    for (const one of [member, other]) {
      await play(harness, asking("POST", one, red.uuid));
      await play(harness, asking("POST", one, blue.uuid));
      await wearCape(harness, one, await addSkin(harness, one, {}), red);
    }
    const shown = async ({ uuid }: Member) =>
      "CAPE" in (await readJson<Descriptor>(await harness.fetch(`/api/skin/launcher/${uuid}`)));
    expect([await shown(member), await shown(other)]).toEqual([true, true]);
    await play(harness, { ...asking("DELETE", member, red.uuid), data: held(member, [blue, null]) });
    expect([await shown(member), await shown(other)]).toEqual([false, true]);
    expect(told(member).at(-1)).toEqual({
      issuer: "service:shop",
      action: "cape.grant",
      old: { cape: [fact(red), fact(blue)] },
      new: { cape: [fact(blue)] },
    });
  });

  test("of a cape that the user does not have changes nothing, so it can be repeated", async () => {
    const member = await someone();
    await play(harness, asking("POST", member, red.uuid));
    for (const _ of [1, 2]) await play(harness, { ...asking("DELETE", member, red.id), data: held(member) });
    expect(told(member)).toHaveLength(2);
  });
});

const user = "userid: must be a user's id";
const cape = "cape: must be a cape's UUID or id";
const time = "expires_at: must be ISO 8601 text with a zone, or a whole number of Unix seconds";
const past = "expires_at: must lie in the future";
const anna = await addMember(harness, "Anna");
const owner = `"userid":${anna.account.id}`;
const both = `${owner},"cape":${red.id}`;
const nobody = "00000000-0000-4000-8000-000000000000";
describe.each(["POST", "DELETE"] as const)("%s refuses", (method) => {
  const bad: readonly (readonly [string, string, number, string | RegExp])[] = [
    ["no user", `{"cape":${red.id}}`, 400, user],
    ["a user as text", `{"userid":"1","cape":${red.id}}`, 400, user],
    ["user 0", `{"userid":0,"cape":${red.id}}`, 400, user],
    ["a user beyond every id", `{"userid":9007199254740991,"cape":${red.id}}`, 400, user],
    ["no cape", `{${owner}}`, 400, cape],
    ["a cape that is null", `{${owner},"cape":null}`, 400, cape],
    ["a list of capes", `{${owner},"cape":[${red.id}]}`, 400, cape],
    ["cape 0", `{${owner},"cape":0}`, 400, cape],
    ["a cape with a fraction", `{${owner},"cape":1.5}`, 400, cape],
    ["a cape's name", `{${owner},"cape":"Founders"}`, 400, cape],
    ["an empty cape", `{${owner},"cape":""}`, 400, cape],
    ["an unknown user", `{"userid":4711,"cape":${red.id}}`, 404, "No user is known as 4711"],
    ["an unknown cape", `{${owner},"cape":4711}`, 404, "cape: there is no cape 4711"],
    ["an unknown cape's UUID", `{${owner},"cape":"${nobody}"}`, 404, `cape: there is no cape ${nobody}`],
    ["a text that is no JSON", "{", 400, /JSON/],
    ["a list", "[]", 400, /body/],
    ["null", "null", 400, /body/],
  ];
  test.each(bad)("%s", async (_, body, status, msg) => {
    const type = { ...headers, "content-type": "application/json" };
    await play(harness, {
      name: "",
      request: `${method} /api/service/cape`,
      headers: type,
      body,
      status,
      msg,
    });
  });
});

test.each([
  ["a time that has passed", now - 1, past],
  ["now", now, past],
  ["a time with a fraction", now + 60.5, time],
  ["a text without a zone", "2199-01-01T00:00:00", time],
  ["an empty text", "", time],
  ["a flag", true, time],
])("an end that is %s is refused", async (_, expires_at, msg) => {
  const body = `{${both},"expires_at":${JSON.stringify(expires_at)}}`;
  const type = { ...headers, "content-type": "application/json" };
  await play(harness, { name: "", request: "POST /api/service/cape", headers: type, body, status: 400, msg });
});
