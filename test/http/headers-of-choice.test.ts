/**
 * A header by which a client chooses between answers is read up to a length that no browser reaches; a longer
 * one is not there.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { createClientAddress } from "../../src/http/client-address.ts";
import { parseIpNetwork } from "../../src/kernel/ip-address.ts";
import { checkHeaders } from "../support/scenario.ts";
import { openHarness } from "../support/harness.ts";
import { addMember, addSkin } from "../support/members.ts";
import { skinPng } from "../support/textures.ts";

const harness = await openHarness();
afterAll(() => harness[Symbol.asyncDispose]());
const alice = await addMember(harness, "Alice");
for (let number = 1; number <= 12; number++) await addSkin(harness, alice, { file: skinPng(number) });

const ask = (path: string, headers: Record<string, string>) =>
  harness.fetch(path, { headers: { authorization: alice.authorization, ...headers } });

/** A header's value, drawn out to this length by parts that mean nothing. */
const drawnOut = (value: string, length: number) => `${value},`.padEnd(length - 1, ",").concat("x");

describe.each([
  ["of the usual length", 256, true],
  ["one character longer", 257, false],
  ["of commas alone", 8000, false],
])("%s", (_, length, counts) => {
  test("Accept-Encoding, of an answer and of a page", async () => {
    const headers = { "accept-encoding": drawnOut("gzip", length) };
    for (const path of ["/api/home", "/login", "/swagger/swagger-ui.css"])
      checkHeaders(await ask(path, headers), { "content-encoding": counts ? "gzip" : null });
  });

  test("Accept-Language", async () => {
    const answer = await ask("/login", { "accept-language": drawnOut("ru", length) });
    checkHeaders(answer, { "content-language": counts ? "ru" : "en" });
  });

  test("Accept", async () => {
    const answer = await ask("/no/such/page", { accept: drawnOut("text/html", length) });
    checkHeaders(answer, { "content-type": counts ? /^text\/html/ : /^application\/json/ });
  });
});

const path = () => `/api/skin/head/${alice.uuid}?size=64`;
const tagOf = async () => (await ask(path(), {})).headers.get("etag") ?? "";

describe("If-None-Match", () => {
  test.each([
    ["one tag", (tag: string) => tag, 304],
    [
      "the last of eight",
      (tag: string) => [...Array.from({ length: 7 }, () => tag.replaceAll("a", "b")), tag].join(", "),
      304,
    ],
    ["the last within 1024 characters", (tag: string) => tag.padStart(1024, ","), 304],
    ["the last of more", (tag: string) => tag.padStart(1025, ","), 200],
    ["the first of very many", (tag: string) => tag.padEnd(8000, ","), 200],
  ])("with %s", async (_, conditionOf, status) => {
    const answer = await ask(path(), { "if-none-match": conditionOf(await tagOf()) });
    expect(answer.status).toBe(status);
  });
});

test("X-Forwarded-For is read from its end, however much stands before", () => {
  const find = createClientAddress([parseIpNetwork("127.0.0.1")].filter((network) => network !== null));
  const header = `${"2001:db8::1, ".repeat(600)}192.0.2.7`;
  const request = new Request("http://localhost/", { headers: { "x-forwarded-for": header } });
  expect(find(request, "127.0.0.1")).toBe("192.0.2.7");
});
