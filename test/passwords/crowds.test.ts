/** Who waits for whose password (docs/contract/limits.md#pictures). */
import { expect, test } from "bun:test";
import { argon2Hasher } from "../../src/adapters/passwords/argon2-hasher.ts";
import { cheapHasher, openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";

/** A millisecond of a core, so that many wait. */
const costly = "$argon2id$v=19$m=2048,t=1,p=1$";
const hasher = {
  ...cheapHasher,
  hash: (password: string) =>
    Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 2048, timeCost: 1 }),
  needsRehash: () => false,
  verify: argon2Hasher.verify,
  dummy: () => argon2Hasher.dummy(costly),
};
const settings = { RATE_LIMIT_FACTOR: "1", TRUSTED_PROXIES: "127.0.0.1" };

test("160 wrong passwords of eight addresses do not stand before the right one of a ninth", async () => {
  await using harness = await openHarness({ settings, hasher });
  const { name, password } = await addMember(harness, "Anna");
  harness.clock.advance(60);
  const done: string[] = [];
  const login = async (username: string, text: string, address: string) => {
    const { status } = await harness.fetch("/api/auth/login", {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": address },
      body: JSON.stringify({ username, password: text }),
    });
    done.push(`${status} ${address}`);
  };
  const flood = Array.from({ length: 160 }, (_, at) =>
    login(`Nobody${at}`, "a wrong password", `192.0.2.${at % 8}`),
  );
  await Promise.all([...flood, login(name, password, "198.51.100.1")]);

  const place = done.indexOf("200 198.51.100.1");
  expect(place).toBeGreaterThanOrEqual(0);
  expect(place).toBeLessThan(80);
});
