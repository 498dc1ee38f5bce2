/** One-time codes (docs/contract/auth.md#codes). */
import { describe, expect, test } from "bun:test";
import { codeHasher, secretOf } from "../../src/boot/secrets.ts";
import { newCode, readCode, showCode } from "../../src/domain/model/code.ts";

describe("a code", () => {
  const codes = Array.from({ length: 2000 }, newCode);

  test("is ten characters of Crockford's base32, shown as two groups of five", () => {
    for (const code of codes) {
      expect(code).toMatch(/^[0-9ABCDEFGHJKMNPQRSTVWXYZ]{10}$/);
      expect(showCode(code)).toBe(`${code.slice(0, 5)}-${code.slice(5)}`);
      expect(readCode(showCode(code))).toBe(code);
    }
  });

  test("is another each time, and uses every character in every place", () => {
    expect(new Set(codes).size).toBe(codes.length);
    for (let place = 0; place < 10; place++) {
      expect(new Set(codes.map((code) => code[place])).size).toBe(32);
    }
  });
});

describe("what people type", () => {
  test.each([
    ["as it is shown", "01ABC-XYZ23"],
    ["without the dash", "01ABCXYZ23"],
    ["in small letters", "01abc-xyz23"],
    ["with an O for the zero", "O1ABC-XYZ23"],
    ["with a small o", "o1abc-xyz23"],
    ["with an I for the one", "0IABC-XYZ23"],
    ["with a small l", "0labc-xyz23"],
    ["with an L", "0LABC-XYZ23"],
    ["with blanks around it", "  01ABC-XYZ23 \t\r\n"],
    ["in pairs", "01 AB CX YZ 23"],
    ["with a dash elsewhere", "01-ABCXYZ-23"],
    ["with a no-break space", "01ABC\u00a0XYZ23"],
  ])("is the code %s", (_, text) => expect(readCode(text)).toBe("01ABCXYZ23"));

  test.each([
    ["nothing", ""],
    ["dashes and blanks", "- - - - -"],
    ["nine characters", "01ABC-XYZ2"],
    ["eleven characters", "01ABC-XYZ234"],
    ["a U", "U1ABC-XYZ23"],
    ["other signs", "01ABC_XYZ23"],
    ["a full-width digit", "０1ABC-XYZ23"],
    ["a Cyrillic letter", "01АBC-XYZ23"],
    ["a NUL", "01ABC\0XYZ23"],
    ["two codes", "01ABC-XYZ23 01ABC-XYZ23"],
    ["a code within a megabyte of dashes", `${"-".repeat(1_000_000)}01ABCXYZ23`],
  ])("is no code: %s", (_, text) => expect(readCode(text)).toBeNull());
});

describe("a code's hash", () => {
  const hash = codeHasher(secretOf("a secret that is long enough for HS256"));

  test("is the same each time, another for each code, and does not show it", () => {
    expect(hash("01ABCXYZ23")).toBe(hash("01ABCXYZ23"));
    expect(hash("01ABCXYZ23")).not.toBe(hash("01ABCXYZ24"));
    expect(hash("01ABCXYZ23")).not.toContain("01ABC");
  });

  test("depends on the secret", () => {
    const other = codeHasher(secretOf("another secret that is long enough"));
    expect(other("01ABCXYZ23")).not.toBe(hash("01ABCXYZ23"));
  });

  test("is not what the key of the tokens makes of the code", () => {
    const plain = new Bun.CryptoHasher("sha256", "a secret that is long enough for HS256");
    expect(hash("01ABCXYZ23")).not.toBe(plain.update("01ABCXYZ23").digest("base64url"));
  });
});
