import { expect, test } from "bun:test";
import { type ProjectFile, readProjectFiles } from "./project-files.ts";

/**
 * Actors whose right is never looked up. A route acts as the actor that its guard gives, so http imports no
 * such actor; where no session is needed, the use case itself acts as `anonymous`.
 */
const unchecked =
  /\bimport\b[^;]*\b(?:commandLine|anonymous|setupPage|system)\b[^;]*\bfrom\b|\bimport\s*\*[^;]*model\/actor\.ts/;
/**
 * An actor of a route's own making would bring its own check. Guards make actors, and nothing else in http.
 */
const madeCheck = /\bcheck\s*:|[{,]\s*check\s*[,}]/;

function actorFaults({ path, text }: ProjectFile): readonly string[] {
  const imported = unchecked.test(text) ? [`${path}: imports an actor whose right is never looked up`] : [];
  const made = madeCheck.test(text) && path !== "src/http/guards.ts" ? [`${path}: makes an actor`] : [];
  return [...imported, ...made];
}

test("no route acts as an actor whose right is never looked up", () => {
  const files = readProjectFiles(/^src\/http\/.*\.tsx?$/);
  expect(files.length).toBeGreaterThan(40);
  expect(files.flatMap(actorFaults)).toEqual([]);
});

test.each([
  ["system", `import { system } from "../../../domain/model/actor.ts";`],
  ["the command line", `import {\n  commandLine,\n  memberRecord,\n} from "../../../domain/model/actor.ts";`],
  ["a stranger", `import { anonymous } from "../../../domain/model/actor.ts";`],
  ["an actor under another name", `import { system as actor } from "../../domain/model/actor.ts";`],
  ["all of them", `import * as actors from "../../domain/model/actor.ts";`],
  ["an actor of its own", `await setLevel(deps, { ...actor, check: async () => undefined }, role);`],
  ["one with a check from elsewhere", `await setLevel(deps, { ...actor, check }, role);`],
])("finds a route that acts as %s", (_, text) => {
  expect(actorFaults({ path: "src/http/api/admin/a.ts", text })).not.toEqual([]);
});
