import { basename, join, relative, resolve } from "node:path";
import { codingEndings, type Asset, type Manifest } from "../http/console/files.ts";
import { storedCodings } from "../http/negotiation.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** The console as it is served: the manifest, and every file by its name. */
export type BuiltConsole = { readonly manifest: Manifest; readonly files: ReadonlyMap<string, Bytes> };

const sourceFolder = resolve(import.meta.dir, "..");

/** How the code for browsers is bundled. */
export const consoleBuildOptions = {
  entrypoints: [join(sourceFolder, "web/index.html")],
  target: "browser",
  splitting: true,
  minify: true,
  metafile: true,
  publicPath: "/console/assets/",
  naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
  // Without it Preact's JSX runs in development mode.
  define: { "process.env.NODE_ENV": '"production"' },
} satisfies Bun.BuildConfig;

/** Bundles `src/web` and compresses the files. Throws what the bundler reports. */
export async function buildConsole(): Promise<BuiltConsole> {
  const { outputs, metafile } = await Bun.build(consoleBuildOptions);
  const built = await Promise.all(
    outputs.map(async (output) => ({
      name: basename(output.path),
      type: output.type,
      bytes: new Uint8Array(await output.arrayBuffer()),
    })),
  );
  const page = built.find(({ type }) => type.startsWith("text/html"));
  if (page === undefined || metafile === undefined) throw new Error("The bundler made no page");
  const files = new Map<string, Bytes>();
  const assets: Record<string, Asset> = {};
  for (const { name, type, bytes } of withoutUnused(built.filter((one) => one !== page))) {
    files.set(name, bytes);
    const packed = await pack(bytes);
    for (const [ending, smaller] of packed) files.set(name + ending, smaller);
    assets[name] = { type, codings: storedCodings.filter((coding) => packed.has(codingEndings[coding])) };
  }
  const manifest = {
    page: new TextDecoder().decode(page.bytes),
    icon: assetLike("icon-"),
    touchIcon: assetLike("touch-icon-"),
    assets,
    scripts: scriptsOf(metafile),
  };
  return { manifest, files };

  function assetLike(beginning: string): string {
    const found = Object.keys(assets).find((name) => name.startsWith(beginning));
    if (found === undefined) throw new Error(`index.html names no ${beginning}`);
    return found;
  }

  /**
   * The page's style sheet includes those of all modules, so separate sheets of lazy modules are left out.
   */
  function withoutUnused<File extends { readonly name: string; readonly bytes: Bytes }>(
    all: readonly File[],
  ) {
    const texts = built.map(({ bytes }) => new TextDecoder().decode(bytes));
    return all.filter(({ name }) => texts.some((text) => text.includes(name)));
  }
}

const zstdLevelMax = 19;

/**
 * The file in each coding that makes it smaller, by ending. Both compressors give the same bytes on every
 * machine.
 */
async function pack(bytes: Bytes): Promise<ReadonlyMap<string, Bytes>> {
  const packed = [
    [codingEndings.zstd, await Bun.zstdCompress(bytes, { level: zstdLevelMax })],
    [codingEndings.gzip, Bun.gzipSync(bytes, { library: "libdeflate", level: 12 })],
  ] as const;
  return new Map(
    packed.flatMap(([ending, smaller]) =>
      smaller.length < bytes.length ? [[ending, new Uint8Array(smaller)] as const] : [],
    ),
  );
}

/** Which scripts each module needs, from the bundler's own account. */
function scriptsOf({ outputs }: Bun.BuildMetafile): Manifest["scripts"] {
  const importedBy = (path: string): readonly string[] =>
    (outputs[path]?.imports ?? [])
      .filter(({ kind }) => kind === "import-statement")
      .map((imported) => imported.path);
  const needed = (path: string): readonly string[] => {
    const found = new Set([path]);
    // Iterating a set includes entries added meanwhile.
    for (const one of found) for (const next of importedBy(one)) found.add(next);
    return [...found].map((one) => basename(one));
  };
  return Object.fromEntries(
    Object.entries(outputs)
      .filter(([path, { entryPoint }]) => entryPoint !== undefined && path.endsWith(".js"))
      .map(([path, { entryPoint = "" }]) => [relative(sourceFolder, resolve(entryPoint)), needed(path)]),
  );
}
