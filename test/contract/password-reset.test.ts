/** Password reset (docs/contract/auth.md#password-reset). */
import { afterAll, describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { deleteAccount, updateUser } from "../../src/domain/members/administer.ts";
import { openHarness, siteUrl } from "../support/harness.ts";
import { addMember, edit, signIn, type NewMember } from "../support/members.ts";
import {
  accountOf,
  ask,
  asked,
  badBodies,
  badCodes,
  badMails,
  badPasswords,
  codePattern,
  homeStatus,
  lastCode,
  lastMail,
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
const password = "a password that will do";
let count = 0;
const someone = (options: NewMember = {}) => addMember(harness, `Member${(count += 1)}`, options);

const forget: Scenario = {
  name: "",
  request: "POST /api/auth/forgetpass",
  status: 200,
  url: `${siteUrl}/resetpassword`,
  data: {},
};
const validate: Scenario = { name: "", request: "POST /api/auth/forgetpass/validate", status: 204 };
const update: Scenario = { name: "", request: "POST /api/auth/forgetpass/update", status: 200, data: {} };
const wrongCode = { status: 400, msg: /^code: /, data: {} } as const;

function resetMail(to: string, username: string, language = "en") {
  const code = expect.stringMatching(codePattern);
  const link = expect.stringMatching(
    /^https:\/\/www\.example\.org\/resetpassword\?code=[0-9A-Z]{5}-[0-9A-Z]{5}$/,
  );
  return { to, language, mail: { template: "reset", username, code, link, ...asked } };
}

function notice(to: string, username: string) {
  return { to, language: "en", mail: { template: "password-changed", username } };
}

describe("POST /api/auth/forgetpass", () => {
  test("mails a code and says where to go on; nothing else changes", async () => {
    const member = await someone();
    const mails = [resetMail(member.mail, member.name)];
    await play(harness, {
      ...forget,
      json: { mail: member.mail },
      mails,
      hasNot: [member.name, member.uuid],
    });
    const code = lastCode(harness, member.mail);
    expect(lastMail(harness, member.mail)).toMatchObject({ link: `${siteUrl}/resetpassword?code=${code}` });
    expect(await signInStatus(harness, member.name, member.password)).toBe(200);
    expect(await homeStatus(harness, member.jwt)).toBe(200);
  });

  test("writes to the address as its owner wrote it", async () => {
    const member = await someone();
    const mails = [resetMail(member.mail, member.name)];
    await play(harness, { ...forget, json: { mail: member.mail.toUpperCase() }, mails });
  });

  test("writes in the account's language, whatever the request's", async () => {
    const mail = "ivan@example.org";
    const russian = { "accept-language": "ru" };
    await send(harness, "POST /api/auth/register", { mail, password }, russian);
    await ask(harness, "POST /api/auth/confirm", { code: lastCode(harness, mail) });
    const mails = [resetMail(mail, "", "ru")];
    await play(harness, { ...forget, json: { mail }, headers: { "accept-language": "en" }, mails });
  });

  test.each([
    ["an unknown address", "nobody@example.org"],
    ["another's address with a dot", "Ali.ce@example.org"],
    ["another's address with a plus", "Alice+x@example.org"],
  ])("refuses %s in the contract's words", (_, mail) =>
    play(harness, { ...forget, url: null, json: { mail }, status: 400, msg: "Invalid email or password" }),
  );

  test.each(badMails)("refuses %s", (_, mail) =>
    play(harness, {
      ...forget,
      url: null,
      json: { mail },
      status: 400,
      msg: /^mail: |^Invalid email or password$/,
    }),
  );

  test("refuses a username, which is no mail address", () =>
    play(harness, { ...forget, url: null, json: { mail: "Alice" }, status: 400, hasNot: ["Alice"] }));

  test.each(badBodies)("refuses %s", (_, sent, status) =>
    play(harness, { ...forget, url: null, ...sent, status }),
  );
});

describe("POST /api/auth/forgetpass/validate", () => {
  const good = orderCode(harness, "reset", alice.mail);

  test("says nothing and uses nothing up, however often and however the code is written", async () => {
    const code = await orderCode(harness, "reset", (await someone()).mail);
    const before = harness.database.everything();
    for (const spelling of [code, code, ...spellings(code)]) {
      await play(harness, { ...validate, json: { code: spelling } });
    }
    expect(harness.database.everything()).toEqual(before);
    await play(harness, { ...update, json: { code, password }, mails: [expect.anything()] });
  });

  test.each(badCodes("00000-00000"))("refuses %s", (_, code) =>
    play(harness, { ...validate, ...wrongCode, json: { code } }),
  );

  test("refuses a code that is almost right", async () => {
    for (const [, code] of badCodes(await good)) {
      await play(harness, { ...validate, ...wrongCode, json: { code } });
    }
  });

  test.each(badBodies)("refuses %s", (_, sent, status) => play(harness, { ...validate, ...sent, status }));
});

describe("POST /api/auth/forgetpass/update", () => {
  test("sets the password, ends every session, and mails a notice", async () => {
    const member = await someone();
    const second = await signIn(harness, member.name, member.password);
    const code = await orderCode(harness, "reset", member.mail);
    await play(harness, { ...update, json: { code, password }, mails: [notice(member.mail, member.name)] });
    expect([await homeStatus(harness, member.jwt), await homeStatus(harness, second)]).toEqual([401, 401]);
    expect(await signInStatus(harness, member.name, member.password)).toBe(401);
    expect(await signInStatus(harness, member.name, password)).toBe(200);
  });

  test("leaves everybody else alone", async () => {
    const [one, two] = [await someone(), await someone()];
    const theirs = await orderCode(harness, "reset", two.mail);
    await ask(harness, update.request, { code: await orderCode(harness, "reset", one.mail), password });
    expect(await homeStatus(harness, two.jwt)).toBe(200);
    expect(await signInStatus(harness, two.name, two.password)).toBe(200);
    await play(harness, { ...validate, json: { code: theirs } });
  });

  test("takes the code however it is written", async () => {
    const { mail } = await someone();
    for (const form of spellings("00000-11111").keys()) {
      const code = await orderCode(harness, "reset", mail);
      await ask(harness, update.request, { code: spellings(code)[form], password });
    }
  });

  test("refuses a code that was used", async () => {
    const member = await someone();
    const code = await orderCode(harness, "reset", member.mail);
    await ask(harness, update.request, { code, password });
    await play(harness, { ...update, ...wrongCode, json: { code, password: "another password" } });
    await play(harness, { ...validate, ...wrongCode, json: { code } });
    expect(await signInStatus(harness, member.name, password)).toBe(200);
  });

  test("refuses a code that a newer one has replaced", async () => {
    const { mail } = await someone();
    const first = await orderCode(harness, "reset", mail);
    const second = await orderCode(harness, "reset", mail);
    await play(harness, { ...validate, ...wrongCode, json: { code: first } });
    await play(harness, { ...update, ...wrongCode, json: { code: first, password } });
    await ask(harness, update.request, { code: second, password });
  });

  test("refuses codes of other purposes, which stay good", async () => {
    const member = await someone();
    const mailCode = await orderMailCode(harness, member, "elsewhere@example.org");
    await play(harness, { ...validate, ...wrongCode, json: { code: mailCode } });
    await play(harness, { ...update, ...wrongCode, json: { code: mailCode, password } });
    await ask(harness, "POST /api/home/mail/validate", { code: mailCode, password: member.password }, member);
  });

  test("takes the code of a registration, which it uses up", async () => {
    const mail = "registered@example.org";
    const code = await orderCode(harness, "confirm", mail);
    await play(harness, { ...validate, json: { code } });
    await play(harness, { ...update, json: { code, password }, mails: [notice(mail, "")] });
    expect(await accountOf(harness, mail)).toMatchObject({ mailVerified: true, registration: "unnamed" });
    expect(await signInStatus(harness, mail, password)).toBe(200);
    await play(harness, { ...update, ...wrongCode, json: { code, password } });
    expect((await send(harness, "POST /api/auth/confirm", { code })).status).toBe(400);
  });

  test("takes the code for half an hour and no longer", async () => {
    await using other = await openHarness();
    const { mail, name } = await addMember(other, "Alice");
    const early = await orderCode(other, "reset", mail);
    other.clock.advance(30 * 60 - 1);
    await play(other, { ...validate, json: { code: early } });
    await play(other, { ...update, json: { code: early, password }, mails: [notice(mail, name)] });
    const late = await orderCode(other, "reset", mail);
    other.clock.advance(30 * 60);
    await play(other, { ...validate, ...wrongCode, json: { code: late } });
    await play(other, { ...update, ...wrongCode, json: { code: late, password: "another password" } });
    expect(await signInStatus(other, "Alice", password)).toBe(200);
  });

  test("lets one of many win that come at once, and theirs is the password", async () => {
    const member = await someone();
    const code = await orderCode(harness, "reset", member.mail);
    const passwords = Array.from({ length: 6 }, (_, at) => `the password number ${at}`);
    const answers = await Promise.all(
      passwords.map((one) => send(harness, update.request, { code, password: one })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400, 400, 400]);
    const expected = statuses.map((status) => (status === 200 ? 200 : 401));
    const found = passwords.map((one) => signInStatus(harness, member.name, one));
    expect(await Promise.all(found)).toEqual(expected);
    const notices = harness.database.mails().filter((mail) => mail.to === member.mail);
    expect(notices.map(({ mail }) => mail.template)).toEqual(["reset", "password-changed"]);
  });

  test.each(badCodes("00000-00000"))("refuses %s", (_, code) =>
    play(harness, { ...update, ...wrongCode, json: { code, password } }),
  );

  test.each(badPasswords)("refuses a password, and leaves the code good: %s", async (_, text) => {
    const member = await someone();
    const code = await orderCode(harness, "reset", member.mail);
    await play(harness, { ...update, json: { code, password: text }, status: 400, msg: /^password: / });
    expect(await homeStatus(harness, member.jwt)).toBe(200);
    await play(harness, { ...validate, json: { code } });
  });

  test("brings the password into one form of Unicode", async () => {
    const { mail } = await someone();
    const code = await orderCode(harness, "reset", mail);
    await ask(harness, update.request, { code, password: "e\u0301".repeat(8) });
    expect(await signInStatus(harness, mail, "é".repeat(8))).toBe(200);
  });

  test.each(badBodies)("refuses %s", (_, sent, status) => play(harness, { ...update, ...sent, status }));

  test("proves the address", async () => {
    const member = await someone({ mailVerified: false });
    const code = await orderCode(harness, "reset", member.mail);
    await ask(harness, update.request, { code, password });
    expect(await accountOf(harness, member.mail.toLowerCase())).toMatchObject({ mailVerified: true });
  });

  test("helps a member who has not finished, too", async () => {
    const mail = "forgetful@example.org";
    await orderCode(harness, "confirm", mail, "a password that is forgotten");
    const code = await orderCode(harness, "reset", mail);
    await ask(harness, update.request, { code, password });
    await play(harness, {
      name: "",
      request: "POST /api/auth/login",
      json: { username: mail, password },
      status: 200,
      url: `${siteUrl}/registerfinish`,
    });
  });

  test("makes the codes worthless that were on their way", async () => {
    const member = await someone();
    const mailCode = await orderMailCode(harness, member, "thief@example.net");
    await ask(harness, update.request, { code: await orderCode(harness, "reset", member.mail), password });
    const jwt = await signIn(harness, member.name, password);
    const again = { ...member, jwt, password, authorization: `Bearer ${jwt}` };
    await play(harness, {
      name: "",
      request: "POST /api/home/mail/validate",
      actor: again,
      json: { code: mailCode, password },
      status: 400,
      msg: /^Mail change failed: code: /,
    });
    expect(await profileOf(harness, again)).toMatchObject({ Mail: member.mail });
  });
});

const spent = async (code: string) => {
  await play(harness, { ...validate, ...wrongCode, json: { code } });
  await play(harness, { ...update, ...wrongCode, json: { code, password: "the thief's password" } });
};

describe("a reset code is worth nothing any more", () => {
  test("when the member changes the password", async () => {
    const member = await someone();
    const code = await orderCode(harness, "reset", member.mail);
    const json = { password: member.password, newpassword: password };
    await ask(harness, "PATCH /api/home/edit/password", json, member);
    await spent(code);
  });

  test("when the mail address it went to is the member's no longer", async () => {
    const member = await someone();
    const code = await orderCode(harness, "reset", member.mail);
    const mailCode = await orderMailCode(harness, member, "moved@example.org");
    const json = { code: mailCode, password: member.password };
    await ask(harness, "POST /api/home/mail/validate", json, member);
    await spent(code);
    expect((await send(harness, forget.request, { mail: member.mail })).status).toBe(400);
  });

  test("when the account is gone", async () => {
    const member = await someone();
    const code = await orderCode(harness, "reset", member.mail);
    await deleteAccount(harness.services, commandLine, member.name);
    await spent(code);
  });

  test("when an operator sets the password", async () => {
    const member = await someone();
    const code = await orderCode(harness, "reset", member.mail);
    await updateUser(harness.services, commandLine, { identifier: member.name, change: { password } });
    await spent(code);
    expect(await signInStatus(harness, member.name, password)).toBe(200);
  });
});

test("a reset and a change of password at once leave one of the two passwords", async () => {
  const member = await someone();
  const code = await orderCode(harness, "reset", member.mail);
  const [reset, change] = ["the password of the reset", "the password of the change"] as const;
  await statusesOf([
    send(harness, update.request, { code, password: reset }),
    edit(harness, member, "PATCH /api/home/edit/password", {
      password: member.password,
      newpassword: change,
    }),
  ]);
  const statuses = [reset, change, member.password].map((one) => signInStatus(harness, member.name, one));
  expect((await Promise.all(statuses)).toSorted((a, b) => a - b)).toEqual([200, 401, 401]);
  expect(harness.takeComplaints()).toEqual([]);
});
