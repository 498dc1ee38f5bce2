/*
 * Every version of the game that minecraft-protocol speaks enters through the program as operators run it,
 * and the libraries of launchers walk under Node.js, where their users run them: `bun run test:clients`.
 */
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { createVerify } from "node:crypto";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { runProcess, temporaryFolder } from "../cli/run-program.ts";
import { projectRoot } from "../tidy/project-files.ts";
import { loadGame, signedIn, type Game } from "./game.ts";
import { openJavaServices } from "./java-services.ts";
import { startServer, type ServerProcess } from "./server-process.ts";
import { post, readMetadata, type SignedIn } from "./yggdrasil-calls.ts";

const password = "a walker's own words";

let server: ServerProcess;
let root: string;
let game: Game;
let publicKey: string;
beforeAll(async () => {
  // One client says at each start that the sign-in with a password is old.
  spyOn(console, "warn").mockImplementation(() => undefined);
  server = await startServer({ RATE_LIMIT_FACTOR: "0" });
  const words = ["--username", "Walker", "--password", password];
  const made = await runProcess(["user", "create", "--mail", "walker@example.org", ...words], server);
  expect(made).toMatchObject({ code: 0 });
  root = `${server.address}/api/yggdrasil`;
  publicKey = (await readMetadata(root)).signaturePublickey;
  game = await loadGame(root, publicKey);
});
afterAll(() => server[Symbol.asyncDispose]());

test("every version enters with a signed profile, and does not without having joined", async () => {
  expect(game.versions.length).toBeGreaterThan(20);
  const faults: string[] = [];
  for (const version of game.versions) {
    const entered = await game.play({ version, client: { username: "Walker", auth: "mojang", password } });
    const isSigned =
      "entered" in entered &&
      entered.entered.properties.length > 0 &&
      entered.entered.properties.every(({ value, signature = "" }) =>
        createVerify("RSA-SHA1").update(value).verify(publicKey, signature, "base64"),
      );
    if (!isSigned) faults.push(`${version}: ${JSON.stringify(entered)}`);
    const stranger = await game.play({ version, client: { username: "Walker" } });
    if (!("refused" in stranger)) faults.push(`${version}: a stranger entered`);
  }
  expect(faults).toEqual([]);
});

test("the versions that ask for a signed key at the door take the service's", async () => {
  const response = await post(`${root}/authenticate`, { username: "Walker", password });
  const { accessToken, selectedProfile } = (await response.json()) as SignedIn;
  const { profileKeys } = await openJavaServices(root).fetchCertificates(accessToken);
  for (const version of ["1.19", "1.19.2"]) {
    const client = signedIn(selectedProfile ?? { id: "", name: "" }, accessToken, { profileKeys });
    const outcome = await game.play({ version, client, enforceSecureProfile: true });
    expect(outcome).toMatchObject({ entered: { name: "Walker" } });
  }
});

test.each(["node", process.execPath])("the libraries of launchers walk under %s", async (runtime) => {
  await using folder = await temporaryFolder();
  await symlink(join(projectRoot, "node_modules"), join(folder.path, "node_modules"));
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, "library-walk.ts")],
    target: "node",
    packages: "external",
    outdir: folder.path,
    naming: "walk.mjs",
  });
  expect(built.success).toBe(true);
  const child = Bun.spawn([runtime, "walk.mjs"], {
    cwd: folder.path,
    env: {
      PATH: process.env["PATH"] ?? "",
      ROOT: root,
      PASSWORD: password,
      SKIN: join(projectRoot, "docs/examples/scout.png"),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  expect({ code, out, error: code === 0 ? "" : error }).toEqual({ code: 0, out: "walked\n", error: "" });
});
