import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import manifest from "../../package.json" with { type: "json" };
import { type Bundle, idOf, type Part, readBundle } from "../../tools/bundle.ts";
import { type LockedPackage, readLock } from "../../tools/lock-file.ts";
import { writeNotices } from "../../tools/notices.ts";
import { type Built, writeSbom } from "../../tools/sbom.ts";

const commit = { id: "0123456789ab", time: new Date("2026-11-20T12:00:00Z") };
const sha256 = "5d".repeat(32);

let bundle: Bundle;
let lock: ReadonlyMap<string, LockedPackage>;
let built: Built;

beforeAll(async () => {
  bundle = await readBundle();
  lock = await readLock();
  built = { target: "linux-x64", commit, sha256, bundle, lock };
});

/** The official schema, with the two that it refers to. */
async function schemaValidator() {
  const library = Bun.fileURLToPath(import.meta.resolve("@cyclonedx/cyclonedx-library/package.json"));
  const read = (name: string) => Bun.file(join(library, "../res/schema", name)).json();
  const ajv = new Ajv({ strict: false, formats: { "idn-email": true, "iri-reference": true } });
  addFormats(ajv);
  for (const name of ["spdx.SNAPSHOT.schema.json", "jsf-0.82.SNAPSHOT.schema.json"]) {
    ajv.addSchema(await read(name), `http://cyclonedx.org/schema/${name}`);
  }
  return ajv.compile(await read("bom-1.6.SNAPSHOT.schema.json"));
}

test("the list of parts is a CycloneDX 1.6 document", async () => {
  const validate = await schemaValidator();
  const document = JSON.parse(writeSbom(built));
  validate(document);
  expect(validate.errors).toBeNull();
  expect(validate({ ...document, parts: [] })).toBe(false);
});

test("it has every package whose code gets in, and none that only builds or tests", () => {
  const { components } = JSON.parse(writeSbom(built));
  const names = components.map((component: { readonly name: string }) => component.name);
  // A library's own library, one that a macro reads, those of the console's pages, and the runtime.
  const inside = ["elysia", "jose", "pako", "@zxcvbn-ts/language-common", "@oven/bun-linux-x64"];
  const inPages = ["preact", "@preact/signals", "@preact/signals-core", "preact-iso", "openapi-fetch"];
  for (const name of [...inside, ...inPages]) expect(names).toContain(name);
  for (const name of ["bun", "drizzle-kit", "knip", "mailparser"]) expect(names).not.toContain(name);
});

test("its hashes are those of the lock file", () => {
  const { components } = JSON.parse(writeSbom(built));
  for (const { name, version, hashes } of components) {
    const integrity = lock.get(`${name}@${version}`)?.at(-1);
    expect(`sha512-${Buffer.from(hashes[0].content, "hex").toString("base64")}`).toBe(String(integrity));
  }
});

test("everything in it is reached from the program", () => {
  const { components, dependencies } = JSON.parse(writeSbom(built));
  const edges = new Map<string, readonly string[]>(
    dependencies.map((edge: { readonly ref: string; readonly dependsOn?: readonly string[] }) => [
      edge.ref,
      edge.dependsOn ?? [],
    ]),
  );
  const reached = new Set<string>();
  const walk = (ref: string): void => {
    if (reached.has(ref)) return;
    reached.add(ref);
    for (const next of edges.get(ref) ?? []) walk(next);
  };
  walk(manifest.name);
  expect(reached.size).toBe(components.length + 1);
});

test("the same build has the same list, another binary another number", () => {
  expect(writeSbom(built)).toBe(writeSbom({ ...built }));
  const numbers = [built, { ...built, sha256: "6e".repeat(32) }].map(
    (one) => JSON.parse(writeSbom(one)).serialNumber,
  );
  expect(numbers[0]).not.toBe(numbers[1]);
});

test("a part that is not locked is refused", () => {
  const stray: Part = { name: "stray", version: "1.0.0", licence: "MIT", folder: "/nowhere", imports: [] };
  expect(() => writeSbom({ ...built, bundle: { ...bundle, parts: [stray] } })).toThrow("stray@1.0.0");
});

test("the licences file has a text for every part, and for the runtime", async () => {
  const text = await writeNotices(bundle);
  for (const part of bundle.parts) expect(text).toContain(`\n${idOf(part)} (${part.licence})\n`);
  for (const words of ["GNU LIBRARY GENERAL PUBLIC LICENSE", "Apache License", "boringssl"]) {
    expect(text).toContain(words);
  }
});

test("a part without a licence text is refused", () => {
  const folder = join(import.meta.dir, "../support");
  const bare: Part = { name: "bare", version: "1.0.0", licence: "Zlib", folder, imports: [] };
  expect(writeNotices({ parts: [bare], imports: [] })).rejects.toThrow("zlib.txt");
});
