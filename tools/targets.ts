/*
 * The platforms of the binaries, and the Bun runtime of each. A runtime is an ordinary package of the lock
 * file, so installing checks its hash.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readLock } from "./lock-file.ts";

export const targets = [
  "linux-x64",
  "linux-arm64",
  "linux-x64-musl",
  "linux-arm64-musl",
  "darwin-x64",
  "darwin-arm64",
  "windows-x64",
  "windows-arm64",
] as const;

export type Target = (typeof targets)[number];

/** `cloakroom-windows-x64.exe`; for this machine, where `target` is null, `cloakroom`. */
export function binaryName(target: Target | null): string {
  return target ? `cloakroom-${target}${target.startsWith("windows") ? ".exe" : ""}` : "cloakroom";
}

/** The package with a target's runtime; for this machine (null) the package of the running Bun. */
export function runtimePackage(target: Target | null): string {
  return target ? `@oven/bun-${target.replace("arm64", "aarch64")}` : "bun";
}

/** Installs a target's runtime into the folder with Bun, and resolves to the path of its executable. */
export async function installRuntime(target: Target, folder: string): Promise<string> {
  const name = runtimePackage(target);
  const locked = (await readLock()).get(`${name}@${Bun.version}`);
  if (!locked) throw new Error(`this is Bun ${Bun.version}, and bun.lock has another ${name}`);
  const project = { name: "runtime", dependencies: { [name]: Bun.version } };
  await mkdir(folder, { recursive: true });
  await Bun.write(join(folder, "package.json"), JSON.stringify(project));
  const lock = {
    lockfileVersion: 2,
    configVersion: 1,
    workspaces: { "": project },
    packages: { [name]: locked },
  };
  await Bun.write(join(folder, "bun.lock"), JSON.stringify(lock));
  const [system = "", cpu = ""] = target.split("-");
  const flags = ["--frozen-lockfile", "--os", system.replace("windows", "win32"), "--cpu", cpu];
  await Bun.$`${process.execPath} install ${flags}`.cwd(folder).quiet();
  return join(folder, "node_modules", name, "bin", system === "windows" ? "bun.exe" : "bun");
}
