/** Runs a command, with what it said on both streams. */
export async function runCommand(
  command: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly said: string }> {
  const child = Bun.spawn(command.split(" "), {
    cwd: folder,
    // Programs that read PWD would write beside the tests otherwise.
    env: { ...process.env, PWD: folder, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, said: out + error };
}
