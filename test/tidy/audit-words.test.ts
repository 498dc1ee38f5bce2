/** The audit in words: each action that the server writes has a name and a sentence in the console, in every language. */
import { describe, expect, test } from "bun:test";
import { auditActions } from "../../src/domain/model/audit-action.ts";
import { auditFacts } from "../../src/domain/model/audit-facts.ts";
import { staff as de } from "../../src/web/words/de/staff.ts";
import { staff as en } from "../../src/web/words/en/staff.ts";
import { staff as ru } from "../../src/web/words/ru/staff.ts";
import { staff as zhHans } from "../../src/web/words/zh-hans/staff.ts";
import { readProjectFiles } from "./project-files.ts";

const languages = { en, de, ru, "zh-Hans": zhHans };
const slotsOf = (text: string) => new Set(Array.from(text.matchAll(/\{(\w+)\}/g), ([slot]) => slot));

describe.each(Object.entries(languages))("in %s", (_, { actions, fields }) => {
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
    expect(slotsOf(actions[action].text)).toEqual(slotsOf(en.actions[action].text));
  });
});

test("the list of actions is what the program writes", () => {
  const source = readProjectFiles(/^src\/(?:domain|cli)\/.*\.ts$/)
    .map(({ text }) => text)
    .join("\n");
  const written = [...source.matchAll(/\baudit\(\s*"([^"]+)"/g)].map(([, action = ""]) => action);
  expect([...new Set(written)].toSorted()).toEqual([...auditActions].toSorted());
});
