/** What clients send as a body costs little, whatever it is. */
import { commandLine } from "../../src/domain/model/actor.ts";
import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { limits } from "../../src/kernel/limits.ts";
import { serviceRights } from "../../src/domain/model/service-token.ts";
import { createToken } from "../../src/domain/services/tokens.ts";
import { capeForm } from "../support/capes.ts";
import { pageHeaders } from "../support/console.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, edit, signIn, uploadForm, type Member } from "../support/members.ts";
import { operationsOf, readDocument } from "../support/openapi.ts";
import { expectError } from "../support/scenario.ts";

const harness = await openHarness();
const chief = await addMember(harness, "Chief", { level: 3 });
const { token } = await createToken(harness.services, commandLine, "shop", serviceRights);
afterAll(() => harness[Symbol.asyncDispose]());
beforeAll(() => void harness.takeComplaints());
afterEach(() => expect(harness.takeComplaints()).toEqual([]));

const exampleUuid = "00000000-0000-4000-8000-000000000000";

/** Every route that may be sent a body. */
const routes = harness.apiRoutes
  .filter((route) => /^(?:POST|PUT|PATCH|DELETE) /.test(route))
  .map((route) => route.replace(/:\w+/, exampleUuid));

/** Those that the API's document says read JSON. */
const jsonRoutes = operationsOf(await readDocument(harness))
  .filter(({ operation }) => operation.requestBody && "application/json" in operation.requestBody.content)
  .map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/, exampleUuid)}`);

const json = { "content-type": "application/json" };
const form = { "content-type": "multipart/form-data; boundary=b" };

/**
 * Sends a body as somebody who may do everything there, with a session of its own where the route ends one.
 */
async function send(
  route: string,
  body: NonNullable<RequestInit["body"]>,
  headers: Readonly<Record<string, string>>,
) {
  const [method = "", path = ""] = route.split(" ");
  const isService = path.startsWith("/api/service/");
  const jwt = path.endsWith("/logout") ? await signIn(harness, chief.mail, chief.password) : chief.jwt;
  const authorization = isService ? token : `Bearer ${jwt}`;
  const all = { authorization, ...pageHeaders(path), ...headers };
  return harness.fetch(path, { method, headers: all, body });
}

const nested = (levels: number) => `${"[".repeat(levels)}1${"]".repeat(levels)}`;

const garbage: readonly (readonly [what: string, body: string | Uint8Array<ArrayBuffer>])[] = [
  ["an open brace", "{"],
  ["nothing", ""],
  ["brackets that stay open", "[".repeat(8000)],
  ["lists in lists", nested(4000)],
  ["lists in lists in a field", `{"username":${nested(4000)},"user":${nested(9)},"skinid":{"a":1}}`],
  ["a number as long as it may be", "1".repeat(8192)],
  ["no valid number", `{"username":1e999,"user":-1e999,"skinid":0.1e-999}`],
  ["a text alone", JSON.stringify("x".repeat(8000))],
  ["null", "null"],
  ["many fields", `{${Array.from({ length: 900 }, (_, n) => `"a${n}":1`).join(",")}}`],
  ["no UTF-8", new Uint8Array(4000).fill(0x80)],
  ["a part without an end", '--b\r\nContent-Disposition: form-data; name="skin"'],
  ["a part without a name", "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n"],
  ["no part", "--b--\r\n"],
];

describe.each(routes)("%s", (route) => {
  test.each(garbage)("breaks at %s neither as JSON nor as a form", async (_, body) => {
    for (const type of [json, form]) {
      const { status } = await send(route, body, type);
      expect(status).toBeLessThan(500);
    }
  });

  test("reads no more than its bound", async () => {
    const piece = new Uint8Array(64 * 1024).fill(0x20);
    const most = limits.unwantedChunkedBytesMax + 2 * 1024 * 1024;
    for (const type of [json, form, { "content-type": "text/plain" }]) {
      let pulled = 0;
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          pulled += piece.length;
          if (pulled > 4 * most) controller.close();
          else controller.enqueue(piece);
        },
      });
      await send(route, body, type);
      expect(pulled).toBeLessThan(most);
    }
  });
});

const padded = (length: number) => `{${" ".repeat(length - 2)}}`;
const login = "POST /api/auth/login";
const pair = (rest: string) => `{"username":"Nobody","password":"wrong password",${rest}}`;
const fields = (count: number) => Array.from({ length: count }, (_, n) => `"f${n}":1`).join(",");
const list = (length: number, item: string) => `[${Array.from({ length }, () => item).join(",")}]`;
const grant = "POST /api/admin/user/cape/00000000-0000-4000-8000-000000000000";

describe("a body of JSON", () => {
  const larger: Readonly<Record<string, number>> = {
    "POST /api/admin/mail": 256 * 1024,
    "POST /api/admin/mail/preview": 256 * 1024,
    "POST /api/admin/mail/trial": 256 * 1024,
    "POST /api/admin/user/cape/00000000-0000-4000-8000-000000000000": 512 * 1024,
  };
  const bounds = jsonRoutes.map((route) => [route, larger[route] ?? 8192] as const);
  test.each(bounds)("%s may have %d bytes", async (route, most) => {
    const tooLarge = new RegExp(`The body may have ${most} bytes at most$`);
    const fitting = (await (await send(route, padded(most), json)).json()) as { msg: string };
    expect(fitting.msg).not.toMatch(tooLarge);
    const refused = await send(route, padded(most + 1), json);
    await expectError(
      refused,
      route.includes("/api/home/edit") || route.includes("/home/mail") ? 400 : 413,
      tooLarge,
    );
  });

  const shapes: readonly (readonly [
    what: string,
    route: string,
    body: string,
    status: number,
    msg: RegExp,
  ])[] = [
    ["may be 8 levels deep", login, pair(`"more":${nested(7)}`), 401, /^Invalid/],
    [
      "may not be 9 levels deep",
      login,
      pair(`"more":${nested(8)}`),
      400,
      /^The body may be 8 levels deep at most$/,
    ],
    [
      "may not be 9 levels of objects",
      login,
      pair(`"a":${'{"a":'.repeat(8)}1${"}".repeat(8)}`),
      400,
      /8 levels/,
    ],
    [
      "may hold a list of 10,000 ids",
      grant,
      `{"user":1,"cape":${list(10_000, '{"id":1,"e":2}')}}`,
      404,
      /^No user is known/,
    ],
    ["may hold 500 values", login, pair(`"more":${list(496, "1")}`), 401, /^Invalid/],
    [
      "may not hold 501 values",
      login,
      pair(`"more":${list(497, "1")}`),
      400,
      /^The body may hold 500 values/,
    ],
    ["may have 100 fields", login, pair(fields(98)), 401, /^Invalid/],
    ["may not have 101 fields", login, pair(fields(99)), 400, /^An object may have 100 fields at most$/],
    [
      "may not have 101 fields in a field",
      login,
      pair(`"a":{${fields(101)}}`),
      400,
      /^An object may have 100/,
    ],
    [
      "may not hold 50,000 values",
      grant,
      `{"user":1,"cape":${list(50_000, "1")}}`,
      400,
      /^The body may hold 40000 values/,
    ],
    [
      "may not hold 50,000 fields",
      grant,
      `{"user":1,"cape":${list(25_000, '{"a":1}')}}`,
      400,
      /^The body may hold/,
    ],
    ["may not be a list of 50,000", grant, list(50_000, "1"), 400, /^The body may hold/],
    ...["toString", "constructor", "__proto__", "hasOwnProperty", "valueOf"].flatMap((name) => {
      const field = `"${name}":1`;
      const msg = new RegExp(`^${name}: is not a field$`);
      return [
        [`may not have a field ${name}`, login, pair(field), 400, msg],
        [`may not have a field ${name} in a list`, login, pair(`"a":[[{${field}}]]`), 400, msg],
        [`may not have a field ${name} in place of a text`, login, `{"username":{${field}}}`, 400, msg],
      ] as const;
    }),
  ];
  test.each(shapes)("%s", async (...[, route, body, status, msg]) => {
    await expectError(await send(route, body, json), status, msg);
  });

  test("is not printed when it breaks a rule, as the framework would", async () => {
    const printed = spyOn(JSON, "stringify");
    try {
      await expectError(
        await send(login, `{"username":["a text"],"password":"x"}`, json),
        400,
        /^username: /,
      );
      await expectError(await send("PUT /api/home/edit/skin", `{"skinid":[1]}`, json), 400, /skinid: /);
      const values = printed.mock.calls.map(([value]) => value as unknown);
      expect(values.filter((value) => value instanceof Object && "found" in value)).toEqual([]);
    } finally {
      printed.mockRestore();
    }
  });

  test("may be the longest mail to everybody, in the longest way to write it", async () => {
    const written = String.raw`\ud83d\ude42`;
    const body = `{"subject":"${written.repeat(75)}","message":"${written.repeat(10_000)}"}`;
    expect((await send("POST /api/admin/mail", body, json)).status).toBe(200);
  });

  test("may hold the longest list of ids, each on a line of its own", async () => {
    const cape = Array.from({ length: 10_000 }, () => crypto.randomUUID());
    const { uuid, account } = chief;
    const body = JSON.stringify({ user: account.id, cape }, null, 2);
    await expectError(
      await send(`POST /api/admin/user/cape/${uuid}`, body, json),
      400,
      /^cape: there is no cape/,
    );
  });

  test("loses no digit of a provider's id, and takes no number for a text elsewhere", async () => {
    const digits = "9".repeat(200);
    const found = await send("POST /api/service/user", `{"Social_id":${digits}}`, json);
    await expectError(found, 404);
    const tried = await send("POST /api/service/user", `{"Social_id":${"9".repeat(256)}}`, json);
    await expectError(tried, 400, /^Social_id: /);
    await expectError(
      await send(login, `{"username":${digits},"password":"x"}`, json),
      400,
      /^username: must be a text$/,
    );
  });
});

const part = (name: string, n: number) => [`${name}${n}`, "x"] as const;
const many = (made: FormData, count: number, nameOf: (n: number) => readonly [string, string]) => {
  for (let n = 0; n < count; n++) made.append(...nameOf(n));
  return made;
};
const post = (route: string, body: FormData) => send(route, body, {});

describe("a form", () => {
  test("may have 64 parts, as many as pages send", async () => {
    const fitting = many(uploadForm({}), 63, (n) => part("other", n));
    expect((await post("POST /api/home/edit/upload", fitting)).status).toBe(200);
    const more = many(uploadForm({}), 64, (n) => part("other", n));
    const refused = await post("POST /api/home/edit/upload", more);
    await expectError(refused, 400, /^Skin upload failed: The form may have 64 parts at most$/);
  });

  test("of a cape may have a part for each of 10,000 owners", async () => {
    const owners = (count: number) =>
      many(capeForm({ owners: [] }), count, () => ["owners", String(chief.account.id)]);
    expect((await post("POST /api/admin/user/cape/upload", owners(10_000))).status).toBe(200);
    await expectError(
      await post("POST /api/admin/user/cape/upload", owners(10_001)),
      400,
      /^owners: must be 10000/,
    );
    const names = many(capeForm(), 10_100, (n) => part("p", n));
    await expectError(
      await post("POST /api/admin/user/cape/upload", names),
      400,
      /^The form may have 10064 parts/,
    );
  });

  test("of a cape may not hold a megabyte of owners", async () => {
    const body = capeForm({ owners: "1,".repeat(500_000) });
    await expectError(await post("POST /api/admin/user/cape/upload", body), 400, /^owners: must be 10000/);
  });
});

const from = (address: string) => ({ "x-forwarded-for": address });
async function openLimited(factor: string): Promise<Harness & { readonly alice: Member }> {
  const limited = await openHarness({
    settings: { RATE_LIMIT_FACTOR: factor, TRUSTED_PROXIES: "127.0.0.1" },
  });
  return Object.assign(limited, { alice: await addMember(limited, "Alice") });
}
const worn = "POST /api/home/edit/skin/select";

describe("requests whose body is refused", () => {
  test("count against their address, with or without a session, whatever is wrong", async () => {
    await using limited = await openLimited("0.02");
    const { authorization } = limited.alice;
    const ask = (path: string, init: RequestInit) => limited.fetch(path, { method: "POST", ...init });
    const wrong = [
      () => ask("/api/home/edit/skin/select", { headers: { authorization, ...json }, body: "{" }),
      () => ask("/api/home/edit/skin/select", { headers: { authorization, ...json }, body: "{}" }),
      () => ask("/api/auth/register/social", { headers: json, body: "x" }),
      () =>
        ask("/api/home/edit/upload", {
          headers: { authorization, ...form },
          body: new Uint8Array(1_200_000),
        }),
      () => ask("/api/auth/confirm", { headers: json, body: "x" }),
      () => ask("/api/auth/register", { headers: json, body: " ".repeat(10_000) }),
    ];
    const statuses: number[] = [];
    for (const send of wrong) statuses.push((await send()).status);
    expect(statuses).toEqual([400, 400, 400, 413, 400, 413]);
    const refused = await ask("/api/home/edit/skin/select", {
      headers: { authorization, ...json },
      body: "{}",
    });
    expect(refused.headers.get("retry-after")).toBe("60");
    await expectError(refused, 429, /^Too many requests that were refused; try again in 60 seconds$/);
    expect((await ask("/api/auth/login", { headers: json, body: "{}" })).status).toBe(429);
    // Requests without a body and other addresses go on.
    expect((await limited.fetch("/api/home", { headers: { authorization } })).status).toBe(200);
    expect((await ask("/api/auth/logout", { headers: { authorization } })).status).toBe(200);
    const elsewhere = { ...json, ...from("192.0.2.7") };
    expect((await ask("/api/auth/login", { headers: elsewhere, body: "{}" })).status).toBe(400);
    limited.clock.advance(60);
    expect((await ask("/api/auth/forgetpass", { headers: json, body: "{}" })).status).toBe(400);
  });

  test("are read no more when there were too many", async () => {
    await using limited = await openLimited("0.001");
    expect((await edit(limited, limited.alice, worn, {})).status).toBe(400);
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(1024));
        if (pulled > 100) controller.close();
      },
    });
    const headers = { authorization: limited.alice.authorization, ...json, "content-length": "102400" };
    const [method = "", path = ""] = worn.split(" ");
    expect((await limited.fetch(path, { method, headers, body })).status).toBe(429);
    expect(pulled).toBeLessThanOrEqual(1);
  });

  test.each([
    ["300 in a minute", "1", 300],
    ["any number with the factor 0", "0", 400],
  ])("may be %s", async (_, factor, most) => {
    await using limited = await openLimited(factor);
    let passed = 0;
    while (passed < 400 && (await edit(limited, limited.alice, worn, {})).status === 400) passed += 1;
    expect(passed).toBe(most);
  });

  test("do not stand for those that were not: wrong passwords, unknown accounts and other addresses", async () => {
    await using limited = await openLimited("0.02");
    for (let n = 0; n < 20; n++) {
      const headers = { ...json, ...from(`192.0.2.${n}`) };
      const body = JSON.stringify({ username: "Alice", password: "wrong password" });
      expect((await limited.fetch("/api/auth/login", { method: "POST", headers, body })).status).toBe(401);
    }
    for (let n = 0; n < 20; n++)
      expect((await limited.fetch("/api/no", { method: "POST", body: "x" })).status).toBe(404);
  });
});
