/*
 * Checks the packages' licences: `bun run gate:licences`. The binary is distributed, so few licences are
 * allowed in it; tools may also have a licence that requires their own source to stay open. A licence in
 * neither list fails until someone has reviewed it.
 */
import { dirname, join } from "node:path";
import { idOf, type PackageManifest, projectFolder, readBundle, readManifest } from "./bundle.ts";

/** They require only their text and the author's name, which `notices.ts` includes. */
const inTheBinary = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
  "Zlib",
]);

const onOurMachines = new Set([
  ...inTheBinary,
  "BlueOak-1.0.0",
  "CC0-1.0",
  "MIT/X11",
  "MPL-2.0",
  "Python-2.0",
  "Unlicense",
]);

if (import.meta.main) {
  const { parts } = await readBundle();
  const installed = await installedPackages();
  const faults = [
    ...(installed.length < parts.length ? ["node_modules has fewer packages than the binary"] : []),
    ...licenceFaults(parts, inTheBinary, "goes into the binary"),
    ...licenceFaults(installed, onOurMachines, "is installed"),
  ];
  for (const fault of faults) console.error(`licences: ${fault}`);
  console.log(`licences: ${parts.length} packages in the binary, ${installed.length} installed`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

/** A line for each package whose licence is not allowed. */
export function licenceFaults(
  packages: readonly PackageManifest[],
  allowed: ReadonlySet<string>,
  where: string,
): readonly string[] {
  return packages
    .filter(({ licence }) => !allows(licence, allowed))
    .map(
      (one) => `${idOf(one)} ${where} under ${one.licence}, which is not in the list of tools/licences.ts`,
    );
}

/**
 * Whether the allowed licences satisfy an SPDX expression: an OR needs one side, an AND both. Nested brackets
 * and exceptions are not supported, so such expressions are not allowed.
 */
export function allows(expression: string, allowed: ReadonlySet<string>): boolean {
  const bare = expression.replace(/^\((?<inner>[^()]*)\)$/, "$<inner>");
  return bare.split(" OR ").some((choice) => choice.split(" AND ").every((licence) => allowed.has(licence)));
}

/**
 * Lists every package below node_modules. Packages for other platforms are not installed; their siblings
 * represent them.
 */
async function installedPackages(): Promise<readonly PackageManifest[]> {
  const packages: PackageManifest[] = [];
  for await (const path of new Bun.Glob("node_modules/**/package.json").scan({ cwd: projectFolder })) {
    const isPackage = /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(path);
    if (isPackage) packages.push(await readManifest(dirname(join(projectFolder, path))));
  }
  return packages;
}
