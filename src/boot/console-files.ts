/** Where the console's files come from: bundled at the first request, or embedded in the binary. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ConsoleFiles } from "../http/console/files.ts";
import { buildConsole } from "./console-build.ts";

const manifestName = "manifest.json";

/** Opens the files at the first call. After a failure the next call tries again. */
export function consoleOpener(): () => Promise<ConsoleFiles> {
  let opened: Promise<ConsoleFiles> | undefined;
  return () =>
    (opened ??= (Bun.isStandaloneExecutable ? readEmbedded() : bundle()).catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
}

async function bundle(): Promise<ConsoleFiles> {
  const { manifest, files } = await buildConsole();
  return {
    manifest,
    read: async (name) => {
      const bytes = files.get(name);
      if (bytes === undefined) throw new Error(`The console has no file ${name}`);
      return bytes;
    },
  };
}

/** The name of the folder that the build embeds. In the binary it stands beside the code. */
const folderName = "console";

async function readEmbedded(): Promise<ConsoleFiles> {
  return { manifest: await embedded(manifestName).json(), read: (name) => embedded(name).bytes() };
}

function embedded(name: string) {
  return Bun.file(join(import.meta.dir, folderName, name));
}

/** Builds the console into a folder in `parent` that the binary can embed. Returns its path. */
export async function writeConsole(parent: string): Promise<string> {
  const { manifest, files } = await buildConsole();
  const folder = join(parent, folderName);
  await mkdir(folder);
  await Bun.write(join(folder, manifestName), JSON.stringify(manifest));
  for (const [name, bytes] of files) await Bun.write(join(folder, name), bytes);
  return folder;
}
