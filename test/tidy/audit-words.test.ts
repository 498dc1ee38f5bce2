/** The audit in words: each action that the server writes has a name and a sentence in the console, in every language. */
import { describe, expect, test } from "bun:test";
import { auditActions } from "../../src/domain/model/audit-action.ts";
import { consoleWords, englishWords } from "../support/console-words.ts";
import { readProjectFiles } from "./project-files.ts";

const slotsOf = (text: string) => new Set(Array.from(text.matchAll(/\{(\w+)\}/g), ([slot]) => slot));

describe.each(consoleWords)("in $language", ({ words: { staff } }) => {
  const { actions, fields } = staff;
  test("every action has words, and nothing else has", () => {
    expect(Object.keys(actions).toSorted()).toEqual([...auditActions].toSorted());
  });

  test("every field that the program writes has a name", () => {
    expect(writtenFields().filter((field) => !Object.hasOwn(fields, field))).toEqual([]);
  });

  test("every name is another one", () => {
    const names = Object.values(actions).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(auditActions)("the sentence of %s names what the English one names", (action) => {
    expect(slotsOf(actions[action].text)).toEqual(slotsOf(englishWords.staff.actions[action].text));
  });
});

test("the fields of entries are found in the code", () => {
  expect(writtenFields()).toEqual(
    expect.arrayContaining([
      "announced_before",
      "perms_expires_at",
      "players_max",
      "search",
      "shares_skin",
      "users",
    ]),
  );
});

test("the list of actions is what the program writes", () => {
  const source = readProjectFiles(/^src\/(?:domain|cli)\/.*\.ts$/)
    .map(({ text }) => text)
    .join("\n");
  const written = [...source.matchAll(/\baudit\(\s*"([^"]+)"/g)].map(([, action = ""]) => action);
  expect([...new Set(written)].toSorted()).toEqual([...auditActions].toSorted());
});

/** What holds old and new values, and is no value of its own. */
const frames = new Set(["old", "new"]);

/**
 * The fields of entries: the keys of what is handed to `audit`, and of the objects from which that is made. These are called `detail`, `old`,
 * `names`, `end`, `more` or `asked`, or are what functions whose names end in "Facts" return.
 */
function writtenFields(): readonly string[] {
  const sources = readProjectFiles(/^src\/(?:domain|cli)\/.*\.ts$/).filter(({ text }) =>
    /\baudit\(\s*"/.test(text),
  );
  const found = sources.flatMap(({ text }) =>
    [
      ...text.matchAll(/\baudit\(\s*"[^"]+",[^,]+,\s*(?=\{)/g),
      ...text.matchAll(/\bconst (?:detail|old|names|end|more|asked) =[^;{]*(?=\{)/g),
      ...text.matchAll(/\bfunction \w*[fF]acts\((?:(?!\n\})[^])*?\breturn (?=\{)/g),
      ...text.matchAll(/\bfunction \w*[fF]acts\((?:(?!\n\})[^])*?=> \((?=\{)/g),
    ].flatMap((match) => keysOf(text, match.index + match[0].length)),
  );
  return [...new Set(found)].filter((field) => !frames.has(field)).toSorted();
}

/** The keys, in lower case, of the object that begins here, and of the objects in it. */
function keysOf(text: string, start: number): readonly string[] {
  let depth = 0;
  let end = start;
  do {
    if (text[end] === "{") depth += 1;
    if (text[end] === "}") depth -= 1;
    end += 1;
  } while (depth > 0 && end < text.length);
  const body = text.slice(start, end).replaceAll(/"[^"]*"|\([^()]*\)/g, '""');
  const keys = body.matchAll(/[{,]\s*(\w+)\s*(?=[:,}])/g);
  return [...keys].map(([, key = ""]) => key.toLowerCase());
}
