/** Fast hashes of other systems do not stay (docs/contract/auth.md#passwords). */
import { describe, expect, test } from "bun:test";
import { argon2Hasher } from "../../src/adapters/passwords/argon2-hasher.ts";
import { wrapSomeHashes } from "../../src/domain/accounts/wrap-hashes.ts";
import { system } from "../../src/domain/model/actor.ts";
import type { PasswordHasher } from "../../src/domain/ports/password-hasher.ts";
import type { AccountId } from "../../src/kernel/ids.ts";
import { cheapHasher, openHarness, type Harness } from "../support/harness.ts";
import { addMember, signIn } from "../support/members.ts";

const password = "Пароль-harbour 7";
const md5Of = (text: string) => `$md5$${new Bun.CryptoHasher("md5").update(text).digest("hex")}`;
const md5 = md5Of(password);
const bcrypt = await Bun.password.hash(password, { algorithm: "bcrypt", cost: 4 });

const nothing = async () => {};

async function keep(harness: Harness, name: string, passwordHash: string | null) {
  const { account, mail } = await addMember(harness, name);
  await harness.services.transact(system, ({ accounts }) =>
    accounts.updateAccount(account.id, { passwordHash }),
  );
  return { id: account.id, mail };
}

async function hashOf({ services }: Harness, id: AccountId): Promise<string | null | undefined> {
  return (await services.reads.accounts.findMember({ by: "id", value: id }))?.account.passwordHash;
}

/** Wraps until there is nothing more to wrap; returns how many each run wrapped. */
async function wrapAll(harness: Harness): Promise<readonly number[]> {
  const runs: number[] = [];
  let after: AccountId | null = null;
  for (;;) {
    const { wrapped, last, isThrough } = await wrapSomeHashes(harness.services, after);
    runs.push(wrapped);
    if (isThrough) return runs;
    after = last;
  }
}

describe("fast hashes", () => {
  test("are wrapped in batches, the slow ones stay, and passwords still sign in", async () => {
    await using harness = await openHarness();
    const anna = await keep(harness, "Anna", md5);
    const bert = await keep(harness, "Bert", bcrypt);
    const cora = await keep(harness, "Cora", null);
    for (let at = 0; at < 17; at++) await keep(harness, `More${at}`, md5);
    expect(await wrapAll(harness)).toEqual([16, 2]);
    expect(await hashOf(harness, anna.id)).toStartWith("$wrapped$md5$$argon2id$v=19$m=19456,t=2,p=1$");
    expect(await hashOf(harness, bert.id)).toBe(bcrypt);
    expect(await hashOf(harness, cora.id)).toBeNull();
    expect(await wrapAll(harness)).toEqual([0]);

    expect(await signIn(harness, anna.mail, `${password}x`)).toBeUndefined();
    expect(await signIn(harness, anna.mail, password)).toBeString();
    expect(await hashOf(harness, anna.id)).toStartWith("$argon2id$v=19$m=8,t=1,p=1$");
    expect(await signIn(harness, anna.mail, password)).toBeString();
  });

  test("wait while sign-ins do", async () => {
    let isBusy = true;
    const hasher: PasswordHasher = { ...cheapHasher, isBusy: () => isBusy };
    await using harness = await openHarness({ hasher });
    const { id } = await keep(harness, "Anna", md5);
    const busy = await wrapSomeHashes(harness.services, null);
    expect(busy).toEqual({ wrapped: 0, last: null, isThrough: false });
    expect(await hashOf(harness, id)).toBe(md5);
    isBusy = false;
    expect(await wrapAll(harness)).toEqual([1]);
  });

  test("that changed meanwhile stay as they became", async () => {
    let meanwhile: () => Promise<void> = nothing;
    const hasher: PasswordHasher = {
      ...cheapHasher,
      wrap: async (hash) => {
        await meanwhile();
        return cheapHasher.wrap(hash);
      },
    };
    await using harness = await openHarness({ hasher });
    const { id, mail } = await keep(harness, "Anna", md5);
    meanwhile = async () => void (await signIn(harness, mail, password));
    await wrapAll(harness);
    expect(await hashOf(harness, id)).toStartWith("$argon2id$v=19$m=8,t=1,p=1$");
  });
});

test("a hash that is wrapped during its sign-in lets the person in", async () => {
  let meanwhile: () => Promise<void> = nothing;
  const hasher: PasswordHasher = {
    ...cheapHasher,
    hash: async (given) => {
      await meanwhile();
      return cheapHasher.hash(given);
    },
  };
  await using harness = await openHarness({ hasher });
  const { id, mail } = await keep(harness, "Anna", md5);
  meanwhile = async () => {
    meanwhile = nothing;
    expect(await wrapAll(harness)).toEqual([1]);
  };
  expect(await signIn(harness, mail, password)).toBeString();
  expect(await hashOf(harness, id)).toStartWith("$argon2id$v=19$m=8,t=1,p=1$");
});

test("a sign-in makes a hash of today of a hash of another system, of what was typed", async () => {
  await using harness = await openHarness();
  const typed = "cafe\u0301 au lait";
  const hash = md5Of(typed);
  const { id, mail } = await keep(harness, "Anna", hash);
  expect(await signIn(harness, mail, typed)).toBeString();
  expect(await hashOf(harness, id)).toStartWith("$argon2id$");
  expect(await signIn(harness, mail, typed.normalize("NFC"))).toBeString();
});

test("a password of another system may be shorter than ours, but is never nothing", async () => {
  await using harness = await openHarness();
  const short = await keep(harness, "Short", md5Of("abc"));
  const empty = await keep(harness, "Empty", md5Of(""));
  expect(await signIn(harness, short.mail, "abc")).toBeString();
  expect(await signIn(harness, empty.mail, "")).toBeUndefined();
  expect(await signIn(harness, empty.mail, "x".repeat(2000))).toBeUndefined();
});

test("wrapping leaves the queue to others", async () => {
  expect(argon2Hasher.isBusy()).toBe(false);
  const all = Array.from({ length: 64 }, () => argon2Hasher.verify("x", bcrypt));
  expect(argon2Hasher.isBusy()).toBe(true);
  await Promise.all(all);
  expect(argon2Hasher.isBusy()).toBe(false);
});
