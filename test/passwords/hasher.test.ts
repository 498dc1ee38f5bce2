import { describe, expect, spyOn, test } from "bun:test";
import { availableParallelism } from "node:os";
import { usualMilliseconds } from "../../src/adapters/passwords/hash-kinds.ts";
import { onBehalfOf } from "../../src/kernel/on-behalf.ts";
import { argon2Hasher } from "../../src/adapters/passwords/argon2-hasher.ts";

/** What another system stored for a password: bcrypt at its least cost, the same under each of its names. */
async function bcrypt(password: string | Uint8Array, kind = "2b"): Promise<string> {
  const hash = await Bun.password.hash(password, { algorithm: "bcrypt", cost: 4 });
  return hash.replace("$2b$", `$${kind}$`);
}

const cheapArgon2 = { memoryCost: 8, timeCost: 1 } as const;

describe("a hash of today", () => {
  test("is Argon2id with 19 MiB, two passes and one lane, with a new salt each time", async () => {
    const hashes = await Promise.all([1, 2].map(() => argon2Hasher.hash("correct horse")));
    for (const hash of hashes) expect(hash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(new Set(hashes).size).toBe(2);
  });

  test("fits its password alone and stays", async () => {
    const hash = await argon2Hasher.hash("correct horse");
    expect(await argon2Hasher.verify("correct horse", hash)).toBe(true);
    expect(await argon2Hasher.verify("Correct horse", hash)).toBe(false);
    expect(await argon2Hasher.verify("", hash)).toBe(false);
    expect(argon2Hasher.needsRehash(hash)).toBe(false);
  });

  test("tells passwords apart that differ after 72 bytes", async () => {
    const hash = await argon2Hasher.hash(`${"a".repeat(100)}b`);
    expect(await argon2Hasher.verify(`${"a".repeat(100)}c`, hash)).toBe(false);
  });
});

describe("a hash that was left behind", () => {
  const kinds: readonly (readonly [string, (password: string) => Promise<string>])[] = [
    ["bcrypt $2a$", (password) => bcrypt(password, "2a")],
    ["bcrypt $2b$", (password) => bcrypt(password, "2b")],
    ["bcrypt $2y$", (password) => bcrypt(password, "2y")],
    [
      "Argon2id of another cost",
      (password) => Bun.password.hash(password, { algorithm: "argon2id", ...cheapArgon2 }),
    ],
    ["Argon2i", (password) => Bun.password.hash(password, { algorithm: "argon2i", ...cheapArgon2 })],
    ["Argon2d", (password) => Bun.password.hash(password, { algorithm: "argon2d", ...cheapArgon2 })],
  ];

  test.each(kinds)("fits its password alone and is to be replaced: %s", async (_, make) => {
    const hash = await make("correct horse");
    expect(await argon2Hasher.verify("correct horse", hash)).toBe(true);
    expect(await argon2Hasher.verify("correct horsf", hash)).toBe(false);
    expect(await argon2Hasher.verify("", hash)).toBe(false);
    expect(argon2Hasher.needsRehash(hash)).toBe(true);
  });

  test("of bcrypt as published with the algorithm verifies", async () => {
    const published = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";
    expect(await argon2Hasher.verify("U*U", published)).toBe(true);
    expect(await argon2Hasher.verify("U*U*", published)).toBe(false);
  });

  test("as others published it fits its password, and no longer once any letter of it has changed", async () => {
    const published = [
      // The first test of the reference implementation of Argon2id (RFC 9106) with this cost, and the one of
      // bcrypt's authors.
      ["password", "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"],
      ["U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
    ] as const;
    for (const [password, hash] of published) {
      expect(await argon2Hasher.verify(password, hash)).toBe(true);
      const from = hash.lastIndexOf("$") + 1;
      for (let at = hash.startsWith("$2a$") ? from + 22 : from; at < hash.length - 1; at++) {
        const other = hash[at] === "A" ? "B" : "A";
        const changed = hash.slice(0, at) + other + hash.slice(at + 1);
        expect({ changed, fits: await argon2Hasher.verify(password, changed) }).toEqual({
          changed,
          fits: false,
        });
      }
      for (const cut of [hash.slice(0, -4), hash.slice(0, from + 8), hash.slice(0, from)])
        expect({ cut, fits: await argon2Hasher.verify(password, cut) }).toEqual({ cut, fits: false });
    }
  });

  test.each([
    ["of 71 letters", "a".repeat(71), "a".repeat(70), false],
    ["of 72 letters", "a".repeat(72), "a".repeat(71), false],
    ["of 100 letters, of which bcrypt saw 72", "a".repeat(100), "a".repeat(72), true],
    ["of 40 two-byte letters, of which bcrypt saw 36", "ж".repeat(40), "ж".repeat(36), true],
    ["whose 72nd byte is in the middle of a letter", `a${"ж".repeat(40)}`, `b${"ж".repeat(40)}`, false],
  ])("of bcrypt fits a password %s", async (_, password, other, fits) => {
    const hash = await bcrypt(new TextEncoder().encode(password).slice(0, 72));
    expect(await argon2Hasher.verify(password, hash)).toBe(true);
    expect(await argon2Hasher.verify(other, hash)).toBe(fits);
  });
});

describe("no member signs in with", () => {
  const salt = "CCCCCCCCCCCCCCCCCCCCC.";
  test.each([
    ["nothing", ""],
    ["the password itself", "U*U"],
    ["dollars", "$$$"],
    ["an unknown kind", "$sha256$U*U"],
    ["the name of what objects inherit", "$constructor$"],
    ["bcrypt of PHP's faulty years", `$2x$05${salt}E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW`],
    ["bcrypt without a hash", `$2b$04$${salt}`],
    ["bcrypt at an impossible cost", `$2b$99$${salt}E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW`],
    ["Argon2id without a hash", "$argon2id$v=19$m=8,t=1,p=1$"],
    ["Argon2id with no valid number", "$argon2id$v=19$m=x,t=1,p=1$c2FsdHNhbHQ$c2FsdHNhbHQ"],
  ])("%s", async (_, hash) => {
    expect(await argon2Hasher.verify("U*U", hash)).toBe(false);
    expect(argon2Hasher.needsRehash(hash)).toBe(true);
  });
});

test.each([
  ["$argon2id$v=19$m=19456,t=2,p=1$", 30],
  ["$argon2i$m=65536,t=4,p=8$", 202],
  ["$2b$10$", 60],
  ["$2y$13$", 480],
])("a hash of %s is expected to take %d milliseconds on a usual core", (kind, milliseconds) => {
  expect(Math.round(usualMilliseconds(kind))).toBe(milliseconds);
});

describe("a dummy hash", () => {
  test.each([
    ["today's kind", null],
    ["Argon2id of another cost", "$argon2id$v=19$m=64,t=3,p=1$"],
    ["Argon2i", "$argon2i$v=19$m=8,t=1,p=1$"],
    ["bcrypt", "$2y$05$"],
  ])("of %s is of that kind and fits no password", async (_, kind) => {
    const [one, other] = [argon2Hasher.dummy(kind), argon2Hasher.dummy(kind)];
    expect(argon2Hasher.kindOf(one)).toBe(kind ?? "$argon2id$v=19$m=19456,t=2,p=1$");
    expect(one).not.toBe(other);
    // Bun reads it: a hash that it cannot read would be refused at once.
    expect(await Bun.password.verify("U*U", one)).toBe(false);
    expect(await argon2Hasher.verify("U*U", one)).toBe(false);
  });
});

const cores = availableParallelism();
const cheap = () =>
  Bun.password.hash("correct horse", { algorithm: "argon2id", memoryCost: 4096, timeCost: 1 });
const by = <T>(client: string, work: () => T, gone: AbortSignal | null = null) =>
  onBehalfOf({ client, gone }, work);

/** Hashes are checked one by one for each core, so that the order shows who waits for whom. */
describe("clients share the time", () => {
  test("evenly: a client who comes last waits for one of each other, not for all", async () => {
    const hash = await cheap();
    const done: string[] = [];
    const verify = async (client: string) => {
      await argon2Hasher.verify("wrong horse", hash);
      done.push(client);
    };
    const flood = Array.from({ length: 8 * 20 }, (_, at) =>
      by(`flood ${at % 8}`, () => verify("flood")).catch(() => undefined),
    );
    const last = by("owner", () => verify("owner"));
    const own = verify("program");
    await Promise.all([...flood, last, own]);
    expect(done.indexOf("owner")).toBeLessThanOrEqual(8 * 2 + cores);
    expect(done.indexOf("program")).toBeLessThanOrEqual(8 * 2 + cores + 1);
  });

  test("each with few that wait, and what is too much is 429 at once", async () => {
    const hash = await cheap();
    const verify = () => argon2Hasher.verify("correct horse", hash).catch((error: unknown) => error);
    for (let round = 0; round < 2; round++) {
      const outcomes = await by("one", () => Promise.all(Array.from({ length: 16 * cores + 10 }, verify)));
      expect(outcomes.filter((outcome) => outcome === true)).toHaveLength(16 * cores);
      expect(outcomes.slice(16 * cores)).toEqual(
        Array.from({ length: 10 }, () => expect.objectContaining({ kind: "limited", retryAfterSeconds: 3 })),
      );
    }
  });

  test("and one that hangs up leaves the queue", async () => {
    const hash = await cheap();
    const gone = new AbortController();
    const verify = () => argon2Hasher.verify("correct horse", hash);
    const kept = by("one", () => Promise.all(Array.from({ length: 8 }, verify)));
    const left = by("other", () => Promise.allSettled(Array.from({ length: 8 }, verify)), gone.signal);
    gone.abort();
    expect(await left).toEqual(
      Array.from({ length: 8 }, () => ({
        status: "rejected",
        reason: expect.objectContaining({ name: "AbortError" }),
      })),
    );
    expect(await kept).toEqual(Array.from({ length: 8 }, () => true));
  });

  test("and one hash that was slow, as the first of a busy machine, makes none of the next ones too many", async () => {
    const hash = await Bun.password.hash("correct horse", {
      algorithm: "argon2id",
      memoryCost: 16,
      timeCost: 1,
    });
    const now = performance.now.bind(performance);
    let passed = 0;
    const clock = spyOn(performance, "now").mockImplementation(() => now() + passed);
    const slow = spyOn(Bun.password, "verify").mockImplementationOnce(async () => {
      passed += 60_000;
      return true;
    });
    try {
      await argon2Hasher.verify("correct horse", hash);
      const all = Array.from({ length: 16 }, () => argon2Hasher.verify("correct horse", hash));
      expect(await Promise.all(all)).toEqual(Array.from({ length: 16 }, () => true));
    } finally {
      slow.mockRestore();
      clock.mockRestore();
    }
  });
});
