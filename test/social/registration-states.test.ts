/**
 * How far registrations are and what sessions were opened with, as it is stored: `domain/model/account.ts`,
 * `session.ts`.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { createAccount as createByOperator } from "../../src/domain/accounts/create-account.ts";
import { updateUser, type UserChange } from "../../src/domain/members/administer.ts";
import { commandLine, system } from "../../src/domain/model/actor.ts";
import type { Registration } from "../../src/domain/model/account.ts";
import type { SessionId } from "../../src/kernel/ids.ts";
import { publicUrl } from "../support/harness.ts";
import { addMember, signIn } from "../support/members.ts";
import { ask, homeStatus, lastCode, orderCode, send } from "../support/registration.ts";
import {
  create,
  createAccount,
  link,
  meet,
  metaOf,
  newPerson,
  openSocialWorld,
  signInSocially,
} from "../support/social/social-world.ts";
import { claimsOf, forge } from "../support/tokens.ts";

const world = await openSocialWorld();
afterAll(() => world[Symbol.asyncDispose]());
const { harness } = world;

let people = 0;
/** An address that no account has. */
const newMail = () => `newcomer${(people += 1)}@example.net`;
const password = "a password of many words";

type Row = Readonly<Record<string, unknown>>;

function rowsOf(table: "accounts" | "sessions"): readonly Row[] {
  return harness.database.everything()[table] as readonly Row[]; // rows are objects
}

function registrationOf(mail: string): unknown {
  return rowsOf("accounts").find((row) => row["mail"] === mail)?.["registration"];
}

const change = (mail: string, wanted: UserChange) =>
  updateUser({ ...harness.services }, commandLine, { identifier: mail, change: wanted });
const register = async (mail: string) => void (await orderCode(harness, "confirm", mail, password));
const confirm = (mail: string) => ask(harness, "POST /api/auth/confirm", { code: lastCode(harness, mail) });
const reset = async (mail: string) => {
  const code = await orderCode(harness, "reset", mail);
  await ask(harness, "POST /api/auth/forgetpass/update", { code, password });
};
const finish = async (mail: string, jwt?: string) => {
  const headers = { authorization: `Bearer ${jwt ?? (await signIn(harness, mail, password))}` };
  const names = { username: mail.slice(0, mail.indexOf("@")), password };
  return (await send(harness, "POST /api/home/registerfinish", names, headers)).status;
};
/** An account of somebody at the provider, whose address is verified there; its token. */
const arrive = (mail: string) => {
  newPerson(world, { email: mail });
  return createAccount(world);
};
const operate = (mail: string, mailVerified: boolean, username: string | null) =>
  createByOperator(harness.services, commandLine, { mail, username, password, level: 1, mailVerified });

describe("a registration is stored as", () => {
  test.each<readonly [Registration, string, (mail: string) => Promise<unknown>]>([
    ["unconfirmed", "after a registration", register],
    ["unconfirmed", "after two", async (mail) => [await register(mail), await register(mail)]],
    ["unnamed", "once the address is confirmed", async (mail) => [await register(mail), await confirm(mail)]],
    [
      "unnamed",
      "after a reset that proves the address",
      async (mail) => [await register(mail), await reset(mail)],
    ],
    [
      "complete",
      "once a name is chosen",
      async (mail) => [await register(mail), await confirm(mail), await finish(mail)],
    ],
    ["unconfirmed", "where an operator makes an account", (mail) => operate(mail, false, null)],
    ["unnamed", "where an operator vouches for the address", (mail) => operate(mail, true, null)],
    ["complete", "where an operator gives a name", (mail) => operate(mail, false, `op${people}`)],
    [
      "unnamed",
      "where an operator confirms an address later",
      async (mail) => [await register(mail), await change(mail, { mailVerified: true })],
    ],
    [
      "unconfirmed",
      "where an operator takes that back",
      async (mail) => [await operate(mail, true, null), await change(mail, { mailVerified: false })],
    ],
    [
      "complete",
      "where an operator takes that back from a player",
      async (mail) => [await operate(mail, true, `op${people}`), await change(mail, { mailVerified: false })],
    ],
    [
      "complete",
      "where an operator gives a name later",
      async (mail) => [await register(mail), await change(mail, { username: `op${people}` })],
    ],
    ["unnamed", "under a derived name", arrive],
    ["complete", "once another one is chosen", async (mail) => finish(mail, await arrive(mail))],
    [
      "complete",
      "once an account of a derived name has a password",
      async (mail) => [await arrive(mail), await reset(mail)],
    ],
    [
      "complete",
      "where an operator replaces a derived name",
      async (mail) => [await arrive(mail), await change(mail, { username: `op${people}` })],
    ],
  ])("%s %s", async (registration, _, work) => {
    const mail = newMail();
    await work(mail);
    expect(registrationOf(mail)).toBe(registration);
  });

  test("complete only once: it is not finished again", async () => {
    const mail = newMail();
    const jwt = await arrive(mail);
    expect(await finish(mail, jwt)).toBe(200);
    expect(await finish(mail, jwt)).toBe(409);
  });
});

test("an account that is unconfirmed again is not finished in a session that runs on", async () => {
  const mail = newMail();
  await operate(mail, true, null);
  const jwt = await signIn(harness, mail, password);
  await change(mail, { mailVerified: false });
  expect(await finish(mail, jwt)).toBe(403);
  expect(registrationOf(mail)).toBe("unconfirmed");
  await change(mail, { mailVerified: true });
  expect(await finish(mail, jwt)).toBe(200);
});

/** The newest session's proof. */
function proof() {
  const { kind, player_id, methods, proved_at } = rowsOf("sessions").at(-1) ?? {};
  return { kind, player_id, methods: JSON.parse(String(methods)) as unknown, proved_at };
}
const proven = (methods: readonly string[], ago = 0) => ({
  kind: "web",
  player_id: null,
  methods,
  proved_at: harness.clock.nowSeconds() - ago,
});

describe("a session keeps how and when its member proved who they are", () => {
  test("by the password", async () => {
    await addMember(harness, "Pia");
    expect(proof()).toEqual(proven(["password"]));
  });

  test("at a provider", async () => {
    await arrive(newMail());
    harness.clock.advance(60);
    expect((await signInSocially(world)).status).toBe(200);
    expect(proof()).toEqual(proven(["social:discord"]));
  });

  test("at a provider, a while before an account was made", async () => {
    newPerson(world);
    const user = await meet(world);
    harness.clock.advance(300);
    expect((await create(harness, metaOf(user))).status).toBe(200);
    expect(proof()).toEqual(proven(["social:discord"], 300));
  });

  test("by both, when a person is linked", async () => {
    const rosa = await addMember(harness, "Rosa");
    newPerson(world);
    const user = await meet(world);
    harness.clock.advance(60);
    expect((await link(harness, rosa, metaOf(user))).status).toBe(200);
    expect(proof()).toEqual(proven(["password", "social:discord"]));
  });
});

test("a session of a game opens nothing here", async () => {
  const gina = await addMember(harness, "Gina");
  const { account } = gina;
  const now = harness.clock.nowSeconds();
  const times = { createdAt: now, expiresAt: now + 600, lastUsedAt: now, provedAt: now };
  const token = { tokenHash: null, clientToken: null, refreshOnly: false, idleSeconds: null } as const;
  const client = { address: "", userAgent: "" };
  const row = { accountId: account.id, ...times, ...client, ...token, playerId: null, methods: [] };
  const statuses = [];
  for (const kind of ["web", "game"] as const) {
    const id = `a session for ${kind}` as SessionId;
    await harness.services.transact(system, ({ sessions }) => sessions.insertSession({ ...row, id, kind }));
    const jwt = forge({ ...claimsOf(gina.jwt), iss: publicUrl, sid: id, exp: now + 600 });
    statuses.push(await homeStatus(harness, jwt));
  }
  expect(statuses).toEqual([200, 401]);
});
