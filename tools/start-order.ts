/*
 * Records which functions a start of the server runs: `bun tools/start-order.ts`. The build puts their
 * bytecode at the front of the binary, so that a start reads less of it. The file has hashes of functions: it
 * stays of use while the code changes, and is recorded again before a release.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "./bundle.ts";

const folder = await mkdtemp(join(tmpdir(), "cloakroom-order-"));
const recorded = join(folder, "recorded");
const env = { PORT: "0", DATA_DIR: join(folder, "data") };
try {
  await Bun.$`${process.execPath} tools/build.ts --out-dir ${folder}`.cwd(projectFolder).quiet();
  const binary = join(folder, "cloakroom");
  const identity = ["--mail", "player@example.org", "--username", "Player", "--password", "of nobody's"];
  await Bun.$`${binary} user create ${identity} --admin`.env(env).quiet();
  await start(binary);
  // Functions and modules; the rest is ten times as long and gains nothing that can be measured.
  const lines = (await Bun.file(recorded).text()).split("\n").filter((line) => /^(?:v2$|[FM] )/.test(line));
  await Bun.write(join(projectFolder, "tools/start.order"), `${lines.join("\n")}\n`);
} finally {
  await rm(folder, { recursive: true });
}

/** Starts the server, asks for one picture and one page, and stops it, which writes the record. */
async function start(binary: string): Promise<void> {
  const recording = { ...env, BUN_BYTECODE_ORDER_OUT: recorded };
  const child = Bun.spawn([binary, "serve"], {
    env: recording,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const { value } = await child.stdout.getReader().read();
  const url = /http:\S+/.exec(new TextDecoder().decode(value))?.[0];
  if (url === undefined) throw new Error("The server does not say where it listens");
  for (const path of ["/api/skin/head/Player?size=100", "/"]) await (await fetch(url + path)).bytes();
  // Jobs begin a moment after the start.
  await Bun.sleep(2000);
  child.kill();
  await child.exited;
}
