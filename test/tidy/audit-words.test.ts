/**
 * The audit in words: each action that the server writes has a name and a sentence in the console, in every
 * language.
 */
import { describe, expect, test } from "bun:test";
import { auditActions } from "../../src/domain/model/audit-action.ts";
import { auditFacts } from "../../src/domain/model/audit-facts.ts";
import { consoleWords, englishWords } from "../support/console-words.ts";
import { readProjectFiles } from "./project-files.ts";

const slotsOf = (text: string) => new Set(Array.from(text.matchAll(/\{(\w+)\}/g), ([slot]) => slot));

describe.each(consoleWords)("in $language", ({ words: { staff } }) => {
  const { actions, fields } = staff;
  test("every action has words, and nothing else has", () => {
    expect(Object.keys(actions).toSorted()).toEqual([...auditActions].toSorted());
  });

  test("every fact that the program stores has a name", () => {
    expect(auditFacts.filter((fact) => !Object.hasOwn(fields, fact))).toEqual([]);
  });

  test("every name is another one", () => {
    const names = Object.values(actions).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(auditActions)("the sentence of %s names what the English one names", (action) => {
    expect(slotsOf(actions[action].text)).toEqual(slotsOf(englishWords.staff.actions[action].text));
  });
});

test("the list of actions is what the program writes", () => {
  const source = readProjectFiles(/^src\/(?:domain|cli)\/.*\.ts$/)
    .map(({ text }) => text)
    .join("\n");
  const written = [...source.matchAll(/\baudit\(\s*"([^"]+)"/g)].map(([, action = ""]) => action);
  expect([...new Set(written)].toSorted()).toEqual([...auditActions].toSorted());
});
