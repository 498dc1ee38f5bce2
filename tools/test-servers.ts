/*
 * Gets the real servers that tests need: `bun tools/test-servers.ts`. PostgreSQL comes with the packages; the
 * S3 server is built by Go, once for a machine, in some two minutes.
 *
 * Exits with 75 (try again later) when one cannot be had: the gate then passes and its last line says what
 * did not run. With `REQUIRE_SERVERS=1` it fails.
 */
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findBucketFault } from "../test/support/bucket.ts";
import { mariadbMissing } from "../test/support/mariadb.ts";
import { postgresMissing } from "../test/support/postgres.ts";
import { versitygwProgram, versitygwVersion } from "../test/support/versitygw.ts";
import { exitCodes } from "./exit-codes.ts";

const buildMinutes = 10;
const reportMs = 10_000;

if (import.meta.main) {
  const buildFault = findBucketFault() !== null && Bun.which("go") !== null ? await buildVersitygw() : null;
  if (buildFault !== null) console.error(`servers: ${buildFault}`);
  const notRun = serversNotRun();
  for (const fault of notRun) console.error(`servers: ${fault}`);
  // A source of imports, which SQLite and PostgreSQL stand for as well: nothing waits for it.
  if (mariadbMissing !== null)
    console.log(`servers: the tests with MariaDB as a source were NOT RUN (${mariadbMissing})`);
  if (notRun.length === 0) console.log("servers: PostgreSQL and S3 are there");
  else process.exitCode = process.env["REQUIRE_SERVERS"] === "1" ? exitCodes.failed : exitCodes.tryAgain;
}

/** What cannot run here now, and why. */
export function serversNotRun(): readonly string[] {
  const bucketFault = findBucketFault();
  return [
    ...(postgresMissing === null ? [] : [`the tests on PostgreSQL were NOT RUN (${postgresMissing})`]),
    ...(bucketFault === null ? [] : [`the tests on a bucket were NOT RUN (${bucketFault})`]),
  ];
}

/** Builds the S3 server, which gets its name when it is whole. Returns why it could not. */
async function buildVersitygw(): Promise<string | null> {
  const target = dirname(versitygwProgram);
  await mkdir(dirname(target), { recursive: true });
  const folder = await mkdtemp(`${target}.`);
  const began = performance.now();
  const seconds = () => ((performance.now() - began) / 1000).toFixed(0);
  console.log(`servers: builds versitygw ${versitygwVersion} into ${target}, once for this machine`);
  const reporting = setInterval(() => console.log(`servers: still building, ${seconds()} s`), reportMs);
  try {
    const source = `github.com/versity/versitygw/cmd/versitygw@v${versitygwVersion}`;
    const go = Bun.spawn(["go", "install", "-trimpath", "-ldflags=-s -w", source], {
      env: { ...process.env, GOBIN: folder },
      stdio: ["ignore", "inherit", "pipe"],
      timeout: buildMinutes * 60_000,
    });
    const [code, error] = await Promise.all([go.exited, go.stderr.text()]);
    if (code !== 0) return `go could not build versitygw (${error.trim().split("\n").at(-1) ?? ""})`;
    await rename(join(folder, "versitygw"), join(await made(target), "versitygw"));
    console.log(`servers: built in ${seconds()} s`);
    return null;
  } finally {
    clearInterval(reporting);
    await rm(folder, { recursive: true, force: true });
  }
}

async function made(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  return folder;
}
