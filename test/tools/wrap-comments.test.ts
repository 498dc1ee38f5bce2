import { expect, test } from "bun:test";
import { commentsOf } from "../../tools/comments.ts";
import { wrapComments } from "../../tools/wrap-comments.ts";

const words = (count: number, word = "word") => Array.from({ length: count }, () => word).join(" ");
const wrapped = (...lines: readonly string[]) => wrapComments(lines.join("\n")).split("\n");

test("a long comment of one line becomes a block, each line of 110 characters at most", () => {
  expect(wrapped(`  /** ${words(25)} */`, "  const a = 1;")).toEqual([
    "  /**",
    `   * ${words(21)}`,
    `   * ${words(4)}`,
    "   */",
    "  const a = 1;",
  ]);
});

test("a paragraph with a long line is filled again, and the others stay as they are", () => {
  const short = [" * Short.", " * As written."];
  expect(wrapped("/**", ...short, " *", ` * ${words(30)}`, " * end", " */")).toEqual([
    "/**",
    ...short,
    " *",
    ` * ${words(21)}`,
    ` * ${words(9)} end`,
    " */",
  ]);
});

test("lines of a line comment are one text, and items of a list keep their indent", () => {
  expect(wrapped(`// ${words(22)}`, "// more", `// - ${words(22)}`, "// - short")).toEqual([
    `// ${words(21)}`,
    "// word more",
    `// - ${words(21)}`,
    "//   word",
    "// - short",
  ]);
});

test.each([
  ["code in a fence", ["/**", " * ```ts", ` * ${words(30)}`, " * ```", " */"]],
  ["indented code", ["/**", " * Like:", ` *     ${words(30)}`, " */"]],
  ["a row of a table", ["/**", ` * | ${words(30)} |`, " */"]],
  ["a tag", ["/**", ` * @see ${words(30)}`, " */"]],
  ["a word that is longer", ["/**", ` * https://example.org/${"a".repeat(120)}`, " */"]],
  ["a directive", [`// oxlint-disable-next-line ${words(30)}`]],
  ["a comment behind code", [`const a = 1; // ${words(30)}`]],
  [
    "a text that looks like one",
    [`const a = "/*";`, "const b = `", `// ${words(30)}`, "`;", `const c = "*/";`],
  ],
  ["a block that is drawn", ["/*", `  ${words(30)}`, " */"]],
])("%s stays", (_, lines) => {
  expect(wrapped(...lines)).toEqual(lines);
});

test("code in backticks is not broken, and no line begins like an item", () => {
  const comment = `/** ${words(20)} \`GET /api/skin/head\` ${words(17)} - ${words(5)} */`;
  expect(wrapped(comment)).toEqual([
    "/**",
    ` * ${words(20)}`,
    ` * \`GET /api/skin/head\` ${words(17)} -`,
    ` * ${words(5)}`,
    " */",
  ]);
});

test("wrapping what is wrapped changes nothing", () => {
  const once = wrapComments(`/** ${words(60, "sentence")} */\n// ${words(60, "remark")}\n`);
  expect(once.split("\n").every((line) => line.length <= 110)).toBe(true);
  expect(wrapComments(once)).toBe(once);
});

test("what looks like a comment in a text, a template or a regular expression is none", () => {
  const source = [
    "const a = `x ${b ? `/* ${{ c: 1 }.c} */` : 2}`;",
    "// first",
    "const d = /[/*`]/g, e = f / 2; // behind code",
    "const g = '`';",
    "/* second,",
    "   of two lines */",
    "`",
    "// none",
    "`;",
  ];
  expect(commentsOf(source.join("\n"))).toEqual([
    { first: 1, last: 1, isBlock: false },
    { first: 4, last: 5, isBlock: true },
  ]);
});
