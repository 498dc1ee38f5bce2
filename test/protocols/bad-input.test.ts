/**
 * Whatever a protocol is sent, it answers in its own form, without a fault and without the API's envelope.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { never, type Harness } from "../support/harness.ts";
import { addMember, type Member } from "../support/members.ts";
import { isEnvelope, isOfProtocol, openProtocols, pathOf, type ProtocolWorld } from "./protocol-world.ts";

let world: ProtocolWorld;
let harness: Harness;
let anna: Member;
beforeAll(async () => {
  world = await openProtocols();
  ({ harness } = world);
  anna = await addMember(harness, "Anna");
});
afterAll(() => world[Symbol.asyncDispose]());

const root = "/api/yggdrasil";
const json = { "content-type": "application/json" };

async function post(path: string, body: string | Uint8Array | undefined, headers: object = json) {
  const response = await harness.fetch(`${root}${path}`, {
    method: "POST",
    headers: { ...headers },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
}

/** The error's words, if the body is a failure of the protocol; else what it is. */
function readFailure(text: string): unknown {
  const body: unknown = JSON.parse(text);
  const keys = Object.keys(Object(body)).toSorted();
  return keys.join() === "error,errorMessage" ? body : `no failure: ${text.slice(0, 200)}`;
}

const illegal = (field: string) => ({
  error: "IllegalArgumentException",
  errorMessage: expect.stringContaining(field),
});

const long = "x".repeat(1_000_000);

/** Bodies that no call of the protocol takes. */
const brokenBodies: Readonly<Record<string, string | Uint8Array | undefined>> = {
  "no body": undefined,
  "an empty body": "",
  blanks: " \n ",
  null: "null",
  "a list": "[]",
  "a number": "1",
  "a string": '"text"',
  "cut JSON": '{"username":',
  "two values": "{}{}",
  "bytes that are no UTF-8": Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  "a NUL after the value": "{}\0",
  "deep lists": "[".repeat(20_000),
};

const calls = ["authenticate", "refresh", "validate", "invalidate", "signout"].map(
  (call) => `/authserver/${call}`,
);

describe.each([...calls, "/sessionserver/session/minecraft/join"])("%s", (path) => {
  test.each(Object.entries(brokenBodies))("refuses %s", async (_, body) => {
    const { status, type, text } = await post(path, body);
    expect({ status, type, failure: readFailure(text) }).toEqual({
      status: 400,
      type: "application/json; charset=utf-8",
      failure: { error: "IllegalArgumentException", errorMessage: expect.any(String) },
    });
  });

  test("refuses a body of a megabyte", async () => {
    const { status, text } = await post(path, JSON.stringify({ accessToken: long, username: long }));
    expect(status).toBe(413);
    expect(readFailure(text)).toBeObject();
  });
});

const fieldsOf: Readonly<Record<string, { readonly sound: object; readonly needed: readonly string[] }>> = {
  "/authserver/authenticate": {
    sound: { username: "Anna", password: "a wrong password" },
    needed: ["username", "password"],
  },
  "/authserver/signout": {
    sound: { username: "Anna", password: "a wrong password" },
    needed: ["username", "password"],
  },
  "/authserver/refresh": { sound: { accessToken: "x" }, needed: ["accessToken"] },
  "/authserver/validate": { sound: { accessToken: "x" }, needed: ["accessToken"] },
  "/authserver/invalidate": { sound: { accessToken: "x" }, needed: ["accessToken"] },
  "/sessionserver/session/minecraft/join": {
    sound: {
      accessToken: "x",
      selectedProfile: "0123456789ab4def8123456789abcdef",
      serverId: "-1a2b3c",
    },
    needed: ["accessToken", "selectedProfile", "serverId"],
  },
};

const wrongValues: Readonly<Record<string, unknown>> = {
  missing: undefined,
  null: null,
  blank: "",
  "a number": 7,
  "a boolean": true,
  "a list": ["Anna"],
  "an object": { $ne: "" },
};

describe.each(Object.entries(fieldsOf))("%s", (path, { sound, needed }) => {
  const cases = needed.flatMap((field) =>
    Object.entries(wrongValues).map(([what, value]) => ({ field, what, value })),
  );
  test.each(cases)("names the field $field that is $what", async ({ field, value }) => {
    const { status, text } = await post(path, JSON.stringify({ ...sound, [field]: value }));
    expect({ status, failure: readFailure(text) }).toEqual({ status: 400, failure: illegal(field) });
  });

  test.each([...needed])("survives odd texts in %s", async (field) => {
    for (const odd of [
      "\u0000",
      "\ud800",
      "a\u0000b",
      "\udfff".repeat(100),
      "\u202e",
      "x".repeat(10_000),
      "%s",
      "'",
    ]) {
      const { status, text } = await post(path, JSON.stringify({ ...sound, [field]: odd }));
      expect({ odd, status }).toEqual({
        odd,
        status: path.endsWith("invalidate") && status === 204 ? 204 : status,
      });
      expect([204, 400, 403]).toContain(status);
      if (status !== 204) expect(readFailure(text)).toBeObject();
    }
  });

  test("reads JSON whatever the header says", async () => {
    for (const headers of [
      {},
      { "content-type": "text/plain" },
      { "content-type": "application/x-www-form-urlencoded" },
    ]) {
      const { status } = await post(path, JSON.stringify(sound), headers);
      expect([204, 403]).toContain(status);
    }
  });
});

test.each(["-", "-1a2b", "0", "a".repeat(64)])("a serverId may be %s", async (serverId) => {
  const body = { ...fieldsOf["/sessionserver/session/minecraft/join"]?.sound, serverId };
  expect((await post("/sessionserver/session/minecraft/join", JSON.stringify(body))).status).toBe(403);
});

test.each(["a".repeat(65), "g", "A", "a b", "a/b", "ab\n"])("a serverId may not be %j", async (serverId) => {
  const body = { ...fieldsOf["/sessionserver/session/minecraft/join"]?.sound, serverId };
  const { status, text } = await post("/sessionserver/session/minecraft/join", JSON.stringify(body));
  expect({ status, failure: readFailure(text) }).toEqual({ status: 400, failure: illegal("serverId") });
});

describe("hasJoined answers 204 to", () => {
  test.each([
    "username=Anna&serverId=abc",
    "username=%00&serverId=%00",
    "username=Anna&serverId=abc&ip=nonsense",
    `username=${"x".repeat(200)}&serverId=abc`,
    "username=Anna&username=Bert&serverId=abc",
    "username=%ED%A0%80&serverId=abc",
    "username=%&serverId=%",
  ])("%s", async (query) => {
    const response = await harness.fetch(`${root}/sessionserver/session/minecraft/hasJoined?${query}`);
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 204, text: "" });
  });
});

test.each([
  { query: "", field: "username" },
  { query: "username=Anna", field: "serverId" },
  { query: "serverId=abc", field: "username" },
  { query: "username=&serverId=", field: "username" },
])("hasJoined names the field that '$query' lacks", async ({ query, field }) => {
  const response = await harness.fetch(`${root}/sessionserver/session/minecraft/hasJoined?${query}`);
  expect({ status: response.status, failure: readFailure(await response.text()) }).toEqual({
    status: 400,
    failure: illegal(field),
  });
});

describe("a profile is unknown as", () => {
  test.each([
    "x",
    "%00",
    "..%2f..",
    "0123456789ab4def8123456789abcdef",
    "01234567-89ab-4def-8123-456789abcdef",
    "0123456789ab7def8123456789abcdef",
    "0123456789AB4DEF8123456789ABCDEF",
    "0".repeat(32),
    "x".repeat(200),
  ])("%s", async (id) => {
    const response = await harness.fetch(`${root}/sessionserver/session/minecraft/profile/${id}`);
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 204, text: "" });
  });
});

test("a profile is found by its id in every spelling", async () => {
  const bare = anna.uuid.replaceAll("-", "");
  for (const id of [bare, anna.uuid, bare.toUpperCase(), anna.uuid.toUpperCase()]) {
    const response = await harness.fetch(`${root}/sessionserver/session/minecraft/profile/${id}`);
    expect(await response.json()).toMatchObject({ id: bare, name: "Anna" });
  }
});

describe("names that are looked up in bulk", () => {
  const places = ["/api/profiles/minecraft", "/minecraftservices/minecraft/profile/lookup/bulk/byname"];
  test.each([
    { what: "none", names: [], found: [] },
    { what: "one", names: ["Anna"], found: ["Anna"] },
    { what: "one in three spellings", names: ["anna", "ANNA", "Anna"], found: ["Anna"] },
    { what: "one among strangers", names: ["Stranger", "Anna", ""], found: ["Anna"] },
    { what: "none that could be", names: ["\u0000", "\ud800", "..", "x".repeat(10_000)], found: [] },
    { what: "ten strangers", names: Array.from({ length: 10 }, (_, at) => `Name${at}`), found: [] },
  ])("find $what", async ({ names, found }) => {
    for (const place of places) {
      const { status, text } = await post(place, JSON.stringify(names));
      const profiles = found.map((name) => ({ id: anna.uuid.replaceAll("-", ""), name }));
      expect({ status, body: JSON.parse(text) }).toEqual({ status: 200, body: profiles });
    }
  });

  test("are ten at most", async () => {
    for (const place of places) {
      const names = Array.from({ length: 11 }, (_, at) => `Name${at}`);
      const { status, text } = await post(place, JSON.stringify(names));
      expect({ status, failure: readFailure(text) }).toMatchObject({
        status: 400,
        failure: { error: "CONSTRAINT_VIOLATION" },
      });
    }
  });

  test.each(["null", "{}", '"Anna"', "[1]", "[null]", '[["Anna"]]', '["Anna"', ""])(
    "are not %s",
    async (body) => {
      for (const place of places) {
        const { status, text } = await post(place, body);
        expect({ status, failure: readFailure(text) }).toMatchObject({ status: 400 });
      }
    },
  );
});

/** Every call of every protocol, whatever it expects. */
test("no address fails inside, shows a trace or answers with the envelope, whatever it is sent", async () => {
  const faults: string[] = [];
  const requests = harness.routes
    .map((route) => route.split(" "))
    .filter(([method, pattern = ""]) => isOfProtocol(pattern) && method !== "GET" && method !== "HEAD");
  expect(requests.length).toBeGreaterThan(40);
  const bodies = [
    ...Object.values(brokenBodies),
    "{}",
    '{"accessToken":"\\ud800"}',
    JSON.stringify({ a: long }),
  ];
  for (const [method = "", pattern = ""] of requests)
    for (const body of bodies)
      for (const headers of [{}, json, { "content-type": "multipart/form-data; boundary=x" }]) {
        const sent = { method, headers: { ...headers }, ...(body !== undefined && { body }) };
        const response = await harness.fetch(pathOf(pattern), sent);
        const text = await response.text();
        const fault = faultOf(pattern, response.status, text);
        if (fault !== null) faults.push(`${method} ${pattern} ${String(body).slice(0, 20)}: ${fault}`);
      }
  expect(faults).toEqual([]);
  expect(harness.takeComplaints().filter(({ level }) => level === "error")).toEqual([]);
}, 60_000);

function faultOf(pattern: string, status: number, text: string): string | null {
  // Some calls are known and not offered.
  if (status >= 500 && status !== 501) return `${status}: ${text.slice(0, 100)}`;
  if (/\bat .+\.ts:\d+|node_modules/.test(text)) return "a trace";
  if (never.some((secret) => text.includes(secret))) return "a secret";
  if (status < 400 || !/^[[{]/.test(text)) return null;
  const body: unknown = JSON.parse(text);
  if (isEnvelope(body)) return "the envelope";
  const keys = Object.keys(Object(body)).toSorted().join();
  return pattern.startsWith(root) && keys !== "error,errorMessage" ? `the keys ${keys}` : null;
}
