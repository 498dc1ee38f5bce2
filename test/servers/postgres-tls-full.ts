/**
 * Each sslmode against a server with a certificate: who is believed, and that nothing goes without TLS
 * instead.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, chown, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseAddress } from "../../src/adapters/postgres/connections/address.ts";
import { openWorkSession } from "../../src/adapters/postgres/connections/work-session.ts";
import { makeCluster, programMissing, startPostgres, superuserAddress } from "../support/postgres-program.ts";
import { freePort, isRoot, ordinary, runFolder } from "../support/run-servers.ts";

if (programMissing !== null) console.error(`NOT RUN: TLS to PostgreSQL (${programMissing})`);

const ours = "sslrootcert=ours.crt";
const theirs = "sslrootcert=theirs.crt";
const stranger = /cannot be used: PostgreSQL: no authority that is trusted here has signed its certificate/;
const otherName = /cannot be used: PostgreSQL: its certificate is made out to another name/;

/** What the server has: a certificate for its own address, for another name, or none. */
type Server = "own" | "other" | "none";

const cases: readonly (readonly [Server, string, "TLS" | "plain" | RegExp])[] = [
  ["own", "sslmode=disable", "plain"],
  ["own", "sslmode=require", "TLS"],
  ["own", "sslmode=verify-ca", stranger],
  ["own", `sslmode=verify-ca&${ours}`, "TLS"],
  ["own", `sslmode=verify-ca&${theirs}`, stranger],
  ["own", "sslmode=verify-full", stranger],
  ["own", `sslmode=verify-full&${ours}`, "TLS"],
  ["own", `sslmode=verify-full&${theirs}`, stranger],
  ["other", "sslmode=require", "TLS"],
  ["other", `sslmode=verify-ca&${ours}`, "TLS"],
  ["other", `sslmode=verify-ca&${theirs}`, stranger],
  ["other", `sslmode=verify-full&${ours}`, otherName],
  ["none", "sslmode=require", /the server does not speak TLS/],
  ["none", `sslmode=verify-ca&${ours}`, /the server does not speak TLS/],
  ["none", `sslmode=verify-full&${ours}`, /the server does not speak TLS/],
];

describe.skipIf(programMissing !== null)("a server of PostgreSQL", () => {
  const opened = new AsyncDisposableStack();
  const folder = join(runFolder(), `tls-${crypto.randomUUID()}`);
  const password = "a-password-of-this-test";
  const addresses = new Map<Server, string>();

  beforeAll(async () => {
    await mkdir(folder);
    opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
    await makeAuthority("ours");
    await makeAuthority("theirs");
    await makeCertificate("own", "DNS:localhost,IP:127.0.0.1");
    await makeCertificate("other", "DNS:elsewhere.example.org");
    for (const server of ["own", "other", "none"] as const) {
      const url = superuserAddress(freePort(), password);
      const data = join(folder, `data-${server}`);
      await makeCluster(data, password);
      const tls = {
        ssl: "on",
        ssl_cert_file: join(folder, `${server}.crt`),
        ssl_key_file: join(folder, `${server}.key`),
      };
      const settings = { fsync: "off", ...(server !== "none" && tls) };
      opened.use(await startPostgres({ data, log: join(folder, `${server}.log`), url, settings }));
      addresses.set(server, url);
    }
  }, 120_000);
  afterAll(() => opened.disposeAsync(), 60_000);

  const openssl = (command: string) => Bun.$`sh -c ${`openssl ${command}`}`.cwd(folder).quiet();
  const newKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";

  async function makeAuthority(name: string): Promise<void> {
    await openssl(`req -x509 ${newKey} -days 2 -subj /CN=${name} -keyout ${name}.key -out ${name}.crt`);
  }

  async function makeCertificate(name: string, names: string): Promise<void> {
    await Bun.write(join(folder, "names"), `subjectAltName=${names}`);
    await openssl(`req ${newKey} -subj /CN=${name} -keyout ${name}.key -out ${name}.csr`);
    await openssl(
      `x509 -req -in ${name}.csr -CA ours.crt -CAkey ours.key -CAcreateserial -days 2 -out ${name}.crt -extfile names`,
    );
    await chmod(join(folder, `${name}.key`), 0o600);
    if (isRoot) await chown(join(folder, `${name}.key`), ordinary.uid, ordinary.gid);
  }

  test.each(cases)("with the certificate %p and %p", async (server, query, outcome) => {
    for (const host of ["127.0.0.1", "localhost"]) {
      const address = (addresses.get(server) ?? "").replace("127.0.0.1", host);
      const given = parseAddress(`${address}?${query.replace("sslrootcert=", `sslrootcert=${folder}/`)}`);
      const found = await wayTo(given).catch((error: unknown) => error);
      if (typeof outcome === "string") {
        expect(found).toBe(outcome);
        continue;
      }
      expect(found).toMatchObject({ kind: "unavailable", message: expect.stringMatching(outcome) });
      expect(Bun.inspect(found)).not.toContain(password);
    }
  });
});

async function wayTo(address: ReturnType<typeof parseAddress>): Promise<"TLS" | "plain"> {
  await using session = await openWorkSession({ address, timelineFile: "" });
  const [row] = await session.send("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()", []);
  return row?.[0] === true ? "TLS" : "plain";
}
