import { describe, expect, test } from "bun:test";
import { isCommonPassword } from "../../src/domain/model/common-passwords.ts";
import { normalisePassword, parseNewPassword } from "../../src/domain/model/password.ts";
import { AppError } from "../../src/kernel/errors.ts";

function refusal(text: string, field?: string): string {
  try {
    parseNewPassword(text, field);
  } catch (error) {
    if (error instanceof AppError) return `${error.kind}: ${error.message}`;
    throw error;
  }
  return "taken";
}

const decomposed = "e\u0301";

describe("a new password is taken", () => {
  test.each([
    ["of 8 characters", "x7-Kq!m2"],
    ["of 128 characters", "ab3".repeat(42) + "xy"],
    ["of 8 characters outside the basic plane", "🦊🐻🐼🐨🐯🦁🐮🐷"],
    ["of 128 of them", "🦊".repeat(128)],
    ["of blanks between words", "a horse, a staple"],
    ["that only holds a common one", "password1 is not all"],
    ["that is ranked 10,001st", "25021983"],
  ])("%s", (_, text) => expect(parseNewPassword(text)).toBe(text));

  test("in the form in which another keyboard types it", () => {
    expect(parseNewPassword(decomposed.repeat(8))).toBe("é".repeat(8));
  });
});

describe("a new password is refused", () => {
  const range = "invalid: password: must have 8 to 128 characters";
  const common = "invalid: password: is one of the 10,000 commonest passwords; choose another";
  test.each([
    ["when empty", "", range],
    ["of 7 characters", "x7-Kq!m", range],
    ["of 129 characters", "ab3".repeat(43), range],
    ["of 7 characters outside the basic plane", "🦊🐻🐼🐨🐯🦁🐮", range],
    ["of 14 code points that are 7 letters", decomposed.repeat(7), range],
    ["of a megabyte of marks", "\u0301".repeat(1_000_000), range],
    ["that is the commonest of its length", "password", common],
    ["that is common in capitals", "PASSWORD", common],
    ["that is common in mixed case", "PassWord1", common],
    ["that is a common row of keys", "1qaz2wsx", common],
    ["that is common and of digits", "12345678", common],
    ["that is ranked 10,000th", "24081990", common],
  ])("%s", (_, text, reason) => expect(refusal(text)).toBe(reason));

  test("in the words of the field that it came in", () => {
    expect(refusal("short", "newpassword")).toBe("invalid: newpassword: must have 8 to 128 characters");
    expect(refusal("password", "newpassword")).toStartWith("invalid: newpassword: is one of");
  });
});

test("the list holds whole passwords", () => {
  expect(["trustno1", "iloveyou", "qwertyuiop"].filter(isCommonPassword)).toHaveLength(3);
  expect(["", "\n", "trustno", "password\n12345678", "rustno1"].filter(isCommonPassword)).toEqual([]);
});

describe("a password to sign in with", () => {
  test.each([
    ["is brought to the form that was hashed", decomposed, "é"],
    ["may be shorter than a new one", "x", "x"],
    ["may be common", "password", "password"],
    ["fits no account when empty", "", null],
    ["fits no account when far too long", "x".repeat(1025), null],
  ])("%s", (_, text, expected) => expect(normalisePassword(text)).toBe(expected));
});
