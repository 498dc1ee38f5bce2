/** The code of a refusal (docs/contract/errors.md). */
import { afterAll, describe, expect, test } from "bun:test";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { readError } from "../support/x-error.ts";
import { xError } from "../../src/http/x-error.ts";
import { newUuid } from "../../src/kernel/ids.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const alice = await addMember(harness, "Alice");
const chief = await addMember(harness, "Chief", { level: 3 });
const nobody = newUuid();

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

  test("an edit of the home area keeps the refusal's code under the status 400", async () => {
    const headers = { authorization: alice.authorization, "content-type": "application/json" };
    const body = JSON.stringify({ skinid: nobody, name: "x" });
    const edited = await harness.fetch("/api/home/edit/skin", { method: "PUT", headers, body });
    expect(edited.status).toBe(400);
    expect(edited.headers.get("x-error")).toBe(`own_skin_unknown; field="skinid"; skin="${nobody}"`);
  });

  test("pages of origins that may read an answer may read it", async () => {
    await using open = await openHarness({ settings: { CORS_ORIGINS: "https://www.example.org" } });
    const response = await open.fetch("/api/home", { headers: { origin: "https://www.example.org" } });
    expect(response.headers.get("x-error")).toBe("token_missing");
    expect(response.headers.get("access-control-expose-headers")).toContain("X-Error");
  });

  test("an unknown name and a wrong password look the same", async () => {
    const answers = await Promise.all(
      [alice.name, "Nobody", "nobody@example.org", alice.mail].map((username) =>
        harness.fetch("/api/auth/login", json({ username, password: "not theirs" })),
      ),
    );
    expect(new Set(answers.map(({ headers }) => headers.get("x-error")))).toEqual(new Set(["wrong_login"]));
  });

  test("answers that hide which addresses have accounts hide it in codes, too", async () => {
    await using discreet = await openHarness({ settings: { PRIVACY_UNIFORM_ANSWERS: "true" } });
    const { mail } = await addMember(discreet, "Anna");
    for (const path of ["/api/auth/forgetpass", "/api/auth/register"]) {
      const asked = [mail, "nobody@example.org"].map((one) =>
        discreet.fetch(path, json({ mail: one, password: "a new password of hers" })),
      );
      const [known, unknown] = await Promise.all(asked);
      expect(known?.headers.get("x-error")).toBe(unknown?.headers.get("x-error") ?? null);
      expect(known?.status).toBe(unknown?.status ?? 0);
    }
  });
});

describe("a value that people chose", () => {
  const tooLong = "\u00c5".repeat(5000);
  const hostile: readonly (readonly [string, string])[] = [
    ["a quote and a backslash", 'an "apt" \\ name'],
    ["line breaks", "a\r\nSet-Cookie: session=stolen\r\n\r\n<html>"],
    ["controls", "a\u0000b\u0007c\u007f"],
    ["letters of other scripts", "\u00c5sa \u041b\u0435\u0432 \u5f20\u4e09"],
    ["emoji", "\u{1f9d1}\u200d\u{1f680}"],
    ["a half of a character", "a\ud800b"],
    ["per cent", 'a%22b%0d%0a"'],
    ["a separator", 'x"; field="password'],
    ["what sentences have for values and fields", "{name} [[username]] $& $1"],
    ["10 kB", tooLong],
    ["10 kB of quotes", '"'.repeat(10_000)],
    ["nothing", ""],
  ];

  test.each(hostile)("%s: it can be read again, and nothing else is in the header", (_, name) => {
    const header = xError({ code: "token_unknown", field: "name", values: { name, more: 1 } });
    expect(header).toMatch(/^[\x20-\x7e]*$/);
    expect(header.length).toBeLessThan(4096);
    const shown = Array.from(name.toWellFormed()).slice(0, 256).join("");
    expect(readError(header)).toEqual({
      code: "token_unknown",
      parameters: { field: "name", name: shown, more: 1 },
    });
    expect(new Headers({ "x-error": header }).get("x-error")).toBe(header);
  });

  test.each(hostile.filter(([, name]) => name !== "" && name.length < 1000 && name.isWellFormed()))(
    "%s in an address stands in the answer of the server",
    async (_, name) => {
      const path = `/api/admin/tokens/${encodeURIComponent(name)}`;
      const { authorization } = chief;
      const response = await harness.fetch(path, { method: "DELETE", headers: { authorization } });
      const header = response.headers.get("x-error") ?? "";
      expect(response.headers.has("set-cookie")).toBe(false);
      expect(readError(header)).toEqual({ code: "token_unknown", parameters: { name } });
      expect(await response.json()).toMatchObject({ msg: `There is no service token named ${name}` });
    },
  );

  test("numbers and flags are what they are; a number that is no whole one is a text", () => {
    const values = { whole: 12, flag: true, off: false, half: 0.5, large: 1e20 };
    const header = 'x; whole=12; flag=?1; off=?0; half="0.5"; large="100000000000000000000"';
    expect(xError({ code: "x", field: null, values })).toBe(header);
  });
});
