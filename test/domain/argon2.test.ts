/** The hasher that the service really uses: slow on purpose, so it is tested here and nowhere else. */
import { expect, test } from "bun:test";
import { argon2Hasher } from "../../src/adapters/passwords/argon2-hasher.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import { updateUser } from "../../src/domain/members/administer.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, signIn } from "../support/members.ts";

test("hashes with Argon2id at the cost that the contract names, with a salt of its own each time", async () => {
  const [one, two] = await Promise.all([argon2Hasher.hash("a password"), argon2Hasher.hash("a password")]);
  for (const hash of [one, two]) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]+\$[^$]+$/);
  expect(one).not.toBe(two);
  expect(await argon2Hasher.verify("a password", one)).toBe(true);
  expect(await argon2Hasher.verify("A password", one)).toBe(false);
  expect(await argon2Hasher.verify("", one)).toBe(false);
  expect(argon2Hasher.needsRehash(one)).toBe(false);
});

test.each(["", "plain", "$argon2id$v=19$m=19456,t=2,p=1$", "$md5$x", "\0"])(
  "no password fits the hash %p",
  async (hash) => {
    expect(await argon2Hasher.verify("a password", hash)).toBe(false);
  },
);

test.each([
  "$argon2id$v=19$m=65536,t=2,p=1$c2FsdHNhbHQ$aGFzaA",
  "$argon2id$v=19$m=19456,t=3,p=1$c2FsdHNhbHQ$aGFzaA",
  "$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA",
  "$2b$10$abcdefghijklmnopqrstuv",
])("a hash of another cost or kind is to be renewed: %s", (hash) => {
  expect(argon2Hasher.needsRehash(hash)).toBe(true);
});

test("a member signs in with it, in whichever form of Unicode the password is typed", async () => {
  await using harness = await openHarness({ hasher: argon2Hasher });
  const { mail } = await addMember(harness, "Zoe");
  await updateUser(harness.services, commandLine, {
    identifier: "Zoe",
    change: { password: "caf\u00e9 au lait" },
  });
  expect(await signIn(harness, mail, "cafe\u0301 au lait")).toBeString();
  expect(await signIn(harness, mail, "cafe au lait")).toBeUndefined();
});
