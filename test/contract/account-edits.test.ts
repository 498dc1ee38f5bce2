/**
 * Changes of name, password and mail address (docs/contract/home.md#edits, docs/contract/auth.md#passwords).
 */
import { afterAll, describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { deleteAccount } from "../../src/domain/members/administer.ts";
import { createAccount } from "../../src/domain/accounts/create-account.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, addSkin, edit, signIn, type Member } from "../support/members.ts";
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
const bob = await addMember(harness, "Bob");
const password = "a password that will do";
let count = 0;
const freshName = () => `Fresh${(count += 1)}`;
const freshMail = () => `fresh${(count += 1)}@example.net`;
const someone = () => addMember(harness, freshName());
const day = 24 * 60 * 60;

const rename: Scenario = {
  name: "",
  request: "PATCH /api/home/edit/username",
  status: 200,
  msg: "Username change successfully",
  data: {},
};
const repass: Scenario = {
  name: "",
  request: "PATCH /api/home/edit/password",
  status: 200,
  msg: "Password change successfully",
  data: {},
};
const request: Scenario = {
  name: "",
  request: "POST /api/home/mail/request",
  status: 200,
  msg: /successfully$/,
  data: {},
};
const validate: Scenario = {
  name: "",
  request: "POST /api/home/mail/validate",
  status: 200,
  msg: "Mail change successfully",
  data: {},
};

const edits = [
  [rename, "Username change", { username: "Another", password }],
  [repass, "Password change", { newpassword: "another password", password }],
  [request, "Mail change request", { mail: "another@example.net", password }],
  [validate, "Mail change", { code: "00000-00000", password }],
] as const;

function renameTo(where: Harness, member: Member, username: string): Promise<Response> {
  return edit(where, member, rename.request, { username, password: member.password });
}

async function headStatus(name: string, where = harness): Promise<number> {
  return (await where.fetch(`/api/skin/head/${name}?size=8`)).status;
}

describe.each(edits)("$request", (scenario, action, json) => {
  test("asks for a session before it looks at anything", async () => {
    await play(harness, { ...scenario, json, status: 401, msg: /./ });
    const headers = { "content-type": "application/json" };
    await play(harness, { ...scenario, body: "{", headers, status: 401, msg: /./ });
  });

  test.each([
    ["none", undefined],
    ["null", null],
    ["a number", 12345678],
    ["a list", [alice.password]],
    ["an empty one", ""],
    ["a wrong one", "not the password"],
    ["another member's", bob.password],
    ["the right one with a blank", `${alice.password} `],
    ["one of 7 kB", "x".repeat(7000)],
  ])("refuses a current password: %s", (_, wrong) =>
    play(harness, {
      ...scenario,
      actor: alice,
      json: { ...json, password: wrong },
      status: 400,
      msg: new RegExp(`^${action} failed: password: `),
    }),
  );

  test.each(badBodies)("answers %s with a 400 that names the action", (_, sent) =>
    play(harness, {
      ...scenario,
      actor: alice,
      ...sent,
      status: 400,
      msg: new RegExp(`^${action} failed: `),
    }),
  );

  test("refuses the session of an account that is gone", async () => {
    const member = await someone();
    await deleteAccount(harness.services, commandLine, member.name);
    await play(harness, { ...scenario, actor: member, json, status: 401, msg: /./ });
  });
});

describe("PATCH /api/home/edit/username", () => {
  test("gives the player another name; uuid, skins and sessions stay", async () => {
    const member = await someone();
    const skin = await addSkin(harness, member, {});
    const other = await signIn(harness, member.name, member.password);
    const username = freshName();
    await play(harness, { ...rename, actor: member, json: { username, password: member.password } });
    const profile = { Username: username, Uuid: member.uuid, Selected_Skin: skin };
    expect(await profileOf(harness, member)).toMatchObject(profile);
    expect(await homeStatus(harness, other)).toBe(200);
    expect(await signInStatus(harness, username, member.password)).toBe(200);
    expect(await signInStatus(harness, member.name, member.password)).toBe(401);
  });

  test("is seen by the game at once, also where the old answer was ready", async () => {
    const member = await someone();
    await addSkin(harness, member, {});
    const username = freshName();
    const seen = async () => {
      const paths = [member.name, username, member.uuid].map((one) => headStatus(one));
      const response = await harness.fetch(`/api/skin/launcher/envelope/${member.uuid}`);
      const { data } = await readJson<Envelope<{ username: string }>>(response);
      return { statuses: await Promise.all(paths), username: data.username };
    };
    for (let time = 0; time < 3; time++) {
      expect(await seen()).toEqual({ statuses: [200, 404, 200], username: member.name });
    }
    await renameTo(harness, member, username);
    expect(await seen()).toEqual({ statuses: [404, 200, 200], username });
  });

  test("may change the case alone, and nothing at all", async () => {
    const member = await someone();
    const json = { username: member.name.toUpperCase(), password: member.password };
    await play(harness, { ...rename, actor: member, json });
    expect(await profileOf(harness, member)).toMatchObject({ Username: member.name.toUpperCase() });
    await play(harness, { ...rename, actor: member, json });
    expect(await signInStatus(harness, member.name, member.password)).toBe(200);
  });

  test.each(badNames)("refuses %s", (_, username) =>
    play(harness, {
      ...rename,
      actor: alice,
      json: { username, password: alice.password },
      status: 400,
      msg: /^Username change failed: username: /,
    }),
  );

  test.each([
    ["as it is", "Bob"],
    ["in another case", "bOB"],
  ])("refuses a name that is taken, %s", (_, username) =>
    play(harness, {
      ...rename,
      actor: alice,
      json: { username, password: alice.password },
      status: 400,
      msg: /^Username change failed: username: /,
      hasNot: [bob.uuid, bob.mail],
    }),
  );

  test("gives a name to one of many who want it at once, in whatever case", async () => {
    const members = await Promise.all(Array.from({ length: 6 }, someone));
    const all = members.map((member, at) => renameTo(harness, member, at % 2 === 0 ? "Wanted" : "wANTED"));
    expect(await statusesOf(all)).toEqual([200, 400, 400, 400, 400, 400]);
    const names = await Promise.all(members.map((member) => profileOf(harness, member)));
    const wanted = names.filter(({ Username }) => String(Username).toLowerCase() === "wanted");
    expect(wanted).toHaveLength(1);
    expect(harness.takeComplaints()).toEqual([]);
  });

  test("and who finishes a registration do not get the same name", async () => {
    const member = await someone();
    const half = await addMember(harness, "halfway", { finished: false });
    const finish = { username: "Contested", password };
    const [renamed, finished] = await Promise.all([
      renameTo(harness, member, "contested"),
      edit(harness, half, "POST /api/home/registerfinish", finish),
    ]);
    expect([
      [200, 409],
      [400, 200],
    ]).toContainEqual([renamed.status, finished.status]);
  });

  test("many times at once leaves one name, and holds the rest for their owner", async () => {
    const member = await someone();
    const names = Array.from({ length: 3 }, freshName);
    expect(await statusesOf(names.map((name) => renameTo(harness, member, name)))).toEqual(
      names.map(() => 200),
    );
    const { Username } = await profileOf(harness, member);
    for (const name of [member.name, ...names]) {
      expect(await headStatus(name)).toBe(name === Username ? 200 : 404);
      expect((await renameTo(harness, alice, name)).status).toBe(400);
    }
  });
});

describe("a name that was given up", () => {
  const held = { status: 400, msg: /^Username change failed: username: /, hasNot: ["uuid"] } as const;

  test("is refused to others for 30 days, in whatever case", async () => {
    await using other = await openHarness();
    await renameTo(other, await addMember(other, "Former"), "Present");
    const refused = async () => {
      const eve = await addMember(other, `Eve${(count += 1)}`);
      for (const username of ["Former", "fORMER"]) {
        const json = { username, password: eve.password };
        await play(other, { ...rename, ...held, actor: eve, json });
      }
      return eve;
    };
    await refused();
    other.clock.advance(30 * day - 1);
    const eve = await refused();
    other.clock.advance(1);
    expect((await renameTo(other, eve, "Former")).status).toBe(200);
  });

  test("can be taken back by its former owner, and is then held for another 30 days", async () => {
    await using other = await openHarness();
    const owner = await addMember(other, "Former");
    await renameTo(other, owner, "Present");
    other.clock.advance(day / 2);
    expect((await renameTo(other, owner, "former")).status).toBe(200);
    expect(await profileOf(other, owner)).toMatchObject({ Username: "former" });
    await renameTo(other, owner, "Present");
    other.clock.advance(30 * day - 1);
    const eve = await addMember(other, "Eve");
    expect((await renameTo(other, eve, "Former")).status).toBe(400);
    other.clock.advance(1);
    expect((await renameTo(other, eve, "Former")).status).toBe(200);
  });

  test("stays held after the next change", async () => {
    const member = await someone();
    const names = [member.name, freshName(), freshName()];
    for (const name of names.slice(1)) await renameTo(harness, member, name);
    for (const username of names.slice(0, 2)) {
      const json = { username, password: alice.password };
      await play(harness, { ...rename, ...held, actor: alice, json });
    }
  });

  test("is held for its former owner also when the names look alike", async () => {
    const [one, two] = [await someone(), await someone()];
    await renameTo(harness, one, freshName());
    await renameTo(harness, two, freshName());
    expect((await renameTo(harness, one, two.name)).status).toBe(400);
    expect((await renameTo(harness, two, two.name)).status).toBe(200);
  });

  test("is held, too, when its account is deleted", async () => {
    await using other = await openHarness();
    await addMember(other, "Deleted");
    await deleteAccount(other.services, commandLine, "Deleted");
    const json = { username: "deleted", password };
    const half = await addMember(other, "half", { finished: false });
    const finish = { name: "", request: "POST /api/home/registerfinish", json } as const;
    await play(other, { ...finish, actor: half, status: 409, msg: /^username: / });
    const input = { ...json, mail: "new@example.org", level: 1, mailVerified: true } as const;
    const created = createAccount(other.services, commandLine, input);
    expect(await created.catch((error: unknown) => error)).toMatchObject({ kind: "conflict" });
    other.clock.advance(30 * day);
    const late = await addMember(other, "late", { finished: false });
    await play(other, { ...finish, actor: late, status: 200 });
  });

  test.each([
    ["0", 0],
    ["1", day],
    ["400", 400 * day],
  ])("is held for as long as the operator says: %s days", async (days, seconds) => {
    await using other = await openHarness({ settings: { NAME_HOLD_DAYS: days } });
    await renameTo(other, await addMember(other, "Former"), "Present");
    if (seconds > 0) {
      other.clock.advance(seconds - 1);
      expect((await renameTo(other, await addMember(other, "Early"), "Former")).status).toBe(400);
      other.clock.advance(1);
    }
    expect((await renameTo(other, await addMember(other, "Late"), "Former")).status).toBe(200);
  });
});

const passwordNotice = ({ mail, name }: Member) => [
  { to: mail, language: "en", mail: { template: "password-changed", username: name } },
];

describe("PATCH /api/home/edit/password", () => {
  test("sets the password, ends every other session, and mails a passwordNotice", async () => {
    const member = await someone();
    const other = await signIn(harness, member.name, member.password);
    const json = { password: member.password, newpassword: password };
    await play(harness, { ...repass, actor: member, json, mails: passwordNotice(member) });
    expect(await homeStatus(harness, member.jwt)).toBe(200);
    expect(await homeStatus(harness, other)).toBe(401);
    expect(await signInStatus(harness, member.name, member.password)).toBe(401);
    expect(await signInStatus(harness, member.name, password)).toBe(200);
  });

  test("takes the current password as another keyboard types it", async () => {
    const member = await someone();
    const [typed, normal] = ["e\u0301".repeat(8), "é".repeat(8)];
    const first = { password: member.password, newpassword: typed };
    await play(harness, { ...repass, actor: member, json: first, mails: passwordNotice(member) });
    const second = { password: normal, newpassword: password };
    await play(harness, { ...repass, actor: member, json: second, mails: passwordNotice(member) });
  });

  test.each(badPasswords)("refuses a new password: %s", (_, newpassword) =>
    play(harness, {
      ...repass,
      actor: alice,
      json: { password: alice.password, newpassword },
      status: 400,
      msg: /^Password change failed: newpassword: /,
    }),
  );

  test("lets one of many win that come at once with the old password", async () => {
    const member = await someone();
    const passwords = Array.from({ length: 5 }, (_, at) => `the password number ${at}`);
    const answers = await Promise.all(
      passwords.map((newpassword) =>
        edit(harness, member, repass.request, { password: member.password, newpassword }),
      ),
    );
    const won = answers.map(({ status }) => status === 200);
    expect(won.filter(Boolean)).toHaveLength(1);
    const found = passwords.map((one) => signInStatus(harness, member.name, one));
    expect(await Promise.all(found)).toEqual(won.map((one) => (one ? 200 : 401)));
    expect(harness.takeComplaints()).toEqual([]);
  });
});

const mailCodeLetter = (to: string, username: string) => ({
  to,
  language: "en",
  mail: {
    template: "change-mail",
    username,
    code: expect.stringMatching(codePattern),
    link: expect.stringMatching(/^https:\/\/www\.example\.org\/home\/mail\?code=[0-9A-Z]{5}-[0-9A-Z]{5}$/),
    ...asked,
  },
});

describe("POST /api/home/mail/request", () => {
  test("mails a code to the new address, and changes nothing", async () => {
    const member = await someone();
    const mail = freshMail();
    const json = { mail, password: member.password };
    await play(harness, { ...request, actor: member, json, mails: [mailCodeLetter(mail, member.name)] });
    expect(lastMail(harness, mail)).toMatchObject({
      link: expect.stringContaining(lastCode(harness, mail)),
    });
    expect(await profileOf(harness, member)).toMatchObject({ Mail: member.mail, Mail_verification: 1 });
    expect(await signInStatus(harness, mail, member.password)).toBe(401);
  });

  test("confirms an address that an account has without a confirmation, as from another system", async () => {
    const member = await addMember(harness, `Came${freshMail().length}`, { mailVerified: false });
    const { mail, password } = member;
    const json = { mail, password };
    await play(harness, { ...request, actor: member, json, mails: [mailCodeLetter(mail, member.name)] });
    const code = lastCode(harness, mail);
    await play(harness, { ...validate, actor: member, json: { code, password }, mails: [] });
    expect(await profileOf(harness, member)).toMatchObject({ Mail: mail, Mail_verification: 1 });
    await play(harness, {
      ...request,
      actor: member,
      json,
      status: 400,
      msg: /is your address already$/,
      data: {},
    });
  });

  test.each(badMails)("refuses %s", (_, mail) =>
    play(harness, {
      ...request,
      actor: alice,
      json: { mail, password: alice.password },
      status: 400,
      msg: /^Mail change request failed: mail: /,
    }),
  );

  test.each([
    ["their own address", alice.mail],
    ["their own address in another case", alice.mail.toUpperCase()],
    ["another's address", bob.mail],
    ["another's address in another case", bob.mail.toUpperCase()],
  ])("refuses %s", (_, mail) =>
    play(harness, {
      ...request,
      actor: alice,
      json: { mail, password: alice.password },
      status: 400,
      msg: /^Mail change request failed: mail: /,
      hasNot: [bob.uuid],
    }),
  );
});

const mailNotice = (to: string, username: string, newMail: string) => ({
  to,
  language: "en",
  mail: { template: "mail-changed", username, newMail },
});

describe("POST /api/home/mail/validate", () => {
  const wrong = { status: 400, msg: /^Mail change failed: code: / } as const;

  test("sets the address, ends every other session, and notifies the old address", async () => {
    const member = await someone();
    const other = await signIn(harness, member.name, member.password);
    const mail = freshMail();
    const code = await orderMailCode(harness, member, mail);
    const json = { code, password: member.password };
    const mails = [mailNotice(member.mail, member.name, mail)];
    await play(harness, { ...validate, actor: member, json, mails });
    expect(await profileOf(harness, member)).toMatchObject({ Mail: mail, Mail_verification: 1 });
    expect(await homeStatus(harness, member.jwt)).toBe(200);
    expect(await homeStatus(harness, other)).toBe(401);
    expect(await signInStatus(harness, mail, member.password)).toBe(200);
    expect(await signInStatus(harness, member.mail, member.password)).toBe(401);
    expect((await send(harness, "POST /api/auth/forgetpass", { mail: member.mail })).status).toBe(400);
  });

  test("verifies an address that was not", async () => {
    const member = await addMember(harness, freshName(), { mailVerified: false });
    const code = await orderMailCode(harness, member, freshMail());
    await ask(harness, validate.request, { code, password: member.password }, member);
    expect(await profileOf(harness, member)).toMatchObject({ Mail_verification: 1 });
  });

  test("frees the old address for others", async () => {
    const member = await someone();
    const code = await orderMailCode(harness, member, freshMail());
    await ask(harness, validate.request, { code, password: member.password }, member);
    await orderCode(harness, "confirm", member.mail);
    expect((await accountOf(harness, member.mail.toLowerCase())).id).not.toBe(member.account.id);
  });

  test("takes the code however it is written", async () => {
    const member = await someone();
    for (const form of spellings("00000-11111").keys()) {
      const code = await orderMailCode(harness, member, freshMail());
      const json = { code: spellings(code)[form], password: member.password };
      await ask(harness, validate.request, json, member);
    }
  });

  test.each(badCodes("00000-00000"))("refuses %s", (_, code) =>
    play(harness, { ...validate, ...wrong, actor: alice, json: { code, password: alice.password } }),
  );

  test("refuses a code that was used, and one that a newer one has replaced", async () => {
    const member = await someone();
    const [first, mail] = [freshMail(), freshMail()];
    const old = await orderMailCode(harness, member, first);
    const code = await orderMailCode(harness, member, mail);
    const stale = { code: old, password: member.password };
    await play(harness, { ...validate, ...wrong, actor: member, json: stale });
    const json = { code, password: member.password };
    await ask(harness, validate.request, json, member);
    await play(harness, { ...validate, ...wrong, actor: member, json });
    expect(await profileOf(harness, member)).toMatchObject({ Mail: mail });
  });

  test("refuses another member's code, which stays good for them", async () => {
    const [owner, thief] = [await someone(), await someone()];
    const mail = freshMail();
    const code = await orderMailCode(harness, owner, mail);
    const json = { code, password: thief.password };
    await play(harness, { ...validate, ...wrong, actor: thief, json, hasNot: [mail, owner.name] });
    await ask(harness, validate.request, { code, password: owner.password }, owner);
    expect(await profileOf(harness, owner)).toMatchObject({ Mail: mail });
  });

  test("refuses codes of other purposes", async () => {
    const member = await someone();
    const reset = await orderCode(harness, "reset", member.mail);
    const confirm = await orderCode(harness, "confirm", freshMail());
    for (const code of [reset, confirm]) {
      const json = { code, password: member.password };
      await play(harness, { ...validate, ...wrong, actor: member, json });
    }
    expect((await send(harness, "POST /api/auth/forgetpass/validate", { code: reset })).status).toBe(204);
  });

  test("leaves the code good when the current password is wrong", async () => {
    const member = await someone();
    const code = await orderMailCode(harness, member, freshMail());
    await play(harness, {
      ...validate,
      actor: member,
      json: { code, password: "not the password" },
      status: 400,
      msg: /^Mail change failed: password: /,
    });
    await ask(harness, validate.request, { code, password: member.password }, member);
  });

  test("takes the code for half an hour and no longer", async () => {
    await using other = await openHarness();
    const member = await addMember(other, "Alice");
    const late = await orderMailCode(other, member, "late@example.net");
    other.clock.advance(30 * 60);
    const json = { code: late, password: member.password };
    await play(other, { ...validate, ...wrong, actor: member, json });
    const code = await orderMailCode(other, member, "early@example.net");
    other.clock.advance(30 * 60 - 1);
    await ask(other, validate.request, { code, password: member.password }, member);
  });

  test("refuses an address that has become somebody's meanwhile, and stays as it was", async () => {
    const [one, two] = [await someone(), await someone()];
    const mail = freshMail();
    const [first, second] = [
      await orderMailCode(harness, one, mail),
      await orderMailCode(harness, two, mail),
    ];
    await ask(harness, validate.request, { code: first, password: one.password }, one);
    await play(harness, {
      ...validate,
      actor: two,
      json: { code: second, password: two.password },
      status: 400,
      msg: /^Mail change failed: mail: /,
    });
    expect(await profileOf(harness, two)).toMatchObject({ Mail: two.mail });
  });

  test("gives an address to one of many who want it at once", async () => {
    const mail = freshMail();
    const members = await Promise.all(Array.from({ length: 4 }, someone));
    const codes: string[] = [];
    for (const member of members) codes.push(await orderMailCode(harness, member, mail));
    const all = members.map((member, at) =>
      edit(harness, member, validate.request, { code: codes[at], password: member.password }),
    );
    expect(await statusesOf(all)).toEqual([200, 400, 400, 400]);
    expect(harness.takeComplaints()).toEqual([]);
  });

  test("lets one of many win that come at once with one code", async () => {
    const member = await someone();
    const mail = freshMail();
    const code = await orderMailCode(harness, member, mail);
    const all = Array.from({ length: 6 }, () =>
      edit(harness, member, validate.request, { code, password: member.password }),
    );
    expect(await statusesOf(all)).toEqual([200, 400, 400, 400, 400, 400]);
    const notices = harness.database.mails().filter(({ to }) => to === member.mail);
    expect(notices).toHaveLength(1);
  });

  test("an address that a stranger registered but never confirmed is its owner's to take", async () => {
    const member = await someone();
    const mail = freshMail();
    await orderCode(harness, "confirm", mail, "the squatter's password");
    const code = await orderMailCode(harness, member, mail);
    await ask(harness, validate.request, { code, password: member.password }, member);
    expect(await profileOf(harness, member)).toMatchObject({ Mail: mail });
    expect(await signInStatus(harness, mail, "the squatter's password")).toBe(401);
  });

  test("an address of an administrator is theirs, confirmed or not", async () => {
    const member = await someone();
    const mail = freshMail();
    const input = { mail, username: null, password, level: 3, mailVerified: false } as const;
    await createAccount(harness.services, commandLine, input);
    await play(harness, {
      ...request,
      actor: member,
      json: { mail, password: member.password },
      status: 400,
      msg: /^Mail change request failed: mail: /,
    });
    await play(harness, {
      name: "",
      request: "POST /api/auth/register",
      json: { mail, password },
      status: 409,
      msg: /^mail: /,
    });
  });
});

describe("the language of mails", () => {
  test.each(["ru", "de", "zh-Hans", "en"])("is chosen: %s", async (language) => {
    const member = await someone();
    await play(harness, {
      name: "",
      actor: member,
      request: "PATCH /api/home/edit/language",
      json: { language },
      status: 200,
      msg: "Language change successfully",
      data: {},
    });
    expect(await profileOf(harness, member)).toMatchObject({ Language: language });
    await send(harness, "POST /api/auth/forgetpass", { mail: member.mail }, { "accept-language": "ru" });
    expect(harness.database.mails().at(-1)).toMatchObject({ to: member.mail, language });
  });

  test.each([[{}], [{ language: "fr" }], [{ language: "DE" }], [{ language: null }], [{ language: ["de"] }]])(
    "is one of ours, not %j",
    async (json) => {
      const response = await edit(harness, alice, "PATCH /api/home/edit/language", json);
      expect(response.status).toBe(400);
      const { msg } = await readJson<Envelope<object>>(response);
      expect(msg).toBe("Language change failed: language: must be one of en, ru, de, zh-Hans");
      expect(await profileOf(harness, alice)).toMatchObject({ Language: "en" });
    },
  );
});
