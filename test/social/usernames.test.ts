/** Usernames that are derived from providers' (docs/contract/social.md#create). */
import { describe, expect, test } from "bun:test";
import { parseUsername } from "../../src/domain/model/username.ts";
import { usernameCandidates } from "../../src/domain/social/derive-username.ts";

const usual = /^[A-Za-z0-9_]{3,16}$/u;

function first(given: string, pattern = usual): string | undefined {
  return usernameCandidates(given, pattern).next().value ?? undefined;
}

describe("the first choice for", () => {
  test.each([
    ["nelly", "nelly"],
    ["Nelly", "Nelly"],
    ["Nelly the Great", "Nelly_the_Great"],
    ["john.doe", "john_doe"],
    ["-=john=-", "john"],
    ["  john  ", "john"],
    ["John_Doe", "John_Doe"],
    ["__john__", "john"],
    ["nelly#0042", "nelly_0042"],
    ["Wolfeschlegelsteinhausen", "Wolfeschlegelste"],
    ["abcdefghijklmno pqr", "abcdefghijklmno"],
    ["Анна", "Anna"],
    ["Жюль Верн", "Zhyul_Vern"],
    ["Ґандзя", "Gandzya"],
    ["Αλέξανδρος", "Alexandros"],
    ["Müller", "Muller"],
    ["Mu\u0308ller", "Muller"],
    ["Łukasz", "Lukasz"],
    ["Ærøskøbing", "Aeroskobing"],
    ["Straße", "Strasse"],
    ["İstanbul", "Istanbul"],
    ["深圳市", "ShenZhenShi"],
    ["たなか", "tanaka"],
    ["김철수", "GimCheolSu"],
    ["محمد", "mhmd"],
    ["𝓐𝓷𝓷𝓪", "Anna"],
    ["Ａｎｎａ", "Anna"],
    ["🦊 Fox 🦊", "Fox"],
    ["Аnna", "Anna"],
    ["admin", "admin2"],
    ["AdMiN", "AdMiN2"],
    ["Админ", "Admin2"],
    ["system", "system2"],
    ["Jo", "Jo2"],
    ["李", "Li2"],
    ["12345", "player"],
    ["", "player"],
    ["🦊", "player"],
    ["\u202e\u200b", "player"],
    ["\u0000", "player"],
    ["../../etc", "etc"],
    ["<b>x</b>", "b_x_b"],
  ])("%j is %s", (given, name) => {
    expect(first(given)).toBe(name);
  });
});

describe("what the operator's pattern allows decides", () => {
  test.each([
    ["Анна", /^[\p{L}]{3,16}$/u, "Анна"],
    ["Анна Каренина", /^[\p{L}]{3,16}$/u, "АннаКаренина"],
    ["Anna Karenina", /^[A-Za-z]+$/u, "AnnaKarenina"],
    ["Александра Каренина", /^[\p{L}]{3,16}$/u, "АлександраКарени"],
    ["Nelly", /^[a-z0-9]{3,12}$/u, "nelly"],
    ["Жюль Верн", /^[a-z]{3,5}$/u, "zhyul"],
    ["nelly", /^[a-z]{5,5}$/u, "nelly"],
    ["Bo", /^[a-z0-9]{6,9}$/u, expect.stringMatching(/^bo\d{4}$/)],
    ["nelly", /^mc_[a-z]+$/u, undefined],
  ])("%j under %p", (given, pattern, name) => {
    expect(first(given, pattern)).toEqual(name);
  });
});

const given = ["nelly", "admin", "Анна", "x", "", "12345", "_", "Wolfeschlegelsteinhausen", "🦊".repeat(500)];
const patterns = [usual, /^[a-z]{4,8}$/u, /^[\p{L}\p{N}_]{2,20}$/u, /^[a-z][a-z0-9]*(?:_[a-z0-9]+)?$/u];

test.each(
  given.flatMap((name) => patterns.map((pattern) => [name.slice(0, 30), pattern.source, name, pattern])),
)("every candidate for %j under %s may be taken, and there are enough", (_, __, name, pattern) => {
  const candidates = [...usernameCandidates(name, pattern)];
  for (const candidate of candidates) expect(parseUsername(candidate, pattern)).toBe(candidate);
  expect(new Set(candidates).size).toBeGreaterThan(3);
  expect(candidates.length).toBeLessThan(200);
});

test("numbers come before random ones", () => {
  const candidates = [...usernameCandidates("nelly", usual)].slice(0, 9);
  expect(candidates).toEqual(["nelly", ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `nelly${number}`)]);
});

test("a long name is cut to make room for the number", () => {
  const candidates = [...usernameCandidates("Wolfeschlegelsteinhausen", usual)].slice(0, 2);
  expect(candidates).toEqual(["Wolfeschlegelste", "Wolfeschlegelst2"]);
});
