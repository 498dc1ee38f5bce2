/** Refusals in the reader's language: by the code, the field and the values of the header X-Error. */
import { describe, expect, test } from "bun:test";
import { refusals } from "../../src/domain/model/refusals.ts";
import { languages } from "../../src/domain/model/mail.ts";
import { httpRefusals } from "../../src/http/refusals.ts";
import { rules } from "../../src/http/rules.ts";
import { xError } from "../../src/http/x-error.ts";
import type { Values } from "../../src/kernel/coded.ts";
import { pictureRefusals } from "../../src/render/refusals.ts";
import { readError } from "../../src/web/api/x-error.ts";
import { browserWords } from "../../src/words/browser.ts";
import { sayRefusal } from "../../src/words/refusals.ts";

const formats = {
  wait: (seconds: number) => `<in ${seconds} s>`,
  size: (bytes: number) => `${bytes} B`,
  number: String,
  moment: (seconds: number) => `<time ${seconds}>`,
};

/** The names of the values that the header has, by code. */
const sent = new Map<string, Set<string>>(
  [refusals, httpRefusals, pictureRefusals, rules].flatMap((table) =>
    Object.values(table).map(({ code, sentence }) => {
      const names = sentence.matchAll(/\{(\w+)(?:\|(\w+))?\}/g);
      const shown = Array.from(names, ([, name = "", format]) => (format === "unsent" ? [] : [name]));
      return [code, new Set(["field", ...shown.flat()])];
    }),
  ),
);

const translated = await Promise.all(
  languages.flatMap((language) => {
    const load = browserWords[language].refusals;
    return load === null ? [] : [load().then((words) => ({ language, words: words.refusals }))];
  }),
);

/** What pages read from the body of the answer. */
sent.get("suspended")?.add("reason");

test("every language but English has words of its own", () => {
  expect(translated.map(({ language }) => language)).toEqual(languages.filter((one) => one !== "en"));
});

describe.each(translated)("in $language", ({ language, words }) => {
  test.each(Object.keys(words))("the sentence of %s names no more than the server sends", (code) => {
    const names = sent.get(code) ?? new Set();
    const read = new Set<string>();
    const values = new Proxy<Values>(
      {},
      {
        get: (_, name) => {
          read.add(String(name));
          return names.has(String(name)) ? 2 : undefined;
        },
      },
    );
    expect(sayRefusal(words, { code, values }, formats)).not.toMatch(/[{}]|undefined|NaN/);
    expect([...read].filter((name) => !names.has(name))).toEqual([]);
  });

  test.each(Object.keys(words))("the sentence of %s is one, whatever the number", (code) => {
    for (const count of [0, 1, 2, 5, 21, 128]) {
      const values = Object.fromEntries([...(sent.get(code) ?? [])].map((name) => [name, count]));
      const said = sayRefusal(words, { code, values }, formats) ?? "";
      expect(said.trim()).not.toBe("");
      if (language === "zh-Hans") expect(said).toMatch(/\p{Script=Han}/u);
    }
  });

  test("a code of a newer server has none", () => {
    expect(sayRefusal(words, { code: "moon_full", values: {} }, formats)).toBeNull();
    expect(sayRefusal(words, { code: "constructor", values: {} }, formats)).toBeNull();
  });
});

test.each<[string, Parameters<typeof xError>[0]]>([
  ["a code alone", { code: "wrong_login", field: null, values: {} }],
  ["a field", { code: "name_taken", field: "username", values: {} }],
  ["numbers", { code: "password_length", field: "password", values: { min: 8, max: -128 } }],
  ["flags", { code: "x", field: null, values: { yes: true, no: false } }],
  [
    "quotation marks, signs and the like of a field",
    { code: "x", field: "a", values: { name: String.raw`"; field="b"; \ %41` } },
  ],
  [
    "letters of other scripts",
    { code: "name_reserved", field: "username", values: { name: 'Имя «%» "名字" 😀' } },
  ],
])("the pages read %s as the server writes it", (_, coded) => {
  expect(readError(xError(coded))).toEqual({ ...coded, field: coded.field ?? "" });
});

test.each(["", "  ", "12", '"text"', "Upper"])("the header %p has no code", (header) => {
  expect(readError(header).code).toBe("");
});

test("a text that is not well encoded is an error, for which pages show the message", () => {
  expect(() => readError('x; name=%"%ff"')).toThrow();
});
