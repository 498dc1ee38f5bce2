import { expect, test } from "bun:test";
import {
  libreLoginPassword,
  limboAuthPassword,
  nLoginPassword,
} from "../../src/adapters/sources/password-texts.ts";

const sha256 = "a1".repeat(32);
const sha512 = "b2".repeat(64);
const bcrypt = "$2a$10$abcdefghijklmnopqrstuumTcqg1grN5CAaGoh7r2.xZmz16hfOb6";
const argon2 =
  "$argon2id$v=19$m=16384,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$Y/bUg9rI0VyF9UilOU25nj4Ph2P8HTOnG+zZ/H7lgpo";

test.each([
  ["BCrypt-2A", "10$mTcqg1grN5CAaGoh7r2.xZmz16hfOb6", "abcdefghijklmnopqrstuu", [bcrypt, null, null]],
  [
    "Argon-2ID",
    "19,2,16384$Y/bUg9rI0VyF9UilOU25nj4Ph2P8HTOnG+zZ/H7lgpo=",
    "MDEyMzQ1Njc4OWFiY2RlZg==",
    [argon2, null, null],
  ],
  ["SHA-256", sha256, "pepper", [sha256, "salted2-sha256", "pepper"]],
  ["SHA-512", sha512.toUpperCase(), "pepper", [sha512, "salted2-sha512", "pepper"]],
  ["SHA-512", sha512.slice(1), "pepper", [`0${sha512.slice(1)}`, "salted2-sha512", "pepper"]],
  ["SHA-512", "7", "pepper", [`${"0".repeat(127)}7`, "salted2-sha512", "pepper"]],
  ["BCrypt-2A", "10$a$b", "salt", ["10$a$b", "BCrypt-2A", "salt"]],
  ["Argon-2ID", "19,2$x", "salt", ["19,2$x", "Argon-2ID", "salt"]],
  ["LOGITSHA-256", sha256, "salt", [sha256, "LOGITSHA-256", "salt"]],
  ["SHA-256", "c".repeat(65), "salt", ["c".repeat(65), "SHA-256", "salt"]],
  ["SHA-256", sha256, null, [sha256, "SHA-256", null]],
  [null, null, null, null],
  ["SHA-256", "", "salt", null],
])("LibreLogin: %s %s", (algorithm, text, salt, expected) => {
  expect(parts(libreLoginPassword(text, salt, algorithm))).toEqual(expected);
});

test.each([
  [`$SHA512$${sha512}$pepper`, [sha512, "salted2-sha512", "pepper"]],
  [`$SHA512$${sha512}@PEPPER`, [sha512, "salted2-sha512", "PEPPER"]],
  [`$SHA256$${sha256}$pepper`, [sha256, "salted2-sha256", "pepper"]],
  [`$SHA$0123456789abcdef$${sha256}$AUTHME`, [`$SHA$0123456789abcdef$${sha256}`, null, null]],
  [bcrypt, [bcrypt, null, null]],
  [argon2, [argon2, null, null]],
  ["$SHA512$abc$pepper", ["$SHA512$abc$pepper", null, null]],
  ["", null],
  [null, null],
])("nLogin: %s", (text, expected) => {
  expect(parts(nLoginPassword(text))).toEqual(expected);
});

test.each([
  [bcrypt, [bcrypt, null, null]],
  [`SHA256$pepper$${sha256}`, [sha256, "salted2-sha256", "pepper"]],
  [`SHA256$pepper$${sha512}`, [sha512, "salted2-sha512", "pepper"]],
  [`$SHA$pepper$${sha256}`, [sha256, "salted2-sha256", "pepper"]],
  [`$SHA$pepper$${sha512}`, [sha512, "salted2-sha512", "pepper"]],
  [`SHA$pepper$${sha256}`, [sha256, "salted2-sha256", "pepper"]],
  ["$SHA$pepper$abc", ["$SHA$pepper$abc", null, null]],
  [sha256, [sha256, null, null]],
  ["", null],
])("LimboAuth: %s", (text, expected) => {
  expect(parts(limboAuthPassword(text))).toEqual(expected);
});

function parts(password: ReturnType<typeof nLoginPassword>) {
  return password === null ? null : [password.text, password.kind, password.salt];
}
