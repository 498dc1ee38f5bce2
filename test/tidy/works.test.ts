import { expect, test } from "bun:test";
import { type ProjectFile, readProjectFiles } from "./project-files.ts";

/**
 * The work of a transaction may run more than once, so it touches nothing outside `tx`: no files, hashes,
 * limits, logs or clock, no reads past the transaction, no transaction of its own, and no variable of its
 * surroundings. The same holds for every function that is given a `Tx`.
 */
const effects =
  /\b(?:blobs|staged|hasher|attempt|log|activity|importer|mailer|clock|reads|loginStates)\??\.\w+|\b(?:dropFiles|deleteFiles|carryOutBan|purgeBanned|transact|saw)\??\.?\(/;
const begins = /\b(?:transact|withTextures)\(/g;
const given = /\bfunction \w+(?:<[^>]*>)?\(/g;

function workFaults({ path, text }: ProjectFile): readonly string[] {
  const works = [...text.matchAll(begins)].map(({ index, 0: call }) =>
    inBrackets(text, index + call.length - 1),
  );
  const helpers = [...text.matchAll(given)].flatMap(({ index, 0: head }) =>
    helperAt(text, index + head.length - 1),
  );
  return [...works, ...helpers].flatMap((work) => {
    const [effect] = effects.exec(work) ?? [];
    const assigned = assignments(work).filter((name) => !isDeclaredIn(work, name));
    return [
      ...(effect === undefined ? [] : [`${path}: a work touches ${effect}`]),
      ...assigned.map((name) => `${path}: a work assigns ${name}`),
    ];
  });
}

/** The body of a function whose parameters open here; none where no parameter is a `Tx`. */
function helperAt(text: string, open: number): readonly string[] {
  const parameters = inBrackets(text, open);
  // A function that takes a work is given no `Tx` itself.
  if (!/:\s*(?:Tx|Pick<Tx)\b/.test(parameters.replaceAll(/\(\w+: Tx\) =>/g, ""))) return [];
  const body = text.indexOf(" {\n", open + parameters.length);
  return [inBrackets(text, body + 1)];
}

/** The text within the bracket that opens at this place. */
function inBrackets(text: string, open: number): string {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if ("([{".includes(text[at] ?? "")) depth += 1;
    if (")]}".includes(text[at] ?? "")) depth -= 1;
    if (depth === 0) return text.slice(open + 1, at);
  }
  return text.slice(open + 1);
}

function assignments(work: string): readonly string[] {
  const found = work.matchAll(
    /(?:^|[;{(]|=>)\s*(?:void )?\(?(?<name>[A-Za-z]\w*)\s*(?:[-+?*]{0,2}=(?![=>])|\+\+|--)/gm,
  );
  const pushed = work.matchAll(/\b(?<name>[A-Za-z]\w*)\.(?:push|add|set|unshift)\(/g);
  return [...found, ...pushed].map(({ groups }) => groups?.["name"] ?? "");
}

function isDeclaredIn(work: string, name: string): boolean {
  return new RegExp(`\\b(?:const|let)\\s+(?:\\{[^}]*|\\[[^\\]]*)?\\b${name}\\b`).test(work);
}

test("the work of every transaction touches nothing outside it", () => {
  const files = readProjectFiles(/^src\/.*\.ts$/);
  expect(files.filter(({ text }) => text.search(begins) >= 0).length).toBeGreaterThan(20);
  expect(files.flatMap(workFaults)).toEqual([]);
});

test.each([
  ["deletes a file", "await deps.transact(actor, async (tx) => { await deps.blobs.delete(hash); });"],
  [
    "hashes a password",
    "transact(actor, async (tx) => tx.accounts.setPasswordHash(id, await hasher.hash(text)))",
  ],
  ["counts an attempt", "transact(actor, async (tx) => { attempt.take(); })"],
  ["asks another clock", "transact(actor, async (tx) => deps.clock.nowSeconds())"],
  ["reads past it", "transact(actor, (tx) => reads.accounts.findMember(key))"],
  ["begins another", "transact(actor, (tx) => deps.transact(actor, work))"],
  ["counts outside", "let n = 0;\ntransact(actor, async (tx) => {\n  n += 1;\n});"],
  ["collects outside", "const all = [];\ntransact(actor, async (tx) => {\n  all.push(tx.now);\n});"],
  [
    "logs in a helper",
    "async function help(tx: Tx, id: AccountId): Promise<void> {\n  deps.log.info('x');\n}",
  ],
])("finds a work that %s", (_, text) => {
  expect(workFaults({ path: "src/domain/a/b.ts", text })).not.toEqual([]);
});

test("accepts a work that keeps to its transaction", () => {
  const text = `transact(actor, async (tx) => {\n  let n = 0;\n  n += await tx.sessions.count();\n  const all = [];\n  all.push(n);\n  tx.audit("a", null, {});\n});`;
  expect(workFaults({ path: "src/domain/a/b.ts", text })).toEqual([]);
});
