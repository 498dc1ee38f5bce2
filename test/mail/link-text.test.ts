import { describe, expect, test } from "bun:test";
import { splitLinks } from "../../src/domain/mail/layouts.ts";

const linksIn = (text: string) =>
  splitLinks(text)
    .filter(({ isLink }) => isLink)
    .map((piece) => piece.text);

describe("in a text", () => {
  test.each([
    ["one", "see https://example.org/a?b=1&c=2#d now", ["https://example.org/a?b=1&c=2#d"]],
    ["two", "http://a.example or HTTPS://b.example", ["http://a.example", "HTTPS://b.example"]],
    ["the end of a sentence", "Go to https://example.org/a. Now!", ["https://example.org/a"]],
    ["several ends", "(really: https://example.org/a!?)", ["https://example.org/a"]],
    ["brackets of its own", "https://example.org/a_(b) c", ["https://example.org/a_(b)"]],
    ["brackets around it", "[https://example.org/a]", ["https://example.org/a"]],
    [
      "quotes around it",
      "“https://example.org” «https://b.example»",
      ["https://example.org", "https://b.example"],
    ],
    ["a tag after it", "https://example.org<b>", ["https://example.org"]],
    ["a line end after it", "https://example.org\nnext", ["https://example.org"]],
    ["letters of other alphabets", "https://пример.example/путь, да", ["https://пример.example/путь"]],
  ])("an address is found with %s", (_, text, links) => {
    expect(linksIn(text)).toEqual(links);
  });

  test.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "www.example.org",
    "ftp://example.org",
    "https://",
    "https://...",
    "http://[",
    "mail anna@example.org",
  ])("%s is none", (text) => {
    expect(linksIn(text)).toEqual([]);
  });

  test.each([
    "",
    "x",
    "https://a.example",
    " https://a.example. b http://c.example) ",
    "https://a.example\n\n",
  ])("the pieces of %j are all of it", (text) => {
    expect(
      splitLinks(text)
        .map((piece) => piece.text)
        .join(""),
    ).toBe(text);
  });
});
