/**
 * Idioms that make a reader parse a sentence twice stay out of comments, messages and documents
 * (docs/STYLE.md#plain-english).
 */
import { describe, expect, test } from "bun:test";
import { type ProjectFile, readProjectFiles } from "./project-files.ts";
import { proseFaults, proseOf } from "./prose.ts";

const idioms: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /\bwhoever\b/gi, instead: '"a client that", "anyone who"' },
  {
    pattern: /\b(?:for|to|by|from|with|at|than|against|behind|stops?|keeps?|lets?|helps?) +who\b/gi,
    instead: 'a noun before "who"',
  },
  {
    pattern: /\b(?:tells?|told|telling)\b(?! +(?:\w+ +)?apart\b| +otherwise\b)/gi,
    instead: '"returns", "shows", "says"',
  },
  { pattern: /\banew\b/gi, instead: '"again"' },
  { pattern: /\bin +vain\b/gi, instead: '"without success"' },
  { pattern: /(?<![-"'])\bmend(?:s|ed|ing)?\b(?!["'])/gi, instead: '"repair", "correct"' },
  { pattern: /(?<![-/@=$_])\bnobody\b(?![-/@"'`$\d\\])/gi, instead: '"no client", "no user", "no one"' },
  {
    pattern: /\bnone +(?:is|are|was|were|has|have|can|may|must|does|of +(?:them|these|it|its|which))\b/gi,
    instead: '"no" and a noun',
  },
  { pattern: /\bfor +want +of\b/gi, instead: '"without"' },
  {
    pattern:
      /\b(?:that|which|and|who) +(?:is|are) +none\b|(?<!\bthere +)\b(?:is|are) +none +of +(?:our|the|who)/gi,
    instead: '"no" and a noun',
  },
  { pattern: /\bthere +is +none +of\b/gi, instead: '"missing"' },
  { pattern: /\b[Oo]f +late\b/g, instead: '"recent", "recently"' },
  { pattern: /\bof +(?:its|theirs|his|hers) +that\b/gi, instead: "the subject first" },
  { pattern: /\bof +which +(?:one|some|none|each|all)\b/gi, instead: "two sentences" },
];

function idiomFaults(file: ProjectFile): readonly string[] {
  return idioms.flatMap(({ pattern, instead }) => proseFaults(file, pattern, `write ${instead}`));
}

test("documents, comments and messages are in plain English", () => {
  const files = readProjectFiles(
    /(?:\.(?:tsx?|js|mjs|css|md|html|sql|toml|yml|conf|service)|Caddyfile|Dockerfile|\.ci\/run)$/,
  );
  expect(files.length).toBeGreaterThan(600);
  expect(files.flatMap(idiomFaults)).toEqual([]);
});

// A tilde keeps each plant from being found where it stands; the test takes it out.
describe("finds", () => {
  test.each([
    ["a clause without a head", "Who~ever asks gets it."],
    ["a preposition before a bare clause", "0 f~or who is no administrator"],
    ["a verb before a bare clause", "This sto~ps who tries out passwords."],
    ["the wrong verb for returning", "T~ells whether the name is taken."],
    ["what a caller hears", "The caller is to~ld why."],
    ["a word of old books", "It is written a~new."],
    ["another", "It is asked in v~ain."],
    ["repairing by the wrong word", "The operator has to me~nd it."],
    ["a person who is not there", "No~body asked."],
    ["a pronoun for a noun", "None o~f them is read."],
    ["a thing that denies itself", "A day that is n~one."],
    ["a recent past", "A call that ran of la~te."],
    ["an owner before its thing", "A session o~f its that has ended."],
    ["a lack", "It is left out for wa~nt of a name."],
    ["what is missing, in a circle", "What there is no~ne of is left out."],
    ["a clause that counts", "Two rows, of w~hich one is removed."],
  ])("%s", (_, plant) => {
    const text = plant.replace("~", "");
    for (const file of [
      { path: "src/a.ts", text: `/** ${text} */` },
      { path: "src/a.ts", text: `// ${text}` },
      { path: "src/a.ts", text: `throw new Error("${text}");` },
      { path: "docs/a.md", text },
    ])
      expect(idiomFaults(file)).toHaveLength(1);
  });

  test("an idiom that a line break divides", () => {
    const text = "/**\n * 0 for\n * who is absent at this time\n */";
    expect(idiomFaults({ path: "src/a.ts", text })).toEqual([
      expect.stringContaining("src/a.ts:2: write a noun"),
    ]);
  });
});

test.each([
  ["names in code", "src/a.ts", "const no~body = an~ew(to~ld, `/${no~body}`);"],
  ["names in data", "test/a.test.ts", 'ask("/user/No~body", "no~body@example.org", "No~body");'],
  ["a pattern", "src/a.ts", "const quote = /[\"'`]/; const to~ld = 1;"],
  ["the flag", "src/a.ts", '// `fsck --m~end`\nflag("m~end");'],
  ["code in documents", "docs/a.md", "`fsck --m~end` and\n```sh\nno~body\n```\n"],
  ["a question", "docs/a.md", "The audit says who did what."],
  ["a difference", "docs/a.md", "It tells them apart."],
])("accepts %s", (_, path, text) => {
  expect(idiomFaults({ path, text: text.replaceAll("~", "") })).toEqual([]);
});

test("keeps every position when it takes the code out", () => {
  const text = 'const a = "x"; // y\n/* z */';
  const prose = proseOf({ path: "src/a.ts", text });
  expect(prose.text).toHaveLength(text.length);
  expect(["x", "y", "z"].map((word) => prose.text.indexOf(word))).toEqual([11, 18, 23]);
  expect(prose.lineAt(23)).toBe(2);
});
