/**
 * The next request sees what another process (the command line) has committed, however busy this one is:
 * accounts, sessions, levels, service tokens and profiles.
 */
import { commandLine } from "../../src/domain/model/actor.ts";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { createToken } from "../../src/domain/services/tokens.ts";
import { newUuid } from "../../src/kernel/ids.ts";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { profileOf } from "../support/registration.ts";
import type { Call } from "./other-process-child.ts";

const harness = await openHarness();
const { address } = harness.listen();
const chief = await addMember(harness, "Chief", { level: 3 });
const alice = await addMember(harness, "Alice");

let answered = Promise.withResolvers<{ readonly result: unknown }>();
const other = Bun.spawn([process.execPath, join(import.meta.dir, "other-process-child.ts")], {
  env: { PATH: process.env["PATH"], ...harness.storageSettings },
  stdio: ["ignore", "inherit", "inherit"],
  ipc: (message) => answered.resolve(message),
});
async function commit(store: Call["store"], method: string, ...input: readonly unknown[]): Promise<unknown> {
  answered = Promise.withResolvers();
  other.send({ store, method, input } satisfies Call);
  return (await answered.promise).result;
}

/** Requests without a pause, so that this process reads nearly all the time. */
const load = new AbortController();
const clients: Promise<void>[] = [];
beforeAll(() => {
  for (let client = 0; client < 4; client++) clients.push(askOnAndOn());
});
afterAll(async () => {
  load.abort();
  await Promise.all(clients);
  other.kill();
  await other.exited;
  await harness[Symbol.asyncDispose]();
});

async function askOnAndOn(): Promise<void> {
  while (!load.signal.aborted) await get("/api/home", alice.authorization);
}

async function get(path: string, authorization: string): Promise<number> {
  const response = await fetch(address + path, { headers: { authorization } });
  await response.bytes();
  return response.status;
}

async function post(path: string, body: unknown, authorization = ""): Promise<number> {
  const headers = { "content-type": "application/json", authorization };
  const response = await fetch(address + path, { method: "POST", headers, body: JSON.stringify(body) });
  await response.bytes();
  return response.status;
}

const tries = 20;

/** Makes two changes in turn, many times, and collects what is seen after each. */
async function inTurn(
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
  look: () => Promise<unknown>,
): Promise<{ readonly first: ReadonlySet<unknown>; readonly second: ReadonlySet<unknown> }> {
  const seen = { first: new Set<unknown>(), second: new Set<unknown>() };
  for (let count = 0; count < tries; count++) {
    await first();
    seen.first.add(await look());
    await second();
    seen.second.add(await look());
  }
  return seen;
}

const only = (first: unknown, second: unknown) => ({ first: new Set([first]), second: new Set([second]) });

test("an account that was made, or deleted", async () => {
  const { account } = alice;
  const mail = "new@example.org";
  const fixed = { mail, mailVerified: true, passwordHash: account.passwordHash, createdAt: 1 } as const;
  let id: unknown = null;
  const seen = await inTurn(
    async () => {
      const made = { ...fixed, uuid: newUuid(), registration: "unnamed", permanentLevel: 2, language: "en" };
      ({ id } = (await commit("accounts", "insertAccount", made)) as { readonly id: unknown });
    },
    () => commit("accounts", "deleteAccount", id),
    () => post("/api/auth/login", { username: mail, password: alice.password }),
  );
  expect(seen).toEqual(only(200, 401));
});

test("a session that was ended, or opened", async () => {
  const [session] = await harness.services.reads.sessions.listSessions(chief.account.id, 0);
  if (session === undefined) throw new Error("no member is signed in");
  const seen = await inTurn(
    () => commit("sessions", "deleteSession", session.id),
    () => commit("sessions", "insertSession", session),
    () => get("/api/home", chief.authorization),
  );
  expect(seen).toEqual(only(401, 200));
});

test("a level that was lowered, or raised", async () => {
  const { id } = chief.account;
  const seen = await inTurn(
    () => commit("accounts", "updateAccount", id, { permanentLevel: 1, temporaryLevel: null }),
    () => commit("accounts", "updateAccount", id, { permanentLevel: 3, temporaryLevel: null }),
    () => get("/api/admin/users", chief.authorization),
  );
  expect(seen).toEqual(only(403, 200));
});

test("a service token that was revoked, or made", async () => {
  const { token, created } = await createToken(harness.services, commandLine, "web");
  const seen = await inTurn(
    () => commit("serviceTokens", "deleteToken", created.name),
    () => commit("serviceTokens", "insertToken", created),
    () => post("/api/service/user", { Playername: "Alice" }, token),
  );
  expect(seen).toEqual(only(401, 200));
});

test("what the home area shows", async () => {
  const { id } = chief.account;
  const seen = await inTurn(
    () => commit("accounts", "updateAccount", id, { mail: "one@example.org", mailVerified: true }),
    () => commit("accounts", "updateAccount", id, { mail: "two@example.org", mailVerified: true }),
    async () => (await profileOf(harness, chief))["Mail"],
  );
  expect(seen).toEqual(only("one@example.org", "two@example.org"));
});
