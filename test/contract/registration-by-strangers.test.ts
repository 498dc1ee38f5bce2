/**
 * An address that several people register: a code alone sets no password, and the owner of the mailbox
 * decides (docs/contract/auth.md#registration).
 */
import { afterAll, describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { updateUser } from "../../src/domain/members/administer.ts";
import type { PasswordHasher } from "../../src/domain/ports/password-hasher.ts";
import { readJson, type Envelope } from "../support/answers.ts";
import { cheapHasher, openHarness, siteUrl } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import {
  accountOf,
  ask,
  homeStatus,
  lastCode,
  lastMail,
  orderCode,
  orderMailCode,
  send,
  signInStatus,
  statusesOf,
} from "../support/registration.ts";
import { expectError, play } from "../support/scenario.ts";

const harness = await openHarness({ settings: { TRUSTED_PROXIES: "127.0.0.1" } });
afterAll(() => harness[Symbol.asyncDispose]());

const owners = "the owner's own password";
const strangers = "what a stranger chose";
let count = 0;
const freshMail = () => `fresh${(count += 1)}@example.org`;
const register = (mail: string, password: string) => orderCode(harness, "confirm", mail, password);
const confirm = async (code: string, password?: string) => {
  const response = await send(harness, "POST /api/auth/confirm", { code, password });
  return { status: response.status, url: (await readJson<Envelope<unknown>>(response)).url };
};
const confirmStatus = async (code: string, password?: string) => (await confirm(code, password)).status;
const toName = { status: 200, url: `${siteUrl}/registerfinish` };
const toNewPassword = { status: 200, url: `${siteUrl}/resetpassword` };
const setPassword = async (code: string, password: string) =>
  (await send(harness, "POST /api/auth/forgetpass/update", { code, password })).status;
/** What signing in answers: with the owner's password, with the stranger's. */
const signIns = async (mail: string) => [
  await signInStatus(harness, mail, owners),
  await signInStatus(harness, mail, strangers),
];

/** How many passwords of its registrations are kept. */
const keptOf = async (mail: string) => {
  const { id } = await accountOf(harness, mail);
  const rows = harness.database.everything()["registration_passwords"] ?? [];
  return rows.filter((row) => (row as { readonly account_id: unknown }).account_id === id).length;
};

/** Registers with each of the passwords; returns the owner's code and the last one. */
const registerAll = async (mail: string, passwords: readonly string[]) => {
  const codes: string[] = [];
  for (const password of passwords)
    codes.push(await register(password === strangers ? mail.toUpperCase() : mail, password));
  return [codes[passwords.indexOf(owners)] ?? "", codes.at(-1) ?? ""] as const;
};

const openLimited = () => openHarness({ settings: { RATE_LIMIT_FACTOR: "1", TRUSTED_PROXIES: "127.0.0.1" } });
const from = (address: string) => ({ "x-forwarded-for": address });

const orders = [
  ["after the owner", [owners, strangers]],
  ["before the owner", [strangers, owners]],
  ["before and after the owner", [strangers, owners, strangers]],
  ["twice before the owner", [strangers, strangers, owners]],
] as const;

describe("an address that a stranger registers as well,", () => {
  test.each(orders)("%s: every code sets the password that its owner gives along", async (_, passwords) => {
    for (const which of [0, 1] as const) {
      const mail = freshMail();
      const codes = await registerAll(mail, passwords);
      expect(await signIns(mail)).not.toContain(200);
      expect(await confirm(codes[which], owners)).toEqual(toName);
      expect(await signIns(mail)).toEqual([200, 401]);
      for (const code of codes) expect(await confirmStatus(code)).toBe(400);
      expect(await keptOf(mail)).toBe(0);
    }
  });

  test.each(orders)("%s: a code alone sets none, and stays good for a new one", async (_, passwords) => {
    for (const which of [0, 1] as const) {
      const mail = freshMail();
      const codes = await registerAll(mail, passwords);
      for (const _again of [1, 2]) expect(await confirm(codes[which])).toEqual(toNewPassword);
      expect(await accountOf(harness, mail)).toMatchObject({ mailVerified: true, passwordHash: null });
      expect(await signIns(mail)).toEqual([401, 401]);
      const fresh = "a password that is new";
      expect(await setPassword(codes[which], fresh)).toBe(200);
      expect(await signInStatus(harness, mail, fresh)).toBe(200);
      for (const code of codes) expect(await setPassword(code, strangers)).toBe(400);
      expect(await keptOf(mail)).toBe(0);
    }
  });

  test("may be given a new password by its code at once", async () => {
    const mail = freshMail();
    const code = await register(mail, strangers);
    expect(await setPassword(code, owners)).toBe(200);
    expect(await signIns(mail)).toEqual([200, 401]);
    expect(await confirmStatus(code)).toBe(400);
  });

  test("takes the password along in another keyboard's characters", async () => {
    const mail = freshMail();
    await register(mail, strangers);
    const code = await register(mail, "é".repeat(8));
    expect(await confirm(code, "e\u0301".repeat(8))).toEqual(toName);
  });
});

describe("an address that one person registers", () => {
  test("twice with one password has that one, by either code", async () => {
    for (const which of [0, 1] as const) {
      const mail = freshMail();
      const codes = [await register(mail, owners), await register(mail, owners)];
      expect(await confirm(codes[which] ?? "")).toEqual(toName);
      expect(await signIns(mail)).toEqual([200, 401]);
    }
  });

  test("twice at once with one password has that one", async () => {
    const mail = freshMail();
    const both = [1, 2].map(() => send(harness, "POST /api/auth/register", { mail, password: owners }));
    expect(await statusesOf(both)).toEqual([200, 200]);
    expect(await confirm(lastCode(harness, mail))).toEqual(toName);
    expect(await signIns(mail)).toEqual([200, 401]);
  });

  test("refuses a password that is not the registration's, and the code stays good", async () => {
    const mail = freshMail();
    const code = await register(mail, owners);
    const json = { code, password: strangers };
    const request = "POST /api/auth/confirm";
    const msg = /^password: is not that of a registration/;
    await play(harness, { name: "", request, json, status: 400, msg });
    await play(harness, { name: "", request, json: { ...json, password: "" }, status: 400, msg });
    expect(await confirm(code, owners)).toEqual(toName);
  });
});

test("five differing passwords are kept, the newest; the owner sets a new one where theirs is not among them", async () => {
  const mail = freshMail();
  await register(mail, owners);
  let code = "";
  for (let at = 0; at < 8; at++) code = await register(mail, `${strangers} ${at}`);
  expect(await keptOf(mail)).toBe(5);
  expect(await confirmStatus(code, owners)).toBe(400);
  expect(await confirmStatus(code, `${strangers} 2`)).toBe(400);
  expect(await confirm(code)).toEqual(toNewPassword);
  expect(await setPassword(code, owners)).toBe(200);
  expect(await signIns(mail)).toEqual([200, 401]);
});

test("many strangers at once set no password of an address, nor end the owner's code", async () => {
  const mail = freshMail();
  const code = await register(mail, owners);
  const all = Array.from({ length: 4 }, (_, at) =>
    send(harness, "POST /api/auth/register", { mail, password: `${strangers} ${at}` }),
  );
  expect(await statusesOf(all)).toEqual(Array(4).fill(200));
  expect(await confirm(code, owners)).toEqual(toName);
  expect(await signIns(mail)).toEqual([200, 401]);
  expect(harness.database.everything()["codes"]).not.toContainEqual(
    expect.objectContaining({ mail, purpose: "confirm" }),
  );
});

describe("where mails are limited", () => {
  test("the password of a registration that is refused is kept: the stranger's code sets none", async () => {
    await using limited = await openLimited();
    const mail = freshMail();
    const request = "POST /api/auth/register";
    await send(limited, request, { mail, password: strangers }, from("203.0.113.1"));
    const refused = await send(limited, request, { mail, password: owners }, from("192.0.2.1"));
    await expectError(refused, 429, /somebody else's registration with another password/);
    expect(limited.countRows("codes")).toBe(1);
    const code = lastCode(limited, mail);
    const answer = await readJson<Envelope<unknown>>(await send(limited, "POST /api/auth/confirm", { code }));
    expect(answer.url).toBe(toNewPassword.url);
    expect(await signInStatus(limited, mail, strangers)).toBe(401);
    await ask(limited, "POST /api/auth/forgetpass/update", { code, password: owners });
    expect(await signInStatus(limited, mail, owners)).toBe(200);
  });

  test("the password of a refused registration may be given along with the stranger's code", async () => {
    await using limited = await openLimited();
    const mail = freshMail();
    for (let time = 0; time < 12; time++) {
      const json = { mail, password: strangers };
      await send(limited, "POST /api/auth/register", json, from("203.0.113.1"));
    }
    const json = { mail, password: owners };
    expect((await send(limited, "POST /api/auth/register", json, from("203.0.113.1"))).status).toBe(429);
    await ask(limited, "POST /api/auth/confirm", { code: lastCode(limited, mail), password: owners });
    expect(await signInStatus(limited, mail, owners)).toBe(200);
    expect(await signInStatus(limited, mail, strangers)).toBe(401);
  });

  test("a password given along is guessed as slowly as at a sign-in, and the code stays good", async () => {
    await using limited = await openLimited();
    const mail = freshMail();
    const code = await orderCode(limited, "confirm", mail, owners);
    const statuses: number[] = [];
    for (let time = 0; time < 6; time++) {
      const json = { code, password: `${strangers} ${time}` };
      statuses.push((await send(limited, "POST /api/auth/confirm", json, from("192.0.2.1"))).status);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
    const right = { code, password: owners };
    const elsewhere = await send(limited, "POST /api/auth/confirm", right, from("192.0.2.2"));
    expect(elsewhere.status).toBe(200);
  });

  test("a guessed code makes the server compute no hash", async () => {
    let verified = 0;
    const verify: PasswordHasher["verify"] = (...given) => {
      verified += 1;
      return cheapHasher.verify(...given);
    };
    await using counting = await openHarness({ hasher: { ...cheapHasher, verify } });
    await orderCode(counting, "confirm", freshMail());
    verified = 0;
    await send(counting, "POST /api/auth/confirm", { code: "00000-00000", password: owners });
    expect(verified).toBe(0);
  });

  test("registering costs two hashes, whatever was registered before", async () => {
    let computed = 0;
    const counted = <Given extends readonly unknown[], Result>(work: (...given: Given) => Result) => {
      return (...given: Given): Result => {
        computed += 1;
        return work(...given);
      };
    };
    const hasher = {
      ...cheapHasher,
      hash: counted(cheapHasher.hash),
      verify: counted(cheapHasher.verify),
    };
    await using counting = await openHarness({ hasher, settings: { PRIVACY_UNIFORM_ANSWERS: "true" } });
    const member = await addMember(counting, "Costs");
    const mail = freshMail();
    for (const [to, password] of [
      [mail, owners],
      [mail, owners],
      [mail, strangers],
      [mail, owners],
      [member.mail, member.password],
    ] as const) {
      computed = 0;
      await ask(counting, "POST /api/auth/register", { mail: to, password });
      expect(computed).toBe(2);
    }
  });
});

describe("a password that came with a registration", () => {
  test("counts for nothing where an administrator takes for confirmed what several registered", async () => {
    const mail = freshMail();
    await register(mail, strangers);
    await register(mail, owners);
    await updateUser(harness.services, commandLine, { identifier: mail, change: { mailVerified: true } });
    expect(await signIns(mail)).toEqual([401, 401]);
  });

  test("counts for nothing where an administrator makes a player of what several registered, nor by its code", async () => {
    const mail = freshMail();
    await register(mail, owners);
    const code = await register(mail, strangers);
    const change = { username: `Given${(count += 1)}` };
    await updateUser(harness.services, commandLine, { identifier: mail, change });
    expect(await signIns(mail)).toEqual([401, 401]);
    expect(await confirm(code)).toEqual(toNewPassword);
    expect(await signIns(mail)).toEqual([401, 401]);
    expect(await accountOf(harness, mail)).toMatchObject({ mailVerified: true });
  });

  test("counts for nothing once the owner has set one by a code for a reset", async () => {
    const mail = freshMail();
    const code = await register(mail, strangers);
    const reset = await orderCode(harness, "reset", mail);
    await ask(harness, "POST /api/auth/forgetpass/update", { code: reset, password: owners });
    expect(await confirmStatus(code)).toBe(400);
    expect(await signIns(mail)).toEqual([200, 401]);
  });

  test("counts for nothing once the owner has moved the address to another account", async () => {
    const mail = freshMail();
    const code = await register(mail, strangers);
    const member = await addMember(harness, `Mover${(count += 1)}`);
    const mailCode = await orderMailCode(harness, member, mail);
    await ask(harness, "POST /api/home/mail/validate", { code: mailCode, password: member.password }, member);
    expect(await confirmStatus(code)).toBe(400);
    expect(await signIns(mail)).toEqual([401, 401]);
  });

  test("ends every session that another password opened", async () => {
    const name = `half${(count += 1)}`;
    const member = await addMember(harness, name, { finished: false });
    const change = { mailVerified: false };
    await updateUser(harness.services, commandLine, { identifier: member.uuid, change });
    const code = await register(member.mail, owners);
    expect(await homeStatus(harness, member.jwt)).toBe(200);
    expect(await confirmStatus(code, owners)).toBe(200);
    expect(await homeStatus(harness, member.jwt)).toBe(401);
    expect(await signInStatus(harness, member.mail, member.password)).toBe(401);
    expect(await signIns(member.mail)).toEqual([200, 401]);
  });
});

test("as many codes are good at once as mails are sent to an address", async () => {
  await using limited = await openHarness({ settings: { RATE_LIMIT_FACTOR: "1" } });
  const mail = freshMail();
  for (let time = 0; time < 20; time++) {
    await send(limited, "POST /api/auth/register", { mail, password: strangers });
    limited.clock.advance(61);
  }
  expect(limited.countRows("codes")).toBe(5);
});

describe("mails that strangers can cause say when and from which network", () => {
  const origins = [
    ["203.0.113.77", "203.0.113.0/24"],
    ["::ffff:203.0.113.77", "203.0.113.0/24"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8::1", "2001:db8::/64"],
  ] as const;

  test.each(origins)("a registration from %s is from %s", async (address, network) => {
    const mail = freshMail();
    const headers = { "x-forwarded-for": address };
    await send(harness, "POST /api/auth/register", { mail, password: owners }, headers);
    expect(lastMail(harness, mail)).toMatchObject({ time: "2100-01-01 00:00 UTC", network });
  });

  test("so do a reset and a change of the address", async () => {
    const member = await addMember(harness, `Asker${(count += 1)}`);
    const headers = { "x-forwarded-for": "198.51.100.9", authorization: member.authorization };
    await send(harness, "POST /api/auth/forgetpass", { mail: member.mail }, headers);
    expect(lastMail(harness, member.mail)).toMatchObject({ template: "reset", network: "198.51.100.0/24" });
    const mail = freshMail();
    await send(harness, "POST /api/home/mail/request", { mail, password: member.password }, headers);
    expect(lastMail(harness, mail)).toMatchObject({ template: "change-mail", network: "198.51.100.0/24" });
  });
});
