/** Service tokens in the API: made, listed with their last use, and revoked. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startActivityRecords } from "../../src/jobs/housekeeping.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, edit, type Member } from "../support/members.ts";
import { expectError, play } from "../support/scenario.ts";

const settingToken = "a service token that is long enough";

let harness: Harness;
let boss: Member;
beforeAll(async () => {
  harness = await openHarness({ settings: { SERVICE_API_TOKEN: settingToken } });
  boss = await addMember(harness, "Boss", { level: 3 });
});
afterAll(() => harness[Symbol.asyncDispose]());

type Token = {
  readonly name: string;
  readonly rights: readonly string[];
  readonly created: number | null;
  readonly last_used: number | null;
  readonly from_settings: boolean;
};

const make = (json: unknown, on = harness, by = boss) => edit(on, by, "POST /api/admin/tokens", json);
const made = async (name: string, rights?: readonly string[]) => {
  const response = await make({ name, ...(rights && { rights }) });
  return (await readJson<Envelope<Token & { readonly token: string }>>(response)).data;
};
const revoke = (name: string) =>
  harness.fetch(`/api/admin/tokens/${name}`, {
    method: "DELETE",
    headers: { authorization: boss.authorization },
  });
const list = async () => {
  const headers = { authorization: boss.authorization };
  const response = await harness.fetch("/api/admin/tokens", { headers });
  const text = await response.text();
  return { text, tokens: (JSON.parse(text) as Envelope<readonly Token[]>).data };
};
const find = async (name: string) => (await list()).tokens.find((token) => token.name === name);
const use = (token: string) =>
  harness.fetch("/api/service/user", {
    method: "POST",
    headers: { authorization: token, "content-type": "application/json" },
    body: JSON.stringify({ Playername: "Boss" }),
  });
const audit = () => harness.database.everything()["audit_entries"]?.at(-1);

test("a new token is shown once, and works at once", async () => {
  const { token, ...rest } = await made("shop", ["cape", "find"]);
  expect(token).toMatch(/^crs_[A-Za-z0-9_-]{43}$/);
  const created = harness.clock.nowSeconds();
  expect(rest).toEqual({
    name: "shop",
    rights: ["find", "cape"],
    created,
    last_used: null,
    from_settings: false,
  });
  expect((await use(token)).status).toBe(200);
  const { text } = await list();
  expect(text).not.toContain(token);
  expect(text).not.toContain(new Bun.CryptoHasher("sha256").update(token).digest("hex"));
  expect(audit()).toMatchObject({ issuer: "Boss", action: "token.create" });
  expect(JSON.stringify(audit())).not.toContain(token);
});

test("rights that are left out are those of every token", async () => {
  expect((await made("usual")).rights).toEqual(["find", "permission"]);
});

describe("is refused:", () => {
  test.each([
    [{}, /^name: must be a text/],
    [{ name: "default" }, /^name: default is the name of the token that is a setting/],
    [{ name: "launchserver" }, /^name: launchserver is the name of the launch server/],
    [{ name: "Shop" }, /^name: must be 1 to 32 of/],
    [{ name: "x".repeat(33) }, /^name: must be 1 to 32 of/],
    [{ name: "bot", rights: [] }, /^rights: must be a list of some of find, permission/],
    [{ name: "bot", rights: ["everything"] }, /^rights/],
    [{ name: "bot", rights: "find" }, /^rights: must be a list/],
    [{ name: "bot", rights: null }, /^rights: must be a list/],
  ])("%j", async (json, msg) => {
    const before = harness.database.everything();
    await expectError(await make(json), 400, msg);
    expect(harness.database.everything()).toEqual(before);
  });

  test("a name that a token has, and one token too many", async () => {
    await using own = await openHarness();
    const chief = await addMember(own, "Chief", { level: 3 });
    for (let number = 1; number < 100; number++) await make({ name: `t${number}` }, own, chief);
    await expectError(await make({ name: "t7" }, own, chief), 409, /^name: a token of this name exists/);
    expect((await make({ name: "t100" }, own, chief)).status).toBe(200);
    await expectError(await make({ name: "another" }, own, chief), 409, /There are 100 service tokens/);
  });
});

describe("the last use", () => {
  test("is shown at once, to the minute, and kept by the flush", async () => {
    const { token } = await made("counted");
    expect((await find("counted"))?.last_used).toBeNull();
    const first = harness.clock.nowSeconds();
    const rows = () => harness.database.everything()["service_tokens"];
    const before = rows();
    await use(token);
    harness.clock.advance(30);
    await use(token);
    expect(rows()).toEqual(before);
    const shown = (await find("counted"))?.last_used ?? 0;
    expect(shown).toBeGreaterThanOrEqual(first);
    await harness.services.tokenActivity.flush();
    expect(rows()).toContainEqual(expect.objectContaining({ name: "counted", last_used_at: shown }));
    harness.clock.advance(60);
    await use(token);
    expect((await find("counted"))?.last_used).toBe(shown + 60);
  });

  test("is written when the server stops", async () => {
    await using own = await openHarness();
    const chief = await addMember(own, "Chief", { level: 3 });
    const { data } = await readJson<Envelope<{ readonly token: string }>>(
      await make({ name: "late" }, own, chief),
    );
    const headers = { authorization: data.token };
    await using records = startActivityRecords({ ...own.services, log: own.log });
    await own.fetch("/api/service/user", { method: "POST", headers });
    await records[Symbol.asyncDispose]();
    expect(own.database.everything()["service_tokens"]).toMatchObject([
      { name: "late", last_used_at: own.clock.nowSeconds() },
    ]);
  });

  test("is noted for a token that lacks the right, and not for one that is unknown", async () => {
    const { token } = await made("weak", ["events"]);
    expect((await use(token)).status).toBe(403);
    expect((await find("weak"))?.last_used).toBe(harness.clock.nowSeconds());
    expect((await use(`${token}x`)).status).toBe(401);
  });
});

describe("the token of the settings", () => {
  test("is listed first, with its last use since the start", async () => {
    await use(settingToken);
    const { tokens, text } = await list();
    expect(tokens[0]).toEqual({
      name: "default",
      rights: ["find", "permission", "events", "launcher", "cape"],
      created: null,
      last_used: harness.clock.nowSeconds(),
      from_settings: true,
    });
    expect(text).not.toContain(settingToken);
  });

  test("cannot be revoked here", async () => {
    await expectError(await revoke("default"), 409, /SERVICE_API_TOKEN: it goes when the setting changes/);
    expect((await use(settingToken)).status).toBe(200);
  });
});

describe("a revoked token", () => {
  test("is worth nothing at once", async () => {
    const { token } = await made("leaving");
    await play(harness, {
      name: "revoke",
      actor: boss,
      request: "DELETE /api/admin/tokens/leaving",
      status: 204,
    });
    expect((await use(token)).status).toBe(401);
    expect(audit()).toMatchObject({ issuer: "Boss", action: "token.revoke" });
    expect(await find("leaving")).toBeUndefined();
    await harness.services.tokenActivity.flush();
  });

  test.each(["nothing", "%2e%2e", "a%00b", "x".repeat(300)])("must be there: %s", async (name) => {
    const response = await revoke(name);
    expect([400, 404]).toContain(response.status);
  });
});
