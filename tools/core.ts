/*
 * Compiles the renderer's core, `src/render/core`, to WebAssembly: `bun run core`. The result is committed,
 * so that the program starts and is built without the compiler. `test/render/core.test.ts` compiles it again.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { projectFolder } from "./bundle.ts";

const flags = ["-O3", "--noAssert", "--runtime", "stub", "--use", "abort="];

/** Both builds in base64. Same sources and compiler, same bytes. */
export async function compileCore(): Promise<{ readonly simd: string; readonly plain: string }> {
  return { simd: await compile("--enable", "simd"), plain: await compile() };
}

function fileOf({ simd, plain }: Awaited<ReturnType<typeof compileCore>>): string {
  return `/** The core, compiled from \`core/\` by \`bun run core\`, in base64: for nearly every machine. */
export const simdCore =
  "${simd}";

/** And for those whose processor lacks AVX. */
export const plainCore =
  "${plain}";
`;
}

/** Fails with what the compiler says. */
async function compile(...features: readonly string[]): Promise<string> {
  const compiler = fileURLToPath(import.meta.resolve("assemblyscript/bin/asc.js"));
  const command = [process.execPath, compiler, "exports.ts", "--outFile", ...flags, ...features];
  const child = Bun.spawn(command, { cwd: join(projectFolder, "src/render/core"), stderr: "inherit" });
  const bytes = await new Response(child.stdout).bytes();
  if ((await child.exited) !== 0) throw new Error("the core does not compile");
  return bytes.toBase64();
}

if (import.meta.main) {
  const text = fileOf(await compileCore());
  await Bun.write(join(projectFolder, "src/render/core-binary.ts"), text);
  console.log(`src/render/core-binary.ts  ${text.length} bytes`);
}
