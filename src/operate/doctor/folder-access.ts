/**
 * Who else on this machine can change or read what is in the data folder: found by doctor, and logged by a
 * start in the same words.
 */
import { existsSync } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { LoadedConfig } from "../../boot/config.ts";
import type { SettingsFile } from "../../boot/config/settings-file.ts";
import type { DataFolder } from "../../boot/data-folder.ts";
import { problem, warning, type Finding } from "./finding.ts";

const othersMayWrite = 0o002;
const groupMayWrite = 0o020;
/** In such a folder, only an entry's owner can remove or rename it. */
const sticky = 0o1000;

/**
 * A data folder that other users can write or read, one of other owners, and secrets that others can read.
 * Windows has no modes. These are findings and no refusals: volumes of containers are often open to all, and
 * their operator has no shell to close them before the first start.
 */
export async function* checkAccess(folder: DataFolder): AsyncIterable<Finding> {
  if (process.platform === "win32" || !existsSync(folder.path)) return;
  yield* checkWriters(folder);
  yield* checkOwners(folder);
}

async function* checkWriters(folder: DataFolder): AsyncIterable<Finding> {
  const { path } = folder;
  const open: string[] = [];
  for (const above of await foldersAbove(path)) {
    const mode = (await stat(above).catch(() => null))?.mode ?? 0;
    if ((mode & othersMayWrite) !== 0 && (mode & sticky) === 0) open.push(above);
  }
  const inside = await modesIn(folder);
  open.push(...inside.filter(({ mode }) => (mode & othersMayWrite) !== 0).map((one) => one.path));
  if (open.length > 0)
    yield problem(
      `other users of this machine can write ${open.join(", ")}: they can replace the database and the secrets, and be administrators`,
      `chmod o-w ${open.map(quoted).join(" ")}; ${containerCure}`,
    );
  const { mode } = await stat(path);
  if (open.includes(path) || (mode & 0o077) === 0) return;
  if ((mode & groupMayWrite) !== 0)
    yield warning(`the group of ${path} can write it, and be administrator`, `chmod 700 ${quoted(path)}`);
  else yield warning(`other users of this machine can read ${path}`, `chmod 700 ${quoted(path)}`);
}

const containerCure =
  "for the volume of a container: docker run --rm --user 0 --entrypoint chmod -v VOLUME:/data IMAGE 700 /data";

async function* checkOwners(folder: DataFolder): AsyncIterable<Finding> {
  const { uid } = await stat(folder.path);
  const own = process.getuid?.() ?? uid;
  if (uid !== own)
    yield warning(
      `${folder.path} belongs to user ${uid}, this process to ${own}`,
      "run the server and all commands as the same user",
    );
  const link = await lstat(folder.path);
  const foreign = (await modesIn(folder)).filter(
    (one) => one.path !== folder.path && isForeign(one.uid, own),
  );
  if (link.isSymbolicLink() && isForeign(link.uid, own))
    foreign.unshift({ path: folder.path, mode: 0, uid: link.uid });
  if (foreign.length > 0)
    yield warning(
      `these belong to another user, who can change them: ${foreign.map((one) => `${one.path} (user ${one.uid})`).join(", ")}`,
      `chown -h ${own} ${foreign.map((one) => quoted(one.path)).join(" ")}`,
    );
}

/** What root owns may be a secret that is mounted, and root can change everything anyway. */
function isForeign(uid: number, own: number): boolean {
  return uid !== own && uid !== 0;
}

/**
 * Whether other users can read the secrets, those of the file of settings among them, or the private key of
 * TLS_CERT.
 */
export async function* checkReaders(
  folder: DataFolder,
  { config: { tls }, settingsFile }: Pick<LoadedConfig, "config" | "settingsFile">,
): AsyncIterable<Finding> {
  if (process.platform === "win32") return;
  if (settingsFile.holdsSecrets && (await isOpenToOthers(settingsFile)))
    yield problem(
      `other users of this machine can read ${settingsFile.path}, which holds secrets`,
      `chmod ${settingsFile.isNamed ? "o" : "go"}= ${quoted(settingsFile.path)}; if one of them may have read it, change the passwords and secrets in it`,
    );
  const key = tls === null ? null : await stat(tls.keyFile).catch(() => null);
  if (tls !== null && key !== null && (key.mode & 0o007) !== 0)
    yield problem(
      `other users of this machine can read ${tls.keyFile}`,
      `chmod o= ${quoted(tls.keyFile)}; if one of them may have read it, get a certificate for another key`,
    );
  for (const path of existsSync(folder.secrets) ? await secretsIn(folder) : []) {
    if (((await stat(path)).mode & 0o077) !== 0)
      yield problem(
        `other users of this machine can read ${path}`,
        `chmod go= ${quoted(path)}; if one of them may have read it, ${renewals[basename(path)] ?? renewals.others}`,
      );
  }
}

/**
 * Whether users other than its owner come as far as the file: an editor makes it readable for all, and a
 * closed data folder lets no other user in. A group may share a file that `--config` names.
 */
async function isOpenToOthers({ path, isNamed }: SettingsFile): Promise<boolean> {
  const [file, folder] = await Promise.all([path, dirname(path)].map((one) => stat(one).catch(() => null)));
  if (!file || !folder) return false;
  const isForOthers = (file.mode & 0o006) !== 0 && (folder.mode & 0o001) !== 0;
  const isForGroup = (file.mode & 0o060) !== 0 && (folder.mode & 0o010) !== 0;
  return isForOthers || (isForGroup && !isNamed);
}

/** How an operator makes a secret useless that others know, by its file. */
const renewals: Readonly<Record<string, string>> & { readonly others: string } = {
  "signing-key": "run cloakroom key rotate",
  "webhook-secret": "delete the file: receivers of webhooks need the new one",
  others: "delete the file: all users then sign in again",
};

async function secretsIn({ secrets }: DataFolder): Promise<readonly string[]> {
  // What is no folder, or another user's, is for the reader of the keys to report.
  const names = await readdir(secrets).catch(() => []);
  return [secrets, ...names.map((name) => join(secrets, name))];
}

type Entry = { readonly path: string; readonly mode: number; readonly uid: number };

/** The folder, and what is in it that decides who is an administrator. Links are followed. */
async function modesIn(folder: DataFolder): Promise<Entry[]> {
  const { path, database, textures, secrets, defaultSkins, mailTemplates, settingsFile } = folder;
  const kept = existsSync(secrets) ? await secretsIn(folder) : [];
  const found: Entry[] = [];
  for (const one of [path, database, textures, ...kept, defaultSkins, mailTemplates, settingsFile]) {
    const entry = await stat(one).catch(() => null);
    if (entry !== null) found.push({ path: one, mode: entry.mode, uid: entry.uid });
  }
  return found;
}

/** The folders on the way to it, from the root: as it is written, and as links lead there. */
async function foldersAbove(path: string): Promise<readonly string[]> {
  const above = new Set<string>();
  for (const start of [path, await realpath(path).catch(() => path)])
    for (let one = dirname(start); !above.has(one); one = dirname(one)) above.add(one);
  return [...above].toSorted();
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
