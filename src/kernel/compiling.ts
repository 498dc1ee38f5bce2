/*
 * How soon the engine compiles what runs often. The binary begins with compiling late (`jitPolicy` in
 * `tools/build.ts`): what only a start runs stays in the interpreter, which takes a fifth off a start and 3
 * MB of the compiler's own code.
 */

/** The usual policy: for a server that listens, and for commands. */
export function compileSoon(): void {
  Bun.unsafe.setJITPolicy(1);
}

/** Runs what is not repeated often enough to be compiled; the compiler's own code takes 2 MB. */
export async function compilingLate(work: () => unknown): Promise<void> {
  Bun.unsafe.setJITPolicy(64);
  try {
    await work();
  } finally {
    compileSoon();
  }
}
