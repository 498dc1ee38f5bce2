/** How often strangers may try (docs/contract/limits.md#attempts, docs/guide/settings.md). */
import { describe, expect, test } from "bun:test";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addPlayer, allowPlayers, edit, type Member } from "../support/members.ts";
import {
  ask,
  homeStatus,
  lastCode,
  orderCode,
  orderMailCode,
  send,
  signInStatus,
} from "../support/registration.ts";
import { expectError, play, type Scenario } from "../support/scenario.ts";

const password = "a password that will do";

/** A service behind a proxy that says who asks, with the limits at their usual. */
async function openLimited(settings: Readonly<Record<string, string>> = {}) {
  const usual = { RATE_LIMIT_FACTOR: "1", TRUSTED_PROXIES: "127.0.0.1" };
  const harness = await openHarness({ settings: { ...usual, ...settings } });
  return Object.assign(harness, { alice: await addMember(harness, "Alice") });
}

const json = { "content-type": "application/json" };
const from = (address: string) => ({ "x-forwarded-for": address });

/** Tries until one is refused for being too many, 1000 times at most; returns how many were not. */
async function countPassing(attempt: (index: number) => Promise<Response>): Promise<number> {
  for (let index = 0; index < 1000; index++) if ((await attempt(index)).status === 429) return index;
  return 1000;
}

/** What an attempt that is one too many gets, and in how many seconds it may be made again. */
function limited(seconds: number) {
  return {
    status: 429,
    msg: /\S/,
    data: {},
    answerHeaders: { "retry-after": String(seconds) },
    hasNot: ["Alice", "example.org"],
  } as const;
}

function login(username: string, text: string, address = "192.0.2.1"): Scenario {
  return {
    name: "",
    request: "POST /api/auth/login",
    json: { username, password: text },
    headers: from(address),
    status: 200,
  };
}

const tryLogin = (harness: Harness, username: string, address: string, text = "wrong password") =>
  send(harness, "POST /api/auth/login", { username, password: text }, from(address));

describe("signing in", () => {
  test("is refused after five failed attempts, also with the right password", async () => {
    await using harness = await openLimited();
    const { alice } = harness;
    expect(await countPassing(() => tryLogin(harness, "Alice", "192.0.2.1"))).toBe(5);
    await play(harness, { ...login("Alice", alice.password), ...limited(60) });
    harness.clock.advance(59);
    await play(harness, { ...login("Alice", alice.password), ...limited(1) });
    harness.clock.advance(1);
    await play(harness, login("Alice", alice.password));
  });

  test("makes a guesser wait longer each time", async () => {
    await using harness = await openLimited();
    const waits: number[] = [];
    for (let round = 0; round < 6; round++) {
      expect(await countPassing(() => tryLogin(harness, "Alice", "192.0.2.1"))).toBe(5);
      const response = await tryLogin(harness, "Alice", "192.0.2.1");
      waits.push(Number(response.headers.get("retry-after")));
      harness.clock.advance(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits.slice(0, 2)).toEqual([60, 120]);
    expect(waits.at(-1)).toBeGreaterThanOrEqual(600);
  });

  test("counts attempts that come at once", async () => {
    await using harness = await openLimited();
    const all = Array.from({ length: 50 }, () => tryLogin(harness, "Alice", "192.0.2.1"));
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(45);
  });

  test("never locks the owner out, whatever others try from elsewhere", async () => {
    await using harness = await openLimited();
    const { alice } = harness;
    for (let stranger = 1; stranger <= 100; stranger++) {
      for (let time = 0; time < 6; time++) await tryLogin(harness, "Alice", `203.0.113.${stranger}`);
    }
    await play(harness, login("Alice", alice.password));
  });

  test("forgets failures after a success", async () => {
    await using harness = await openLimited();
    const { alice } = harness;
    for (let round = 0; round < 3; round++) {
      for (let time = 0; time < 4; time++) await tryLogin(harness, "Alice", "192.0.2.1");
      expect((await tryLogin(harness, "Alice", "192.0.2.1", alice.password)).status).toBe(200);
    }
  });

  test("is limited alike for an unknown name", async () => {
    await using harness = await openLimited();
    const answers = async (name: string, address: string) => {
      const told: string[] = [];
      for (let time = 0; time < 6; time++) {
        const response = await tryLogin(harness, name, address);
        told.push(`${response.status} ${response.headers.get("retry-after")} ${await response.text()}`);
      }
      return told;
    };
    expect(await answers("Nobody", "192.0.2.1")).toEqual(await answers("Alice", "192.0.2.2"));
  });

  test("is the same account in any case", async () => {
    await using harness = await openLimited();
    const names = ["Alice", "alice", "ALICE", "aLICE", "AlIcE"];
    for (const name of names) expect((await tryLogin(harness, name, "192.0.2.1")).status).toBe(401);
    expect((await tryLogin(harness, "alicE", "192.0.2.1")).status).toBe(429);
  });

  test("of one account by several names passes five times, and the rest is void, unseen", async () => {
    await using harness = await openLimited();
    const { alice } = harness;
    await allowPlayers(harness, alice);
    for (const name of ["AliceTwo", "AliceThree"]) await addPlayer(harness, alice, name);
    const own = ["Alice", alice.mail, "AliceTwo", "AliceThree"];
    const tries = async (logins: readonly string[], from: string) => {
      const seen: string[] = [];
      for (let time = 0; time < 12; time++) {
        const response = await tryLogin(harness, logins[time % 4] ?? "", from);
        seen.push(`${response.status} ${response.headers.get("retry-after")} ${await response.text()}`);
      }
      return seen;
    };
    const ofUnknown = await tries(["Nobody1", "nobody2@example.org", "Nobody3", "Nobody4"], "192.0.2.8");
    expect(await tries(own, "192.0.2.9")).toEqual(ofUnknown);
    // Five are used up, so the right one counts as wrong.
    expect((await tryLogin(harness, "AliceTwo", "192.0.2.9", alice.password)).status).toBe(401);
    expect((await tryLogin(harness, "AliceTwo", "192.0.2.10", alice.password)).status).toBe(200);
    harness.clock.advance(60);
    expect((await tryLogin(harness, "AliceTwo", "192.0.2.9", alice.password)).status).toBe(200);
  });

  test("by several names is right while fewer than five were wrong, and counts with the owner's edits", async () => {
    await using harness = await openLimited();
    const { alice } = harness;
    for (const login of ["Alice", alice.mail, "Alice", alice.mail])
      expect((await tryLogin(harness, login, "127.0.0.1")).status).toBe(401);
    expect((await tryLogin(harness, alice.mail, "127.0.0.1", alice.password)).status).toBe(200);
    for (const login of ["Alice", alice.mail, "Alice", alice.mail])
      await tryLogin(harness, login, "127.0.0.1");
    const rename = () =>
      edit(harness, alice, "PATCH /api/home/edit/username", {
        username: "Alice",
        password: "wrong password",
      });
    expect([(await rename()).status, (await rename()).status]).toEqual([400, 429]);
  });

  test("passes 20 times a minute from one address, whatever the accounts", async () => {
    await using harness = await openLimited();
    const passed = await countPassing((index) => tryLogin(harness, `Nobody${index}`, "192.0.2.1"));
    expect(passed).toBe(20);
    await play(harness, { ...login("Alice", harness.alice.password), ...limited(60) });
    await play(harness, login("Alice", harness.alice.password, "192.0.2.2"));
    harness.clock.advance(60);
    await play(harness, login("Alice", harness.alice.password));
  });

  test.each<[what: string, address: (index: number) => string, passing: number, tries?: number]>([
    ["IPv6 addresses of one /64 as one", (index: number) => `2001:db8::${index.toString(16)}`, 20],
    ["IPv6 addresses of other networks apart", (index: number) => `2001:db8:0:${index.toString(16)}::1`, 40],
    ["IPv6 networks of one /48 together", (index: number) => `2001:db8:0:${index.toString(16)}::1`, 80, 90],
    ["IPv6 networks of other /48s apart", (index: number) => `2001:db8:${index.toString(16)}::1`, 90, 90],
    ["IPv4 addresses apart", (index: number) => `203.0.113.${index}`, 40],
    ["an address in every spelling as one", (index: number) => spelt(index), 20],
    ["what is no address as the proxy itself", (index: number) => `made up ${index}`, 20],
  ])("counts %s", async (_, address, passing, tries = 40) => {
    await using harness = await openLimited();
    // The member who is there already signed in from the proxy's own address, a minute ago.
    harness.clock.advance(60);
    const attempt = (index: number) => tryLogin(harness, `Nobody${index}`, address(index));
    const statuses: number[] = [];
    for (let index = 0; index < tries; index++) statuses.push((await attempt(index)).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(passing);
  });

  test("believes no header unless the proxy is trusted", async () => {
    await using harness = await openLimited({ TRUSTED_PROXIES: "10.0.0.1" });
    harness.clock.advance(60);
    const attempt = (index: number) => tryLogin(harness, `Nobody${index}`, `203.0.113.${index}`);
    expect(await countPassing(attempt)).toBe(20);
  });

  test("takes the last address that a stranger could not make up", async () => {
    await using harness = await openLimited();
    const attempt = (index: number) =>
      tryLogin(harness, `Nobody${index}`, `198.51.100.${index}, 192.0.2.1, 127.0.0.1`);
    expect(await countPassing(attempt)).toBe(20);
  });
});

describe("the current password of home edits", () => {
  const edits = [
    ["PATCH /api/home/edit/username", { username: "Another" }],
    ["PATCH /api/home/edit/password", { newpassword: "another password" }],
    ["POST /api/home/mail/request", { mail: "another@example.net" }],
    ["POST /api/home/mail/validate", { code: "00000-00000" }],
  ] as const;

  test.each(edits)("can be guessed five times: %s", async (request, json) => {
    await using harness = await openLimited();
    const { alice } = harness;
    const guess = (text: string) => edit(harness, alice, request, { ...json, password: text });
    expect(await countPassing(() => guess("wrong password"))).toBe(5);
    await play(harness, {
      name: "",
      request,
      actor: alice,
      json: { ...json, password: alice.password },
      ...limited(60),
    });
    expect(await homeStatus(harness, alice.jwt)).toBe(200);
  });

  test("can be guessed five times also when all come at once", async () => {
    await using harness = await openLimited();
    const all = Array.from({ length: 30 }, (_, at) => {
      const [request, json] = edits[at % edits.length] ?? edits[0];
      return edit(harness, harness.alice, request, { ...json, password: `guess number ${at}` });
    });
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(25);
  });

  test("is one count for all of them", async () => {
    await using harness = await openLimited();
    const statuses: number[] = [];
    for (const [request, json] of [...edits, ...edits]) {
      const response = await edit(harness, harness.alice, request, { ...json, password: "wrong password" });
      statuses.push(response.status);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429, 429]);
  });

  test("is forgotten once it is right", async () => {
    await using harness = await openLimited();
    const { alice } = harness;
    const rename = (text: string) =>
      edit(harness, alice, "PATCH /api/home/edit/username", { username: "Alice", password: text });
    for (let round = 0; round < 3; round++) {
      for (let time = 0; time < 4; time++) expect((await rename("wrong password")).status).toBe(400);
      expect((await rename(alice.password)).status).toBe(200);
    }
  });
});

const guessPassword = (harness: Harness, member: Member) =>
  edit(harness, member, "PATCH /api/home/edit/password", {
    password: "wrong password",
    newpassword: password,
  });
const finish = (harness: Harness, member: Member, json: object) =>
  edit(harness, member, "POST /api/home/registerfinish", json);

describe("what checks no current password", () => {
  test("does not make wrong ones forgotten: finishing a registration that is finished", async () => {
    await using harness = await openLimited();
    const statuses: number[] = [];
    for (let time = 0; time < 6; time++) {
      statuses.push((await guessPassword(harness, harness.alice)).status);
      await finish(harness, harness.alice, { username: "Another", password });
    }
    expect(statuses).toContain(429);
  });

  test("counts names and passwords that break the rules, and what is no JSON", async () => {
    await using harness = await openLimited();
    const half = await addMember(harness, "half", { finished: false });
    for (const username of ["ab", "a b", "admin", "12345", "ä", "Alice!", "x".repeat(17), ""]) {
      expect((await finish(harness, half, { username, password })).status).toBe(400);
    }
    for (const weak of ["password", "12345678", "qwertyui", "short", "iloveyou", "11111111", "PASSWORD"]) {
      expect((await finish(harness, half, { username: "Half", password: weak })).status).toBe(400);
    }
    for (let time = 0; time < 5; time++) {
      const init = { method: "POST", headers: { authorization: half.authorization, ...json }, body: "{" };
      expect((await harness.fetch("/api/home/registerfinish", init)).status).toBe(400);
    }
    expect((await finish(harness, half, { username: "Half", password })).status).toBe(429);
    harness.clock.advance(60);
    expect((await finish(harness, half, { username: "Half", password })).status).toBe(200);
  });

  test("costs a hash, so it is limited", async () => {
    await using harness = await openLimited();
    const half = await addMember(harness, "half", { finished: false });
    const passed = await countPassing(() => finish(harness, half, { username: "Alice", password }));
    expect(passed).toBeLessThanOrEqual(20);
    expect(passed).toBeGreaterThanOrEqual(8);
  });

  test("may be wrong often where the current one is right", async () => {
    await using harness = await openLimited();
    const { alice } = harness;
    for (const username of ["ab", "a b", "admin", "12345", "ä", "Alice!", "x".repeat(17), ""]) {
      const json = { username, password: alice.password };
      expect((await edit(harness, alice, "PATCH /api/home/edit/username", json)).status).toBe(400);
    }
    for (const newpassword of ["password", "12345678", "qwertyui", "short", "iloveyou", "11111111"]) {
      const json = { newpassword, password: alice.password };
      expect((await edit(harness, alice, "PATCH /api/home/edit/password", json)).status).toBe(400);
    }
  });
});

describe("codes that are typed in", () => {
  const requests = [
    ["POST /api/auth/confirm", {}],
    ["POST /api/auth/forgetpass/validate", {}],
    ["POST /api/auth/forgetpass/update", { password }],
  ] as const;

  test.each(requests)("are taken 20 times a minute from one address: %s", async (request, json) => {
    await using harness = await openLimited();
    const guess = (address: string) =>
      send(harness, request, { ...json, code: "00000-00000" }, from(address));
    expect(await countPassing(() => guess("192.0.2.1"))).toBe(20);
    const scenario = { name: "", request, json: { ...json, code: "00000-00000" } };
    await play(harness, { ...scenario, headers: from("192.0.2.1"), ...limited(60) });
    expect((await guess("192.0.2.2")).status).toBe(400);
    harness.clock.advance(60);
    expect((await guess("192.0.2.1")).status).toBe(400);
  });

  test("are one count, and one too many uses nothing up", async () => {
    await using harness = await openLimited();
    const code = await orderCode(harness, "reset", harness.alice.mail);
    const guess = (index: number) => {
      const [request = "", json] = requests[index % 3] ?? [];
      return send(harness, request, { ...json, code: "00000-00000" }, from("192.0.2.1"));
    };
    expect(await countPassing(guess)).toBe(20);
    const update = { name: "", request: "POST /api/auth/forgetpass/update", json: { code, password } };
    await play(harness, { ...update, headers: from("192.0.2.1"), ...limited(60) });
    await play(harness, { ...update, headers: from("192.0.2.2"), status: 200, mails: [expect.anything()] });
  });
});

describe("registrations and resets", () => {
  test.each([
    ["POST /api/auth/register", { password }],
    ["POST /api/auth/forgetpass", {}],
  ])("pass 20 times in ten minutes from one address: %s", async (request, json) => {
    await using harness = await openLimited();
    const attempt = (index: number, address = "192.0.2.1") =>
      send(harness, request, { ...json, mail: `somebody${index}@example.org` }, from(address));
    expect(await countPassing(attempt)).toBe(20);
    const mail = "nobody@example.net";
    const scenario = { name: "", request, json: { ...json, mail }, headers: from("192.0.2.1") };
    await play(harness, { ...scenario, ...limited(600) });
    expect((await attempt(100, "192.0.2.2")).status).not.toBe(429);
    harness.clock.advance(600);
    expect((await attempt(101)).status).not.toBe(429);
  });

  test.each([
    ["registration, which mails one code", "POST /api/auth/register", "new@example.org", 1],
    ["reset, which mails one code", "POST /api/auth/forgetpass", "Alice@example.org", 1],
    [
      "reset of an unknown address, which mails nothing",
      "POST /api/auth/forgetpass",
      "nobody@example.org",
      0,
    ],
  ])("by strangers keep the owner of an address from no %s", async (_, request, mail, mails) => {
    await using harness = await openLimited();
    for (let n = 0; n < 100; n++) await send(harness, request, { mail, password }, from(`203.0.113.${n}`));
    expect(harness.database.mails()).toHaveLength(mails);
    harness.clock.advance(60);
    const owners = await send(harness, request, { mail, password }, from("192.0.2.1"));
    expect(owners.status).toBe(mails === 0 ? 400 : 200);
  });
});

describe("mails with codes", () => {
  type World = Harness & { readonly alice: Member };
  const register = (harness: World, mail: string) =>
    send(harness, "POST /api/auth/register", { mail, password });
  const forget = (harness: World, mail: string) => send(harness, "POST /api/auth/forgetpass", { mail });
  const kinds = [
    ["a registration", register, "new@example.org"],
    ["a reset", forget, "Alice@example.org"],
    [
      "a change of address",
      (harness: World, mail: string) =>
        edit(harness, harness.alice, "POST /api/home/mail/request", {
          mail,
          password: harness.alice.password,
        }),
      "new@example.org",
    ],
  ] as const;

  test.each(kinds)("go to one address once a minute: %s", async (_, order, mail) => {
    await using harness = await openLimited();
    expect((await order(harness, mail)).status).toBe(200);
    const code = lastCode(harness, mail);
    const before = harness.database.everything();
    for (const [advance, wait] of [
      [0, 60],
      [59, 1],
    ] as const) {
      harness.clock.advance(advance);
      const refused = await order(harness, mail);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, String(wait)]);
    }
    expect(harness.database.everything()).toEqual(before);
    harness.clock.advance(1);
    expect((await order(harness, mail)).status).toBe(200);
    expect(lastCode(harness, mail)).not.toBe(code);
  });

  test.each(kinds.slice(0, 2))(
    "go to one address five times a day, then once in two hours: %s",
    async (_, order, mail) => {
      await using harness = await openLimited();
      for (let time = 0; time < 5; time++) {
        expect((await order(harness, mail)).status).toBe(200);
        harness.clock.advance(60);
      }
      let waited = 60;
      for (let time = 0; time < 3; time++) {
        const wait = 2 * 60 * 60 - waited;
        const refused = await order(harness, mail);
        expect(refused.headers.get("retry-after")).toBe(String(wait));
        await expectError(refused, 429, /^Too many mails were sent to this address: try again in 2 hours; /);
        harness.clock.advance(wait - 1);
        expect((await order(harness, mail)).status).toBe(429);
        harness.clock.advance(1);
        expect((await order(harness, mail)).status).toBe(200);
        waited = 0;
      }
    },
  );

  test("go to one address again when the first of the day is a day old", async () => {
    await using harness = await openLimited();
    const mail = "new@example.org";
    for (const pause of [23 * 3600, 60, 60, 60, 60]) {
      expect((await register(harness, mail)).status).toBe(200);
      harness.clock.advance(pause);
    }
    const wait = 3600 - 4 * 60;
    expect((await register(harness, mail)).headers.get("retry-after")).toBe(String(wait));
    harness.clock.advance(wait);
    expect((await register(harness, mail)).status).toBe(200);
  });

  test("are sent for one account to five new addresses a day, and what fails counts for nothing", async () => {
    await using harness = await openLimited();
    const { alice } = harness;
    const bob = await addMember(harness, "Bob");
    const order = (member: Member, mail: string) => {
      const json = { mail, password: member.password };
      return send(harness, "POST /api/home/mail/request", json, { authorization: member.authorization });
    };
    const statuses: number[] = [];
    for (const mail of [bob.mail, alice.mail, "no address"]) statuses.push((await order(alice, mail)).status);
    for (let n = 0; n < 7; n++) statuses.push((await order(alice, `new${n}@example.org`)).status);
    expect(statuses).toEqual([400, 400, 400, 200, 200, 200, 200, 200, 429, 429]);
    expect(harness.database.mails()).toHaveLength(5);
    await expectError(
      await order(alice, "new@example.org"),
      429,
      /^Too many codes for new addresses within a day; try again in 24 hours/,
    );
    expect((await order(bob, "new@example.org")).status).toBe(200);
  });

  test("are sent for one account to five new addresses a day, when all are asked for at once", async () => {
    await using harness = await openLimited();
    const { alice } = harness;
    const all = Array.from({ length: 19 }, (_, n) =>
      send(
        harness,
        "POST /api/home/mail/request",
        { mail: `new${n}@example.org`, password: alice.password },
        { authorization: alice.authorization, ...from(`203.0.113.${n}`) },
      ),
    );
    await Promise.all(all);
    expect(harness.database.mails()).toHaveLength(5);
  });

  test("are one count, whatever they are for and in whatever case the address is written", async () => {
    await using harness = await openLimited();
    await ask(harness, "POST /api/auth/register", { mail: "new@example.org", password });
    expect((await forget(harness, "NEW@example.org")).status).toBe(429);
    expect((await register(harness, "New@Example.org")).status).toBe(429);
    const json = { mail: "new@example.org", password: harness.alice.password };
    const change = await edit(harness, harness.alice, "POST /api/home/mail/request", json);
    expect([400, 429]).toContain(change.status);
    harness.clock.advance(60);
    expect((await forget(harness, "NEW@example.org")).status).toBe(200);
  });

  test("do not make other addresses wait", async () => {
    await using harness = await openLimited();
    expect((await register(harness, "one@example.org")).status).toBe(200);
    expect((await register(harness, "two@example.org")).status).toBe(200);
  });

  test("that are notices are not counted", async () => {
    await using harness = await openLimited();
    const { alice } = harness;
    const json = { password: alice.password, newpassword: password };
    await ask(harness, "PATCH /api/home/edit/password", json, alice);
    expect((await forget(harness, alice.mail)).status).toBe(200);
  });

  test("one too many of the same person leaves the password and the code of before", async () => {
    await using harness = await openLimited();
    const mail = "new@example.org";
    const code = await orderCode(harness, "confirm", mail, password);
    expect((await register(harness, mail)).status).toBe(429);
    await ask(harness, "POST /api/auth/confirm", { code });
    expect(await signInStatus(harness, mail, password)).toBe(200);
  });

  test("at once for one address: one is sent", async () => {
    await using harness = await openLimited();
    const all = Array.from({ length: 8 }, () => register(harness, "new@example.org"));
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 7 }, () => 429)]);
    expect(harness.database.mails()).toHaveLength(1);
    expect(harness.countRows("accounts")).toBe(2);
  });
});

describe("RATE_LIMIT_FACTOR", () => {
  test("multiplies what is allowed", async () => {
    await using harness = await openLimited({ RATE_LIMIT_FACTOR: "2" });
    expect(await countPassing(() => tryLogin(harness, "Alice", "192.0.2.1"))).toBe(10);
    const mail = "new@example.org";
    const sends: number[] = [];
    for (let time = 0; time < 11; time++) {
      sends.push((await send(harness, "POST /api/auth/register", { mail, password })).status);
      harness.clock.advance(61);
    }
    expect(sends).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });

  test("of less than 1 leaves one attempt at least", async () => {
    await using harness = await openLimited({ RATE_LIMIT_FACTOR: "0.001" });
    expect(await countPassing(() => tryLogin(harness, "Alice", "192.0.2.1"))).toBe(1);
  });

  test("0 turns all limits off, those on mails too", async () => {
    await using harness = await openLimited({ RATE_LIMIT_FACTOR: "0" });
    const { alice } = harness;
    for (let time = 0; time < 30; time++) {
      expect((await tryLogin(harness, "Alice", "192.0.2.1")).status).toBe(401);
      await orderCode(harness, "reset", alice.mail);
      await orderMailCode(harness, alice, "new@example.net");
    }
  });
});

test("pictures are not limited, also for a client that may not sign in", async () => {
  await using harness = await openLimited();
  const { alice } = harness;
  await countPassing((index) => tryLogin(harness, `Nobody${index}`, "192.0.2.1"));
  const paths = [`/api/skin/head/${alice.uuid}?size=8`, `/api/skin/launcher/${alice.uuid}`];
  for (let time = 0; time < 300; time++) {
    const { status } = await harness.fetch(paths[time % 2] ?? "", { headers: from("192.0.2.1") });
    expect(status).toBe(200);
  }
});

/** One IPv6 address, written in different ways. */
function spelt(index: number): string {
  const spellings = ["2001:db8::1", "2001:DB8::1", "2001:0db8:0:0:0:0:0:1", "2001:db8:0::0.0.0.1"];
  return spellings[index % spellings.length] ?? "";
}
