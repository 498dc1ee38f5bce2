/** What a service token may do (docs/contract/service.md#tokens). */
import { commandLine } from "../../src/domain/model/actor.ts";
import { afterAll, describe, expect, test } from "bun:test";
import { serviceRights, type ServiceRight } from "../../src/domain/model/service-token.ts";
import { createToken } from "../../src/domain/services/tokens.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, grantCape } from "../support/members.ts";
import { play } from "../support/scenario.ts";
import { isLeftOut } from "../support/storages.ts";

const setting = "a service token that is long enough";
const harness = await openHarness({ settings: { SERVICE_API_TOKEN: setting } });
afterAll(() => harness[Symbol.asyncDispose]());
const anna = await addMember(harness, "Anna");
const cape = await grantCape(harness, []);

/** A request of every right that the API itself asks for. */
const requests: readonly (readonly [ServiceRight, string, object])[] = [
  ["find", "POST /api/service/user", { Playername: "Anna" }],
  ["permission", "POST /api/service/permission", { userid: anna.account.id, permission: 1 }],
  ["cape", "POST /api/service/cape", { userid: anna.account.id, cape: cape.uuid }],
  ["cape", "DELETE /api/service/cape", { userid: anna.account.id, cape: cape.id }],
];

let serial = 0;
async function tokenWith(...may: readonly ServiceRight[]): Promise<string> {
  return (await createToken(harness.services, commandLine, `service-${serial++}`, may)).token;
}

async function statusOf(request: string, json: object, authorization: string): Promise<number> {
  const [method = "", path = ""] = request.split(" ");
  const headers = { authorization, "content-type": "application/json" };
  return (await harness.fetch(path, { method, headers, body: JSON.stringify(json) })).status;
}

describe.each(requests)("the right %s for %s", (right, request, json) => {
  test("suffices alone", async () => {
    expect(await statusOf(request, json, await tokenWith(right))).toBe(200);
  });

  test("is missing where a token has every other: 403 before the body is looked at", async () => {
    const others = serviceRights.filter((one) => one !== right);
    const token = await tokenWith(...others);
    await play(harness, {
      name: "",
      request,
      headers: { authorization: token },
      body: "{",
      status: 403,
      msg: `This service token may not do this: it lacks the right ${right}. An operator makes one that has it with token create NAME --may ${[...others, right].join(",")}`,
      hasNot: [token],
    });
  });

  test("is the setting's, as all are", async () => {
    expect(await statusOf(request, json, setting)).toBe(200);
  });
});

test.each<readonly [ServiceRight, string, number]>([
  ["events", "GET /api/service/events", 200],
  // The token is looked at before the body, which has no field.
  ["launcher", "POST /api/gravit/auth/check", 400],
])("the right %s alone opens %s", async (right, request, status) => {
  const [method = "", path = ""] = request.split(" ");
  const ask = async (authorization: string) => {
    const body = method === "GET" ? {} : { body: "{}" };
    const response = await harness.fetch(path, { method, headers: { authorization }, ...body });
    await response.body?.cancel();
    return response.status;
  };
  const others = serviceRights.filter((one) => one !== right);
  const tokens = [await tokenWith(right), setting, await tokenWith(...others), await tokenWith()];
  expect(await Promise.all(tokens.map(ask))).toEqual([status, status, 403, 403]);
});

test.skipIf(isLeftOut("sqlite", "no older release ran on PostgreSQL"))(
  "a token of before there were rights may find accounts and give levels",
  async () => {
    const token = await tokenWith();
    // As the migration leaves it: the column's default.
    const { rows, change } = harness.database;
    const [column] = rows(
      "SELECT dflt_value AS usual FROM pragma_table_info('service_tokens') WHERE name = 'may'",
    );
    change(
      `UPDATE service_tokens SET may = ${String(column?.["usual"])} WHERE name = 'service-${serial - 1}'`,
    );
    for (const [, request, json] of requests.slice(0, 2)) {
      expect(await statusOf(request, json, token)).toBe(200);
    }
  },
);
