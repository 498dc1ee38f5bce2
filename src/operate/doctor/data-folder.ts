import { constants, existsSync } from "node:fs";
import { access, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { freeSpaceOf } from "../../adapters/blob-fs/free-space.ts";
import { stagingPath } from "../../adapters/data-folder/staging.ts";
import { isSwapInterrupted } from "../../adapters/data-folder/swap.ts";
import { hasLock, useFolder } from "../../adapters/sqlite/folder-lock.ts";
import { AppError, codeOf } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import type { Config } from "../../boot/config.ts";
import { databasePath, restoreCutOff, texturesPath } from "../../boot/data-folder.ts";
import { checkKeptSecret, type Secret } from "../../boot/secrets.ts";
import { sizeText } from "../../kernel/size-text.ts";
import { failure, ok, problem, reasonOf, warning, type Finding } from "./finding.ts";

const freeBytesLow = 1024 * 1024 * 1024;

/** Whose the data folder is, who else can read it, and whether it can be written. */
export async function checkDataFolder(config: Config): Promise<readonly Finding[]> {
  const { dataDir } = config;
  if (!existsSync(dataDir))
    return [
      warning(`${dataDir} is not there yet`, "the first start makes it; check DATA_DIR if there was one"),
    ];
  const found = await stat(dataDir);
  if (!found.isDirectory())
    return [problem(`${dataDir} is a file`, "set DATA_DIR to a folder, or move the file away")];
  const { mode, uid } = found;
  const findings: Finding[] = [];
  const own = process.getuid?.() ?? uid;
  if (isOpen(mode))
    findings.push(warning("other users of this machine can look into it", `chmod 700 '${dataDir}'`));
  if (uid !== own) {
    findings.push(
      warning(
        `it belongs to user ${uid}, this process to ${own}`,
        "run the server and all commands as the same user",
      ),
    );
  }
  const unwritable = await findUnwritable(config);
  findings.push(...unwritable);
  if (isSwapInterrupted(dataDir)) {
    findings.push(problem("a restore was cut off", restoreCutOff(config).message));
  }
  const refusal = lockRefusal(config);
  const isRestoring = refusal instanceof AppError && refusal.code === "conflict";
  if (refusal !== null && !isRestoring && unwritable.length === 0) {
    const message = `its file lock cannot be used: ${reasonOf(refusal)}`;
    findings.push(problem(message, "move it away: the next start makes a new one"));
  }
  const unpacked = stagingPath(dataDir);
  if (existsSync(unpacked) && !isRestoring) {
    findings.push(
      warning(
        `a restore that was killed left ${unpacked}: a second copy of everything, secrets included`,
        "the next start of the server removes it, and so does the next restore",
      ),
    );
  }
  return findings.length === 0 ? [ok(`${dataDir} is its owner's alone and can be written`)] : findings;
}

/** Why the lock by which commands share the folder cannot be held: a restore goes on, or its file is none. Null where it can be. */
function lockRefusal({ dataDir }: Config): Error | null {
  if (!hasLock(dataDir)) return null;
  try {
    useFolder(dataDir)[Symbol.dispose]();
    return null;
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}

/** Whoever ran a command as another user has left files of the database that are not ours. */
async function findUnwritable(config: Config): Promise<readonly Finding[]> {
  const database = databasePath(config);
  const textures = texturesPath(config);
  const folders = [config.dataDir, textures, join(textures, "staging")];
  const findings: Finding[] = [];
  for (const path of [...folders, database, `${database}-wal`, `${database}-shm`]) {
    const wanted = constants.R_OK | constants.W_OK | (folders.includes(path) ? constants.X_OK : 0);
    const fault = await access(path, wanted).then(() => null, unlessMissing);
    if (fault === null) continue;
    findings.push(
      problem(`it cannot be written: ${fault}`, "check its owner, its mode and how the disk is mounted"),
    );
  }
  return findings;
}

function unlessMissing(cause: unknown): string | null {
  return codeOf(cause) === "ENOENT" ? null : reasonOf(cause);
}

/** Whether anybody else can read the secrets, and whether a start can use them. */
export async function checkSecrets(
  { dataDir }: Config,
  ofSettings: Secret | null,
): Promise<readonly Finding[]> {
  const folder = join(dataDir, "secrets");
  const names = existsSync(folder) ? await readdir(folder) : [];
  const findings: Finding[] = [];
  for (const path of [folder, ...names.map((name) => join(folder, name))]) {
    if (!existsSync(path) || !isOpen((await stat(path)).mode)) continue;
    findings.push(
      problem(
        `other users of this machine can read ${path}`,
        `chmod go= '${path}'; if they may have, delete the file: everybody signs in anew`,
      ),
    );
  }
  const refusal =
    ofSettings === null && existsSync(folder)
      ? await checkKeptSecret(dataDir).catch((cause: unknown) => cause)
      : null;
  if (refusal instanceof Error) findings.push(failure(reasonOf(refusal), refusal));
  return findings.length === 0 ? [ok("only their owner can read them")] : findings;
}

/** Room on the data folder's disk, and on that of the textures if they have one of their own. */
export async function checkDisk(config: Config): Promise<readonly Finding[]> {
  const folder = existsSync(config.dataDir) ? config.dataDir : ".";
  const spaces = await freeSpaceOf(folder, texturesPath(config));
  if (spaces.length === 0) return [ok("how much is free, its file system does not tell")];
  const database = Bun.file(databasePath(config)).size;
  return spaces.map(({ folder, bytes }) =>
    folder === "data" ? aboutDataDisk(bytes, database) : aboutTextureDisk(bytes),
  );
}

function aboutDataDisk(free: number, database: number): Finding {
  if (free < limits.diskBytesFreeMin)
    return problem(
      `${sizeText(free)} are free`,
      "make room: uploads and sign-ins fail when the disk is full",
    );
  if (free >= Math.max(freeBytesLow, 2 * database)) return ok(`${sizeText(free)} are free`);
  return warning(
    `${sizeText(free)} are free, the database has ${sizeText(database)}`,
    "make room: a backup needs the database's size twice",
  );
}

function aboutTextureDisk(free: number): Finding {
  const message = `${sizeText(free)} are free on the textures' own`;
  if (free < limits.diskBytesFreeMin)
    return problem(message, "make room: uploads fail when that disk is full");
  return free < freeBytesLow ? warning(message, "make room") : ok(message);
}

/** Windows has other means than modes. */
function isOpen(mode: number): boolean {
  return process.platform !== "win32" && (mode & 0o077) !== 0;
}
