/** Answers for known and unknown mail addresses (docs/contract/auth.md#uniform-answers). */
import { afterAll, describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import type { PasswordHasher } from "../../src/domain/ports/password-hasher.ts";
import { createAccount } from "../../src/domain/accounts/create-account.ts";
import { cheapHasher, openHarness, siteUrl, type Harness } from "../support/harness.ts";
import { addMember, edit, type Member } from "../support/members.ts";
import {
  ask,
  asked,
  codePattern,
  homeStatus,
  lastCode,
  profileOf,
  orderCode,
  orderMailCode,
  send,
  signInStatus,
} from "../support/registration.ts";

const settings = { PRIVACY_UNIFORM_ANSWERS: "true" };
const password = "a password that will do";
const work: string[] = [];
/** Writes down what is asked of it: that is what takes time. */
const countingHasher: PasswordHasher = {
  ...cheapHasher,
  hash: (text) => {
    work.push("hash");
    return cheapHasher.hash(text);
  },
  verify: (text, hash) => {
    work.push("verify");
    return cheapHasher.verify(text, hash);
  },
};

const harness = await openHarness({ settings, hasher: countingHasher });
afterAll(() => harness[Symbol.asyncDispose]());

let count = 0;
const freshMail = () => `fresh${(count += 1)}@example.org`;

/** Every kind of address there is, made afresh; what is behind it must not show. */
const kinds = {
  "that is unknown": async () => freshMail(),
  "of a member": async (where: Harness) => (await addMember(where, `Member${(count += 1)}`)).mail,
  "of a member, in another case": async (where: Harness) =>
    (await addMember(where, `Member${(count += 1)}`)).mail.toUpperCase(),
  "of a member who has not confirmed it": async (where: Harness) =>
    (await addMember(where, `Member${(count += 1)}`, { mailVerified: false })).mail,
  "of who has not finished": async (where: Harness) =>
    (await addMember(where, `half${(count += 1)}`, { finished: false })).mail,
  "that was registered and not confirmed": async ({ services }: Harness) => {
    const mail = freshMail();
    const input = { mail, password, username: null, level: 1, mailVerified: false } as const;
    await createAccount(services, commandLine, input);
    return mail;
  },
} as const;
const addresses = Object.entries(kinds);

type Told = { readonly status: number; readonly body: string; readonly headers: readonly string[][] };

/** All that the client gets. */
async function told(response: Response): Promise<Told> {
  const headers = [...response.headers].map(([name, value]) => [name, value]);
  return { status: response.status, body: await response.text(), headers };
}

const askers = new WeakMap<Harness, { readonly member: Promise<Member>; readonly until: number }>();

/** A member who tries to find out what stands behind an address, in a session that still runs. */
function askerOf(where: Harness): Promise<Member> {
  const now = where.clock.nowSeconds();
  const known = askers.get(where);
  if (known !== undefined && known.until > now) return known.member;
  const member = addMember(where, `Asker${(count += 1)}`);
  askers.set(where, { member, until: now + 12 * 60 * 60 });
  return member;
}
// A scenario compares all rows from before and after it.
await askerOf(harness);

const requests = {
  register: (where: Harness, mail: string) => send(where, "POST /api/auth/register", { mail, password }),
  forgetpass: (where: Harness, mail: string) => send(where, "POST /api/auth/forgetpass", { mail }),
  "mail/request": async (where: Harness, mail: string) => {
    const asker = await askerOf(where);
    return edit(where, asker, "POST /api/home/mail/request", { mail, password: asker.password });
  },
};
const nextPages: Readonly<Record<string, string>> = {
  register: `${siteUrl}/confirm`,
  forgetpass: `${siteUrl}/resetpassword`,
};

describe.each(Object.entries(requests))("%s", (name, request) => {
  test.each(addresses)("answers alike, after the same work, for an address %s", async (_, make) => {
    const mail = await make(harness);
    const stranger = freshMail();
    work.length = 0;
    const expected = await told(await request(harness, stranger));
    const strangersWork = work.splice(0);
    const found = await told(await request(harness, mail));
    expect(found).toEqual(expected);
    expect(work).toEqual(strangersWork);
    expect(found).toMatchObject({ status: 200 });
    expect(JSON.parse(found.body)).toMatchObject({
      error: false,
      url: nextPages[name] ?? null,
      data: {},
    });
    expect(harness.takeComplaints()).toEqual([]);
  });

  test.each(addresses)("mails exactly one mail to an address %s", async (_, make) => {
    const mail = await make(harness);
    const before = harness.database.mails().length;
    await request(harness, mail);
    const mails = harness.database.mails().slice(before);
    expect(mails.map(({ to }) => to.toLowerCase())).toEqual([mail.toLowerCase()]);
  });

  test.each(addresses)("is limited alike for an address %s", async (_, make) => {
    await using limited = await openHarness({ settings: { ...settings, RATE_LIMIT_FACTOR: "1" } });
    const everything = async (mail: string) => {
      const answers: Told[] = [];
      for (let time = 0; time < 7; time++) {
        answers.push(await told(await request(limited, mail)), await told(await request(limited, mail)));
        limited.clock.advance(61);
      }
      return answers;
    };
    const mail = await make(limited);
    const found = await everything(mail);
    const statuses = found.map(({ status }) => status);
    expect(statuses).toEqual([200, 429, 200, 429, 200, 429, 200, 429, 200, 429, 429, 429, 429, 429]);
    limited.clock.advance(24 * 60 * 60);
    expect(found).toEqual(await everything(freshMail()));
  });

  test("refuses a malformed address as ever", async () => {
    const before = harness.database.everything();
    expect(await told(await request(harness, "nobody@localhost"))).toMatchObject({ status: 400 });
    expect(harness.database.everything()).toEqual(before);
  });
});

describe("what came of a request is not to be found out afterwards, for an address", () => {
  test.each(addresses)("%s: by signing in with what was registered", async (_, make) => {
    await using limited = await openHarness({
      settings: { ...settings, RATE_LIMIT_FACTOR: "1" },
      hasher: countingHasher,
    });
    const trials = async (mail: string) => {
      await requests.register(limited, mail);
      work.length = 0;
      const answers: Told[] = [];
      for (let time = 0; time < 7; time++) {
        answers.push(await told(await send(limited, "POST /api/auth/login", { username: mail, password })));
      }
      limited.clock.advance(24 * 60 * 60);
      return { answers, work: work.splice(0) };
    };
    // The hash that no password fits is made at the first sign-in of a process.
    await send(limited, "POST /api/auth/login", { username: "nobody", password });
    limited.clock.advance(61);
    const found = await trials(await make(limited));
    expect(found.answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect(found).toEqual(await trials(freshMail()));
  });

  test.each(addresses)("%s: by the code of an earlier change of the address", async (_, make) => {
    const asker = await askerOf(harness);
    const own = freshMail();
    const first = await orderMailCode(harness, asker, own);
    await requests["mail/request"](harness, await make(harness));
    const json = { code: first, password: asker.password };
    const response = await edit(harness, asker, "POST /api/home/mail/validate", json);
    expect(await told(response)).toMatchObject({
      status: 400,
      body: expect.stringContaining("Mail change failed: code: is wrong, was used or has expired"),
    });
  });
});

const mailed = async (request: () => Promise<Response>) => {
  const before = harness.database.mails().length;
  expect((await request()).status).toBe(200);
  return harness.database.mails().slice(before);
};

describe("what the owner reads", () => {
  test("a member whose address another wants: that it stays theirs; nothing changes", async () => {
    const member = await addMember(harness, "Wanted", {});
    const asker = await askerOf(harness);
    const mails = await mailed(() => requests["mail/request"](harness, member.mail.toUpperCase()));
    const letter = { template: "address-taken", username: "Wanted", ...asked } as never;
    expect(mails).toEqual([{ to: member.mail, language: "en", mail: letter }]);
    expect(await signInStatus(harness, member.mail, member.password)).toBe(200);
    expect(await profileOf(harness, asker)).toMatchObject({ Mail: asker.mail });
  });

  test("a member who asks for their own address hears that it is theirs", async () => {
    const asker = await askerOf(harness);
    const refused = await requests["mail/request"](harness, asker.mail);
    expect(await told(refused)).toMatchObject({
      status: 400,
      body: expect.stringContaining("mail: is your address already"),
    });
  });

  test("a member: that they are registered already; nothing changes", async () => {
    const member = await addMember(harness, "Registered");
    const accounts = harness.countRows("accounts");
    const mails = await mailed(() => requests.register(harness, member.mail));
    const letter = {
      template: "already-registered",
      username: "Registered",
      link: `${siteUrl}/forgetpass`,
      ...asked,
    };
    expect(mails).toEqual([{ to: member.mail, language: "en", mail: letter as never }]);
    expect(harness.countRows("accounts")).toBe(accounts);
    expect(await signInStatus(harness, "Registered", password)).toBe(401);
    expect(await signInStatus(harness, "Registered", member.password)).toBe(200);
    expect(await homeStatus(harness, member.jwt)).toBe(200);
  });

  test("a member: the code with which the password can be set", async () => {
    const member = await addMember(harness, "Forgetful");
    const mails = await mailed(() => requests.forgetpass(harness, member.mail));
    const code = expect.stringMatching(codePattern);
    expect(mails).toMatchObject([{ to: member.mail, mail: { template: "reset", code } as never }]);
    await ask(harness, "POST /api/auth/forgetpass/update", {
      code: lastCode(harness, member.mail),
      password,
    });
  });

  test.each([
    ["en", "en"],
    ["ru", "ru"],
  ])(
    "without an account: that no account has the address, in the language asked for (%s)",
    async (header, language) => {
      const mail = freshMail();
      const headers = { "accept-language": header };
      const mails = await mailed(() => send(harness, "POST /api/auth/forgetpass", { mail }, headers));
      expect(mails).toEqual([
        { to: mail, language, mail: { template: "unknown-address", ...asked } as never },
      ]);
    },
  );

  test("who never confirmed: a further code, which ends the others once it is used", async () => {
    const mail = freshMail();
    const first = await orderCode(harness, "confirm", mail);
    const second = await orderCode(harness, "confirm", mail, password);
    await ask(harness, "POST /api/auth/confirm", { code: second, password });
    expect((await send(harness, "POST /api/auth/confirm", { code: first })).status).toBe(400);
    expect(await signInStatus(harness, mail, password)).toBe(200);
  });
});

test("without the setting the contract's answers differ for known and unknown", async () => {
  await using plain = await openHarness();
  const { mail } = await addMember(plain, "Alice");
  const before = plain.database.mails().length;
  expect((await requests.register(plain, mail)).status).toBe(409);
  expect((await requests.forgetpass(plain, freshMail())).status).toBe(400);
  expect(plain.database.mails()).toHaveLength(before);
});
