/*
 * The content of the binary: our own files, and the packages that the bundler reaches from them.
 */
import { join, resolve } from "node:path";
import { consoleBuildOptions } from "../src/boot/console-build.ts";

/** A package in the binary. */
export type Part = {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression that the package declares. */
  readonly licence: string;
  readonly folder: string;
  /** The ids of the other parts that its files import. */
  readonly imports: readonly string[];
};

export type Bundle = {
  /** In the order of their ids. */
  readonly parts: readonly Part[];
  /** The ids of the parts that our own files import. */
  readonly imports: readonly string[];
};

export type PackageManifest = Pick<Part, "name" | "version" | "licence">;

export const projectFolder = resolve(import.meta.dir, "..");

/**
 * Bun does not follow `new Worker(…)`, so the thread's entry is listed. Beside `main.ts` it keeps its path
 * below src.
 */
export const entrypoints = [
  "src/main.ts",
  "src/adapters/texture-threads/worker.ts",
  "src/adapters/passwords/phpass-worker.ts",
].map((path) => join(projectFolder, path));

const owningPackage = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Asks the bundler, so that the list cannot differ from the build. */
export async function readBundle(): Promise<Bundle> {
  const importsOf = groupByOwner(await bundledFiles());
  const ids = new Map<string, string>();
  const parts: Part[] = [];
  for (const folder of importsOf.keys()) {
    if (folder === projectFolder) continue;
    const manifest = await readManifest(folder);
    ids.set(folder, idOf(manifest));
    parts.push({ ...manifest, folder, imports: [] });
  }
  const idsImportedBy = (folder: string) =>
    [...(importsOf.get(folder) ?? [])].flatMap((other) => ids.get(other) ?? []).sort();
  return {
    parts: parts
      .map((part) => ({ ...part, imports: idsImportedBy(part.folder) }))
      .sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1)),
    imports: idsImportedBy(projectFolder),
  };
}

/** The package's name in the lock file: `elysia@1.4.30`. */
export function idOf({ name, version }: PackageManifest): string {
  return `${name}@${version}`;
}

/** Reads a package's manifest. Without a stated licence the licence is `none`. */
export async function readManifest(folder: string): Promise<PackageManifest> {
  // The boundary: package.json of a foreign package. It was installed by its name and version, so they exist.
  const { name, version, license, licenses } = (await Bun.file(join(folder, "package.json")).json()) as {
    readonly name: string;
    readonly version: string;
    readonly license?: unknown;
    readonly licenses?: readonly { readonly type: string }[];
  };
  // Packages from before SPDX expressions list licences to choose from.
  const listed = licenses?.map(({ type }) => type).join(" OR ");
  return { name, version, licence: typeof license === "string" ? license : (listed ?? "none") };
}

/**
 * Groups files by package or project folder, with the other folders that they import. A file that only
 * re-exports others is imported without being in the binary.
 */
function groupByOwner(files: BundledFiles): ReadonlyMap<string, ReadonlySet<string>> {
  const owners = new Map([...files.keys()].map((path) => [ownerOf(path), new Set<string>()]));
  for (const [path, imports] of files) {
    const owner = ownerOf(path);
    for (const other of imports.map(ownerOf)) {
      if (owners.has(other) && other !== owner) owners.get(owner)?.add(other);
    }
  }
  return owners;
}

function ownerOf(path: string): string {
  return owningPackage.exec(path)?.[0] ?? projectFolder;
}

type BundledFiles = ReadonlyMap<string, readonly string[]>;

/** Every file in the binary with its imports, as absolute paths. */
async function bundledFiles(): Promise<BundledFiles> {
  const program = await Bun.build({
    entrypoints: [...entrypoints, ...(await macroModules())],
    target: "bun",
    metafile: true,
  });
  // In one map: files that both have import the same.
  const inputs = [program, await Bun.build(consoleBuildOptions)].flatMap(({ metafile }) =>
    Object.entries(metafile?.inputs ?? {}),
  );
  return new Map(
    inputs.map(([path, { imports }]) => [resolve(path), imports.map((target) => resolve(target.path))]),
  );
}

/**
 * A macro's imports get into the binary although the bundler does not list them, so macros are entries here.
 */
async function macroModules(): Promise<readonly string[]> {
  const modules: string[] = [];
  for await (const path of new Bun.Glob("src/**/*.ts").scan({ cwd: projectFolder })) {
    const text = await Bun.file(join(projectFolder, path)).text();
    for (const { groups } of text.matchAll(/from "(?<target>[^"]+)" with \{ type: "macro" \}/g)) {
      modules.push(resolve(projectFolder, path, "..", groups?.["target"] ?? ""));
    }
  }
  return modules;
}
