/**
 * Passwords as other systems keep them. vectors.json was made by make-vectors.py, with implementations of
 * others.
 */
import { describe, expect, test } from "bun:test";
import { availableParallelism } from "node:os";
import { argon2Hasher } from "../../src/adapters/passwords/argon2-hasher.ts";
import { usualMilliseconds } from "../../src/adapters/passwords/hash-kinds.ts";
import { createPasswordForms } from "../../src/adapters/passwords/password-forms.ts";
import vectors from "./vectors.json";

const forms = createPasswordForms(argon2Hasher);

type Given = Parameters<typeof forms.read>[0];

/** The hash that is kept; fails for one that is not taken. */
async function kept(given: Given): Promise<string> {
  const read = await forms.read(given);
  if ("hash" in read) return read.hash;
  throw new Error(JSON.stringify(read));
}

const cases = vectors.map(({ name, password, text, given, salt, login, kind }) => ({
  name,
  password,
  kind,
  given: { text, kind: given, salt, login },
}));

/** The digit or letter changed to another one of its alphabet. */
function changed(text: string, at: number): string {
  const letter = text.charAt(at);
  const other =
    letter === "a"
      ? "b"
      : letter === "A"
        ? "B"
        : /\d/.test(letter)
          ? letter === "1"
            ? "2"
            : "1"
          : /[a-z]/.test(letter)
            ? "a"
            : "A";
  return text.slice(0, at) + other + text.slice(at + 1);
}

describe("a password of", () => {
  test.each(cases)("$name fits and is to be replaced", async ({ given, kind, password }) => {
    const read = await forms.read(given);
    expect(read).toEqual({ hash: expect.stringMatching(/^\$/), kind });
    const hash = await kept(given);
    expect(argon2Hasher.nameOf(hash)).toBe(kind);
    expect(argon2Hasher.needsRehash(hash)).toBe(true);
    expect(await argon2Hasher.verify(password, hash)).toBe(true);
    // What is kept can be read again, as from an export.
    expect(await forms.read({ text: hash, kind: null, salt: null, login: null })).toEqual({ hash, kind });
  });

  test.each(cases)("$name fits nothing else", async ({ given, password }) => {
    const hash = await kept(given);
    const last = password.length - 1;
    const others = [
      `${password} `,
      password.slice(0, -1),
      password.slice(1),
      password.toUpperCase(),
      password.toLowerCase() === password ? `A${password.slice(1)}` : password.toLowerCase(),
      `${password.slice(0, last)}${String.fromCodePoint((password.codePointAt(last) ?? 0) ^ 1)}`,
      "",
    ].filter((other) => password.length < 72 || other === "" || !other.startsWith(password.slice(0, 72)));
    expect(await Promise.all(others.map((other) => argon2Hasher.verify(other, hash)))).not.toContain(true);
  });

  test.each(cases)("$name fits no hash with another result or salt", async ({ given, password }) => {
    const hash = await kept(given);
    const result = hash.lastIndexOf("$") + 1;
    const spots = [result, result + Math.floor((hash.length - result) / 2), hash.length - 2];
    const altered = spots.map((at) => changed(hash, at));
    // The salt, cut and changed, where it stands in what is kept.
    const salt = hash.split("$").at(-2) ?? "";
    if (
      !hash.startsWith("$2") &&
      (given.salt !== null || /^\$(?:md5vb|authme|joomla|smf|pbkdf2|argon2|scrypt)/.test(hash))
    ) {
      const start = result - 1 - salt.length;
      altered.push(
        changed(hash, start),
        `${hash.slice(0, start)}${salt.slice(0, -4)}${hash.slice(result - 1)}`,
      );
    }
    const others = altered.filter((one) => one !== hash);
    expect(await Promise.all(others.map((one) => argon2Hasher.verify(password, one)))).not.toContain(true);
  });
});

const nothingApart = { salt: null, login: null };
const digits = (count: number) => "0123456789abcdef".repeat(8).slice(0, count);

describe("a text", () => {
  test.each([
    ["of 32 digits", digits(32), null, ["md5", "salted2-md5", "mybb"]],
    ["of 32 digits with a salt", digits(32), "pepper", ["salted2-md5", "mybb"]],
    ["of 40 digits", digits(40), null, ["sha1", "wbb3", "smf"]],
    [
      "of 64 digits",
      digits(64),
      null,
      ["sha256", "salted2-sha256", "salted-sha256", "double-sha256", "double-sha256-hex"],
    ],
    ["of 128 digits", digits(128), null, ["sha512", "salted2-sha512", "salted-sha512"]],
  ])("%s alone asks for its kind", async (_, text, salt, kinds) => {
    expect(await forms.read({ text, kind: null, salt, login: null })).toEqual({
      asks: `Hashes of several kinds look like this one: --password-kind names the right one of ${kinds.join(", ")}`,
    });
  });

  const tooSlow = "Verifying it would take too long";
  const cannot = "It cannot be verified, or that would take too long";
  const salt = "MDEyMzQ1Njc4OWFiY2RlZg";
  const result = "Y/bUg9rI0VyF9UilOU25nj4Ph2P8HTOnG+zZ/H7lgpo";
  const bcryptEnd = "abcdefghijklmnopqrstuumTcqg1grN5CAaGoh7r2.xZmz16hfOb6";
  test.each<readonly [string, Partial<Given>, string]>([
    ["that is empty", { text: "" }, "It is empty"],
    ["of 2 MB", { text: "a".repeat(2_000_000), kind: "md5" }, "It is too long for a hash"],
    ["of no form", { text: "hunter2" }, "It is no hash of a known form"],
    ["of the wrong length", { text: digits(31), kind: "MD5" }, "It is no hash of the kind md5"],
    ["of a kind that is not known", { text: digits(32), kind: "rot13" }, 'The kind "rot13" is not known'],
    [
      "of an inherited name",
      { text: digits(32), kind: "constructor" },
      'The kind "constructor" is not known',
    ],
    ["whose salt is missing", { text: digits(32), kind: "MYBB" }, "Its salt is missing"],
    ["whose salt is empty", { text: digits(32), kind: "SALTED2MD5", salt: "" }, "Its salt is missing"],
    ["whose name is missing", { text: digits(40), kind: "SMF" }, "Its name is missing"],
    ["of bcrypt without its salt", { text: "10$mTcqg1grN5CAaGoh7r2.xZmz16hfOb6" }, "Its salt is missing"],
    ["of bcrypt of PHP's faulty years", { text: `$2x$10$${bcryptEnd}` }, cannot],
    [
      "of two times bcrypt",
      { text: `$2a$08$${bcryptEnd}`, kind: "WBB4" },
      'Hashes of the kind "WBB4" cannot be verified here',
    ],
    ...["CMW", "CRAZYCRYPT1", "PHPFUSION", "ROYALAUTH", "DOUBLEMD5", "TWO_FACTOR"].map(
      (kind) =>
        [
          `of ${kind}`,
          { text: digits(32), kind },
          `Hashes of the kind "${kind}" cannot be verified here`,
        ] as const,
    ),
    [
      "of Argon2's first version",
      { text: `$argon2id$v=16$m=8,t=1,p=1$${salt}$${result}` },
      "It is of a version of Argon2 that cannot be verified",
    ],
    ["of Argon2 with much memory", { text: `$argon2id$v=19$m=262145,t=1,p=1$${salt}$${result}` }, tooSlow],
    ["of Argon2 with many passes", { text: `$argon2id$v=19$m=65536,t=17,p=1$${salt}$${result}` }, tooSlow],
    ["of Argon2 with many lanes", { text: `$argon2id$v=19$m=65536,t=1,p=65$${salt}$${result}` }, tooSlow],
    ["of LibreLogin's Argon2 with 4 GiB", { text: `19,1,4194304$${result}=`, salt: `${salt}==` }, tooSlow],
    ["of bcrypt at cost 15", { text: `$2y$15$${bcryptEnd}` }, tooSlow],
    ["of bcrypt at cost 31", { text: `31$${bcryptEnd.slice(22)}`, salt: bcryptEnd.slice(0, 22) }, tooSlow],
    [
      "of scrypt with 128 MiB",
      { text: `$scrypt$ln=17,r=8,p=1$${salt}$${result}` },
      "It is no hash of a known form",
    ],
    ["of PBKDF2 with many rounds", { text: `pbkdf2$2000001$${salt}$${result}` }, cannot],
    [
      "of PBKDF2 whose salt is no percent-encoding",
      { text: `$pbkdf2-hex$1000$%zz$${digits(64)}` },
      "It is no hash of a known form",
    ],
    ["of phpass with 2^19 rounds", { text: "$P$HabcdefghKztv9uDa21vi6NS1/KJsb/" }, cannot],
    ["of phpass with 2^6 rounds", { text: "$P$4abcdefghKztv9uDa21vi6NS1/KJsb/" }, cannot],
    [
      "of our own form, wrapped at a cost of minutes",
      { text: `$wrapped$md5$$argon2id$v=19$m=4194304,t=2,p=1$${salt}$${result}` },
      tooSlow,
    ],
    ["of drasl without a salt", { text: digits(64), kind: "drasl" }, "It is no hash of the kind scrypt"],
  ])("%s is not taken", async (_, given, problem) => {
    expect(await forms.read({ text: "", kind: null, ...nothingApart, ...given })).toEqual({ problem });
  });

  test("of an old row is of the kind that its form shows, whatever the settings say", async () => {
    const text = `$2y$10$${bcryptEnd}`;
    for (const kind of ["SHA256", "MYBB", "DOUBLEMD5", "md5"])
      expect(await forms.read({ text, kind, ...nothingApart })).toEqual({ hash: text, kind: "bcrypt" });
  });

  test("with half a letter in its salt is taken, and fits nothing", async () => {
    const hash = await kept({ text: digits(32), kind: "SALTED2MD5", salt: "\ud800", login: null });
    expect(await argon2Hasher.verify("quiet harbour 7", hash)).toBe(false);
  });

  test("that is a password itself is hashed at once", async () => {
    const read = await forms.read({ text: "short", kind: "plain", ...nothingApart });
    expect(read).toEqual({
      hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
      kind: "argon2id",
    });
    if ("hash" in read) expect(await argon2Hasher.verify("short", read.hash)).toBe(true);
  });
});

const md5Of = (text: string) => new Bun.CryptoHasher("md5").update(text).digest("hex");

test("passwords themselves are hashed a few at a time, however many there are", async () => {
  let [underway, most, done] = [0, 0, 0];
  const hasher = {
    hash: async (password: string) => {
      most = Math.max(most, ++underway);
      await new Promise((resolve) => setImmediate(resolve));
      underway--;
      done++;
      return `$argon2id$${password}`;
    },
  };
  const { read } = createPasswordForms(hasher);
  const all = Array.from({ length: 5000 }, () => read({ text: "plain one", kind: "plain", ...nothingApart }));
  await Promise.all(all);
  expect({ done, isBounded: most <= availableParallelism() }).toEqual({ done: 5000, isBounded: true });
});

describe("what was typed", () => {
  const typed = "cafe\u0301 au lait";
  const normal = typed.normalize("NFC");
  test("fits a hash that another system made of it as it stands", async () => {
    const hash = `$md5$${md5Of(typed)}`;
    expect(await argon2Hasher.verify(normal, hash, typed)).toBe(true);
    expect(await argon2Hasher.verify(normal, hash)).toBe(false);
    expect(await argon2Hasher.verify(normal, `$md5$${md5Of(normal)}`, typed)).toBe(true);
    expect(await argon2Hasher.verify(normal, hash, "cafe au lait")).toBe(false);
  });

  test("is not tried with a hash of today", async () => {
    const hash = await argon2Hasher.hash(typed);
    expect(await argon2Hasher.verify(normal, hash, typed)).toBe(false);
  });

  test("opens nothing when it is nothing, even where another system hashed nothing", async () => {
    expect(await argon2Hasher.verify("", `$md5$${md5Of("")}`)).toBe(false);
    expect(await argon2Hasher.verify("", `$md5$${md5Of("")}`, "")).toBe(false);
  });
});

const fast = cases.filter(({ kind }) => !/^(?:argon2|bcrypt|pbkdf2|scrypt)/.test(kind));

describe("a fast hash that is wrapped", () => {
  test.each(fast)("of $name fits the same password alone", async ({ given, kind, password }) => {
    const hash = await kept(given);
    const wrapped = (await argon2Hasher.wrap(hash)) ?? "";
    expect(wrapped).toStartWith(`$wrapped$${kind}$`);
    expect(wrapped).not.toContain(hash.slice(hash.lastIndexOf("$") + 1));
    expect(argon2Hasher.nameOf(wrapped)).toBe(`wrapped-${kind}`);
    expect(await argon2Hasher.verify(password, wrapped)).toBe(true);
    expect(await argon2Hasher.verify(`${password} `, wrapped)).toBe(false);
    expect(await argon2Hasher.verify("", wrapped)).toBe(false);
    expect(argon2Hasher.needsRehash(wrapped)).toBe(true);
    expect(await argon2Hasher.wrap(wrapped)).toBeNull();
    expect(argon2Hasher.isSame(wrapped, hash)).toBe(true);
    expect(argon2Hasher.isSame(hash, hash)).toBe(true);
    expect(argon2Hasher.isSame(hash, wrapped)).toBe(false);
    expect(argon2Hasher.isSame(null, hash)).toBe(false);
  });

  test("is another one's where kind or salt differ", async () => {
    const hash = `$md5vb$salt$${digits(32)}`;
    const wrapped = (await argon2Hasher.wrap(hash)) ?? "";
    expect(argon2Hasher.isSame(wrapped, `$md5vb$other$${digits(32)}`)).toBe(false);
    expect(argon2Hasher.isSame(wrapped, `$md5$${digits(32)}`)).toBe(false);
  });

  test.each(["$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$c2FsdHNhbHQ", "$2b$04$nothing", "$md5$nothing", ""])(
    "is never made of %p",
    async (hash) => expect(await argon2Hasher.wrap(hash)).toBeNull(),
  );
});

describe("a dummy of", () => {
  const efforts = new Map<string, string>();
  test("each kind takes the same work and fits nothing", async () => {
    for (const { given } of cases) {
      const hash = await kept(given);
      for (const one of [hash, await argon2Hasher.wrap(hash)]) {
        const effort = one === null ? null : argon2Hasher.kindOf(one);
        if (effort !== null) efforts.set(effort, one ?? "");
      }
    }
    expect(efforts.size).toBeGreaterThan(40);
    for (const [effort, hash] of efforts) {
      const dummy = argon2Hasher.dummy(effort);
      expect({ effort, dummy: argon2Hasher.kindOf(dummy) }).toEqual({ effort, dummy: effort });
      expect(dummy).not.toBe(argon2Hasher.dummy(effort));
      expect(dummy.length / hash.length).toBeWithin(0.6, 1.9);
      expect(usualMilliseconds(effort)).toBeGreaterThan(0);
    }
  });
});
