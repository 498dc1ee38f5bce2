import { join } from "node:path";

/** For Bun. */
export const sourceFile = join(import.meta.dir, "../../src/main.ts");

const built = process.env["TEST_PROGRAM"];

/**
 * The command that starts the program as a process of its own: from source, or the binary that `TEST_PROGRAM`
 * names, which starts with a fifth of the processor time. The gate builds one.
 */
export const program: readonly string[] = built === undefined ? [process.execPath, sourceFile] : [built];
