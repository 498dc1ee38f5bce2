/*
 * Plays scenarios over HTTP on PostgreSQL and on a bucket: `bun run gate:storage` what the gate has time for,
 * in all combinations; `bun run test:storage` every scenario on both (`--all`), and a cluster under Patroni,
 * where that is installed.
 *
 * Exits with 75 (try again later) where a server is missing: the gate then passes and says so.
 */
import { projectFolder } from "./bundle.ts";
import { exitCodes } from "./exit-codes.ts";
import { serversNotRun } from "./test-servers.ts";

type Run = { readonly engine: string; readonly blobs: string; readonly files: readonly string[] };

/** Of each area some, for half a minute of processor time in all. */
const some = [
  "contract/home",
  "admin/roles",
  "yggdrasil/authserver",
  "service/permission",
  "contract/errors",
];
const short: readonly Run[] = [
  { engine: "postgres", blobs: "s3", files: some.map((name) => `test/${name}.test.ts`) },
  { engine: "postgres", blobs: "files", files: ["test/contract/registration.test.ts"] },
  { engine: "sqlite", blobs: "s3", files: ["test/contract/home.test.ts"] },
];
/** Where tests open the service; `cli` and `backup` are about data folders otherwise. */
const areas =
  `admin backup/meanwhile boot cli/doctor-addresses cli/health clients console contract domain events game http launch limits
  mail operate properties protocols security service social yggdrasil`.split(/\s+/);
const all: readonly Run[] = [
  { engine: "postgres", blobs: "s3", files: areas.map((area) => `test/${area}`) },
  // Debian's own PostgreSQL under Patroni, which people use who outgrow one machine.
  { engine: "postgres", blobs: "files", files: ["./test/servers/patroni-full.ts"] },
];

const missing = serversNotRun();
for (const reason of missing) console.error(`storage: ${reason}`);
if (missing.length > 0) process.exitCode = exitCodes.tryAgain;
else {
  const outcomes = (process.argv.includes("--all") ? all : short).map(play);
  if (outcomes.includes(false)) process.exitCode = exitCodes.failed;
}

function play({ engine, blobs, files }: Run): boolean {
  console.log(`storage: ${engine} and ${blobs}`);
  const options = ["--parallel", "--only-failures", "--timeout", "60000"];
  const { exitCode } = Bun.spawnSync([process.execPath, "test", ...options, ...files], {
    cwd: projectFolder,
    env: { ...process.env, TEST_ENGINE: engine, TEST_BLOBS: blobs },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return exitCode === 0;
}
