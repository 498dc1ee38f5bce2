/** What the work of a refused password shows: nothing (docs/contract/auth.md, SECURITY.md). */
import { expect, test } from "bun:test";
import { system } from "../../src/domain/model/actor.ts";
import type { PasswordHasher } from "../../src/domain/ports/password-hasher.ts";
import { cheapHasher, openHarness, type Harness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";
import { send } from "../support/registration.ts";

const ours = "$argon2id$v=19$m=8,t=1,p=1$";

/** A service that notes the kind of each hash that a password is compared with. */
async function openNoting() {
  const kinds: (string | null)[] = [];
  const hasher: PasswordHasher = {
    ...cheapHasher,
    verify: (password, hash) => {
      kinds.push(hasher.kindOf(hash));
      return cheapHasher.verify(password, hash);
    },
    // Hashes of other systems stay.
    needsRehash: () => false,
  };
  const harness = await openHarness({ hasher });
  /** What a wrong password of a login is compared with. */
  const kindsOf = async (login: string) => {
    kinds.length = 0;
    const answer = await send(harness, "POST /api/auth/login", {
      username: login,
      password: "a wrong password",
    });
    expect(answer.status).toBe(401);
    return [...kinds];
  };
  return { harness, kindsOf };
}

async function keep(harness: Harness, name: string, passwordHash: string | null): Promise<void> {
  const { account } = await addMember(harness, name);
  await harness.services.transact(system, ({ accounts }) =>
    accounts.updateAccount(account.id, { passwordHash }),
  );
}

const unknown = Array.from({ length: 60 }, (_, at) => `Nobody${at}`);

test("names of no account are compared as those of accounts are: as often with each kind of hash", async () => {
  const { harness, kindsOf } = await openNoting();
  await using world = harness;
  const bcrypt = await Bun.password.hash("a right password", { algorithm: "bcrypt", cost: 4 });
  for (let at = 0; at < 4; at++) await keep(world, `Import${at}`, bcrypt);
  for (let at = 0; at < 4; at++) await addMember(world, `Member${at}`);
  world.clock.advance(60);
  const seen: string[] = [];
  for (const login of unknown) {
    const [kind = null, ...others] = await kindsOf(login);
    expect(others).toEqual([]);
    seen.push(String(kind));
  }
  const counts = Map.groupBy(seen, (kind) => kind);
  expect([...counts.keys()].toSorted()).toEqual(["$2b$04$", ours]);
  for (const all of counts.values()) expect(all.length).toBeGreaterThan(15);
  // Always the same, in every spelling.
  for (const [at, login] of unknown.entries())
    expect(await kindsOf(login.toUpperCase())).toEqual([seen[at] ?? ""]);
  expect(await kindsOf("Import1")).toEqual(["$2b$04$"]);
  expect(await kindsOf("Member1")).toEqual([ours]);
});

test.each([
  ["without a password", null],
  ["whose hash cannot be read", "$2b$04$no hash"],
])("an account %s is compared as an unknown name is", async (_, hash) => {
  const { harness, kindsOf } = await openNoting();
  await using world = harness;
  await addMember(world, "Member");
  await keep(world, "Guest", hash);
  world.clock.advance(60);
  expect(await kindsOf("Guest")).toEqual([ours]);
  expect(await kindsOf("Nobody")).toEqual([ours]);
});
