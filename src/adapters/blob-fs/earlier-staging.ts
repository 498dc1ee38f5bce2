import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder, moveInto } from "../../kernel/durable-files.ts";
import { parseTextureFile, type TextureFile } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";

/** The end of the name of a texture that a release before 0.3 was deleting, `<hash>.<uuid>.leaving`. */
const leavingEnd = ".leaving";

/**
 * Clears up what killed processes left in `staging/`, at the start: half-written files that no running upload
 * can have written, and marks of earlier releases. A texture that an earlier release was deleting comes back,
 * because a row may name it; the sweep finds out.
 */
export async function tidyStaging(staging: string, pathOf: (file: TextureFile) => string): Promise<void> {
  const oldest = Date.now() - limits.uploadSecondsMax * 1000;
  for (const name of await readdir(staging)) {
    const path = join(staging, name);
    const leaving = name.endsWith(leavingEnd) ? parseTextureFile(name.slice(0, name.indexOf("."))) : null;
    if (leaving !== null) await putBack(path, pathOf(leaving));
    // Others may work in the folder: what was listed can be gone.
    const entry = await stat(path).catch(() => null);
    if (entry !== null && entry.mtimeMs < oldest) await rm(path, { force: true });
  }
}

async function putBack(leaving: string, path: string): Promise<void> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (isThere) return rm(leaving, { force: true });
  await makeFolder(dirname(path));
  // Another process may have put it back at the same time.
  await moveInto(leaving, path).catch(async (error: unknown) => {
    if (!(await Bun.file(path).exists())) throw error;
  });
}
