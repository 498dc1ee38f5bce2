/** Signing in and out (docs/contract/auth.md#sign-in, docs/contract/auth.md#tokens). */
import { afterAll, describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { createAccount } from "../../src/domain/accounts/create-account.ts";
import { deleteAccount, updateUser } from "../../src/domain/members/administer.ts";
import type { PasswordHasher } from "../../src/domain/ports/password-hasher.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { cheapHasher, jwtSecret, openHarness, publicUrl } from "../support/harness.ts";
import { addMember, signIn, uploadForm, type Member } from "../support/members.ts";
import { play, type Scenario } from "../support/scenario.ts";
import { claimsOf, forge } from "../support/tokens.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());

const alice = await addMember(harness, "Alice");
const mallory = await addMember(harness, "Mallory");
const half = await addMember(harness, "half", { finished: false });

const login = (username: unknown, password: unknown) => ({ username, password });
const wrongPair = {
  status: 401,
  msg: "Invalid username or password",
  hasNot: ["jwt", "example.org"],
} as const;

const logins: readonly Scenario[] = [
  ...[
    ["a username", "Alice"],
    ["a username in another case", "aLICE"],
    ["a mail address", "Alice@example.org"],
    ["a mail address in another case", "ALICE@EXAMPLE.ORG"],
  ].map(([what, username]) => ({
    name: `takes ${what}`,
    request: "POST /api/auth/login",
    json: login(username, alice.password),
    status: 200,
    data: { jwt: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) },
    hasNot: [alice.password],
  })),
  ...[
    ["a wrong password", "Alice", "not the password"],
    ["another's password", "Alice", mallory.password],
    ["an empty password", "Alice", ""],
    ["an unknown username", "Nobody", alice.password],
    ["an unknown mail address", "nobody@example.org", alice.password],
    ["an empty username", "", alice.password],
    ["a username with a blank", "Alice ", alice.password],
    ["a username with a NUL", "Alice\0", alice.password],
    ["a username that is a pattern", "%lice", alice.password],
    ["a username that is SQL", "Alice' OR 1=1 --", alice.password],
    ["a uuid, which is no name", alice.uuid, alice.password],
    ["an id, which is no name", String(alice.account.id), alice.password],
    ["a username of 7 kB", "a".repeat(7000), alice.password],
    ["a password of 7 kB", "Alice", "a".repeat(7000)],
  ].map(([what, username, password]) => ({
    name: `refuses ${what}`,
    request: "POST /api/auth/login",
    json: login(username, password),
    ...wrongPair,
  })),
  ...(
    [
      ["no username", { password: "x" }, /^username: /],
      ["no password", { username: "Alice" }, /^password: /],
      ["a username that is a number", login(1, "x"), /^username: must be a text$/],
      ["a username that is null", login(null, "x"), /^username: must be a text$/],
      ["a username that is an object", login({ name: "Alice" }, "x"), /^username: must be a text$/],
      ["a field that every object inherits", login({ toString: 1 }, "x"), /^toString: is not a field$/],
      ["a password that is a list", login("Alice", ["x"]), /^password: must be a text$/],
      ["a body that is a list", [login("Alice", "x")], /./],
      ["a body that is null", null, /./],
      ["a body that is a text", "Alice", /./],
    ] as const
  ).map(([what, json, msg]) => ({
    name: `refuses ${what}`,
    request: "POST /api/auth/login",
    json,
    status: 400,
    msg,
  })),
  ...(
    [
      ["text that is no JSON", "{"],
      ["no bytes at all", ""],
      ["bytes that are no UTF-8", Uint8Array.of(0x22, 0xff, 0x22)],
      ["8000 brackets", "[".repeat(8000)],
      ["lists 4000 deep", "[".repeat(4000) + "]".repeat(4000)],
    ] as const
  ).map(([what, body]) => ({
    name: `refuses ${what}`,
    request: "POST /api/auth/login",
    headers: { "content-type": "application/json" },
    body,
    status: 400,
  })),
  {
    name: "refuses a form",
    request: "POST /api/auth/login",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `username=Alice&password=${encodeURIComponent(alice.password)}`,
    status: 415,
  },
  {
    name: "refuses JSON that does not say that it is",
    request: "POST /api/auth/login",
    headers: { "content-type": "text/plain" },
    body: JSON.stringify(login("Alice", alice.password)),
    status: 415,
  },
  {
    name: "refuses a body over 512 KiB",
    request: "POST /api/auth/login",
    json: login("Alice", "x".repeat(512 * 1024)),
    status: 413,
  },
  {
    name: "takes fields that it does not know",
    request: "POST /api/auth/login",
    json: { ...login("Alice", alice.password), remember: true, __proto__: { admin: true } },
    status: 200,
  },
];

describe("login", () => {
  test.each(logins)("$name", (scenario) => play(harness, scenario));

  test("sends an unfinished member to the next page, and others nowhere", async () => {
    expect(await loginAnswer(half)).toMatchObject({
      error: false,
      url: expect.stringMatching(/^https:\/\/www\.example\.org\/./),
    });
    expect(await loginAnswer(alice)).toMatchObject({ error: false, url: null });
  });

  test("answers with a JWT of the claims sub, sid, iat, exp and iss, good for a day", async () => {
    const claims = claimsOf(await signIn(harness, "Alice", alice.password));
    expect(Object.keys(claims).sort()).toEqual(["exp", "iat", "iss", "sid", "sub"]);
    expect(claims).toMatchObject({ sub: alice.uuid, iss: publicUrl, sid: expect.any(String) });
    const now = harness.clock.nowSeconds();
    // The JWT plugin takes `iat` from the machine's clock; nothing here reads it.
    expect(claims).toMatchObject({ iat: expect.any(Number), exp: now + 24 * 60 * 60 });
  });

  test("opens a session of its own each time", async () => {
    const tokens = await Promise.all([1, 2, 3].map(() => signIn(harness, "Alice", alice.password)));
    expect(new Set(tokens.map((jwt) => claimsOf(jwt)["sid"])).size).toBe(3);
    for (const jwt of tokens) await play(harness, home(`Bearer ${jwt}`, 200));
  });

  test("does the same work for an unknown name, a wrong and a right password", async () => {
    const counted = countingHasher();
    await using other = await openHarness({ hasher: counted });
    const member = await addMember(other, "Alice");
    const worked = async (username: string, password: string) => {
      counted.calls.length = 0;
      await signIn(other, username, password);
      return counted.calls.filter((call) => call === "verify").length;
    };
    await worked("Warm", "the dummy hash is made");
    expect(await worked("Nobody", member.password)).toBe(1);
    expect(await worked("Alice", "wrong")).toBe(1);
    expect(await worked("Alice", member.password)).toBe(1);
    expect(counted.calls).toEqual(["verify"]);
  });

  test("hashes a password again whose hash has another cost", async () => {
    let costly = false;
    const aging: PasswordHasher = { ...cheapHasher, needsRehash: () => costly };
    await using other = await openHarness({ hasher: aging });
    const member = await addMember(other, "Alice");
    const hash = async () => {
      const found = await other.services.reads.accounts.findMember({ by: "id", value: member.account.id });
      return found?.account.passwordHash;
    };
    const before = await hash();
    costly = true;
    await signIn(other, "Alice", "wrong");
    expect(await hash()).toBe(before);
    await signIn(other, "Alice", member.password);
    expect(await hash()).not.toBe(before);
    expect(await signIn(other, "Alice", member.password)).toBeString();
  });

  test("refuses an account whose mail address is not confirmed, without showing it to strangers", async () => {
    const mail = "unconfirmed@example.org";
    const member = await addUnconfirmed("unconfirmed");
    await play(harness, {
      name: "",
      request: "POST /api/auth/login",
      json: login(mail, member.password),
      status: 403,
      msg: /mail/i,
      hasNot: ["jwt"],
    });
    await play(harness, {
      name: "",
      request: "POST /api/auth/login",
      json: login(mail, "wrong"),
      ...wrongPair,
    });
  });
});

describe("a token", () => {
  const day = 24 * 60 * 60;
  const real = claimsOf(alice.jwt);
  const [header = "", payload = "", signature = ""] = alice.jwt.split(".");
  const without = (claim: string) =>
    Object.fromEntries(Object.entries(real).filter(([name]) => name !== claim));

  test("made by hand with the right key is what the service makes", () =>
    play(harness, home(`Bearer ${forge(real)}`, 200)));

  test.each([
    ["no header", ""],
    ["no token", "Bearer"],
    ["another scheme", `Basic ${alice.jwt}`],
    ["no scheme", alice.jwt],
    ["two tokens", `Bearer ${alice.jwt} ${alice.jwt}`],
    ["nonsense", "Bearer x.y.z"],
    ["nothing but dots", "Bearer .."],
    ["10 kB", `Bearer ${"a".repeat(10_000)}`],
    ["no signature", `Bearer ${header}.${payload}.`],
    ["two parts", `Bearer ${header}.${payload}`],
    ["a cut signature", `Bearer ${alice.jwt.slice(0, -2)}`],
    [
      "a changed signature",
      `Bearer ${header}.${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
    ],
    ["a cut payload", `Bearer ${header}.${payload.slice(0, -4)}.${signature}`],
    ["another's payload", `Bearer ${header}.${mallory.jwt.split(".")[1]}.${signature}`],
    ["algorithm none", `Bearer ${forge(real, { alg: "none" })}`],
    ["algorithm none and a signature", `Bearer ${forge(real, { alg: "none" })}${signature}`],
    ["HS384 with the same key", `Bearer ${forge(real, { alg: "HS384" })}`],
    ["HS512 with the same key", `Bearer ${forge(real, { alg: "HS512" })}`],
    ["another key", `Bearer ${forge(real, { secret: `${jwtSecret}!` })}`],
    ["an empty key", `Bearer ${forge(real, { secret: "" })}`],
    ["another program's issuer", `Bearer ${forge({ ...real, iss: "another" })}`],
    ["an issuer that is no address", `Bearer ${forge({ ...real, iss: "https://" })}`],
    ["an issuer that is a list", `Bearer ${forge({ ...real, iss: [publicUrl] })}`],
    ["no issuer", `Bearer ${forge(without("iss"))}`],
    ["no session", `Bearer ${forge(without("sid"))}`],
    ["no subject", `Bearer ${forge(without("sub"))}`],
    ["no end", `Bearer ${forge(without("exp"))}`],
    ["an end that is past", `Bearer ${forge({ ...real, exp: 1_000_000_000 })}`],
    ["an end that is a text", `Bearer ${forge({ ...real, exp: "4102531200" })}`],
    ["a session that is a number", `Bearer ${forge({ ...real, sid: 1 })}`],
    ["an unknown session", `Bearer ${forge({ ...real, sid: crypto.randomUUID() })}`],
    ["another's subject", `Bearer ${forge({ ...real, sub: mallory.uuid })}`],
    ["another's session", `Bearer ${forge({ ...real, sid: claimsOf(mallory.jwt)["sid"] })}`],
    ["a subject that is no uuid", `Bearer ${forge({ ...real, sub: "Alice" })}`],
  ])("is refused: %s", (_, authorization) =>
    play(harness, { ...home(authorization, 401), hasNot: ["Alice", alice.uuid] }),
  );

  test("is taken whatever the scheme's case", () => play(harness, home(`bearer ${alice.jwt}`, 200)));

  test("is issued by cloakroom when there is no public URL", async () => {
    await using other = await openHarness({ settings: { PUBLIC_URL: undefined } });
    const { address } = other.listen();
    const member = await addMember(other, "Alice");
    const response = await fetch(`${address}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(login("Alice", member.password)),
    });
    const { data } = await readJson<Envelope<{ jwt: string }>>(response);
    expect(claimsOf(data.jwt)).toMatchObject({ iss: "cloakroom" });
  });

  test("lasts for 24 hours and no longer", async () => {
    await using other = await openHarness();
    const { authorization } = await addMember(other, "Alice");
    other.clock.advance(day - 1);
    await play(other, home(authorization, 200));
    other.clock.advance(1);
    await play(other, home(authorization, 401));
  });

  test("ends with its account", async () => {
    const before = harness.countRows("sessions");
    const gone = await addMember(harness, "Gone");
    await play(harness, home(gone.authorization, 200));
    await deleteAccount(harness.services, commandLine, "Gone");
    expect(harness.countRows("sessions")).toBe(before);
    await play(harness, home(gone.authorization, 401));
    await play(harness, {
      name: "",
      request: "POST /api/auth/login",
      json: login("Gone", gone.password),
      ...wrongPair,
    });
  });

  test("ends when an operator sets the password", async () => {
    const member = await addMember(harness, "Forgetful");
    const second = await signIn(harness, "Forgetful", member.password);
    await updateUser(harness.services, commandLine, {
      identifier: "Forgetful",
      change: { password: "another good password" },
    });
    await play(harness, home(member.authorization, 401));
    await play(harness, home(`Bearer ${second}`, 401));
  });
});

describe("logout", () => {
  const logout: Scenario = { name: "", request: "POST /api/auth/logout", status: 200, data: {} };

  test("ends this session only", async () => {
    const member = await addMember(harness, "Twice");
    const second = `Bearer ${await signIn(harness, "Twice", member.password)}`;
    const home: Scenario = { name: "", request: "GET /api/home", status: 200 };
    await play(harness, { ...logout, actor: member });
    await play(harness, { ...home, actor: member, status: 401 });
    await play(harness, { ...home, headers: { authorization: second } });
    await play(harness, { ...logout, actor: member, status: 401 });
  });

  test("is for unfinished members, too", async () => {
    const member = await addMember(harness, "leaver", { finished: false });
    await play(harness, { ...logout, actor: member });
  });

  test("asks for a session", () => play(harness, { ...logout, status: 401 }));

  test.each([
    ["no body", undefined, {}],
    ["an empty object", "{}", { "content-type": "application/json" }],
    ["anything else", "x", { "content-type": "text/plain" }],
  ])("takes %s", async (_, body, headers) => {
    const authorization = `Bearer ${await signIn(harness, "Alice", alice.password)}`;
    await play(harness, { ...logout, body, headers: { ...headers, authorization } });
  });
});

describe("an unfinished member", () => {
  const skinid = crypto.randomUUID();
  const requests = [
    "PUT /api/home/edit/skin",
    "POST /api/home/edit/skin/select",
    "DELETE /api/home/edit/skin",
  ];
  const bodies = [
    ["", { skinid }],
    [" with a faulty body", {}],
  ] as const;
  const forbidden = requests.flatMap((request) =>
    bodies.map(([what, json]): Scenario => ({
      name: request + what,
      request,
      json,
      actor: half,
      status: 403,
    })),
  );
  test.each(forbidden)("may not $name", (scenario) => play(harness, scenario));

  test.each([
    ["a skin", uploadForm({})],
    ["a form without one", new FormData()],
  ])("may not upload %s", (_, body) =>
    play(harness, { name: "", request: "POST /api/home/edit/upload", body, actor: half, status: 403 }),
  );

  test("may read the profile", () =>
    play(harness, { name: "", request: "GET /api/home", actor: half, status: 200 }));
});

function countingHasher(): PasswordHasher & { readonly calls: string[] } {
  const calls: string[] = [];
  return {
    ...cheapHasher,
    calls,
    hash: (password) => {
      calls.push("hash");
      return cheapHasher.hash(password);
    },
    verify: (password, hash) => {
      calls.push("verify");
      return cheapHasher.verify(password, hash);
    },
  };
}

/** An account that registered but never typed the code. */
async function addUnconfirmed(name: string): Promise<{ readonly password: string }> {
  const password = `the password of ${name}`;
  const mail = `${name}@example.org`;
  await createAccount(harness.services, commandLine, {
    mail,
    username: null,
    password,
    level: 1,
    mailVerified: false,
  });
  return { password };
}

async function loginAnswer({ mail, password }: Member): Promise<Envelope<object>> {
  const response = await harness.fetch("/api/auth/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(login(mail, password)),
  });
  return readJson(response);
}

/** Who can read a profile is signed in. */
function home(authorization: string, status: number): Scenario {
  return { name: "", request: "GET /api/home", headers: { authorization }, status };
}
