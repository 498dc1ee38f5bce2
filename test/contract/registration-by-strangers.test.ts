/**
 * An address that several people register: the password belongs to the code, so the owner of the mailbox decides
 * (docs/contract/auth.md#registration).
 */
import { afterAll, describe, expect, test } from "bun:test";
import { commandLine, system } from "../../src/domain/model/actor.ts";
import { updateUser } from "../../src/domain/members/administer.ts";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import {
  accountOf,
  ask,
  homeStatus,
  lastMail,
  orderCode,
  orderMailCode,
  send,
  signInStatus,
} from "../support/registration.ts";

const harness = await openHarness({ settings: { TRUSTED_PROXIES: "127.0.0.1" } });
afterAll(() => harness[Symbol.asyncDispose]());

const owners = "the owner's own password";
const strangers = "what a stranger chose";
let count = 0;
const freshMail = () => `fresh${(count += 1)}@example.org`;
const register = (mail: string, password: string) => orderCode(harness, "confirm", mail, password);
const confirmStatus = async (code: string) =>
  (await send(harness, "POST /api/auth/confirm", { code })).status;
/** What signing in answers: with the owner's password, with the stranger's. */
const signIns = async (mail: string) => [
  await signInStatus(harness, mail, owners),
  await signInStatus(harness, mail, strangers),
];

describe("the owner's code makes the owner's password count, with", () => {
  test.each([
    ["after the owner", [owners, strangers]],
    ["before the owner", [strangers, owners]],
    ["before and after the owner", [strangers, owners, strangers]],
  ])("a stranger %s", async (_, passwords) => {
    const mail = freshMail();
    const codes = new Map<string, string>();
    for (const password of passwords) {
      const written = password === strangers ? mail.toUpperCase() : mail;
      codes.set(password, await register(written, password));
    }
    expect(await signIns(mail)).not.toContain(200);
    expect(await confirmStatus(codes.get(owners) ?? "")).toBe(200);
    expect(await signIns(mail)).toEqual([200, 401]);
    for (const code of codes.values()) expect(await confirmStatus(code)).toBe(400);
    expect(await signIns(mail)).toEqual([200, 401]);
  });

  test("a stranger whose code the owner uses all the same has not the other password", async () => {
    const mail = freshMail();
    await register(mail, owners);
    expect(await confirmStatus(await register(mail, strangers))).toBe(200);
    expect(await signIns(mail)).toEqual([401, 200]);
  });

  test("many strangers at once", async () => {
    const mail = freshMail();
    const code = await register(mail, owners);
    const all = Array.from({ length: 8 }, (_, at) =>
      send(harness, "POST /api/auth/register", { mail, password: `${strangers} ${at}` }),
    );
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await confirmStatus(code)).toBe(200);
    expect(await signIns(mail)).toEqual([200, 401]);
    expect(harness.database.everything()["codes"]).not.toContainEqual(
      expect.objectContaining({ mail, purpose: "confirm" }),
    );
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
    expect(await confirmStatus(code)).toBe(200);
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
    expect(await confirmStatus(code)).toBe(200);
    expect(await homeStatus(harness, member.jwt)).toBe(401);
    expect(await signInStatus(harness, member.mail, member.password)).toBe(401);
    expect(await signIns(member.mail)).toEqual([200, 401]);
  });
});

test("a code from before passwords were kept with codes confirms, and leaves the account's password", async () => {
  const mail = freshMail();
  const code = await register(mail, strangers);
  const hash = await harness.services.hasher.hash(owners);
  const { id } = await accountOf(harness, mail);
  await harness.services.transact(system, ({ accounts }) =>
    accounts.updateAccount(id, { passwordHash: hash }),
  );
  harness.database.change(`UPDATE codes SET password_hash = NULL WHERE account_id = ${id}`);
  expect(await confirmStatus(code)).toBe(200);
  expect(await signIns(mail)).toEqual([200, 401]);
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
