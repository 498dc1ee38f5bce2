/** Changes of a user (docs/contract/admin.md#users). */
import { afterAll, describe, expect, test } from "bun:test";
import { commandLine, system } from "../../src/domain/model/actor.ts";
import { setLevel } from "../../src/domain/members/levels.ts";
import type { AccountId } from "../../src/kernel/ids.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, addSkin, signIn, type Member, type NewMember } from "../support/members.ts";
import {
  ask,
  badBodies,
  badMails,
  badNames,
  badPasswords,
  homeStatus,
  orderCode,
  orderMailCode,
  profileOf,
  signInStatus,
  statusesOf,
  send,
} from "../support/registration.ts";
import { play, type Scenario } from "../support/scenario.ts";
import { skinPng } from "../support/textures.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const { services } = harness;
const now = harness.clock.nowSeconds();
const day = 24 * 60 * 60;

const chief = await addMember(harness, "Chief", { level: 3 });
await addMember(harness, "Second", { level: 3 });
const bob = await addMember(harness, "Bob");
let count = 0;
const someone = (options: NewMember = {}) => addMember(harness, `Some_${(count += 1)}`, options);
const freshMail = () => `fresh${(count += 1)}@example.net`;
const password = "a password that will do";

const change = (member: Pick<Member, "uuid">, json: unknown): Scenario => ({
  name: "",
  actor: chief,
  request: `PATCH /api/admin/user/${member.uuid}`,
  json,
  status: 200,
});
const done = (member: Pick<Member, "uuid">, json: unknown, data: object): Scenario => ({
  ...change(member, json),
  msg: "User change successfully",
  data: expect.objectContaining(data),
});
const refused = (
  member: Pick<Member, "uuid">,
  json: unknown,
  msg: string | RegExp,
  status = 400,
): Scenario => ({
  ...change(member, json),
  status,
  msg,
});
const notice = (to: string, mail: object) => ({ to, language: "en", mail });

type Row = { issuer: string; action: string; for_account_id: number; detail: string };
const audit = () => harness.database.everything()["audit_entries"] as readonly Row[];
/** The newest entry, as its fields. */
const told = () => {
  const { issuer, action, for_account_id: about, detail } = audit().at(-1)!;
  return { issuer, action, about, ...JSON.parse(detail) };
};
const update = (member: Member, detail: object) => ({
  issuer: "Chief",
  action: "user.update",
  about: member.account.id,
  ...detail,
});

describe("a name", () => {
  test("is changed, and the old one is held", async () => {
    const member = await someone();
    await play(harness, done(member, { username: "Renamed" }, { Username: "Renamed", Uuid: member.uuid }));
    expect(told()).toEqual(update(member, { old: { username: member.name }, new: { username: "Renamed" } }));
    await play(harness, refused(bob, { username: member.name }, /held for its former owner/, 409));
    await play(
      harness,
      done(member, { username: member.name.toUpperCase() }, { Username: member.name.toUpperCase() }),
    );
    expect(await homeStatus(harness, member.jwt)).toBe(200);
  });

  test("finishes a registration", async () => {
    const member = await someone({ finished: false });
    await play(harness, done(member, { username: "Finished" }, { Username: "Finished" }));
    expect(told()).toEqual(update(member, { old: { username: "" }, new: { username: "Finished" } }));
    expect(await signInStatus(harness, "finished", member.password)).toBe(200);
    expect((await harness.fetch(`/api/skin/launcher/envelope/${member.uuid}`)).status).toBe(200);
  });

  test.each(badNames.filter(([, name]) => name !== undefined))(
    "is refused when it is %s",
    async (_, username) => {
      await play(harness, refused(bob, { username }, /^username: /));
    },
  );

  test.each(["Chief", "CHIEF"])("is refused when somebody has it: %s", async (username) => {
    await play(harness, refused(bob, { username }, "username: is taken already", 409));
  });
});

const moved = (newMail: string, username: string) => ({ template: "mail-changed", username, newMail });

async function addMailless() {
  const fixed = {
    mail: null,
    registration: "unconfirmed",
    mailVerified: false,
    passwordHash: null,
    language: "en",
  } as const;
  const uuid = crypto.randomUUID() as typeof chief.account.uuid;
  const row = { ...fixed, uuid, permanentLevel: 1, createdAt: now } as const;
  return services.transact(system, async ({ accounts }) => (await accounts.insertAccount(row)).uuid);
}

describe("a mail address", () => {
  test("that is new counts as unverified, ends sessions and codes, and the old one gets a notice", async () => {
    const member = await someone();
    const [mail, wanted] = [freshMail(), freshMail()];
    const reset = await orderCode(harness, "reset", member.mail);
    const other = await orderMailCode(harness, member, wanted);
    const mails = [notice(member.mail, moved(mail, member.name))];
    await play(harness, {
      ...done(member, { mail }, { Mail: mail, Mail_verify: 0, Mail_verification: 0 }),
      mails,
    });
    const detail = { old: { mail: member.mail, mail_verify: true }, new: { mail, mail_verify: false } };
    expect(told()).toEqual(update(member, detail));
    expect(await homeStatus(harness, member.jwt)).toBe(401);
    const again = await signIn(harness, mail, member.password);
    const validate = { code: other, password: member.password };
    const headers = { authorization: `Bearer ${again}` };
    const late = await send(harness, "POST /api/home/mail/validate", validate, headers);
    expect(late.status).toBe(400);
    expect((await send(harness, "POST /api/auth/forgetpass/validate", { code: reset })).status).toBe(400);
  });

  test.each([
    [{ mail_verify: true }, 1],
    [{ mail_verification: true }, 1],
    [{ mail_verify: true, mail_verification: true }, 1],
    [{ mail_verify: false }, 0],
    [{ mail_verification: false }, 0],
  ])("that is new is verified as %j says", async (fields, verified) => {
    const member = await someone();
    const mail = freshMail();
    const mails = [notice(member.mail, moved(mail, member.name))];
    const data = { Mail: mail, Mail_verify: verified, Mail_verification: verified };
    await play(harness, { ...done(member, { mail, ...fields }, data), mails });
  });

  test("in other capitals is no new one", async () => {
    const member = await someone();
    const mail = member.mail.toUpperCase();
    await play(harness, done(member, { mail }, { Mail: mail, Mail_verify: 1 }));
    expect(await homeStatus(harness, member.jwt)).toBe(200);
    expect(told()).toEqual(update(member, { old: { mail: member.mail }, new: { mail } }));
  });

  test("that stays is verified, or is not any more", async () => {
    const member = await someone();
    await play(harness, done(member, { mail_verify: false }, { Mail_verify: 0 }));
    expect(told()).toEqual(update(member, { old: { mail_verify: true }, new: { mail_verify: false } }));
    await play(harness, done(member, { mail_verification: true }, { Mail_verify: 1, Mail: member.mail }));
    expect(await homeStatus(harness, member.jwt)).toBe(200);
  });

  test("lets a member without a confirmed address in, once an administrator confirmed it", async () => {
    const mail = freshMail();
    await orderCode(harness, "confirm", mail, password);
    expect(await signInStatus(harness, mail, password)).toBe(403);
    await ask(harness, `PATCH /api/admin/user/${mail}`, { mail_verify: true }, chief);
    expect(await signInStatus(harness, mail, password)).toBe(200);
  });

  test.each(badMails.filter(([, mail]) => mail !== undefined))(
    "is refused when it is %s",
    async (_, mail) => {
      await play(harness, refused(bob, { mail }, /^mail: /));
    },
  );

  test.each(["chief@example.org", "CHIEF@example.org"])(
    "is refused when somebody has it: %s",
    async (mail) => {
      await play(harness, refused(bob, { mail }, "mail: an account with this address exists already", 409));
    },
  );

  test("that is not there cannot be verified, but given and taken", async () => {
    const uuid = await addMailless();
    await play(
      harness,
      refused({ uuid }, { mail_verify: true }, /^mail_verify: this user has no mail address/),
    );
    await play(harness, done({ uuid }, { mail_verify: false }, { Mail: "", Mail_verify: 0 }));
    const mail = freshMail();
    await play(harness, done({ uuid }, { mail, mail_verify: true }, { Mail: mail, Mail_verify: 1 }));
  });

  test("is verified by one word, not two", async () => {
    for (const mail_verify of [true, false]) {
      const json = { mail_verify, mail_verification: !mail_verify };
      await play(harness, refused(bob, json, "mail_verification: must be the same as mail_verify"));
    }
  });
});

describe("a password", () => {
  test("is changed: sessions and codes end, and the owner gets a notice", async () => {
    const member = await someone();
    const code = await orderCode(harness, "reset", member.mail);
    const mails = [notice(member.mail, { template: "password-changed", username: member.name })];
    await play(harness, { ...done(member, { password }, { Uuid: member.uuid }), mails });
    const redacted = { password: "[redacted]" };
    expect(told()).toEqual(update(member, { old: redacted, new: redacted }));
    expect(JSON.stringify(audit())).not.toContain("$argon2");
    expect(await homeStatus(harness, member.jwt)).toBe(401);
    expect(await signInStatus(harness, member.name, member.password)).toBe(401);
    expect(await signInStatus(harness, member.name, password)).toBe(200);
    expect((await send(harness, "POST /api/auth/forgetpass/validate", { code })).status).toBe(400);
  });

  test.each(badPasswords.filter(([, text]) => text !== undefined))(
    "is refused when it is %s",
    async (_, bad) => {
      await play(harness, refused(bob, { password: bad }, /^password: /));
    },
  );

  test("is announced to the former address, when that changes as well", async () => {
    const member = await someone();
    const mail = freshMail();
    const mails = [
      notice(member.mail, { template: "mail-changed", username: member.name, newMail: mail }),
      notice(member.mail, { template: "password-changed", username: member.name }),
    ];
    await play(harness, { ...done(member, { password, mail }, { Mail: mail }), mails });
  });
});

test("who changes their own password or address keeps the session in use, and no other", async () => {
  const member = await someone({ level: 3 });
  const other = await signIn(harness, member.name, member.password);
  const mails = [notice(member.mail, { template: "password-changed", username: member.name })];
  await play(harness, { ...done(member, { password }, { Uuid: member.uuid }), actor: member, mails });
  expect([await homeStatus(harness, member.jwt), await homeStatus(harness, other)]).toEqual([200, 401]);
});

describe("the selected skin", () => {
  test("is another of the wardrobe, or none", async () => {
    const member = await someone();
    const first = await addSkin(harness, member, { file: skinPng(1) });
    const second = await addSkin(harness, member, { file: skinPng(2) });
    await play(harness, done(member, { selected_skin: second }, { Selected_Skin: second }));
    expect(told()).toEqual(update(member, { old: { selected_skin: first }, new: { selected_skin: second } }));
    await play(harness, done(member, { selected_skin: "" }, { Selected_Skin: "" }));
    const undashed = first.replaceAll("-", "").toUpperCase();
    await play(harness, done(member, { selected_skin: undashed }, { Selected_Skin: first }));
    const worn = await harness.fetch(`/api/skin/standart/${member.uuid}?default=none`);
    expect(worn.status).toBe(200);
  });

  test("is never another user's or an unknown one", async () => {
    const member = await someone();
    const others = await addSkin(harness, bob, {});
    const rule = /^selected_skin: the user's wardrobe holds no skin /;
    for (const skin of [others, "11111111-2222-4333-8444-555555555555"])
      await play(harness, refused(member, { selected_skin: skin }, rule));
  });

  test.each([
    ["a name", "Skin"],
    ["a number in a text", "1"],
    ["7 kB", "a".repeat(7000)],
  ])("is not %s", async (_, skin) => {
    await play(harness, refused(bob, { selected_skin: skin }, "selected_skin: must be a UUID"));
  });

  test.each([[1], [null], [true], [[]]])("is not %j", async (skin) => {
    await play(harness, refused(bob, { selected_skin: skin }, "selected_skin: must be a UUID or empty"));
  });

  test("is none while the registration is unfinished", async () => {
    const member = await someone({ finished: false });
    await play(harness, done(member, { selected_skin: "" }, { Selected_Skin: "" }));
    await play(harness, refused(member, { selected_skin: member.uuid }, /^selected_skin: /));
  });
});

const levels = (level: number) => ({ perms: level, perms_permanent: level });

describe("the level", () => {
  test.each([1, 2, 3] as const)("for good becomes %i", async (perms) => {
    const member = await someone({ level: perms === 2 ? 1 : 2 });
    const data = { PermLvl: perms, perms_permanent: perms, perms_expires_at: null };
    await play(harness, done(member, { perms }, data));
    expect(told()).toEqual(update(member, { old: levels(perms === 2 ? 1 : 2), new: levels(perms) }));
    expect(await profileOf(harness, member)).toMatchObject({ PermLvl: perms });
  });

  test("for good leaves a role in force as it is", async () => {
    const member = await someone();
    const role = { account: member.account.id, level: 3, expiresAt: now + day } as const;
    await setLevel(services, commandLine, role);
    const data = { PermLvl: 3, perms_permanent: 2, perms_expires_at: now + day };
    await play(harness, done(member, { perms: 2 }, data));
    expect(told()).toEqual(update(member, { old: { perms_permanent: 1 }, new: { perms_permanent: 2 } }));
  });

  test.each([[0], [4], [-1], [1.5], [1e300], ["2"], [null], [true], [[1]], [{}]])(
    "is not %j",
    async (perms) => {
      await play(harness, refused(bob, { perms }, "perms: must be 1, 2 or 3"));
    },
  );

  test("is no number beyond 2^53 either", async () => {
    const { json: _, ...scenario } = refused(bob, {}, "perms: must be 1, 2 or 3");
    const headers = { "content-type": "application/json" };
    await play(harness, { ...scenario, headers, body: '{"perms": 18446744073709551617}' });
  });
});

const link = (account: AccountId) => {
  const person = {
    provider: "discord",
    issuer: "https://discord.com",
    subject: String(1_000 + account),
    username: "someone",
    avatar: "",
  };
  return services.transact(system, ({ identities }) =>
    identities.insertIdentity({ ...person, accountId: account, linkedAt: now }),
  );
};

describe("the social link", () => {
  test("is taken away by false, and left by true", async () => {
    const member = await someone();
    const { id } = member.account;
    await link(id);
    const before = audit().length;
    await play(harness, done(member, { dsid: true }, { Social_integration: true }));
    expect(audit()).toHaveLength(before);
    const none = { Social_integration: false, Social: { userid: "", username: "", avatar: "" } };
    await play(harness, done(member, { dsid: false }, none));
    expect(told()).toEqual(update(member, { old: { dsid: String(1_000 + id) }, new: { dsid: "" } }));
    await link(id);
  });

  test("that is not there cannot be missed", async () => {
    for (const dsid of [true, false]) await play(harness, done(bob, { dsid }, { Social_integration: false }));
  });

  test.each([["false"], [0], [null], ["180000000000000001"]])("is not taken away by %j", async (dsid) => {
    await play(harness, refused(bob, { dsid }, "dsid: must be true or false"));
  });
});

describe("a change", () => {
  test("of everything at once is one, with one entry in the audit", async () => {
    const member = await someone();
    const skin = await addSkin(harness, member, {});
    const second = await addSkin(harness, member, { file: skinPng(5) });
    const [mail, before] = [freshMail(), audit().length];
    const json = {
      username: `New_${member.account.id}`,
      mail,
      mail_verify: true,
      selected_skin: second,
      password,
      perms: 2,
      dsid: false,
      mail_verification: true,
    };
    const mails = [
      expect.objectContaining({ to: member.mail }),
      expect.objectContaining({ to: member.mail }),
    ];
    const data = { Username: json.username, Mail: mail, Selected_Skin: second, PermLvl: 2, Mail_verify: 1 };
    await play(harness, { ...done(member, json, data), mails });
    expect(audit()).toHaveLength(before + 1);
    const secret = "[redacted]";
    const old = { username: member.name, mail: member.mail, selected_skin: skin, password: secret };
    const fresh = { username: json.username, mail, selected_skin: second, password: secret };
    const levelFacts = [
      { perms: 1, perms_permanent: 1 },
      { perms: 2, perms_permanent: 2 },
    ];
    expect(told()).toEqual(
      update(member, { old: { ...old, ...levelFacts[0] }, new: { ...fresh, ...levelFacts[1] } }),
    );
  });

  test("to what is so already is none, and is not audited", async () => {
    const member = await someone();
    const before = audit().length;
    const same = {
      username: member.name,
      mail: member.mail,
      mail_verify: true,
      selected_skin: "",
      perms: 1,
      dsid: true,
    };
    await play(harness, done(member, same, { Username: member.name }));
    expect(audit()).toHaveLength(before);
    expect(await homeStatus(harness, member.jwt)).toBe(200);
  });

  test.each([
    ["a taken name", { username: "Bob" }, 409],
    ["a taken address", { mail: "bob@example.org" }, 409],
    ["a skin that is not theirs", { selected_skin: "11111111-2222-4333-8444-555555555555" }, 400],
    ["a bad password", { password: "short" }, 400],
    ["an unknown level", { perms: 4 }, 400],
    ["two words for one thing", { mail_verification: false }, 400],
  ])("with %s leaves everything as it was", async (_, wrong, status) => {
    const member = await someone();
    const good = {
      username: `Half_${member.account.id}`,
      mail: freshMail(),
      mail_verify: true,
      password,
      perms: 2,
    };
    // `play` sees to it that a refusal changes nothing in the database.
    await play(harness, refused(member, { ...good, ...wrong }, /./, status));
    expect(await homeStatus(harness, member.jwt)).toBe(200);
  });

  test.each([[{}], [{ unknown: 1 }], [{ identifier: "Chief", permanentLevel: 3 }]])(
    "is not %j",
    async (json) => {
      await play(harness, refused(bob, json, /^body: must hold at least one of username, mail, /));
    },
  );

  test.each(badBodies)("is not %s", async (_, body, status) => {
    const { json: _json, ...scenario } = refused(bob, {}, /./, status);
    await play(harness, { ...scenario, ...body });
  });

  test.each([
    ["Nobody", 404],
    ["4711", 404],
    ["nobody@example.org", 404],
    ["al%00ice", 400],
    ["a".repeat(255), 400],
  ])("of %s fails", async (identifier, status) => {
    await play(harness, {
      ...refused(bob, { perms: 2 }, /./, status),
      request: `PATCH /api/admin/user/${identifier}`,
    });
  });

  test("that comes several times at once is made once for a name", async () => {
    const members = await Promise.all([someone(), someone(), someone(), someone()]);
    const requests = members.map(({ uuid }) =>
      send(
        harness,
        `PATCH /api/admin/user/${uuid}`,
        { username: "Wanted" },
        { authorization: chief.authorization },
      ),
    );
    expect(await statusesOf(requests)).toEqual([200, 409, 409, 409]);
  });
});
