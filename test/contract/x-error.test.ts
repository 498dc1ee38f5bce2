/** The code of a refusal (docs/contract/errors.md). */
import { afterAll, describe, expect, test } from "bun:test";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const alice = await addMember(harness, "Alice");

const json = (body: unknown) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

describe("X-Error", () => {
  test.each([
    ["/nowhere", {}, 404, "nothing_here"],
    ["/api/auth/login", {}, 405, 'wrong_method; methods="POST"'],
    ["/api/home", {}, 401, "token_missing"],
    ["/api/auth/login", { method: "POST", body: "{}" }, 415, 'body_type; type="application/json"'],
    ["/api/auth/login", json({ username: 1, password: "x" }), 400, 'not_a_text; field="username"'],
    ["/api/auth/login", json({ username: alice.name, password: "not hers" }), 401, "wrong_login"],
    ["/console/session", json({}), 403, 'not_own_page; place="https://skins.example.org"'],
  ] as const)("%s %j answers %d with %s", async (path, init, status, code) => {
    const response = await harness.fetch(path, init);
    expect([response.status, response.headers.get("x-error")]).toEqual([status, code]);
  });

  test("is not sent by protocols of others", async () => {
    const response = await harness.fetch("/api/yggdrasil/authserver/authenticate", json({}));
    expect(response.status).toBe(400);
    expect(response.headers.has("x-error")).toBe(false);
  });
});
