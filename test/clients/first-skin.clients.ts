/*
 * Three clients are generated from the API's document, as users of the service do it, and each walks through
 * a first skin against a running server: `bun run test:clients`. It needs the network, Go and Python. The
 * versions are those that were tried last.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { runProcess, temporaryFolder } from "../cli/run-program.ts";
import { startEverything } from "./everything.ts";
import { runCommand } from "./run-command.ts";
import type { ServerProcess } from "./server-process.ts";

let server: ServerProcess;
beforeAll(async () => {
  server = await startEverything();
});
afterAll(() => server[Symbol.asyncDispose]());

const openApiTypescript = "openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3";
const oapiCodegen = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";
const openapiPythonClient = "openapi-python-client==0.29.1";

/** Commands beside the document, `openapi.json`. What generates may say nothing of a warning. */
const clients = [
  {
    language: "typescript",
    before: [`bun add --no-save ${openApiTypescript} @types/bun@1.4.4`],
    generate: "bunx openapi-typescript openapi.json --output api.ts",
    check: "bunx tsc --noEmit --strict --module preserve --target esnext first-skin.ts",
    walk: "bun first-skin.ts",
  },
  {
    language: "go",
    before: ["go mod init first-skin"],
    generate: `go run ${oapiCodegen} -generate types,client -package main -o api.go openapi.json`,
    check: "go mod tidy",
    walk: "go run .",
  },
  {
    language: "python",
    before: ["python3 -m venv venv", `pip install --quiet ${openapiPythonClient}`],
    generate: "openapi-python-client generate --path openapi.json --meta none",
    check: "python -m compileall -q cloakroom_client",
    walk: "python first-skin.py",
  },
];

test.each(clients)(
  "a client in $language is generated without a warning and walks through a first skin",
  async (client) => {
    await using folder = await temporaryFolder();
    const member = await addMember(client.language);
    await cp(join(import.meta.dir, client.language), folder.path, { recursive: true });
    await Bun.write(join(folder.path, "openapi.json"), await fetch(`${server.address}/swagger/json`));
    const environment = {
      PATH:
        ["venv/bin", "node_modules/.bin"].map((bin) => `${join(folder.path, bin)}:`).join("") +
        process.env["PATH"],
      SKIN: join(import.meta.dir, "../../docs/examples/scout.png"),
      CLOAKROOM: server.address,
      ...member,
    };
    const run = (command: string) => runCommand(command, folder.path, environment);
    for (const command of client.before) expect(await run(command)).toMatchObject({ code: 0 });
    const generated = await run(client.generate);
    expect(generated).toMatchObject({ code: 0 });
    expect(generated.said).not.toMatch(/warn/i);
    expect(await run(client.check)).toMatchObject({ code: 0 });
    const walked = await run(client.walk);
    expect(walked).toEqual({ code: 0, said: expect.stringMatching(/walked: \d+ bytes of a head\n$/) });
  },
);

/** Somebody with a name and a password, made on the command line. */
async function addMember(language: string) {
  const member = {
    CLOAKROOM_NAME: `Walker_${language}`.slice(0, 16),
    CLOAKROOM_PASSWORD: "a walker's own words",
  };
  const words = ["--username", member.CLOAKROOM_NAME, "--password", member.CLOAKROOM_PASSWORD];
  const made = await runProcess(["user", "create", "--mail", `${language}@example.org`, ...words], server);
  expect(made).toMatchObject({ code: 0 });
  return member;
}
