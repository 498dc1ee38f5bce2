import { existsSync } from "node:fs";
import { holdsTextures } from "../../adapters/blob-fs/texture-folder.ts";
import { isSwapInterrupted } from "../../adapters/data-folder/swap.ts";
import { inspectDatabase, lockSeconds, type Inspection } from "../../adapters/sqlite/inspect.ts";
import { sha256Hex } from "../../domain/textures/hashes.ts";
import type { TextureRow } from "../../domain/ports/texture-files.ts";
import type { Config } from "../../boot/config.ts";
import { databasePath, texturesPath } from "../../boot/data-folder.ts";
import { openTextures, schemaRemedy } from "../fsck.ts";
import { sizeText } from "../../kernel/size-text.ts";
import { failure, ok, problem, reasonOf, warning, type Finding } from "./finding.ts";

/** A check reads the whole file and cannot be stopped: a few seconds for so much. */
const checkedBytesMax = 512 * 1024 ** 2;
/** A checkpoint empties the log at 4 MiB, unless somebody reads for long. */
const logBytesHigh = 256 * 1024 * 1024;
const sampleMax = 200;
const lateSeconds = 10 * 60;
const clockSecondsMax = 60;

/** The database, to be looked into, or the finding that it cannot be. */
function openInspection(config: Config): Inspection | Finding {
  const path = databasePath(config);
  try {
    if (!existsSync(path)) return aboutMissing(config);
    return inspectDatabase(path) ?? problem(`${path} is no database`, "restore a backup");
  } catch (cause) {
    return failure(`it cannot be read: ${reasonOf(cause)}`, cause);
  }
}

/** The first start makes the database before anything that belongs to one. */
function aboutMissing(config: Config): Finding {
  if (isSwapInterrupted(config.dataDir)) return ok("it waits for the restore that was cut off");
  const isLost = holdsTextures(texturesPath(config));
  if (!isLost && !existsSync(`${databasePath(config)}-wal`)) return ok("there is no database yet");
  return problem(
    `${isLost ? "there are textures" : "its log is there"}, but no database`,
    "is the disk mounted? if so, stop the server and restore a backup",
  );
}

/** Looks at what the database holds. Where that cannot be done nothing is found: `checkDatabase` tells why. */
export async function withDatabase(
  config: Config,
  look: (inspection: Inspection) => Promise<readonly Finding[]> | readonly Finding[],
): Promise<readonly Finding[]> {
  const opened = openInspection(config);
  if ("state" in opened) return [];
  using inspection = opened;
  // What is looked for may be in tables that it does not have yet.
  return inspection.pending === 0 ? await look(inspection) : [];
}

function versionFinding(pending: number): Finding {
  if (pending < 0)
    return problem("a newer version wrote it", "install that version again, or restore a backup");
  return warning(
    `it is older than the program by ${pending} migrations`,
    "the next start brings it up to date: cloakroom migrate",
  );
}

/** Its schema, pages, indexes and references, and whether it can be written at all. */
export async function checkDatabase(config: Config): Promise<readonly Finding[]> {
  const opened = openInspection(config);
  if ("state" in opened) return [opened];
  using inspection = opened;
  const locked = inspection.isLocked() ? [lockFinding] : [];
  if (inspection.pending < 0) return [...locked, versionFinding(inspection.pending)];
  const found = [...locked, ...schemaFindings(inspection.schemaFaults())];
  if (inspection.pending > 0) return [...found, versionFinding(inspection.pending)];
  return [...found, ...logFindings(config), ...pageFindings(config, inspection)];
}

function schemaFindings(faults: readonly string[]): readonly Finding[] {
  const [first, ...more] = faults;
  if (first === undefined) return [];
  const rest = more.length === 0 ? "" : `, and ${more.length} more: see cloakroom fsck`;
  return [problem(`its schema was changed: ${first}${rest}`, schemaRemedy)];
}

const lockFinding = problem(
  `another process has held its write lock for ${lockSeconds} seconds`,
  "end that program; a server or command of ours holds it for moments only",
);

function logFindings(config: Config): readonly Finding[] {
  const { size } = Bun.file(`${databasePath(config)}-wal`);
  if (size <= logBytesHigh) return [];
  return [
    warning(`its log has grown to ${sizeText(size)}`, "restart the server; if it grows again, report it"),
  ];
}

function pageFindings(config: Config, inspection: Inspection): readonly Finding[] {
  const { size } = Bun.file(databasePath(config));
  if (size > checkedBytesMax)
    return [ok(`${sizeText(size)}, too large to be checked in seconds; every backup checks all of it`)];
  const faults = inspection.faults();
  if (faults.length === 0) return [ok(`${sizeText(size)}, sound`)];
  return faults.slice(0, 5).map((fault) => problem(`damaged: ${fault}`, "restore a backup"));
}

/** Some textures against their rows. */
export function checkFilesSample(config: Config): Promise<readonly Finding[]> {
  return withDatabase(config, async (inspection) => {
    const rows = inspection.sampleTextures(sampleMax);
    const { lost, unreadable } = await lostOf(config, rows);
    if (lost === 0) return [ok(`${rows.length} textures looked at, all in order`)];
    const message = `${lost} of ${rows.length} textures are missing or damaged`;
    const remedy = "cloakroom fsck lists and mends";
    return unreadable === null
      ? [problem(message, remedy)]
      : [problem(`${message}; ${unreadable}`, `check who owns it; ${remedy}`)];
  });
}

/** How many of them are lost, and why the first of those that the system does not let us read is. */
async function lostOf(
  config: Config,
  rows: readonly TextureRow[],
): Promise<{ readonly lost: number; readonly unreadable: string | null }> {
  const textures = openTextures(config);
  let lost = 0;
  let unreadable: string | null = null;
  for (const { hash, digest } of rows) {
    const png = await textures.read(hash).catch((cause: unknown) => {
      unreadable ??= reasonOf(cause);
      return null;
    });
    if (png === null || sha256Hex(png) !== digest) lost += 1;
  }
  return { lost, unreadable };
}

/** Mails that should have left. */
export function checkOutbox(config: Config, now: number): Promise<readonly Finding[]> {
  return withDatabase(config, (inspection) => {
    const due = inspection.oldestDue();
    const failed = inspection.countFailedMails();
    const findings: Finding[] = [];
    if (due !== null && now - due > lateSeconds) {
      const message = `a mail waits to be sent for ${Math.floor((now - due) / 60)} minutes`;
      findings.push(
        problem(message, "is the server running? cloakroom mail list shows the mail server's words"),
      );
    }
    if (failed > 0)
      findings.push(warning(`${failed} mails failed`, "cloakroom mail list --state failed says why"));
    return findings.length === 0 ? [ok("nothing is overdue")] : findings;
  });
}

/** This machine's time against the rows that were written before. */
export function checkClock(config: Config, now: number): Promise<readonly Finding[]> {
  return withDatabase(config, (inspection) => {
    const newest = inspection.newestAt();
    if (newest === null || newest <= now + clockSecondsMax) return [ok(new Date(now * 1000).toISOString())];
    const message = `the newest row is from ${new Date(newest * 1000).toISOString()}, which is still to come`;
    return [problem(message, "set this machine's clock, and keep it set with NTP")];
  });
}
