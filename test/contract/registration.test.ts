/** Registration (docs/contract/auth.md#registration). */
import { afterAll, describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { createAccount } from "../../src/domain/accounts/create-account.ts";
import { deleteAccount } from "../../src/domain/members/administer.ts";
import { openHarness, siteUrl, type Harness } from "../support/harness.ts";
import { addMember, edit, signIn, type Member } from "../support/members.ts";
import {
  accountOf,
  ask,
  asked,
  badBodies,
  badCodes,
  badMails,
  badNames,
  badPasswords,
  codePattern,
  homeStatus,
  lastCode,
  lastMail,
  longMail,
  orderCode,
  orderMailCode,
  profileOf,
  send,
  signInStatus,
  spellings,
  statusesOf,
} from "../support/registration.ts";
import { play, type Scenario } from "../support/scenario.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());

const alice = await addMember(harness, "Alice");
const waiting = { mail: "waiting@example.org", password: "the password of waiting" };
await ask(harness, "POST /api/auth/register", waiting);

const password = "a password that will do";
let count = 0;
const freshMail = () => `fresh${(count += 1)}@example.org`;
const freshName = () => `Fresh${(count += 1)}`;
// Made before any test, because a scenario compares all rows from before and after it.
const halfway = await addMember(harness, "halfway", { finished: false });
const unfinished = await addMember(harness, "unfinished", { finished: false });
const freshHalf = () => addMember(harness, `half${(count += 1)}`, { finished: false });

const register: Scenario = {
  name: "",
  request: "POST /api/auth/register",
  status: 200,
  url: `${siteUrl}/confirm`,
  data: {},
};
const refused = { url: null, data: {} } as const;
const confirm: Scenario = {
  name: "",
  request: "POST /api/auth/confirm",
  status: 200,
  url: `${siteUrl}/registerfinish`,
  data: {},
};
const finish: Scenario = { name: "", request: "POST /api/home/registerfinish", status: 200, data: {} };

/** The mail with the code of a registration. */
function confirmation(to: string, language = "en") {
  const link = expect.stringMatching(/^https:\/\/www\.example\.org\/confirm\?code=[0-9A-Z]{5}-[0-9A-Z]{5}$/);
  const code = expect.stringMatching(codePattern);
  return { to, language, mail: { template: "confirm", code, link, ...asked } };
}

describe("POST /api/auth/register", () => {
  test("makes an unconfirmed account, and mails a code", async () => {
    const mail = freshMail();
    await play(harness, { ...register, json: { mail, password }, mails: [confirmation(mail)] });
    const account = await accountOf(harness, mail);
    expect(account).toMatchObject({ mail, mailVerified: false, permanentLevel: 1, language: "en" });
    expect(account.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await signInStatus(harness, mail, password)).toBe(403);
  });

  test("mails a link that names the code and the page to type it in", async () => {
    const mail = freshMail();
    const code = await orderCode(harness, "confirm", mail);
    expect(lastMail(harness, mail)).toMatchObject({ link: `${siteUrl}/confirm?code=${code}` });
  });

  test("mails another code each time", async () => {
    const codes = await Promise.all(
      Array.from({ length: 20 }, () => orderCode(harness, "confirm", freshMail())),
    );
    expect(new Set(codes).size).toBe(20);
  });

  test.each([
    ["English when nothing is asked for", undefined, "en"],
    ["Russian", "ru", "ru"],
    ["the Russian of a country", "ru-RU,ru;q=0.9,en;q=0.8", "ru"],
    ["English when it is preferred", "ru;q=0.5,en", "en"],
    ["the German of a country", "de-AT,de;q=0.9,en;q=0.8", "de"],
    ["Simplified Chinese", "zh-CN,zh;q=0.9,en;q=0.8", "zh-Hans"],
    ["English for readers of no language of ours", "fr-FR,fr;q=0.9", "en"],
    ["English when the header is nonsense", "ru;q=x\t;;,,", "en"],
  ])("writes in %s", async (_, header, language) => {
    const mail = freshMail();
    const headers: Record<string, string> = header === undefined ? {} : { "accept-language": header };
    await play(harness, {
      ...register,
      json: { mail, password },
      headers,
      mails: [confirmation(mail, language)],
    });
    expect(await accountOf(harness, mail)).toMatchObject({ language });
  });

  test.each([
    ["a plus", "anna+skins@example.org"],
    ["dots", "anna.b.c@mail.example.org"],
    ["every character that needs no quotes", "!#$%&'*+/=?^_`{|}~-@example.org"],
    ["a domain in Punycode", "anna@xn--exmple-cua.org"],
    ["a name of 64 characters", `${"a".repeat(64)}@example.org`],
    ["254 characters", longMail(254)],
    ["a name that is a reserved word", "admin@example.net"],
    ["a name that is a property", "__proto__@example.org"],
  ])("takes a mail address with %s", (_, mail) =>
    play(harness, { ...register, json: { mail, password }, mails: [confirmation(mail)] }),
  );

  test.each(badMails)("refuses %s", (_, mail) =>
    play(harness, { ...register, ...refused, json: { mail, password }, status: 400, msg: /^mail: / }),
  );

  test.each(badPasswords)("refuses a password: %s", (_, text) =>
    play(harness, {
      ...register,
      ...refused,
      json: { mail: freshMail(), password: text },
      status: 400,
      msg: /^password: /,
    }),
  );

  test.each([
    ["8 characters", "x7-Kq!m2", "x7-Kq!m2"],
    ["128 characters", "ab3".repeat(42) + "xy", "ab3".repeat(42) + "xy"],
    ["8 characters that take two units each", "🦊🐻🐼🐨🐯🦁🐮🐷", "🦊🐻🐼🐨🐯🦁🐮🐷"],
    ["letters and marks, which another keyboard types as one", "e\u0301".repeat(8), "é".repeat(8)],
    ["blanks at its ends", "  two blanks  ", "  two blanks  "],
  ])("takes a password of %s", async (_, chosen, typed) => {
    const mail = freshMail();
    const code = await orderCode(harness, "confirm", mail, chosen);
    await ask(harness, "POST /api/auth/confirm", { code });
    expect(await signInStatus(harness, mail, typed)).toBe(200);
    expect(await signInStatus(harness, mail, typed.trim() + "!")).toBe(401);
  });

  test.each(badBodies)("refuses %s", (_, sent, status) =>
    play(harness, { ...register, ...refused, ...sent, status }),
  );

  test("takes fields that it does not know, and does nothing with them", async () => {
    const mail = freshMail();
    const json = { mail, password, level: 3, mail_verify: true, username: "Chief", code: "x" };
    await play(harness, { ...register, json, mails: [confirmation(mail)] });
    expect(await accountOf(harness, mail)).toMatchObject({ permanentLevel: 1, mailVerified: false });
  });

  describe("an address that is somebody's", () => {
    const taken = { ...register, ...refused, status: 409, msg: /^mail: /, hasNot: ["Alice", alice.uuid] };

    test.each([
      ["as it is", "Alice@example.org"],
      ["in another case", "aLICE@EXAMPLE.org"],
    ])("is refused %s", async (_, mail) => {
      await play(harness, { ...taken, json: { mail, password } });
      expect(await signInStatus(harness, "Alice", alice.password)).toBe(200);
    });

    test("is refused while the registration is not finished", async () => {
      const { mail } = await freshHalf();
      await play(harness, { ...taken, json: { mail, password } });
    });

    test("is refused when a player has it, confirmed or not", async () => {
      const { mail } = await addMember(harness, freshName(), { mailVerified: false });
      await play(harness, { ...taken, json: { mail, password } });
    });
  });

  describe("an address that was registered but not confirmed", () => {
    test("may be registered again: each code is good with a password of these, the earlier ones too", async () => {
      const mail = freshMail();
      const first = await orderCode(harness, "confirm", mail, "the first password");
      const { id, uuid } = await accountOf(harness, mail);
      await play(harness, {
        ...register,
        json: { mail, password: "the second password" },
        mails: [confirmation(mail)],
      });
      expect(await accountOf(harness, mail)).toMatchObject({ id, uuid, mailVerified: false });
      const second = lastCode(harness, mail);
      await play(harness, { ...confirm, json: { code: first, password: "the first password" } });
      await play(harness, { ...confirm, ...refused, json: { code: second }, status: 400, msg: /^code: / });
      expect(await signInStatus(harness, mail, "the first password")).toBe(200);
      expect(await signInStatus(harness, mail, "the second password")).toBe(401);
    });

    test("is the same address in another case", async () => {
      const mail = freshMail();
      await orderCode(harness, "confirm", mail);
      const accounts = harness.countRows("accounts");
      const code = await orderCode(harness, "confirm", mail.toUpperCase(), password);
      expect(harness.countRows("accounts")).toBe(accounts);
      await ask(harness, "POST /api/auth/confirm", { code, password });
      expect(await signInStatus(harness, mail, password)).toBe(200);
    });

    test("is the language's who registers last", async () => {
      const mail = freshMail();
      await orderCode(harness, "confirm", mail);
      const headers = { "accept-language": "ru" };
      await play(harness, {
        ...register,
        headers,
        json: { mail, password },
        mails: [confirmation(mail, "ru")],
      });
      expect(await accountOf(harness, mail)).toMatchObject({ language: "ru" });
    });

    test("has one account, and a good code for each of many who register it at once", async () => {
      const mail = freshMail();
      const accounts = harness.countRows("accounts");
      const codes = harness.countRows("codes");
      const all = Array.from({ length: 8 }, () => send(harness, register.request, { mail, password }));
      expect(await statusesOf(all)).toEqual(Array.from({ length: 8 }, () => 200));
      expect(harness.countRows("accounts")).toBe(accounts + 1);
      expect(harness.countRows("codes")).toBe(codes + 8);
      await play(harness, { ...confirm, json: { code: lastCode(harness, mail) } });
    });
  });
});

describe("POST /api/auth/confirm", () => {
  const wrong = { ...confirm, ...refused, status: 400, msg: /^code: / };
  const good = lastCode(harness, waiting.mail);

  test("marks the address as verified and says where to go on", async () => {
    const mail = freshMail();
    const code = await orderCode(harness, "confirm", mail);
    await play(harness, { ...confirm, json: { code } });
    expect(await accountOf(harness, mail)).toMatchObject({ mailVerified: true });
  });

  test("takes the code however it is written", async () => {
    for (const form of spellings("00000-11111").keys()) {
      const code = await codeWithDigits();
      await play(harness, { ...confirm, name: String(form), json: { code: spellings(code)[form] } });
    }
  });

  test.each(badCodes(good))("refuses %s", (_, code) => play(harness, { ...wrong, json: { code } }));

  test.each(badBodies)("refuses %s", (_, sent, status) =>
    play(harness, { ...confirm, ...refused, ...sent, status }),
  );

  test("refuses a code that was used", async () => {
    const code = await orderCode(harness, "confirm", freshMail());
    await play(harness, { ...confirm, json: { code } });
    await play(harness, { ...wrong, json: { code } });
  });

  test("refuses a code for a reset and one for another mail address", async () => {
    const member = await addMember(harness, freshName());
    const code = await orderCode(harness, "reset", member.mail);
    await play(harness, { ...wrong, json: { code } });
    const mailCode = await orderMailCode(harness, member, freshMail());
    await play(harness, { ...wrong, json: { code: mailCode } });
  });

  test("refuses the code of an account that is gone", async () => {
    const mail = freshMail();
    const code = await orderCode(harness, "confirm", mail);
    await deleteAccount(harness.services, commandLine, mail);
    await play(harness, { ...wrong, json: { code } });
  });

  test("lets one of many win that come at once", async () => {
    const code = await orderCode(harness, "confirm", freshMail());
    const all = Array.from({ length: 8 }, () => send(harness, confirm.request, { code }));
    expect(await statusesOf(all)).toEqual([200, ...Array.from({ length: 7 }, () => 400)]);
  });

  test("takes the code for half an hour and no longer", async () => {
    await using other = await openHarness();
    const code = await orderCode(other, "confirm", "early@example.org");
    const late = await orderCode(other, "confirm", "late@example.org");
    other.clock.advance(30 * 60 - 1);
    await play(other, { ...confirm, json: { code } });
    other.clock.advance(1);
    await play(other, { ...wrong, json: { code: late } });
    const again = await orderCode(other, "confirm", "late@example.org");
    await play(other, { ...confirm, json: { code: again } });
  });

  test("opening the link of the mail uses nothing up", async () => {
    const mail = freshMail();
    const code = await orderCode(harness, "confirm", mail);
    for (const path of [`/confirm?code=${code}`, `/api/auth/confirm?code=${code}`]) await harness.fetch(path);
    await play(harness, { ...confirm, json: { code } });
  });
});

describe("POST /api/home/registerfinish", () => {
  test("makes the player, who keeps the account's uuid, and sets the password", async () => {
    const member = await freshHalf();
    const username = freshName();
    await play(harness, { ...finish, actor: member, json: { username, password } });
    expect(await profileOf(harness, member)).toMatchObject({ Username: username, Uuid: member.uuid });
    expect(await signInStatus(harness, username, password)).toBe(200);
    expect(await signInStatus(harness, member.mail, password)).toBe(200);
    expect(await signInStatus(harness, member.mail, member.password)).toBe(401);
  });

  test("shows the player to the game at once", async () => {
    const member = await freshHalf();
    const username = freshName();
    const statuses = async () => {
      const paths = [`/api/skin/head/${username}`, `/api/skin/launcher/envelope/${member.uuid}`];
      return Promise.all(paths.map(async (path) => (await harness.fetch(path)).status));
    };
    expect(await statuses()).toEqual([404, 404]);
    await play(harness, { ...finish, actor: member, json: { username, password } });
    expect(await statuses()).toEqual([200, 200]);
  });

  test("keeps its session and ends the others, which the old password opened", async () => {
    const member = await freshHalf();
    const other = await signIn(harness, member.mail, member.password);
    await play(harness, { ...finish, actor: member, json: { username: freshName(), password } });
    expect(await homeStatus(harness, member.jwt)).toBe(200);
    expect(await homeStatus(harness, other)).toBe(401);
  });

  test.each([["__proto__"], ["constructor"], ["hasOwnProperty"], ["Null_"], ["007x"]])(
    "takes the name %s",
    async (username) => {
      const member = await freshHalf();
      await play(harness, { ...finish, actor: member, json: { username, password } });
      expect(await profileOf(harness, member)).toMatchObject({ Username: username });
      expect((await harness.fetch(`/api/skin/head/${username}`)).status).toBe(200);
    },
  );

  test.each(badNames)("refuses %s", async (_, username) =>
    play(harness, {
      ...finish,
      actor: halfway,
      json: { username, password },
      status: 400,
      msg: /^username: /,
    }),
  );

  test.each(badPasswords)("refuses a password: %s", async (_, text) =>
    play(harness, {
      ...finish,
      actor: halfway,
      json: { username: "Halfway", password: text },
      status: 400,
      msg: /^password: /,
    }),
  );

  test.each(badBodies)("refuses %s", async (_, sent, status) =>
    play(harness, { ...finish, ...sent, actor: halfway, status }),
  );

  test.each([
    ["as it is", "Alice"],
    ["in another case", "aLICE"],
  ])("refuses a name that is taken, %s", async (_, username) =>
    play(harness, {
      ...finish,
      actor: halfway,
      json: { username, password },
      status: 409,
      msg: /^username: /,
    }),
  );

  test("refuses a name that is held for its former owner", async () => {
    const owner = await addMember(harness, "Formerly");
    const json = { username: "Nowadays", password: owner.password };
    await ask(harness, "PATCH /api/home/edit/username", json, owner);
    await play(harness, {
      ...finish,
      actor: halfway,
      json: { username: "FORMERLY", password },
      status: 409,
      msg: /^username: /,
    });
  });

  test("refuses a second time, and a player", async () => {
    const member = await freshHalf();
    const json = { username: freshName(), password };
    await play(harness, { ...finish, actor: member, json });
    await play(harness, { ...finish, actor: member, json, status: 409 });
    await play(harness, {
      ...finish,
      actor: member,
      json: { username: freshName(), password: "another password" },
      status: 409,
    });
    await play(harness, { ...finish, actor: alice, json: { username: freshName(), password }, status: 409 });
    expect(await signInStatus(harness, member.mail, "another password")).toBe(401);
  });

  test("happens once when it is asked for many times at once", async () => {
    const member = await freshHalf();
    const names = Array.from({ length: 6 }, freshName);
    const all = names.map((username) => edit(harness, member, finish.request, { username, password }));
    expect(await statusesOf(all)).toEqual([200, ...Array.from({ length: 5 }, () => 409)]);
    const { Username } = await profileOf(harness, member);
    const found = names.map(async (name) => (await harness.fetch(`/api/skin/head/${name}`)).status);
    const expected = names.map((name) => (name === Username ? 200 : 404));
    expect(await Promise.all(found)).toEqual(expected);
  });

  test("gives a name to one of many who want it at once, in whatever case", async () => {
    const members = await Promise.all(Array.from({ length: 6 }, freshHalf));
    const all = members.map((member, at) => {
      const username = at % 2 === 0 ? "Wanted" : "wANTED";
      return edit(harness, member, finish.request, { username, password });
    });
    expect(await statusesOf(all)).toEqual([200, ...Array.from({ length: 5 }, () => 409)]);
    expect(harness.takeComplaints()).toEqual([]);
  });

  test("asks for a session before it looks at anything", async () => {
    await play(harness, { ...finish, json: { username: freshName(), password }, status: 401 });
    await play(harness, {
      ...finish,
      body: "{",
      headers: { "content-type": "application/json" },
      status: 401,
    });
  });

  test("refuses the session of an account that is gone", async () => {
    const member = await freshHalf();
    await deleteAccount(harness.services, commandLine, member.mail);
    await play(harness, { ...finish, actor: member, json: { username: freshName(), password }, status: 401 });
  });
});

describe("an unfinished member", () => {
  const forbidden = [
    ["PATCH /api/home/edit/username", { username: "Sooner", password }],
    ["PATCH /api/home/edit/password", { password, newpassword: "a new password" }],
    ["POST /api/home/mail/request", { mail: "sooner@example.org", password }],
    ["POST /api/home/mail/validate", { code: "00000-00000", password }],
  ] as const;
  const table = forbidden.flatMap(([request, json]) => [
    [request, json],
    [`${request} with a faulty body`, {}],
  ]) as readonly (readonly [string, object])[];

  test.each(table)("may not %s", async (request, json) =>
    play(harness, {
      name: "",
      request: request.replace(" with a faulty body", ""),
      actor: unfinished,
      json,
      status: 403,
    }),
  );

  test.each([["GET /api/home/sessions"], [`DELETE /api/home/sessions/00000000-0000-4000-8000-000000000000`]])(
    "may not %s",
    async (request) => play(harness, { name: "", request, actor: unfinished, status: 403 }),
  );

  test("may read the profile, which is empty", async () => {
    const profile = await profileOf(harness, unfinished);
    expect(profile).toMatchObject({ Username: "", Skin: [], Capes: [], Mail_verification: 1 });
  });

  test("who never confirmed cannot sign in, with the right password", async () => {
    await play(harness, {
      name: "",
      request: "POST /api/auth/login",
      json: { username: waiting.mail, password: waiting.password },
      status: 403,
      msg: /mail/i,
    });
  });
});

test("the whole way: register, confirm, sign in by mail, finish, sign in by name, sign out", async () => {
  await using other = await openHarness();
  const mail = "Anna@example.org";
  await play(other, { ...register, json: { mail, password }, mails: [confirmation(mail)] });
  await play(other, { ...confirm, json: { code: lastCode(other, mail) } });
  const login = {
    name: "",
    request: "POST /api/auth/login",
    status: 200,
    data: { jwt: expect.any(String) },
  };
  const byMail = { ...login, json: { username: "anna@example.org", password } };
  await play(other, { ...byMail, url: `${siteUrl}/registerfinish` });
  const member = await memberOf(other, mail);
  const { Uuid } = await profileOf(other, member);
  const second = "another password, chosen later";
  await play(other, { ...finish, actor: member, json: { username: "Anna", password: second } });
  await play(other, { ...login, json: { username: "anna", password: second } });
  const profile = { Username: "Anna", Uuid, Mail: mail, PermLvl: 1, Mail_verification: 1 };
  expect(await profileOf(other, member)).toMatchObject(profile);
  await play(other, {
    name: "",
    request: "POST /api/auth/logout",
    actor: member,
    status: 200,
    data: {},
  });
  expect(await homeStatus(other, member.jwt)).toBe(401);
  expect(other.countRows("accounts")).toBe(1);
  expect(other.countRows("codes")).toBe(0);
});

test("a member whom an operator made goes on like any other", async () => {
  const mail = freshMail();
  const input = { mail, username: null, password, level: 1, mailVerified: true } as const;
  await createAccount(harness.services, commandLine, input);
  const member = await memberOf(harness, mail);
  await play(harness, { ...finish, actor: member, json: { username: freshName(), password } });
});

async function memberOf(where: Harness, mail: string): Promise<Member> {
  const account = await accountOf(where, mail.toLowerCase());
  const jwt = await signIn(where, mail, password);
  return { account, uuid: account.uuid, mail, name: "", password, jwt, authorization: `Bearer ${jwt}` };
}

/** A code with a 0 and a 1 in it, which can be taken for letters. */
async function codeWithDigits(): Promise<string> {
  const mail = freshMail();
  for (;;) {
    const code = await orderCode(harness, "confirm", mail);
    if (/[01]/.test(code)) return code;
  }
}
