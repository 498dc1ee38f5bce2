/** Each kind of hash of other systems at the doors: the first sign-in works, and makes a hash of today. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { system } from "../../src/domain/model/actor.ts";
import { send } from "../support/registration.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import vectors from "./vectors.json";

let harness: Harness;
beforeAll(async () => void (harness = await openHarness()));
afterAll(() => harness[Symbol.asyncDispose]());

const doors: readonly (readonly [string, (login: string, password: string) => Promise<Response>])[] = [
  ["the website", (username, password) => send(harness, "POST /api/auth/login", { username, password })],
  [
    "a launcher",
    (username, password) =>
      send(harness, "POST /api/yggdrasil/authserver/authenticate", {
        username,
        password,
        agent: { name: "Minecraft", version: 1 },
      }),
  ],
];

const kinds = [...new Map(vectors.map((vector) => [vector.kind, vector])).values()];

test.each(doors.flatMap(([door, enter]) => kinds.map((vector) => ({ ...vector, door, enter }))))(
  "$kind at $door",
  async ({ text, given, salt, login, password, kind, door, enter }) => {
    const { services } = harness;
    const read = await services.passwordForms.read({ text, kind: given, salt, login });
    if (!("hash" in read)) throw new Error(JSON.stringify(read));
    const name = `P${Bun.hash.crc32(`${kind} ${door}`)}`;
    const { account } = await addMember(harness, name);
    await services.transact(system, ({ accounts }) =>
      accounts.updateAccount(account.id, { passwordHash: read.hash }),
    );
    const hash = async () =>
      (await services.reads.accounts.findMember({ by: "id", value: account.id }))?.account.passwordHash;
    expect((await enter(name, `!${password}`)).ok).toBe(false);
    expect(await hash()).toBe(read.hash);
    expect((await enter(name, password)).status).toBe(200);
    expect(await hash()).toStartWith("$argon2id$v=19$m=8,t=1,p=1$");
    expect((await enter(name, password)).status).toBe(200);
  },
);
