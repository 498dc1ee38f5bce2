/*
 * The licences that we take: `bun run gate:licences`. What goes into the binary is passed on, so few are allowed there; what
 * only works on our machines may also be under a licence that asks for its own source to stay open. One that is in neither
 * list fails until somebody has read it.
 */
import { dirname, join } from "node:path";
import { idOf, type PackageManifest, projectFolder, readBundle, readManifest } from "./bundle.ts";

/** They ask for nothing but their text and a name: `notices.ts` passes those on. */
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

const onOurMachines = new Set([...inTheBinary, "BlueOak-1.0.0", "CC0-1.0", "MPL-2.0", "Unlicense"]);

if (import.meta.main) {
  const { parts } = await readBundle();
  const installed = await installedPackages();
  const faults = [
    ...(installed.length < parts.length ? ["node_modules has less in it than the binary"] : []),
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
 * Whether an SPDX expression can be met with the allowed licences: one side of an OR is enough, of an AND both are needed. An
 * expression in brackets within brackets, or with an exception, is not understood and so not allowed.
 */
export function allows(expression: string, allowed: ReadonlySet<string>): boolean {
  const bare = expression.replace(/^\((?<inner>[^()]*)\)$/, "$<inner>");
  return bare.split(" OR ").some((choice) => choice.split(" AND ").every((licence) => allowed.has(licence)));
}

/** Every package below node_modules. Those for other platforms are locked but not there: their siblings stand for them. */
async function installedPackages(): Promise<readonly PackageManifest[]> {
  const packages: PackageManifest[] = [];
  for await (const path of new Bun.Glob("node_modules/**/package.json").scan({ cwd: projectFolder })) {
    const isPackage = /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(path);
    if (isPackage) packages.push(await readManifest(dirname(join(projectFolder, path))));
  }
  return packages;
}
