/** Service tokens (docs/contract/service.md#tokens). */
import { afterAll, describe, expect, test } from "bun:test";
import { run } from "../cli/run-program.ts";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { play, type Scenario } from "../support/scenario.ts";

const setting = "a service token that is long enough";
const harness = await openHarness({ settings: { SERVICE_API_TOKEN: setting } });
afterAll(() => harness[Symbol.asyncDispose]());
const anna = await addMember(harness, "Anna");
const chief = await addMember(harness, "Chief", { level: 3 });

const token = (...args: readonly string[]) =>
  run(["token", ...args], { environment: harness.storageSettings });
async function createToken(name: string): Promise<string> {
  return JSON.parse((await token("create", name, "--json")).out).token;
}
function status(authorization: string | null): Promise<number> {
  return harness
    .fetch("/api/service/user", {
      method: "POST",
      headers: { "content-type": "application/json", ...(authorization === null ? {} : { authorization }) },
      body: JSON.stringify({ Playername: "Anna" }),
    })
    .then((response) => response.status);
}

describe("lets in", () => {
  test.each(["", "Bearer ", "bearer ", "BEARER  "])("the token of the settings after %j", async (scheme) => {
    expect(await status(`${scheme}${setting}`)).toBe(200);
  });

  test("every token that was made, while the service runs, until it is revoked", async () => {
    const [one, other] = [await createToken("one"), await createToken("other")];
    expect([await status(one), await status(`Bearer ${other}`)]).toEqual([200, 200]);
    await token("revoke", "one");
    expect([await status(one), await status(other), await status(setting)]).toEqual([401, 200, 200]);
    const again = await createToken("one");
    expect([await status(one), await status(again)]).toEqual([401, 200]);
  });
});

const shop = await createToken("web-shop");
const digest = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
const strangers: Readonly<Record<string, string>> = {
  "an empty header": "",
  "a scheme without a token": "Bearer ",
  "a user's session": anna.authorization,
  "an administrator's session": chief.authorization,
  "an administrator's bare session": chief.jwt,
  "a token that lacks its end": shop.slice(0, -1),
  "a token with one character more": `${shop}A`,
  "a token in capitals": shop.toUpperCase(),
  "a token's hash": digest(shop),
  "the setting's hash": digest(setting),
  "the setting in capitals": setting.toUpperCase(),
  "the setting that lacks its beginning": setting.slice(1),
  "another scheme": `Basic ${shop}`,
  "a scheme twice": `Bearer Bearer ${shop}`,
  "two tokens": `${shop}, ${setting}`,
  "a name of a token": "web-shop",
  "the name of the setting": "default",
  "a long text": "x".repeat(8000),
};
const addresses = ["POST /api/service/user", "POST /api/service/permission"];
const scenarios = addresses.flatMap((request) => [
  { name: `a stranger at ${request}`, request, status: 401 },
  ...Object.entries(strangers).map(([name, authorization]): Scenario => ({
    name: `${name} at ${request}`,
    request,
    headers: { authorization },
    // Not JSON: a stranger is refused before the body is looked at.
    body: "{",
    status: 401,
    msg: /service token/,
    hasNot: [shop, setting, digest(shop), "web-shop"],
  })),
]);
test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  "refuses %s",
  (_, scenario: Scenario) => play(harness, scenario),
);

test("opens nothing else", async () => {
  for (const path of ["/api/home", "/api/admin/users", "/api/admin/audit"]) {
    for (const authorization of [shop, `Bearer ${shop}`, `Bearer ${setting}`]) {
      expect((await harness.fetch(path, { headers: { authorization } })).status).toBe(401);
    }
  }
});

test("refuses all services where no token was made or set", async () => {
  await using closed = await openHarness();
  for (const authorization of [setting, shop, "undefined", "null", digest("")]) {
    const scenario = { name: "", request: "POST /api/service/user", headers: { authorization } };
    await play(closed, { ...scenario, json: { Playername: "Anna" }, status: 401 });
  }
});
