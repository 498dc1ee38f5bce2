import { existsSync } from "node:fs";
import {
  inspectDatabase,
  lockSeconds,
  type IdentityCount,
  type Inspection,
} from "../../adapters/sqlite/inspect.ts";
import type { Config } from "../../boot/config.ts";
import type { DataFolder } from "../../boot/data-folder.ts";
import { postgresTools } from "../../boot/engines.ts";
import { found } from "../../domain/health/finding.ts";
import { sizeText } from "../../kernel/size-text.ts";
import { schemaRemedy } from "../fsck.ts";
import { checkServer } from "./postgres.ts";
import { failure, ok, problem, reasonOf, warning, type Finding, type Subject } from "./finding.ts";

/** A larger file is not checked page by page: that cannot be stopped, and this much takes a few seconds. */
const checkedBytesMax = 512 * 1024 ** 2;
/** A checkpoint empties the log at 4 MiB, unless a reader stays for long. */
const logBytesHigh = 256 * 1024 * 1024;
const lateSeconds = 10 * 60;
const clockSecondsMax = 60;

/** Opens the database for inspection, or returns why it cannot be opened. */
export function openInspection(folder: DataFolder): Inspection | Finding {
  const path = folder.database;
  try {
    if (!folder.hasDatabase()) return aboutMissing(folder);
    return inspectDatabase(path) ?? problem(`${path} is no database`, "restore a backup");
  } catch (cause) {
    return failure(`it cannot be read: ${reasonOf(cause)}`, cause);
  }
}

/** The first start makes the database before anything else that would be lost with it. */
function aboutMissing(folder: DataFolder): Finding {
  if (folder.isRestoreInterrupted()) return ok("it waits for the restore that was interrupted");
  if (folder.isMoveUnfinished()) return ok("it waits for the move that was interrupted");
  const isLost = folder.hasTextures();
  if (!isLost && !existsSync(`${folder.database}-wal`)) return ok("there is no database yet");
  return problem(
    `${isLost ? "there are textures" : "its log is there"}, but no database`,
    "is the disk mounted? if so, stop the server and restore a backup",
  );
}

/** What checks read of rows, whichever engine has them. */
export type RowReads = {
  readonly [Name in RowRead]: (
    ...given: Parameters<Inspection[Name]>
  ) => ReturnType<Inspection[Name]> | Promise<ReturnType<Inspection[Name]>>;
};

type RowRead =
  | "community"
  | "place"
  | "newestAt"
  | "oldestDue"
  | "countFailedMails"
  | "countOtherHashes"
  | "countIdentities"
  | "ungrantedCapes"
  | "countTextures"
  | "shuffledTextures"
  | "textureFrom";

type Find<Found> = (rows: RowReads, subject: Subject) => Promise<readonly Found[]>;

/**
 * A check of what the database holds. It finds nothing if the database cannot be read: `checkDatabase` says
 * why.
 */
export function inDatabase<Found>(look: Find<Found>): (subject: Subject) => Promise<readonly Found[]> {
  return async (subject) => {
    const { database } = subject.config;
    if (database !== null) {
      const reach = await subject.reach();
      if (reach.state !== "readable" || reach.pending > 0) return [];
      const { inspecting } = await postgresTools();
      return await inspecting(database, (rows) => look(rows, subject));
    }
    const opened = openInspection(subject.folder);
    if ("state" in opened) return [];
    using inspection = opened;
    // An older schema may lack the tables.
    return inspection.pending === 0 ? await look(inspection, subject) : [];
  };
}

/** Its schema, pages, indexes and references, and whether it can be written at all. */
export async function* checkDatabase(subject: Subject): AsyncIterable<Finding> {
  const { folder, config } = subject;
  if (config.database !== null) {
    yield* checkServer(config.database, await subject.reach());
    return;
  }
  const opened = openInspection(folder);
  if ("state" in opened) {
    yield opened;
    return;
  }
  using inspection = opened;
  const { pending } = inspection;
  if (inspection.isLocked())
    yield problem(
      `another process has held its write lock for ${lockSeconds} seconds`,
      "end that process; the server and its commands hold the lock for moments only",
    );
  if (pending < 0) {
    yield problem("a newer version wrote it", "install that version again, or restore a backup");
    return;
  }
  yield* schemaFindings(inspection.schemaFaults());
  if (pending === 0) yield* pageFindings(folder, inspection);
  else
    yield warning(
      `it is older than the program by ${pending} migrations`,
      "the next start brings it up to date: cloakroom migrate",
    );
}

function* schemaFindings([first, ...more]: readonly string[]): Iterable<Finding> {
  if (first === undefined) return;
  const rest = more.length === 0 ? "" : `, and ${more.length} more: see cloakroom fsck`;
  yield problem(`its schema was changed: ${first}${rest}`, schemaRemedy);
}

function* pageFindings({ database }: DataFolder, inspection: Inspection): Iterable<Finding> {
  const log = Bun.file(`${database}-wal`).size;
  if (log > logBytesHigh)
    yield warning(
      `its log has grown to ${sizeText(log)}`,
      "restart the server; if it grows again, report it",
    );
  const { size } = Bun.file(database);
  if (size > checkedBytesMax) {
    yield ok(`${sizeText(size)}, too large to check in seconds; every backup checks all of it`);
    return;
  }
  const faults = inspection.faults();
  if (faults.length === 0) yield ok(`${sizeText(size)}, sound`);
  for (const fault of faults.slice(0, 5)) yield problem(`damaged: ${fault}`, "restore a backup");
}

/** Mails that should have been sent. */
export const checkOutbox = inDatabase(async (inspection, { now }) => {
  const due = await inspection.oldestDue();
  const failed = await inspection.countFailedMails();
  const findings: Finding[] = [];
  if (due !== null && now - due > lateSeconds)
    findings.push(
      problem(
        `a mail waits to be sent for ${Math.floor((now - due) / 60)} minutes`,
        "is the server running? cloakroom mail list shows the mail server's replies",
      ),
    );
  if (failed > 0)
    findings.push(warning(`${failed} mails failed`, "cloakroom mail list --state failed says why"));
  return findings.length === 0 ? [ok("no mail is overdue")] : findings;
});

/** Compares this machine's time with rows that were written before. */
export const checkClock = inDatabase(async (inspection, { now }) => {
  const newest = await inspection.newestAt();
  if (newest === null || newest <= now + clockSecondsMax) return [found("clock_right", { now })];
  return [found("clock_behind", { newest })];
});

/** Whether players wear what their accounts were granted, as every change keeps it. */
export const checkPlayers = inDatabase(async (inspection) => {
  const { players, name } = await inspection.ungrantedCapes();
  if (players === 0) return [ok("all wear capes that their accounts were granted")];
  const wear = players === 1 ? "1 player wears a cape" : `${players} players wear capes`;
  return [
    problem(
      `${wear} without a grant: the database was changed by another program; ${name} is one`,
      `grant it (cape grant), or take it off: cloakroom player set ${name} --cape skin`,
    ),
  ];
});

/** Whether linked users can still sign in through their providers. */
export const checkIdentities = inDatabase(async (inspection, { config }) => {
  const counts = await inspection.countIdentities();
  const findings = counts.flatMap((count) => identityFindings(config.social, count));
  const linked = counts.reduce((sum, { identities }) => sum + identities, 0);
  return findings.length > 0 ? findings : [ok(`${linked} accounts are linked, all to present providers`)];
});

function identityFindings(
  social: Config["social"],
  { provider, issuer, identities }: IdentityCount,
): readonly Finding[] {
  const linked = `${identities} ${identities === 1 ? "identity" : "identities"} of ${provider}`;
  const present = social.find((one) => one.provider === provider);
  if (present === undefined) {
    const address = issuer === "" ? "; use its former address, which is not recorded here" : "";
    return [
      warning(
        `${linked}: SOCIAL_PROVIDERS does not name it, so these users cannot sign in through it`,
        `name it there again${address}; users with a password can sign in with that meanwhile`,
      ),
    ];
  }
  if (issuer === present.issuer) return [];
  const setting = provider === "oidc" ? "SOCIAL_OIDC_ISSUER" : `SOCIAL_${provider.toUpperCase()}_BASE_URL`;
  if (issuer === "")
    return [
      warning(
        `${linked}: their issuer is not recorded yet`,
        `the next start of the server records ${present.issuer}: if that is wrong, correct ${setting} first`,
      ),
    ];
  return [
    warning(
      `${linked} were confirmed by ${issuer}, but ${setting} leads to ${present.issuer}: these users cannot sign in through it`,
      `set ${setting} back, or unlink them (PATCH /api/admin/user/{identifier}, dsid false) so that they can link again`,
    ),
  ];
}
