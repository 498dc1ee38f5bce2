/**
 * Every claim of docs/asvs.md points to something that exists, and every claim "met" points to a test. What
 * SECURITY.md says in numbers, of ways in and of keys is what the code has.
 */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { argon2Hasher } from "../../src/adapters/passwords/argon2-hasher.ts";
import { loadConfig } from "../../src/boot/config.ts";
import { jwtSecretLengthMin, serviceTokenLengthMin } from "../../src/boot/secrets.ts";
import { uncountedArrival } from "../../src/domain/limits/address-limit.ts";
import { attemptsOfProcess, createRateLimits } from "../../src/domain/limits/rate-limits.ts";
import { AppError } from "../../src/kernel/errors.ts";
import type { AccountId } from "../../src/kernel/ids.ts";
import { limits } from "../../src/kernel/limits.ts";
import { openHarness } from "../support/harness.ts";
import { allOperationsOf, readDocument } from "../support/openapi.ts";
import { projectRoot, readProjectFiles } from "./project-files.ts";

/** Reads a file of the project; null when it is not there. */
type Read = (path: string) => string | null;

type Row = { readonly id: string; readonly state: string; readonly how: string };

const states = new Set(["met", "believed", "partly", "not met", "operator"]);

function securityFaults(document: string, read: Read): readonly string[] {
  const rows = rowsOf(document);
  const twice = rows.filter(({ id }, at) => rows.findIndex((other) => other.id === id) !== at);
  return [
    ...(rows.length === 0 ? ["there are no rows"] : []),
    ...twice.map(({ id }) => `${id} stands twice`),
    ...rows.flatMap(stateFaults),
    ...missingFiles(document, read),
    ...missingTests(document, read),
  ];
}

function rowsOf(document: string): readonly Row[] {
  const lines = document.matchAll(
    /^\| (?<id>[v\d]\S+) +\|[^|]+\| (?<state>[^|]+?) +\| (?<how>[^|]+?) +\|$/gm,
  );
  return [...lines].map(({ groups }) => ({
    id: groups?.["id"] ?? "",
    state: groups?.["state"] ?? "",
    how: groups?.["how"] ?? "",
  }));
}

/** A row that is met links to a test, a row that is believed names the code; the others say why. */
function stateFaults({ id, state, how }: Row): readonly string[] {
  if (!/^\d+\.\d+\.\d+$/.test(id)) return [`${id} is no number of the standard`];
  if (!states.has(state)) return [`${id}: ${state} is no state`];
  if (state === "met" && !/\]\[/.test(how)) return [`${id} is met without a test`];
  if (state === "believed" && !/`[\w./-]+`/.test(how)) return [`${id} is believed without naming the code`];
  return [];
}

/** Paths in backticks, and the targets of links from a page in `docs`, that are not there. */
function missingFiles(document: string, read: Read): readonly string[] {
  const named = document.matchAll(/`(?<path>(?:src|test|tools|docs)\/[\w./-]+)`/g);
  const linked = document.matchAll(/^\[[^\]]+\]: (?:\.\.\/)?(?<path>\S+)$/gm);
  const paths = [...named, ...linked].map(({ groups }) => groups?.["path"] ?? "");
  return paths.filter((path) => read(path) === null).map((path) => `${path} is not there`);
}

/** Links of the form `[title][file]` whose file has no test or group of tests of this title. */
function missingTests(document: string, read: Read): readonly string[] {
  const links = document.matchAll(/\[(?<title>[^\][]+)\]\[(?<label>[^\][]+)\]/g);
  return [...links].flatMap(({ groups }) => {
    const title = groups?.["title"] ?? "";
    const label = groups?.["label"] ?? "";
    const path = new RegExp(`^\\[${RegExp.escape(label)}\\]: (?:\\.\\./)?(?<path>\\S+)$`, "m").exec(document)
      ?.groups?.["path"];
    if (path === undefined) return [`[${label}] leads nowhere`];
    return hasTest(read(path) ?? "", title) ? [] : [`${path} has no test "${title}"`];
  });
}

/**
 * The title is the first argument of `test`, `describe` or what their `each` returns. One that ends with `…`
 * begins one title alone.
 */
function hasTest(source: string, title: string): boolean {
  const call = `(?:\\b(?:test|describe)|[\\])]|\\.each\\([^\\n]*\\))\\(\\s*`;
  const isBegun = title.endsWith("…");
  const words = RegExp.escape(isBegun ? title.slice(0, -1) : title);
  const rest = isBegun ? "[^\\n]*" : "";
  const found = source.matchAll(new RegExp(`${call}(?<quote>["\`])${words}${rest}\\k<quote>,`, "g"));
  const count = [...found].length;
  return isBegun ? count === 1 : count > 0;
}

const readProjectFile: Read = (path) => {
  const whole = join(projectRoot, path);
  return existsSync(whole) ? readFileSync(whole, "utf8") : null;
};

test("every file and every test that docs/asvs.md names exists", () => {
  expect(securityFaults(readProjectFile("docs/asvs.md") ?? "", readProjectFile)).toEqual([]);
});

test("every file that SECURITY.md names exists", () => {
  expect(missingFiles(readProjectFile("SECURITY.md") ?? "", readProjectFile)).toEqual([]);
});

/** SECURITY.md with one blank wherever a line is broken. */
const securityText = (readProjectFile("SECURITY.md") ?? "").replaceAll(/\s+/g, " ");

const client = { address: "192.0.2.1" };
const still = { nowSeconds: () => 0, steadySeconds: () => 0 };
const counted = createRateLimits({ factor: 1, attempts: attemptsOfProcess(still) });
const crowded = createRateLimits({ factor: 1, attempts: attemptsOfProcess(still) });

/** How often something may be done before it is refused. */
async function times(attempt: (index: number) => unknown): Promise<number> {
  for (let done = 0; done < 10_000; done++) {
    try {
      if ((await attempt(done)) === null) return done;
    } catch (error) {
      if (error instanceof AppError && error.kind === "limited") return done;
      throw error;
    }
  }
  throw new Error("It is not limited");
}

const { config } = await loadConfig({ flags: {}, environment: {}, file: null, logsToTerminal: false });
const hash = await argon2Hasher.hash("any password will do");
const [, memory = 0, passes = 0, lanes = 0] = /m=(\d+),t=(\d+),p=(\d+)/.exec(hash)?.map(Number) ?? [];
const { rules, connectionsPerAddress } = config;
const { textures } = rules;
const { renameSeconds } = rules.names;

test.each([
  ["how long a session lasts", `a session of ${limits.sessionSeconds / 3600} hours`],
  [
    "how long sessions of the console last",
    `after ${limits.staffIdleSeconds / 3600} hours without use, and after ${limits.sessionSeconds / 3600} hours in any case. A player who stays signed in has ${limits.stayingSessionSeconds / 86_400} days, ${limits.stayingIdleSeconds / 86_400} without use`,
  ],
  ["how long an unconfirmed account lives", `removed after ${limits.unconfirmedSeconds / 86_400} days`],
  [
    "which files are taken",
    `\`SKIN_WIDTH_MAX\` (${textures.skinWidthMax}), \`TEXTURE_BYTES_MAX\` (${textures.bytesMax / 2 ** 20} MiB) and \`WARDROBE_MAX\` (${textures.wardrobeMax})`,
  ],
  [
    "how often an account's password is tried",
    `${await times(() => counted.signIn.take({ ...client, account: "anna" }, uncountedArrival))} for account and address`,
  ],
  [
    "how often it is tried under several names",
    `${await times(async (index) => (await counted.signIn.mayFit({ ...client, account: `anna${index}` }, 1 as AccountId)) || null)} for account and address`,
  ],
  [
    "how often passwords are tried",
    `${await times(() => counted.signIn.takeHere(client))} a minute for an address`,
  ],
  [
    "how often codes are typed in",
    `typed in**: ${await times(() => counted.code.take(client))} a minute for an address`,
  ],
  [
    "how often social logins come back",
    `${await times(() => counted.social.take(client))} a minute; a code works`,
  ],
  [
    "how many accounts come from providers",
    `${await times(() => counted.socialCreation.take(client))} in ten`,
  ],
  [
    "how often people register",
    `each ${await times(() => counted.register.take(client))} in ten minutes for an address;`,
  ],
  [
    "how often passwords are reset",
    `each ${await times(() => counted.forgetpass.take(client))} in ten minutes for an address;`,
  ],
  [
    "how many codes for new addresses an account asks for",
    `new mail address**: ${await times(() => counted.mailChange.take({ account: 7 as AccountId }))} a day for an account`,
  ],
  [
    "how large JSON may be",
    `${limits.jsonBytesMax / 1024} KiB, ${limits.jsonValuesMax} values, ${limits.jsonLevelsMax} levels, ${limits.jsonFieldsMax} fields`,
  ],
  ["how many bodies are on their way", `${await times(() => counted.beginBody(client))} for an address, `],
  [
    "how many bodies are on their way in all",
    `for an address, ${await times((index) => crowded.beginBody({ address: `10.0.${index >> 8}.${index & 255}` }))} in all`,
  ],
  [
    "how long a body may take",
    `${limits.bodySeconds} s, and a second for each ${limits.bodyBytesPerSecondMin / 1024} KiB`,
  ],
  [
    "how many bodies may be no good",
    `After ${await times(() => (counted.broken.check(client), counted.broken.count(client)))} refused bodies`,
  ],
  [
    "how many idle connections an address has",
    `${connectionsPerAddress} idle ones for an address (\`CONNECTIONS_PER_ADDRESS\``,
  ],
  [
    "how much an account uploads",
    `${limits.uploadsAtOnceMax} at a time and ${await times(() => counted.upload.take({ account: 1 as AccountId }))} a minute for an account`,
  ],
  [
    "how often players are renamed",
    `\`RENAME_HOURS\` (${renameSeconds / 3600}); ${limits.heldNamesMax} names`,
  ],
  ["how passwords are hashed", `Argon2id, ${memory / 1024} MiB, ${passes} passes, ${lanes} lane,`],
  ["how long a JWT secret is", `HMAC-SHA-256, ${jwtSecretLengthMin * 8} bits and more`],
  ["how long a service token of the settings is", `or ${serviceTokenLengthMin} characters`],
])("SECURITY.md says %s", (_, words) => {
  expect([words].filter((one) => !securityText.includes(one))).toEqual([]);
});

test("SECURITY.md names every address that answers with a session", async () => {
  await using harness = await openHarness();
  const document = await readDocument(harness);
  const schemas = JSON.parse(JSON.stringify(document.components.schemas));
  const holdsToken = (part: unknown): boolean => {
    if (typeof part !== "object" || part === null) return false;
    if ("jwt" in part || "oauthAccessToken" in part) return true;
    if ("accessToken" in part && ("clientToken" in part || "refreshToken" in part)) return true;
    const reference = "$ref" in part ? String(part.$ref) : "";
    if (reference.startsWith("#/components/schemas/"))
      return holdsToken(schemas[reference.split("/")[3] ?? ""]);
    return Object.values(part).some(holdsToken);
  };
  const opening = allOperationsOf(document).filter(
    ({ method, operation }) =>
      holdsToken(operation.responses["200"]) ||
      (method === "POST" && JSON.stringify(operation.responses["200"] ?? null).includes("Set-Cookie")),
  );
  const waysIn = Array.from(
    securityText.matchAll(/\| `(?<path>\/[\w/]+)` \|[^|]*\|[^|]*\|(?<gives>[^|]*)\|/g),
  );
  const giving = waysIn.filter(([, , gives = ""]) => gives.includes("session")).map(([, path = ""]) => path);
  expect(opening.map(({ path }) => path).toSorted()).toEqual(giving.toSorted());
});

/**
 * Everything that hashes, signs, encrypts or draws random numbers, by what SECURITY.md calls it; null: a name
 * that is only to be new.
 */
const cryptography: Readonly<Record<string, string | null>> = {
  "src/adapters/oauth/id-token.ts": "keys of issuers",
  "src/adapters/oauth/oauth-client.ts": "keys of codes, social logins, connections and subscriptions",
  "src/adapters/oauth/oidc.ts": "keys of codes, social logins, connections and subscriptions",
  "src/adapters/passwords/argon2-hasher.ts": "password hash",
  "src/adapters/passwords/derived-kinds.ts": "imported password hashes",
  "src/adapters/passwords/digest-kinds.ts": "imported password hashes",
  "src/adapters/passwords/kind.ts": null,
  "src/adapters/passwords/slow-kinds.ts": "imported password hashes",
  "src/adapters/data-folder/key-files.ts": "digests",
  "src/adapters/postgres/cluster/key-rows.ts": "sealing of keys in PostgreSQL",
  "src/adapters/rsa/key-text.ts": "signing key",
  "src/adapters/rsa/rsa-signer.ts": "signing key",
  "src/adapters/sealing/passphrase-sealing.ts": "sealing of backups' secrets",
  "src/adapters/sources/cloakroom.ts": "digests",
  "src/adapters/sqlite/database-copy.ts": "digests",
  "src/boot/secrets.ts": "JWT secret",
  "src/cli/user.ts": "the system's random numbers",
  "src/domain/members/set-up.ts": "secret of the set-up",
  "src/domain/model/audit-chain.ts": "digests",
  "src/domain/backup/copy-tables.ts": "digests",
  "src/domain/backup/manifest.ts": "digests",
  "src/domain/backup/read-export.ts": "digests",
  "src/domain/backup/write-export.ts": "digests",
  "src/domain/backup/read-backup.ts": "code of backups",
  "src/domain/model/code.ts": "the system's random numbers",
  "src/domain/limits/counters.ts": "digests",
  "src/domain/mail/bulk-mail.ts": "digests",
  "src/domain/mail/send-mail.ts": null,
  "src/domain/events/webhook-address.ts": "digests",
  "src/domain/events/webhook-signature.ts": "webhook secret",
  "src/domain/game/tokens.ts": "game tokens",
  "src/adapters/launch-key/launch-key.ts": "tokens of a LaunchServer",
  "src/http/aurora/surface.ts": "the secret of an AuroraLauncher server",
  "src/domain/model/player-uuid.ts": "UUIDs of names",
  "src/domain/model/service-token.ts": "service tokens",
  "src/domain/social/derive-username.ts": null,
  "src/domain/social/login-states.ts": "keys of codes, social logins, connections and subscriptions",
  "src/domain/social/pending.ts": "the system's random numbers",
  "src/domain/textures/hashes.ts": "digests",
  "src/http/console/representation.ts": "digests",
  "src/adapters/sources/database.ts": "digests",
  "src/adapters/sources/list-source.ts": "digests",
  "src/domain/import/record-digest.ts": "digests",
  "src/operate/import/report-files.ts": null,
  "src/http/mail/page.ts": "digests",
  "src/http/openapi/served-file.ts": "digests",
  "src/http/request-context.ts": null,
  "src/http/tokens.ts": "JWT secret",
  "src/kernel/constant-time.ts": null,
  "src/kernel/node-parts.ts": null,
  "src/kernel/ids.ts": "the system's random numbers",
  "src/boot/certificate-faults.ts": "TLS",
  "src/operate/certificate-metrics.ts": "TLS",
  "src/operate/doctor/certificate.ts": "TLS",
  "src/operate/doctor/textures.ts": null,
  "src/render/colour-slots.ts": "the system's random numbers",
  "src/web/pages/home/skin-file.ts": "digests",
};

test("SECURITY.md names every use of cryptography", () => {
  const uses =
    /CryptoHasher|node:crypto|nodeParts\.crypto|crypto\.(?:subtle|getRandomValues|timingSafeEqual|randomUUID)|Bun\.password|from "(?:jose|arctic)"|@elysiajs\/jwt/;
  const found = readProjectFiles(/^src\/.*\.ts$/).filter(({ text }) => uses.test(text));
  expect(found.map(({ path }) => path).toSorted()).toEqual(Object.keys(cryptography).toSorted());
  for (const name of Object.values(cryptography)) {
    if (name !== null) expect(securityText).toContain(`- **${name}**: `);
  }
});

/** Where a text that somebody sends is compared with a secret. */
const comparisons = [
  "src/adapters/passwords/derived-kinds.ts",
  "src/adapters/passwords/digest-kinds.ts",
  "src/adapters/passwords/phpass.ts",
  "src/adapters/sealing/passphrase-sealing.ts",
  "src/boot/secrets.ts",
  "src/domain/game/joins.ts",
  "src/domain/members/set-up.ts",
  "src/domain/services/tokens.ts",
  "src/domain/social/login-states.ts",
  "src/http/aurora/surface.ts",
];

test("secrets are compared in constant time", () => {
  const files = readProjectFiles(/^src\/.*\.ts$/);
  const calling = (name: string) =>
    files.filter(({ text }) => new RegExp(`(?<!function )${name}\\(`).test(text)).map(({ path }) => path);
  expect(calling("timingSafeEqual")).toEqual(["src/kernel/constant-time.ts"]);
  expect(calling("isSameSecret").toSorted()).toEqual(comparisons);
});

const row = (cells: string) => `| ${cells} |\n\n[a]: test/a.test.ts\n`;
const files: Readonly<Record<string, string>> = {
  "test/a.test.ts": `test("is so", () => {});\ntest.each([\n  1,\n])("is %s", () => {});\n// gone\n`,
  "src/a.ts": "",
};
const readPlant: Read = (path) => files[path] ?? null;

test.each([
  ["a test that is there", "1.2.3 | asks | met | [is so][a]"],
  ["a test of a table", "1.2.3 | asks | met | [is %s][a]"],
  ["how a test's title begins", "1.2.3 | asks | met | [is s…][a]"],
  ["code without a test", "1.2.3 | asks | believed | `src/a.ts`"],
  ["an honest no", "1.2.3 | asks | not met | there was no request for it"],
])("accepts %s", (_, cells) => {
  expect(securityFaults(row(cells), readPlant)).toEqual([]);
});

test.each([
  ["a test that is not there", "1.2.3 | asks | met | [is not so][a]"],
  ["how two titles begin", "1.2.3 | asks | met | [is…][a]"],
  ["words of a comment", "1.2.3 | asks | met | [gone][a]"],
  ["a link that leads nowhere", "1.2.3 | asks | met | [is so][b]"],
  ["a file that is not there", "1.2.3 | asks | believed | `src/b.ts`"],
  ["a claim with code alone", "1.2.3 | asks | met | `src/a.ts`"],
  ["a belief without code", "1.2.3 | asks | believed | we are careful"],
  ["a claim without evidence", "1.2.3 | asks | met | we are careful"],
  ["a state that there is not", "1.2.3 | asks | nearly | [is so][a]"],
  ["a number of another version", "v4.0.3-1.2.3 | asks | met | [is so][a]"],
  ["no rows at all", "id | asks | state | how"],
])("finds %s", (_, cells) => {
  expect(securityFaults(row(cells), readPlant)).toHaveLength(1);
});

test("finds a requirement that stands twice", () => {
  const cells = "1.2.3 | asks | met | [is so][a]";
  expect(securityFaults(`| ${cells} |\n${row(cells)}`, readPlant)).toEqual(["1.2.3 stands twice"]);
});
