/** Accounts that services look up (docs/contract/service.md#find-a-user). */
import { afterAll, describe, expect, test } from "bun:test";
import { system } from "../../src/domain/model/actor.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, type Member } from "../support/members.ts";
import { play, type Scenario } from "../support/scenario.ts";
import { settingsOf } from "../support/social/social-world.ts";

const token = "a service token that is long enough";
const settings = { SERVICE_API_TOKEN: token };
const harness = await openHarness({ settings });
afterAll(() => harness[Symbol.asyncDispose]());

/** Neighbours that a double cannot tell apart, and ids of other lengths. */
const ids = {
  anna: "9007199254740993",
  bert: "9007199254740992",
  cleo: "1180591620717411303424",
  dora: "42",
  long: "7".repeat(255),
  text: "oidc|f7a8-Ünïcode",
};
const people = {
  anna: await addMember(harness, "Anna"),
  bert: await addMember(harness, "Bert"),
  cleo: await addMember(harness, "Cleo"),
  dora: await addMember(harness, "Dora"),
  long: await addMember(harness, "Longina"),
  text: await addMember(harness, "Textor"),
  unready: await addMember(harness, "unready", { finished: false }),
  lonely: await addMember(harness, "Lonely"),
};
for (const key of ["anna", "bert", "cleo", "dora", "long", "text"] as const) {
  await link(harness, people[key], { provider: "discord", subject: ids[key] });
}
await link(harness, people.unready, { provider: "discord", subject: "500" });

async function link(
  { services, clock }: Harness,
  { account, name }: Member,
  person: { readonly provider: string; readonly subject: string },
): Promise<void> {
  const linkedAt = clock.nowSeconds();
  const shown = {
    issuer: "http://127.0.0.1",
    username: `${name}#1`,
    avatar: "https://cdn.example.org/a.png",
  };
  await services.transact(system, ({ identities }) =>
    identities.insertIdentity({ ...person, ...shown, accountId: account.id, linkedAt }),
  );
}

/** The body goes out as it is written: numbers have more digits than a double. */
function find(world: Harness, body: string): Promise<Response> {
  return world.fetch("/api/service/user", {
    method: "POST",
    headers: { authorization: token, "content-type": "application/json" },
    body,
  });
}

const found = (member: Member, id = "") => ({
  social: { username: id === "" ? "" : `${member.name}#1`, id },
  account: { username: member.name, uuid: member.uuid },
});
const { anna, bert, cleo, dora, long, text, unready, lonely } = people;

describe("finds, and answers without the envelope", () => {
  test.each<readonly [string, string, object]>([
    ["an id beyond a double, as integer", `{"Social_id":${ids.anna}}`, found(anna, ids.anna)],
    ["its neighbour, as integer", `{"Social_id":${ids.bert}}`, found(bert, ids.bert)],
    ["an id beyond 64 bits, as integer", `{"Social_id":${ids.cleo}}`, found(cleo, ids.cleo)],
    ["a small id, as integer", '{"Social_id":42}', found(dora, ids.dora)],
    ["an id of 255 digits, as integer", `{"Social_id":${ids.long}}`, found(long, ids.long)],
    ["an id beyond a double, as text", `{"Social_id":"${ids.anna}"}`, found(anna, ids.anna)],
    ["its neighbour, as text", `{"Social_id":"${ids.bert}"}`, found(bert, ids.bert)],
    ["a small id, as text", '{"Social_id":"42"}', found(dora, ids.dora)],
    ["an id that is no number", `{"Social_id":"${ids.text}"}`, found(text, ids.text)],
    ["an integer that is written with an exponent", '{"Social_id":4.2e1}', found(dora, ids.dora)],
    ["a username", '{"Playername":"Anna"}', found(anna, ids.anna)],
    ["a username in other letters", '{"Playername":"aNNA"}', found(anna, ids.anna)],
    ["somebody who is not linked", '{"Playername":"Lonely"}', found(lonely)],
    ["somebody whose registration is unfinished", '{"Social_id":"500"}', found(unready, "500")],
    ["both", `{"Social_id":${ids.anna},"Playername":"anna"}`, found(anna, ids.anna)],
    [
      "a username and no id, as typed clients say it",
      '{"Social_id":0,"Playername":"Anna"}',
      found(anna, ids.anna),
    ],
    ["the same with an empty text", '{"Social_id":"","Playername":"Anna"}', found(anna, ids.anna)],
    ["the same with null", '{"Social_id":null,"Playername":"Anna"}', found(anna, ids.anna)],
    [
      "an id and no username, as typed clients say it",
      '{"Social_id":42,"Playername":""}',
      found(dora, ids.dora),
    ],
    ["the same with null", '{"Social_id":42,"Playername":null}', found(dora, ids.dora)],
    [
      "what else the body holds left aside",
      '{"Social_id":42,"x":12345678901234567890}',
      found(dora, ids.dora),
    ],
  ])("%s", async (_, body, expected) => {
    const response = await find(harness, body);
    expect({ status: response.status, body: await response.json() }).toEqual({ status: 200, body: expected });
    expect(response.headers.get("cache-control")).toBe("no-store");
  });
});

const idRule = "Social_id: must be a text of 1 to 255 characters or a whole number";
const nameRule = "Playername: must be a username";
const neither = "body: must hold Social_id or Playername";
const differ = "Playername: must mean the same account as Social_id";
describe("refuses", () => {
  test.each<readonly [string, string, number, string]>([
    ["nothing", "{}", 400, neither],
    ["nothing but nulls", '{"Social_id":null,"Playername":null}', 400, neither],
    ["nothing but what typed clients send for nothing", '{"Social_id":0,"Playername":""}', 400, neither],
    ["other capitals of a field", '{"social_id":42}', 400, neither],
    ["a negative id", '{"Social_id":-42}', 400, idRule],
    ["a negative id beyond a double", `{"Social_id":-${ids.anna}}`, 400, idRule],
    ["an id with a fraction", '{"Social_id":42.5}', 400, idRule],
    ["an id with a fraction beyond a double", `{"Social_id":${ids.anna}.5}`, 400, idRule],
    ["an id with an exponent beyond a double", '{"Social_id":1e30}', 400, idRule],
    ["an id beyond every number", '{"Social_id":1e400}', 400, idRule],
    ["an id of 256 digits, as integer", `{"Social_id":${"7".repeat(256)}}`, 400, idRule],
    ["an id of 400 digits, as integer", `{"Social_id":${"7".repeat(400)}}`, 400, idRule],
    ["an id of 256 characters, as text", `{"Social_id":"${"7".repeat(256)}"}`, 400, idRule],
    ["an id that is a flag", '{"Social_id":true}', 400, idRule],
    ["an id in a list", `{"Social_id":[${ids.anna}]}`, 400, idRule],
    ["an id in an object", `{"Social_id":{"id":${ids.anna}}}`, 400, idRule],
    ["a name that is a number", '{"Playername":42}', 400, "Playername: must be a text"],
    ["a name that is a list", '{"Playername":["Anna"]}', 400, "Playername: must be a text"],
    ["a name of 65 characters", `{"Playername":"${"x".repeat(65)}"}`, 400, nameRule],
    ["a name with a control character", '{"Playername":"Anna\\u0000"}', 400, nameRule],
    ["a mail address for a name", '{"Playername":"Anna@example.org"}', 400, nameRule],
    ["two that mean different accounts", `{"Social_id":${ids.bert},"Playername":"Anna"}`, 400, differ],
    ["two with an unknown name", `{"Social_id":42,"Playername":"Nobody"}`, 400, differ],
    ["two with an unknown id", `{"Social_id":43,"Playername":"Anna"}`, 400, differ],
    ["two with an account that is not linked", `{"Social_id":43,"Playername":"Lonely"}`, 400, differ],
    ["an unknown id", `{"Social_id":43}`, 404, "No account is known by this"],
    ["an unknown name", `{"Playername":"Nobody"}`, 404, "No account is known by this"],
    ["a user's id for a name", `{"Playername":"1"}`, 404, "No account is known by this"],
    ["two that are unknown", `{"Social_id":43,"Playername":"Nobody"}`, 404, "No account is known by this"],
    ["a text that is no JSON", "{", 400, "The body is not valid JSON"],
    ["a list", "[]", 400, ""],
    ["a number", ids.anna, 400, ""],
    ["null", "null", 400, ""],
    ["a name that every object inherits", '{"toString":1}', 400, "toString: is not a field"],
  ])("%s", async (_, body, status, msg) => {
    const headers = { authorization: token, "content-type": "application/json" };
    const scenario = { name: "", request: "POST /api/service/user", headers, body, status };
    await play(harness, { ...scenario, ...(msg === "" ? {} : { msg }) });
  });

  test("another type of body, and one that is too large", async () => {
    const request = "POST /api/service/user";
    const form = { name: "", request, headers: { authorization: token }, body: new FormData() };
    await play(harness, { ...form, status: 415 });
    const headers = { authorization: token, "content-type": "application/json" };
    const body = `{"Playername":"${"x".repeat(512 * 1024)}"}`;
    await play(harness, { name: "", request, headers, body, status: 413 });
  });
});

describe("with several providers", () => {
  const subject = "180000000000000001";
  /** With these providers on, the default one first. */
  async function openWorld(names: readonly string[]) {
    const providers = names.map((name) => settingsOf(name, "http://127.0.0.1"));
    const on = { SOCIAL_PROVIDERS: names.length === 0 ? undefined : names.join() };
    const world = await openHarness({ settings: Object.assign({}, settings, ...providers, on) });
    const [first, second] = [await addMember(world, "First"), await addMember(world, "Second")];
    await link(world, first, { provider: "github", subject });
    await link(world, second, { provider: "twitch", subject });
    return { world, first, second };
  }
  const request = "POST /api/service/user";
  const headers = { authorization: token };

  test("an id means the default provider's", async () => {
    const { world, second } = await openWorld(["twitch", "github"]);
    await using _closed = world;
    const response = await find(world, `{"Social_id":${subject}}`);
    expect(await response.json()).toEqual(found(second, subject));
  });

  test.each([[["discord", "github", "twitch"]], [[]]])(
    "an id that two others have is a conflict: %j",
    async (names) => {
      const { world } = await openWorld(names);
      await using _closed = world;
      const scenario: Scenario = { name: "", request, headers, json: { Social_id: subject }, status: 409 };
      await play(world, { ...scenario, msg: /several social providers/ });
    },
  );

  test("an id that only another provider's has means that one", async () => {
    const { world, first, second } = await openWorld(["discord"]);
    await using _closed = world;
    const { services } = world;
    await services.transact(system, ({ identities }) => identities.deleteIdentityOf(second.account.id));
    expect(await (await find(world, `{"Social_id":${subject}}`)).json()).toEqual(found(first, subject));
  });

  test("a username beside it says whose is meant", async () => {
    const { world, first } = await openWorld(["twitch"]);
    await using _closed = world;
    const response = await find(world, `{"Social_id":${subject},"Playername":"First"}`);
    expect(await response.json()).toEqual(found(first, subject));
  });
});

test("changes nothing and is not audited", async () => {
  const before = harness.database.everything();
  await find(harness, '{"Playername":"Anna"}');
  expect(harness.database.everything()).toEqual(before);
});
