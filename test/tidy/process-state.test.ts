import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ProjectFile, projectRoot, readProjectFiles } from "./project-files.ts";

/*
 * What lives in one process and outlives a request is named in docs/decisions/process-state.md, with its
 * reason: an answer that depends on it differs between nodes. A file holds such state where it makes a
 * collection, or a variable that changes, in a module, a field, or a function that returns functions over it.
 */

const page = "docs/decisions/process-state.md";

/** Made of parts of the kernel that hold state; the kernel itself is not looked at. */
const parts =
  /\b(?:createByteCache|collectUseTimes|createSemaphores?|createOneByOne|singleFlight|createInFlight|createHistogram|new SharedRuns|new FairQueue|new ClientQueue|new BoundedMap)\b[<(]/;
const collection = String.raw`new (?:Map|Set|WeakMap|WeakSet)\b`;
const ofModule = new RegExp(
  String.raw`^(?:export )?(?:let \w|const \w+(?:: (?!Readonly)[^=\n]+)? = (?:${collection}(?!\((?:\[|Object))|\[\];))`,
  "m",
);
const ofField = new RegExp(
  String.raw`^ {2}(?:readonly )?#\w+(?:: [^=\n]+)? = (?:${collection}|\[\]|-?\d|null|false)`,
  "m",
);
const ofFunction = new RegExp(
  String.raw`^ {2}(?:let [\w[{]|const \w+(?:: (?!readonly)[^=\n]+)? = (?:${collection}|\[\];))`,
  "m",
);
/** A function that returns functions, or an object of them. */
const returnsFunctions = /^ {2}return (?:async )?(?:\{|\(|<|\w+ =>|Object\.|new )/m;

function holdsState({ text }: ProjectFile): boolean {
  const code = text.replaceAll(/^ *(?:\/\*\*?|\*|\/\/).*$/gm, "");
  if (parts.test(code.replaceAll(/^import .*$/gm, "")) || ofModule.test(code) || ofField.test(code))
    return true;
  const blocks = code.split(/^(?=(?:export )?(?:async )?(?:function\*?|const) )/m);
  return blocks.some((block) => {
    const found = ofFunction.exec(block);
    const rest = found === null ? "" : block.slice(found.index);
    return rest.includes("=>") && returnsFunctions.test(rest);
  });
}

/** Their state ends with one call. */
const ofOneCall: readonly string[] = [
  "src/adapters/data-folder/kept-files.ts",
  "src/adapters/data-folder/staging.ts",
  "src/adapters/sources/cloakroom.ts",
  "src/adapters/sources/server-database.ts",
  "src/adapters/sql/dialect.ts",
  "src/boot/config.ts",
  "src/boot/config/settings-file.ts",
  "src/boot/config/social-settings.ts",
  "src/boot/console-build.ts",
  "src/boot/mail.ts",
  "src/domain/accounts/unconfirmed.ts",
  "src/domain/audit/people.ts",
  "src/domain/backup/carry-textures.ts",
  "src/domain/backup/chain-check.ts",
  "src/domain/backup/staged-folder.ts",
  "src/domain/members/own-export.ts",
  "src/domain/backup/unpack-backup.ts",
  "src/domain/import/apply.ts",
  "src/domain/import/batches.ts",
  "src/domain/import/batch-runs.ts",
  "src/domain/import/plan-accounts.ts",
  "src/domain/import/plan-textures.ts",
  "src/domain/import/recheck.ts",
  "src/domain/import/run.ts",
  "src/domain/import/write-batch.ts",
  "src/domain/limits/rate-limits.ts",
  "src/domain/limits/surplus-connections.ts",
  "src/domain/textures/check-files.ts",
  "src/domain/textures/place.ts",
  "src/http/form-body.ts",
  "src/http/openapi/failure-answers.ts",
  "src/http/openapi/json-schema.ts",
  "src/http/openapi/success-answers.ts",
  "src/operate/move/move.ts",
  "src/operate/move/sqlite-sides.ts",
  "src/operate/doctor/examine.ts",
  "src/operate/doctor/textures.ts",
];

function stateFiles(): readonly string[] {
  // Browsers are no nodes, a command is one call, and the kernel's users are looked at.
  const files = readProjectFiles(/^src\/(?!(?:web|cli|kernel)\/).*\.ts$/);
  return files.filter(holdsState).map(({ path }) => path);
}

test("every file with state that outlives a request is named, with what it means for several nodes", () => {
  const named = [
    ...readFileSync(join(projectRoot, page), "utf8").matchAll(/`(src\/[\w./-]+(?:\.ts|\/))`/g),
  ].map(([, path = ""]) => path);
  const isNamed = (path: string) =>
    named.some((one) => path === one || (one.endsWith("/") && path.startsWith(one)));
  expect(stateFiles().filter((path) => !ofOneCall.includes(path) && !isNamed(path))).toEqual([]);
});

test("the list of files whose state ends with one call names none that has no state", () => {
  const found = stateFiles();
  expect(ofOneCall.filter((path) => !found.includes(path))).toEqual([]);
});
