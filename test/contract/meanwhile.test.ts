/**
 * What happens to an account while one of its requests waits for a password to be hashed: half a second on a
 * small machine.
 */
import { describe, expect, test } from "bun:test";
import { commandLine } from "../../src/domain/model/actor.ts";
import { deleteAccount, updateUser } from "../../src/domain/members/administer.ts";
import type { PasswordHasher } from "../../src/domain/ports/password-hasher.ts";
import { cheapHasher, openHarness, type Harness } from "../support/harness.ts";
import { addMember, edit, type Member } from "../support/members.ts";
import { orderCode, orderMailCode, send, signInStatus } from "../support/registration.ts";
import { expectError } from "../support/scenario.ts";

type World = { readonly harness: Harness; readonly member: Member };

/** Does something once, in the middle of the next work with a password. */
function interruptible() {
  let interruption: (() => Promise<unknown>) | null = null;
  const interrupt = async () => {
    const work = interruption;
    interruption = null;
    await work?.();
  };
  const hasher: PasswordHasher = {
    ...cheapHasher,
    hash: async (password) => {
      await interrupt();
      return cheapHasher.hash(password);
    },
    verify: async (password, hash) => {
      await interrupt();
      return cheapHasher.verify(password, hash);
    },
  };
  return { hasher, onceMeanwhile: (work: () => Promise<unknown>) => void (interruption = work) };
}

const password = "a password that will do";

const requests: Readonly<Record<string, (world: World) => Promise<() => Promise<Response>>>> = {
  "a sign-in":
    async ({ harness, member }) =>
    () =>
      send(harness, "POST /api/auth/login", { username: member.name, password: member.password }),
  "a change of name":
    async ({ harness, member }) =>
    () =>
      edit(harness, member, "PATCH /api/home/edit/username", {
        username: "Another",
        password: member.password,
      }),
  "a change of password":
    async ({ harness, member }) =>
    () =>
      edit(harness, member, "PATCH /api/home/edit/password", {
        newpassword: password,
        password: member.password,
      }),
  "a change of address that is asked for":
    async ({ harness, member }) =>
    () =>
      edit(harness, member, "POST /api/home/mail/request", {
        mail: "new@example.org",
        password: member.password,
      }),
  "a change of address": async ({ harness, member }) => {
    const code = await orderMailCode(harness, member, "new@example.org");
    return () => edit(harness, member, "POST /api/home/mail/validate", { code, password: member.password });
  },
  "a reset": async ({ harness, member }) => {
    const code = await orderCode(harness, "reset", member.mail);
    return () => send(harness, "POST /api/auth/forgetpass/update", { code, password });
  },
};

async function openWorld() {
  const { hasher, onceMeanwhile } = interruptible();
  const harness = await openHarness({ hasher });
  return Object.assign(harness, { onceMeanwhile, member: await addMember(harness, "Alice") });
}

describe.each(Object.entries(requests))("%s", (_, prepare) => {
  test("of an account that goes meanwhile is refused, and is no fault", async () => {
    await using harness = await openWorld();
    const ask = await prepare({ harness, member: harness.member });
    const mails = harness.database.mails().length;
    harness.onceMeanwhile(() => deleteAccount(harness.services, commandLine, "Alice"));
    const response = await ask();
    expect([400, 401]).toContain(response.status);
    await expectError(response, response.status);
    expect(harness.takeComplaints()).toEqual([]);
    expect(harness.database.mails()).toHaveLength(mails);
    expect(harness.countRows("accounts") + harness.countRows("sessions")).toBe(0);
  });

  test("is refused when the operator sets the password meanwhile, which then holds", async () => {
    await using harness = await openWorld();
    const ask = await prepare({ harness, member: harness.member });
    const safe = "the operator's password";
    harness.onceMeanwhile(() =>
      updateUser(harness.services, commandLine, { identifier: "Alice", change: { password: safe } }),
    );
    const response = await ask();
    expect([400, 401]).toContain(response.status);
    await expectError(response, response.status);
    expect(harness.takeComplaints()).toEqual([]);
    expect(harness.countRows("sessions")).toBe(0);
    expect(await signInStatus(harness, "Alice", safe)).toBe(200);
    expect(await signInStatus(harness, harness.member.mail, safe)).toBe(200);
  });
});

describe("finishing a registration", () => {
  test("of an account that goes meanwhile is refused, and is no fault", async () => {
    const { hasher, onceMeanwhile } = interruptible();
    await using harness = await openHarness({ hasher });
    const half = await addMember(harness, "half", { finished: false });
    onceMeanwhile(() => deleteAccount(harness.services, commandLine, half.mail));
    const json = { username: "Half", password };
    await expectError(await edit(harness, half, "POST /api/home/registerfinish", json), 401);
    expect(harness.takeComplaints()).toEqual([]);
    expect(harness.countRows("players")).toBe(0);
  });

  test("through a session that is ended meanwhile is refused", async () => {
    const { hasher, onceMeanwhile } = interruptible();
    await using harness = await openHarness({ hasher });
    const half = await addMember(harness, "half", { finished: false });
    onceMeanwhile(() =>
      updateUser(harness.services, commandLine, { identifier: half.mail, change: { password } }),
    );
    const json = { username: "Half", password: "the thief's password" };
    await expectError(await edit(harness, half, "POST /api/home/registerfinish", json), 401);
    expect(await signInStatus(harness, half.mail, password)).toBe(200);
  });
});

test("a registration of an address that is confirmed meanwhile is refused, and its password stays", async () => {
  const { hasher, onceMeanwhile } = interruptible();
  await using harness = await openHarness({ hasher });
  const mail = "new@example.org";
  const code = await orderCode(harness, "confirm", mail, password);
  onceMeanwhile(() => send(harness, "POST /api/auth/confirm", { code }));
  const json = { mail, password: "the thief's password" };
  await expectError(await send(harness, "POST /api/auth/register", json), 409, /^mail: /);
  expect(await signInStatus(harness, mail, password)).toBe(200);
});
