/*
 * Generators that people use read the API's document with every protocol on, and what they write compiles:
 * `bun run test:clients`. It needs the network; openapi-generator also needs Java and Maven. Three more
 * generators are in `first-skin.clients.ts`. The versions are those that were tried last.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "../cli/run-program.ts";
import { startEverything } from "./everything.ts";
import { runCommand } from "./run-command.ts";
import type { ServerProcess } from "./server-process.ts";

let server: ServerProcess;
let document: string;
beforeAll(async () => {
  server = await startEverything();
  document = await (await fetch(`${server.address}/swagger/json`)).text();
});
afterAll(() => server[Symbol.asyncDispose]());

const typescript = "typescript@5.9.3";
const compile =
  "bunx tsc --noEmit --strict --skipLibCheck --module preserve --target esnext --lib esnext,dom,dom.iterable";

/** Commands beside the document, `openapi.json`. */
const generators = [
  {
    name: "openapi-generator 7.25.0, for Java",
    packages: "@openapitools/openapi-generator-cli@2.41.0",
    files: { "openapitools.json": '{"generator-cli":{"version":"7.25.0"}}' },
    needs: ["java", "mvn"],
    generate: "bunx openapi-generator-cli generate -i openapi.json -g java --library native -o made",
    check: "mvn --quiet --batch-mode -DskipTests -f made/pom.xml compile",
  },
  {
    name: "@hey-api/openapi-ts",
    packages: `@hey-api/openapi-ts@0.99.0 ${typescript}`,
    generate: "bunx openapi-ts -i openapi.json -o made -c @hey-api/client-fetch",
    check: `${compile} made/index.ts made/client.gen.ts made/sdk.gen.ts`,
  },
  {
    name: "orval",
    packages: `orval@8.38.0 ${typescript}`,
    generate: "bunx orval --input openapi.json --output made/api.ts --client fetch",
    check: `${compile} made/api.ts`,
  },
  {
    name: "swagger-typescript-api",
    packages: `swagger-typescript-api@13.13.0 ${typescript}`,
    generate: "bunx swagger-typescript-api generate -p openapi.json -o made -n api.ts",
    check: `${compile} made/api.ts`,
  },
  {
    name: "oazapfts",
    packages: `oazapfts@7.5.0 @oazapfts/runtime ${typescript}`,
    generate: "bunx oazapfts openapi.json made.ts",
    check: `${compile} made.ts`,
  },
];

describe.each(generators)("$name", ({ packages, files = {}, needs = [], generate, check }) => {
  test.skipIf(needs.some((program) => Bun.which(program) === null))(
    "writes a client of everything, which compiles",
    async () => {
      await using folder = await temporaryFolder();
      await Bun.write(join(folder.path, "openapi.json"), document);
      await Bun.write(join(folder.path, "package.json"), '{"private":true,"type":"module"}');
      for (const [name, text] of Object.entries(files)) await Bun.write(join(folder.path, name), text);
      const path = `${join(folder.path, "node_modules/.bin")}:${process.env["PATH"]}`;
      for (const command of [`bun add --no-save ${packages}`, generate, check])
        expect(await runCommand(command, folder.path, { PATH: path })).toMatchObject({ code: 0 });
    },
  );
});
