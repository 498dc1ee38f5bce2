/*
 * Writes the types of the API for the console, from the API's own document: `bun run types`. They are not in
 * the repository: `npm test`, `gate:types` and an installation that finds none write them. Bundles need no
 * types.
 *
 * Only routes that the console may call are kept, without failures and examples: failures all have one shape.
 */
import { join } from "node:path";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { fetchDocument } from "./api-document.ts";
import { projectFolder } from "./bundle.ts";

const path = join(projectFolder, "src/web/api/types.ts");
const header = "/* Written by `bun run types` from the API's document. */\n";

const written = header + astToString(await openapiTS(reduced(JSON.parse(await fetchDocument()))));
// A file that is written makes editors and servers with --watch read it again.
if (
  (await Bun.file(path)
    .text()
    .catch(() => "")) !== written
)
  await Bun.write(path, written);

/** What the console may call, with what succeeds. */
function reduced(document: OpenAPI3): OpenAPI3 {
  const paths = Object.entries(document.paths ?? {})
    .filter(([path]) => /^\/(?:api\/(?:auth|home|admin|skin\/launcher)|console)(?:\/|$)/.test(path))
    .map(([path, item]) => [path, withoutFailures(item)] as const);
  return withoutExamples({ ...document, paths: Object.fromEntries(paths) }) as OpenAPI3; // the same document, with less in it
}

function withoutFailures(item: object): object {
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => {
      if (typeof operation !== "object" || operation === null || !("responses" in operation))
        return [method, operation];
      const kept = Object.entries(operation.responses as object).filter(([status]) => status.startsWith("2"));
      return [method, { ...operation, responses: Object.fromEntries(kept) }];
    }),
  );
}

function withoutExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, inner]) => name !== "examples" && name !== "example" && inner !== undefined,
  );
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutExamples(inner)]));
}
