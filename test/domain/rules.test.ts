/**
 * What usernames, passwords, mail addresses and names of textures may be
 * (docs/contract/auth.md#usernames, docs/contract/auth.md#passwords).
 */
import { describe, expect, test } from "bun:test";
import { mailKey, parseMail } from "../../src/domain/model/mail-address.ts";
import { normalisePassword, parseNewPassword } from "../../src/domain/model/password.ts";
import { nameKey, parseUsername } from "../../src/domain/model/username.ts";
import { readIdentifier } from "../../src/domain/accounts/identifier.ts";
import { parseTextureName } from "../../src/domain/model/texture.ts";

const pattern = /^[A-Za-z0-9_]{3,16}$/;
const composed = "\u00e9";
const decomposed = "e\u0301";

describe("a username", () => {
  test.each(["abc", "ABC", "a_b", "___", "1a2", "a234567890123456", "Notch_2", "adminx", "nulls"])(
    "may be %p",
    (name) => {
      expect(parseUsername(name, pattern)).toBe(name);
    },
  );

  test.each([
    "",
    "ab",
    "a2345678901234567",
    "a b",
    " abc",
    "abc ",
    "abc\n",
    "ab\0",
    "abc-def",
    "abc.def",
    "äöü",
    "аdmin",
    "123",
    "0123456789",
    "admin",
    "ADMIN",
    "Administrator",
    "system",
    "api",
    "API",
    "upload",
    "null",
    "a".repeat(10_000),
  ])("may not be %p", (name) => {
    expect(() => parseUsername(name, pattern)).toThrow(expect.objectContaining({ kind: "invalid" }));
  });

  test("follows the operator's pattern, but is never of digits alone", () => {
    expect(parseUsername("Zoë.van-Dam", /^[\p{L}.-]+$/u)).toBe("Zoë.van-Dam");
    expect(() => parseUsername("Zoë", /^[a-z]+$/)).toThrow("[a-z]+");
    expect(() => parseUsername("12345", /^.+$/)).toThrow("no digit");
  });

  test.each([
    ["a blank", "Zoë van Dam"],
    ["a blank before it", " Zoë"],
    ["a tab", "Zo\të"],
    ["a line end", "Zoë\n"],
    ["a zero", "Zo\0ë"],
    ["a blank that breaks no line", "Zo\u00a0ë"],
    ["an ideographic blank", "Zo\u3000ë"],
    ["a blank of no width", "Zo\u200bë"],
    ["a joiner of no width", "Zo\u200dë"],
    ["a soft hyphen", "Zo\u00adë"],
    ["a mark that turns the direction", "Zo\u202eë"],
    ["a byte order mark", "\ufeffZoë"],
    ["a Hangul filler", "Zo\u3164ë"],
    ["Braille's empty pattern", "Zo\u2800ë"],
    ["a variation selector", "Zoe\ufe0f"],
    ["a tag", "Zoe\u{e0041}"],
    ["a private character", "Zoe\ue000"],
    ["half a surrogate pair", "Zo\ud800"],
  ])("never holds %s, whatever the pattern", (_, name) => {
    expect(() => parseUsername(name, /^[^]+$/u)).toThrow("must hold no blanks and no invisible characters");
  });

  test.each(["cli", "CLI", "system", "ｃｌｉ", "service:x", "Service:shop", "service:", "ｓervice：x"])(
    "is never %s, as the audit calls others, whatever the pattern",
    (name) => {
      expect(() => parseUsername(name, /^[^]+$/u)).toThrow("is reserved");
    },
  );

  test("is compared without case", () => {
    expect(nameKey("Alice")).toBe(nameKey("aLICE"));
    expect(nameKey("Alice")).not.toBe(nameKey("A1ice"));
  });
});

describe("a new password", () => {
  test.each([
    ["8 characters", "12345 ab"],
    ["128 characters", "x".repeat(128)],
    ["8 characters beyond the first plane", "🧥".repeat(8)],
    ["128 characters beyond the first plane", "🧥".repeat(128)],
    ["blanks at its ends", " secret  "],
    ["a control character", "secret\u0007!"],
  ])("may have %s", (_, password) => {
    expect(parseNewPassword(password)).toBe(password);
  });

  test.each([
    ["nothing", ""],
    ["7 characters", "1234567"],
    ["129 characters", "x".repeat(129)],
    ["7 characters beyond the first plane", "🧥".repeat(7)],
    ["7 characters of two parts each", decomposed.repeat(7)],
    ["a megabyte", "x".repeat(1_000_000)],
    ["a megabyte of combining marks", `a${"\u0301".repeat(1_000_000)}`],
  ])("may not have %s", (_, password) => {
    expect(() => parseNewPassword(password)).toThrow(/^password: must have 8 to 128 characters$/);
  });

  test("is brought to one form, in which it is also counted", () => {
    expect(parseNewPassword(decomposed.repeat(8))).toBe(composed.repeat(8));
    expect(parseNewPassword(decomposed.repeat(128))).toBe(composed.repeat(128));
  });

  test("is named as the request names it", () => {
    expect(() => parseNewPassword("short", "newpassword")).toThrow(/^newpassword: /);
  });
});

describe("a password to sign in with", () => {
  test("is brought to the same form as a new one", () => {
    expect(normalisePassword(decomposed.repeat(8))).toBe(parseNewPassword(composed.repeat(8)));
  });

  test.each([
    ["nothing", ""],
    ["a megabyte", "x".repeat(1_000_000)],
  ])("fits no account when it is %s", (_, password) => {
    expect(normalisePassword(password)).toBeNull();
  });
});

describe("a mail address", () => {
  test.each([
    "a@b.co",
    "first.last+tag@mail.example.org",
    "o'brien@example.org",
    `${"a".repeat(64)}@example.org`,
    `a@${"b".repeat(63)}.org`,
    "a@xn--bcher-kva.example",
    "UPPER@EXAMPLE.ORG",
    "1@2.34",
  ])("may be %p", (mail) => {
    expect(parseMail(mail)).toBe(mail);
  });

  test.each([
    "",
    "@",
    "a@",
    "@b.co",
    "a@b",
    "a@b.",
    "a@.co",
    "a@b..co",
    "a@-b.co",
    "a@b-.co",
    ".a@b.co",
    "a.@b.co",
    "a..b@c.de",
    "a b@c.de",
    "a@b c.de",
    "a@b@c.de",
    `"a b"@c.de`,
    "a@[127.0.0.1]",
    "a@b.co\n",
    "a@b.co\r\nBcc: everybody@example.org",
    "a\0@b.co",
    "ä@example.org",
    "a@bücher.example",
    "<a@b.co>",
    "a,b@c.de",
    `${"a".repeat(65)}@example.org`,
    `a@${"b".repeat(64)}.org`,
    `a@${"b.".repeat(200)}org`,
    `${"a".repeat(100_000)}@example.org`,
    `${"a.".repeat(50_000)}@example.org`,
  ])("may not be %p", (mail) => {
    expect(() => parseMail(mail)).toThrow(/^mail: /);
  });

  test("is compared without case", () => {
    expect(mailKey("A@B.co")).toBe(mailKey("a@b.CO"));
  });
});

describe("an identifier", () => {
  const uuid = "0123abcd-0123-4123-8123-0123456789ab";
  test.each([
    ["digits", "42", { by: "id", value: 42 }],
    ["a uuid", uuid, { by: "uuid", value: uuid }],
    ["a uuid without dashes", uuid.replaceAll("-", "").toUpperCase(), { by: "uuid", value: uuid }],
    ["a mail address", "Alice@Example.org", { by: "mail", value: "alice@example.org" }],
    ["a username", "Alice", { by: "name", value: "alice" }],
    ["digits with a leading zero", "042", { by: "name", value: "042" }],
    ["digits beyond every table", "9".repeat(30), { by: "name", value: "9".repeat(30) }],
  ])("of %s is read as such", (_, text, key) => {
    expect(readIdentifier(text)).toMatchObject(key);
  });

  test.each(["", "a".repeat(255)])("fits no account: %p", (text) => {
    expect(readIdentifier(text)).toBeNull();
  });
});

describe("a texture's name", () => {
  test.each([
    ["one character", "x", "x"],
    ["64 characters", "x".repeat(64), "x".repeat(64)],
    ["64 characters beyond the first plane", "🧥".repeat(64), "🧥".repeat(64)],
    ["blanks at its ends, which are cut off", "  Red coat\t", "Red coat"],
    ["characters of two parts, which are joined", decomposed, composed],
    ["quotes and markup, which are text", `<b>"x"</b>`, `<b>"x"</b>`],
    ["an emoji with a selector", "\u2764\ufe0f", "\u2764\ufe0f"],
    ["blanks between words, of any width", "a\u3000b c", "a\u3000b c"],
    ...[
      ["a family of joined emoji", "👨‍👩‍👧‍👦 at home"],
      ["a joined emoji with a colour of skin", "👩🏽‍🚀"],
      ["joined emoji with selectors", "🏳️‍🌈 👁️‍🗨️ ❤️‍🔥"],
      ["a flag of two letters", "🇩🇪"],
      ["a flag of tags", "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}!"],
      ["a pirate's flag", "🏴‍☠️"],
      ["a key", "1️⃣"],
      ["Persian with a divider", "می‌خواهم"],
      ["German with a divider", "Auf\u200clage"],
      ["Sinhala with a joiner", "ශ්‍රී"],
      ["Hindi with a joiner", "क्‍ष"],
      ["Arabic with a joiner", "ه\u200dه"],
      ["64 joined emoji and joiners", `${"👩\u200d".repeat(31)}👩a`],
    ].map(([what = "", text = ""]) => [what, text, text] as const),
  ])("may have %s", (_, text, name) => {
    expect(parseTextureName(text)).toBe(name);
  });

  test.each([
    ["nothing", ""],
    ["blanks alone", " \t\n "],
    ["65 characters", "x".repeat(65)],
    ["10 kB", "x".repeat(10_000)],
    ["a line end", "a\nb"],
    ["a NUL", "a\0b"],
    ["a bell", "a\u0007b"],
    ["a change of direction", "a\u202eb"],
    ["an isolated change of direction", "a\u2067b"],
    ["a mark of direction", "a\u200fb"],
    ["a line separator", "a\u2028b"],
    ["a paragraph separator", "a\u2029b"],
    ["a next line", "a\u0085b"],
    ["a blank of no width", "a\u200bb"],
    ["a joiner of no width", "a\u200db"],
    ["a joiner in front", "\u200d👩"],
    ["a joiner at the end", "👩\u200d"],
    ["two joiners", "👩\u200d\u200d🚀"],
    ["a joiner beside a blank", "👩 \u200d🚀"],
    ["a joiner before a blank", "👩\u200d 🚀"],
    ["a divider in front", "\u200cab"],
    ["a divider at the end", "ab\u200c"],
    ["joiners alone", "\u200c\u200d"],
    ["tags without their end", "🏴\u{e0067}\u{e0062}"],
    ["a byte order mark", "a\ufeffb"],
    ["a word joiner", "a\u2060b"],
    ["a soft hyphen", "a\u00adb"],
    ["a grapheme joiner", "a\u034fb"],
    ["a tag", "a\u{e0041}b"],
    ["a Hangul filler alone", "\u3164"],
    ["a Hangul filler", "a\u115fb"],
    ["an empty pattern alone", "\u2800"],
    ["a selector alone", "\ufe0f"],
    ["half a character", "a\ud83eb"],
  ])("may not have %s", (_, text) => {
    expect(() => parseTextureName(text)).toThrow(/^name: /);
  });
});
