/** What delivery finds, by id and by query (docs/contract/delivery.md#pictures). */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { dashless, openDeliveryWorld } from "../support/delivery-world.ts";
import { expectError } from "../support/scenario.ts";
import { sha256 } from "../support/textures.ts";

const { harness, get, alice, bare, unfinished, skin, skinHash, cape, nobody } = await openDeliveryWorld();
afterAll(() => harness[Symbol.asyncDispose]());
afterEach(() => expect(harness.takeComplaints()).toEqual([]));

describe("ids", () => {
  test.each([
    ["head", alice.uuid],
    ["body", alice.uuid],
    ["head", skin],
    ["standart", alice.uuid],
    ["standart/cape", alice.uuid],
    ["cloak", cape.uuid],
    ["cloak", skin],
    ["public", skin],
    ["public/cape", cape.uuid],
    ["launcher", alice.uuid],
    ["launcher/envelope", alice.uuid],
  ])("of %s are taken dashed or not, in any case", async (section, uuid) => {
    const answers = [uuid, uuid.toUpperCase(), dashless(uuid), dashless(uuid).toUpperCase()].map(
      async (form) => {
        const response = await get(`/api/skin/${section}/${form}`);
        return [response.status, sha256(await response.bytes())];
      },
    );
    const [first, ...others] = await Promise.all(answers);
    expect(first?.[0]).toBe(200);
    expect(others).toEqual([first!, first!, first!]);
  });

  test.each([
    ["head", "an unknown uuid", nobody],
    ["head", "an unknown username", "Nobody"],
    ["head", "a cape", cape.uuid],
    ["head", "an unfinished user, who is no player yet", unfinished.uuid],
    ["head", "a mail address's local part", "alice.example"],
    ["head", "a number, which is no username", String(alice.account.id)],
    ["body", "an unknown uuid", nobody],
    ["body", "an unknown username", "Nobody"],
    ["cloak", "an unknown uuid", nobody],
    ["cloak", "an unknown number", "999999"],
    ["cloak", "a user", alice.uuid],
    ["standart", "an unknown uuid", nobody],
    ["standart", "a skin", skin],
    ["standart", "an unfinished user", unfinished.uuid],
    ["standart/cape", "an unknown uuid", nobody],
    ["standart/cape", "a user without a cape", bare.uuid],
    ["standart/cape", "a cape", cape.uuid],
    ["public", "an unknown uuid", nobody],
    ["public", "a user", alice.uuid],
    ["public", "a cape", cape.uuid],
    ["public/cape", "an unknown uuid", nobody],
    ["public/cape", "a skin", skin],
    ["launcher/envelope", "an unknown uuid", nobody],
    ["launcher/envelope", "an unfinished user", unfinished.uuid],
  ])("of %s: %s is not found", async (section, _, id) => {
    await expectError(await get(`/api/skin/${section}/${id}`), 404);
  });

  const sections = [
    "head",
    "body",
    "cloak",
    "standart",
    "standart/cape",
    "public",
    "public/cape",
    "launcher",
    "launcher/envelope",
  ];
  const faulty = [
    ["dots and a slash", "..%2f..%2fcloakroom.db"],
    ["dots and a backslash", "..%5c..%5ccloakroom.db"],
    ["a NUL", "%00"],
    ["a NUL behind a uuid", `${alice.uuid}%00`],
    ["a line end", "%0d%0aX-Evil:1"],
    ["bytes that are no UTF-8", "%ff%fe"],
    ["a broken escape", "%zz"],
    ["10 kB", "a".repeat(10_000)],
    ["10 kB of digits", "1".repeat(10_000)],
    ["a mail address", "alice@example.org"],
    ["a wildcard", "%25"],
    ["SQL", "'%20OR%201=1%20--"],
    ["markup", "%3Cscript%3E"],
    ["braces", `%7B${alice.uuid}%7D`],
  ] as const;
  const table = sections.flatMap((section) => faulty.map(([what, id]) => [section, what, id] as const));
  test.each(table)("of %s: %s is refused", async (section, _, id) => {
    const response = await get(`/api/skin/${section}/${id}`);
    expect(await response.clone().text()).not.toContain("script");
    await expectError(response, 400);
  });

  test.each([
    ["a name that no player has, in a descriptor", "/api/skin/launcher/Nobody"],
    ["a number where only uuids are taken", "/api/skin/public/1"],
    ["a uuid that is one digit short", `/api/skin/launcher/${alice.uuid.slice(0, -1)}`],
    ["a uuid that is one digit long", `/api/skin/launcher/${alice.uuid}0`],
    ["0 as a cape's number", "/api/skin/cloak/0"],
    ["a negative number", "/api/skin/cloak/-1"],
    ["a number beyond every table", "/api/skin/cloak/9999999999999999999999"],
    ["a hash in upper case", `/textures/${skinHash.toUpperCase()}`],
    ["half a hash", `/textures/${skinHash.slice(0, 32)}`],
    ["a hash and a suffix", `/textures/${skinHash}.png`],
    ["a path out of the folder", "/textures/..%2f..%2fcloakroom.db"],
    ["a hash of 10 kB", `/textures/${"a".repeat(10_000)}`],
  ])("refuses %s", async (_, path) => {
    await expectError(await get(path), 400);
  });

  test("an unknown texture is not found", async () => {
    await expectError(await get(`/textures/${"0".repeat(64)}`), 404);
  });

  test("a cape goes before a skin of the same id", async () => {
    const response = await get(`/api/skin/cloak/${cape.uuid}`);
    expect(sha256(await response.bytes())).toBe(cape.texture.digest);
  });
});

describe("queries", () => {
  const sizes = [
    "0",
    "7",
    "1025",
    "-1",
    "1e9",
    "1e2",
    "1000000000",
    "abc",
    "",
    "8.5",
    "0x64",
    "%20100",
    "100%20",
    "+100",
    "NaN",
    "Infinity",
    "100px",
    "%00",
    "١٠٠",
  ];
  const addresses = [
    `/api/skin/head/${alice.uuid}?`,
    `/api/skin/body/${alice.uuid}?type=player&`,
    `/api/skin/cloak/${cape.uuid}?`,
    `/api/skin/cloak/${cape.uuid}?type=player&`,
    `/api/skin/cloak/${skin}?`,
    `/api/skin/standart/cape/${alice.uuid}?`,
  ];
  const badSizes = addresses.flatMap((address) =>
    sizes.map((size) => `${address}size=${encodeURI(decodeURI(size))}`),
  );
  test.each(badSizes)("%s is refused", async (path) => {
    await expectError(await get(path), 400, /^size: must be a whole number from 8 to 1024$/);
  });

  const types = ["", "SKIN", "face", "skin%20", "skin,player", "%00", "a".repeat(5_000)];
  const badTypes = addresses.flatMap((address) =>
    types.map((type) => `${address.replace("type=player&", "")}type=${type}`),
  );
  test.each(badTypes)("%p is refused", async (path) => {
    await expectError(await get(path), 400, /^type: must be skin or player$/);
  });

  test.each([
    `/api/skin/head/${alice.uuid}?default=steve`,
    `/api/skin/body/${alice.uuid}?default=`,
    `/api/skin/standart/${alice.uuid}?default=NONE`,
  ])("%s is refused", async (path) => {
    await expectError(await get(path), 400, /^default: /);
  });

  test.each([
    ["size=16&size=20", "size=20"],
    ["size=20&size=16", "size=16"],
    ["type=skin&type=player", "type=player"],
    ["type=player&type=skin", "type=skin"],
    ["size=16&size=", "size="],
    ["size=&size=16", "size=16"],
  ])("of a parameter twice the last counts alone: %s", async (twice, once) => {
    const [answer, expected] = await Promise.all(
      [twice, once].map((query) => get(`/api/skin/head/${alice.uuid}?${query}`)),
    );
    expect(answer?.status).toBe(expected?.status ?? 0);
    expect(sha256(await answer!.bytes())).toBe(sha256(await expected!.bytes()));
  });

  test.each([
    "",
    "?",
    "?cachebuster=1",
    "?utm=%ff",
    "?__proto__=1",
    "?constructor=1&toString=2",
    "?%",
    `?x=${"y".repeat(5_000)}`,
  ])("what is not asked for does not matter: %p", async (query) => {
    expect((await get(`/api/skin/head/${alice.uuid}${query}`)).status).toBe(200);
  });

  test("flat and 3D pictures differ", async () => {
    const [flat, solid] = await Promise.all(
      ["skin", "player"].map((type) => get(`/api/skin/head/${skin}?type=${type}`)),
    );
    expect(sha256(await flat!.bytes())).not.toBe(sha256(await solid!.bytes()));
  });

  test("without type and size the flat picture of 100 pixels is shown", async () => {
    const [short, long] = await Promise.all(
      ["", "?type=skin&size=100"].map((query) => get(`/api/skin/body/${skin}${query}`)),
    );
    expect(short!.headers.get("etag")).toBe(long!.headers.get("etag"));
  });
});
