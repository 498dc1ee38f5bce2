/*
 * Writes the list of a binary's parts in the format CycloneDX 1.6 (ECMA-424). The same commit and target give
 * the same bytes.
 */
import manifest from "../package.json" with { type: "json" };
import { type Bundle, idOf, type PackageManifest } from "./bundle.ts";
import type { Commit } from "./commit.ts";
import { type LockedPackage, sha512Of } from "./lock-file.ts";
import { runtimePackage, type Target } from "./targets.ts";

export type Built = {
  readonly target: Target | null;
  readonly commit: Commit;
  /** Of the binary's bytes, in hexadecimal. */
  readonly sha256: string;
  readonly bundle: Bundle;
  readonly lock: ReadonlyMap<string, LockedPackage>;
};

/** Returns the document as text. Throws when a part is not in the lock file. */
export function writeSbom(built: Built): string {
  const { bundle, commit, lock } = built;
  const runtime = describeRuntime(built);
  const purls = new Map(bundle.parts.map((part) => [idOf(part), purlOf(part)]));
  const references = (ids: readonly string[]) => ids.flatMap((id) => purls.get(id) ?? []);
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      ...(commit.time ? { timestamp: commit.time.toISOString() } : {}),
      lifecycles: [{ phase: "build" }],
      component: describeProgram(built),
    },
    components: [runtime, ...bundle.parts.map((part) => describePackage(part, sha512Of(lock, idOf(part))))],
    dependencies: [
      { ref: manifest.name, dependsOn: [runtime["bom-ref"], ...references(bundle.imports)] },
      { ref: runtime["bom-ref"] },
      ...bundle.parts.map((part) => ({ ref: purlOf(part), dependsOn: references(part.imports) })),
    ],
  };
  return `${JSON.stringify({ ...document, serialNumber: serialNumber(JSON.stringify(document)) }, null, 2)}\n`;
}

function describeProgram({ commit, sha256, target }: Built) {
  return {
    type: "application",
    "bom-ref": manifest.name,
    name: manifest.name,
    version: manifest.version,
    description: manifest.description,
    licenses: describeLicence(manifest.license),
    hashes: [{ alg: "SHA-256", content: sha256 }],
    properties: [
      { name: "cloakroom:commit", value: commit.id },
      { name: "cloakroom:target", value: target ?? `${process.platform}-${process.arch}` },
    ],
  };
}

function describeRuntime({ target, lock }: Built) {
  const runtime = { name: runtimePackage(target), version: Bun.version, licence: "MIT" };
  return {
    ...describePackage(runtime, sha512Of(lock, idOf(runtime))),
    type: "platform",
    description:
      "The Bun runtime. Its libraries, JavaScriptCore under the LGPL among them, are named in the licences file.",
  };
}

/** The hash is that of the package's archive. */
function describePackage(part: PackageManifest, sha512: string) {
  return {
    type: "library",
    "bom-ref": purlOf(part),
    name: part.name,
    version: part.version,
    licenses: describeLicence(part.licence),
    hashes: [{ alg: "SHA-512", content: sha512 }],
    purl: purlOf(part),
  };
}

function describeLicence(expression: string) {
  return /^[\w.-]+$/.test(expression) ? [{ license: { id: expression } }] : [{ expression }];
}

/** A package URL: the `@` of a scope is escaped, that of the version is not. */
function purlOf({ name, version }: PackageManifest): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

/** A version 8 UUID (RFC 9562) derived from the content, so that equal documents have equal numbers. */
function serialNumber(content: string): string {
  const hex = new Bun.CryptoHasher("sha256").update(content).digest("hex");
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`];
  return `urn:uuid:${[...groups, hex.slice(20, 32)].join("-")}`;
}
