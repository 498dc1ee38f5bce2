/** What the service speaks over TLS, asked by hand: clients' own libraries no longer say such things. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { temporaryFolder } from "../cli/run-program.ts";
import { makeCertificate } from "../support/certificates.ts";
import { openHarness, type Harness } from "../support/harness.ts";

let harness: Harness;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let port: number;
beforeAll(async () => {
  folder = await temporaryFolder();
  const { certFile, keyFile } = await makeCertificate(folder.path, "here");
  harness = await openHarness({
    settings: { TLS_CERT: certFile, TLS_KEY: keyFile, PUBLIC_URL: undefined },
  });
  port = Number(new URL(harness.listen().address).port);
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const versions = { "SSL 3.0": 0x0300, "TLS 1.0": 0x0301, "TLS 1.1": 0x0302, "TLS 1.2": 0x0303 } as const;
const suites = {
  "ECDHE with AES-GCM": 0xc02b,
  "ECDHE with ChaCha20": 0xcca9,
  "ECDHE with AES-CBC": 0xc009,
  "ECDHE with 3DES": 0xc008,
  "ECDHE with RC4": 0xc007,
  "ECDHE without encryption": 0xc006,
} as const;

test.each([
  ["SSL 3.0", "refused"],
  ["TLS 1.0", "refused"],
  ["TLS 1.1", "refused"],
  ["TLS 1.2", "taken"],
] as const)("%s is %s", async (version, expected) => {
  expect(await sayHello(versions[version], Object.values(suites))).toBe(expected);
});

test.each([
  ["ECDHE with AES-GCM", "taken"],
  ["ECDHE with ChaCha20", "taken"],
  ["ECDHE with 3DES", "refused"],
  ["ECDHE with RC4", "refused"],
  ["ECDHE without encryption", "refused"],
] as const)("over TLS 1.2, %s is %s", async (suite, expected) => {
  expect(await sayHello(versions["TLS 1.2"], [suites[suite]])).toBe(expected);
});

test("who speaks TLS 1.3 is answered in it", async () => {
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
    resolve(socket.getProtocol());
  });
  socket.on("error", reject);
  expect(await promise.finally(() => socket.destroy())).toBe("TLSv1.3");
});

/**
 * Offers a version and suites (RFC 5246 7.4.1.2), and reads the outcome from the first byte of the answer.
 */
async function sayHello(version: number, offered: readonly number[]): Promise<"taken" | "refused"> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const socket = connect(port, "127.0.0.1", () => socket.write(clientHello(version, offered)));
  socket.on("data", (bytes: Buffer) => resolve(bytes[0]));
  socket.on("close", () => resolve(undefined));
  socket.on("error", reject);
  const [handshake, alert] = [22, 21];
  const first = await promise.finally(() => socket.destroy());
  expect([handshake, alert]).toContain(first ?? -1);
  return first === handshake ? "taken" : "refused";
}

const pair = (value: number) => [value >> 8, value & 255];
const sized = (bytes: readonly number[]) => [...pair(bytes.length), ...bytes];

function clientHello(version: number, offered: readonly number[]): Buffer {
  const [p256, x25519, uncompressed, ecdsaSha256] = [0x0017, 0x001d, 0, 0x0403];
  const extensions = [
    [...pair(10), ...sized(sized([x25519, p256].flatMap(pair)))],
    [...pair(11), ...sized([1, uncompressed])],
    [...pair(13), ...sized(sized(pair(ecdsaSha256)))],
  ].flat();
  const random = [...crypto.getRandomValues(new Uint8Array(32))];
  const noSession = [0];
  const noCompression = [1, 0];
  const hello = [...pair(version), ...random, ...noSession, ...sized(offered.flatMap(pair))];
  const body = [...hello, ...noCompression, ...sized(extensions)];
  const message = [1, 0, ...sized(body)];
  return Buffer.from([22, ...pair(0x0301), ...sized(message)]);
}
