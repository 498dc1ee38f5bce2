import { AppError } from "../../kernel/errors.ts";
import type { AccountId, TextureHash } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { commandLine } from "../model/actor.ts";
import type { PlannedAccount, PlannedCape } from "../model/import-plan.ts";
import { refusals } from "../model/refusals.ts";
import type { Tx } from "../ports/unit-of-work.ts";
import { BatchRuns, TooContended } from "./batch-runs.ts";
import { keepChangesHere } from "./people-here.ts";
import { recheck, type Deviation } from "./recheck.ts";
import { takenOver, type HeldRun, type ImportCounts, type ImportDeps } from "./run.ts";
import { areFresh, type Staged } from "./stage-files.ts";

/** What one transaction brings. */
export type Batch =
  | { readonly kind: "accounts"; readonly rows: readonly PlannedAccount[] }
  | { readonly kind: "capes"; readonly rows: readonly PlannedCape[] };

/** What a transaction has brought. */
export type Written = {
  readonly counts: ImportCounts;
  readonly deviations: readonly Deviation[];
  /** Bitmaps whose staged files have their rows. */
  readonly named: ReadonlySet<TextureHash>;
};

/** The bitmaps of a batch, with wings of capes. */
export function texturesOf(batch: Batch): ReadonlySet<TextureHash> {
  return new Set(
    batch.kind === "capes"
      ? batch.rows.flatMap(({ texture, wings }) => [texture, ...(wings === null ? [] : [wings])])
      : batch.rows.flatMap(({ skins }) => skins.flatMap(({ texture }) => texture ?? [])),
  );
}

type Task = {
  readonly run: HeldRun;
  readonly batch: Batch;
  readonly staged: Staged;
  /** What this run and those before it have brought so far. */
  readonly counts: ImportCounts;
};

/**
 * Writes a batch, and how far the run is, in one transaction. Null, with nothing changed, where bitmaps have
 * lost their rows meanwhile or files have waited for too long. Fails with `TooContended` where a smaller
 * batch is the better one, and with conflict when another run has taken over.
 */
export async function writeBatch(deps: ImportDeps, task: Task): Promise<Written | null> {
  const { length } = task.batch.rows;
  const runs = new BatchRuns();
  try {
    return await deps.transact(commandLine, async (tx) => {
      runs.begin(length);
      return writeRows(deps, tx, task);
    });
  } catch (error) {
    const isContended = error instanceof AppError && error.code === refusals.contended.code;
    throw isContended && length > 1 ? new TooContended() : error;
  }
}

async function writeRows({ rules }: Pick<ImportDeps, "rules">, tx: Tx, task: Task): Promise<Written | null> {
  const { batch, staged: files, run } = task;
  const needed = texturesOf(batch);
  const fresh = [...needed].flatMap((hash) => files.get(hash) ?? []);
  const others = [...needed].filter((hash) => !files.has(hash));
  const known = others.length === 0 ? [] : await tx.imports.textures(others);
  if (known.length < others.length || !areFresh(fresh, tx.now)) return null;
  const put = (unwanted: ReadonlySet<TextureHash>) => {
    const wanted = fresh.filter(({ texture }) => !unwanted.has(texture.hash));
    return tx.imports.putTextures(
      wanted.map(({ texture }) => texture),
      tx.now,
    );
  };
  const done =
    batch.kind === "capes"
      ? await writeCapes(tx, { source: run.source, rows: batch.rows, put })
      : await writeAccounts(tx, { source: run.source, rows: batch.rows, put, rules });
  const counts = addCounts(task.counts, done.counts);
  const isHeld = await tx.imports.moveRun({
    source: run.source,
    holder: run.holder,
    until: tx.now + limits.importLeaseSeconds,
    cursor: batch.rows.at(-1)?.key ?? "",
    counts,
  });
  if (!isHeld) throw takenOver();
  return { ...done, counts };
}

type Rows<Row> = {
  readonly source: string;
  readonly rows: readonly Row[];
  /** Gives bitmaps their rows, but for those that do not come. */
  readonly put: (unwanted: ReadonlySet<TextureHash>) => Promise<ReadonlySet<TextureHash>>;
};

async function writeCapes(tx: Tx, { source, rows, put }: Rows<PlannedCape>): Promise<Written> {
  const banned = await tx.imports.bannedTextures([...texturesOf({ kind: "capes", rows })]);
  const isBanned = ({ texture, wings }: PlannedCape) =>
    banned.has(texture) || (wings !== null && banned.has(wings));
  const coming = rows.filter((cape) => !isBanned(cape));
  const kept = texturesOf({ kind: "capes", rows: coming });
  const named = await put(texturesOutside(rows.filter(isBanned), kept));
  await tx.imports.putCapes({ source, now: tx.now, rows: coming });
  const deviations = rows.filter(isBanned).map(({ key, name }): Deviation => {
    const reason = "its picture was banned here meanwhile";
    return { source: key, kind: "cape", decision: "skip", reason, from: name, to: null };
  });
  return { counts: { ...nothing, cape: coming.length }, deviations, named };
}

function texturesOutside(rows: readonly PlannedCape[], kept: ReadonlySet<TextureHash>) {
  return new Set([...texturesOf({ kind: "capes", rows })].filter((hash) => !kept.has(hash)));
}

async function writeAccounts(
  tx: Tx,
  { source, rows, put, rules }: Rows<PlannedAccount> & Pick<ImportDeps, "rules">,
): Promise<Written> {
  const settled = await keepChangesHere(tx, source, await withIds(tx, source, rows));
  const { accounts, deviations } = await recheck(tx, settled, rules);
  const kept = texturesOf({ kind: "accounts", rows: accounts });
  const all = texturesOf({ kind: "accounts", rows });
  const named = await put(new Set([...all].filter((hash) => !kept.has(hash))));
  const applied = await tx.imports.putAccounts({ source, now: tx.now, rows: accounts });
  const ids = new Map(applied.map(({ key, id }) => [key, id]));
  const counts = { ...nothing };
  for (const planned of accounts) {
    const id = ids.get(planned.key);
    if (id === undefined) continue;
    if (planned.id === null && planned.account !== null) {
      counts.account += 1;
      auditStaff(tx, source, id, planned);
    }
    counts.player += planned.players.filter((player) => player.id === null).length;
    counts.skin += planned.skins.filter((skin) => skin.id === null).length;
  }
  return { counts, deviations, named };
}

/** Whether it is a further part of an account whose number is not known yet. */
const isPart = ({ id, account }: PlannedAccount) => id === null && account === null;

/** Further parts of accounts that came in batches before this one. */
async function withIds(
  { imports }: Tx,
  source: string,
  rows: readonly PlannedAccount[],
): Promise<readonly PlannedAccount[]> {
  if (!rows.some(isPart)) return rows;
  const links = await imports.links(
    source,
    "account",
    rows.filter(isPart).map(({ key }) => key),
  );
  return rows.map((row) => {
    const link = isPart(row) ? links.get(row.key) : undefined;
    return link === undefined || link.isGone ? row : { ...row, id: link.id as AccountId }; // an account's link
  });
}

/** Nothing is given rights without an entry of its own. */
function auditStaff(tx: Tx, source: string, id: AccountId, { account, players }: PlannedAccount): void {
  if (account === null) return;
  const { level, own, uuid, mail, mailVerified } = account;
  const temporary = own?.temporaryLevel ?? null;
  if (level === 1 && (temporary === null || temporary.level === 1)) return;
  tx.audit("user.create", id, {
    uuid,
    mail,
    mail_verify: mailVerified,
    username: players[0]?.name ?? "",
    perms: temporary?.level ?? level,
    perms_permanent: level,
    perms_expires_at: temporary?.expiresAt ?? null,
    reason: `came over from ${source}`,
  });
}

const nothing: ImportCounts = { account: 0, player: 0, skin: 0, cape: 0 };

function addCounts(one: ImportCounts, other: ImportCounts): ImportCounts {
  return {
    account: one.account + other.account,
    player: one.player + other.player,
    skin: one.skin + other.skin,
    cape: one.cape + other.cape,
  };
}
