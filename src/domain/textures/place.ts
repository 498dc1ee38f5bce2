/*
 * The database and the place of its textures hold the same id. A node with another BLOBS would store textures
 * where no other node finds them, show those of the others as lost, and remove what its rows do not name: so
 * it is refused.
 */
import { AppError, PlainError } from "../../kernel/errors.ts";
import { newUuid } from "../../kernel/ids.ts";
import { placeLabelName, type PlaceLabel } from "../model/place-label.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { LabelledPlace, PlaceMark } from "../ports/place-label.ts";
import type { TextureRow } from "../ports/texture-files.ts";
import {
  flawedPlace,
  lostFolder,
  otherPlace,
  othersPlace,
  refusalOf,
  type PlaceFault,
} from "./place-faults.ts";

/**
 * Textures that are looked for in a place without an id. Hashes are random, so the first ones are a fair
 * sample.
 */
const soughtMax = 200;
/** Files that are read at the same time. */
const atOnce = 16;

/** A place that is compared with its database. */
export type PlaceDeps = {
  readonly place: LabelledPlace & Pick<BlobStore, "read" | "list">;
  readonly mark: Pick<PlaceMark, "read">;
  readonly communityId: () => string | Promise<string>;
  /** By hash. */
  readonly rows: () => Iterable<TextureRow> | AsyncIterable<TextureRow>;
  /** Whether no other process can serve the database from another place, as on SQLite. */
  readonly isAlone: boolean;
  /** Whether a folder may have lost its textures, which is reported elsewhere then. */
  readonly allowsLost?: boolean;
};

/**
 * Why the place is not the database's; null if it is, or would be taken. Changes nothing. Fails with
 * unavailable.
 */
export async function findPlaceFault(deps: PlaceDeps): Promise<PlaceFault | null> {
  return (await judge(deps)).fault;
}

/** Fails with conflict where the place is not the database's, and with unavailable. Changes nothing. */
export async function refuseOtherPlace(deps: PlaceDeps): Promise<void> {
  await judgePlace(deps);
}

/**
 * What is known of a place that is the database's, or would be taken. A process that only reads textures
 * needs no more.
 */
export type JudgedPlace = {
  /** The database's id. */
  readonly known: string | null;
  readonly found: PlaceLabel;
  /**
   * Whether a new label may replace the present one: it belongs to the former database of the same textures,
   * or there is none.
   */
  readonly isReplaced: boolean;
};

/** Fails with conflict where the place is not the database's, and with unavailable. Changes nothing. */
export async function judgePlace(deps: PlaceDeps): Promise<JudgedPlace> {
  const { fault, ...judged } = await judge(deps);
  if (fault !== null) throw refusalOf(fault);
  return judged;
}

/**
 * Makes sure that database and place hold the same id before textures are stored or removed: a new database
 * and a new place get one, and so do those of a release before. Resolves to the id; null where the label
 * there may not be read. Fails with conflict where another node took another place meanwhile, with
 * unavailable, and as the disk or the database does that cannot be written.
 */
export async function labelPlace(
  { place, mark, communityId }: Pick<PlaceDeps, "place" | "communityId"> & { readonly mark: PlaceMark },
  { known, found, isReplaced }: JudgedPlace,
): Promise<string | null> {
  if (found.flaw?.kind === "closed") return null;
  if (known !== null && known === found.id) return known;
  const community = await communityId();
  if (isReplaced) await place.replaceLabel(newId(place), community);
  // The place comes first: if two nodes begin in two places, the database keeps one; a crash in between
  // leaves an id to keep.
  const id = (isReplaced ? null : found.id) ?? (await place.leaveLabel(newId(place), community));
  const kept = id === null ? null : await mark.put(id, known);
  if (kept === null || kept !== id)
    throw refusalOf(otherPlace(place, "is not the one that another node took"));
  return kept;
}

/**
 * Makes the place the database's because an operator says so. Both get a new id: nodes in another place end,
 * those in this one go on. Fails with conflict where it is another community's, and with unavailable.
 */
export async function takeOverPlace({
  place,
  mark,
  communityId,
}: Pick<PlaceDeps, "place" | "communityId"> & { readonly mark: PlaceMark }): Promise<void> {
  const community = await communityId();
  refuseCommunity(place, await place.readLabel(), community);
  const id = newId(place);
  // First the database: nodes that go on here compare the place with it.
  if ((await mark.put(id, await mark.read())) !== id)
    throw new PlainError("conflict", "another process took a place of textures meanwhile: try again");
  await place.replaceLabel(id, community);
}

/** A place that a move or a restore fills. */
export type TargetDeps = {
  readonly place: LabelledPlace;
  readonly community: string;
  /** The id that the database has that is filled: a move or restore that goes on has left it. */
  readonly own: string | null;
  /** The id that the database has whose place is taken. */
  readonly replaced: string | null;
  /** Whether an operator says that no other database uses the place. */
  readonly takesOver: boolean;
};

/**
 * The id for a place that is filled for another database. It is a new one, so that nodes of a former database
 * end, unless the place stays that of the database that is replaced. Changes nothing. Fails with conflict
 * where another database has the place.
 */
export async function targetId({
  place,
  community,
  own,
  replaced,
  takesOver,
}: TargetDeps): Promise<{ readonly id: string; readonly isLeft: boolean }> {
  const found = await place.readLabel();
  refuseCommunity(place, found, community);
  const isNew = found.id === null && found.flaw === null;
  const isKnown = isNew || (found.id !== null && (found.id === own || found.id === replaced));
  if (!isKnown && !takesOver)
    throw new PlainError(
      "conflict",
      `${place.where} ${found.flaw === null ? "is" : "may be"} the place of the textures of another database of this community, which would lose them: name another` +
        " place for this one, or, if that database is gone for good, say so with --take-over",
    );
  const id = own ?? (found.id !== null && found.id === replaced ? replaced : newId(place));
  return { id, isLeft: found.id === id };
}

/** Says as well what kind of place it is of: a bucket's textures are never in a folder. */
export function newId({ kind }: Pick<LabelledPlace, "kind">): string {
  return `${kind}-${newUuid()}`;
}

type Judgement = JudgedPlace & { readonly fault: PlaceFault | null };

async function judge(deps: PlaceDeps): Promise<Judgement> {
  const { place, mark, communityId } = deps;
  // First the place: while a bucket is away this fails at once, and the database is not asked.
  const found = await place.readLabel();
  const known = await mark.read();
  if (found.community === null || found.community === (await communityId())) {
    const isReplaced = found.flaw?.kind === "broken";
    return { known, found, isReplaced, fault: await compare(deps, known, found) };
  }
  // A copy of the database from before an upgrade gets another community's id when it is upgraded again.
  const isStale = known === null && place.kind === "folder" && (await isOwnFolder(deps));
  return { known, found, isReplaced: isStale, fault: isStale ? null : othersPlace(place) };
}

/** Whether the textures of a database are in the folder beside it, or neither has any. */
async function isOwnFolder({ place, rows, isAlone }: PlaceDeps): Promise<boolean> {
  if (!isAlone) return false;
  const { sought, there } = await look(place, rows());
  return sought > 0 ? there * 2 >= sought : !(await holdsTextures(place));
}

async function holdsTextures(place: Pick<BlobStore, "list">): Promise<boolean> {
  for (let after: string | null | undefined; after !== null;) {
    const { files, next } = await place.list(after ?? null);
    if (files.length > 0) return true;
    after = next;
  }
  return false;
}

async function compare(deps: PlaceDeps, known: string | null, label: PlaceLabel): Promise<PlaceFault | null> {
  if (known !== null && known === label.id) return null;
  const { place, rows, isAlone, allowsLost = false } = deps;
  const isFolder = place.kind === "folder" && known?.startsWith("folder") !== false;
  // One process alone serves the folder, whose textures say more than its label.
  const isBeside = isAlone && isFolder;
  const fault = isBeside ? null : findLabelFault(deps, known, label);
  if (fault !== null) return fault;
  // Of a release before: what is lost was lost before, and is reported elsewhere.
  if (isFolder && (allowsLost || (isAlone && known === null))) return null;
  const { sought, there } = await look(place, rows());
  // Not a few: through a node with a wrong BLOBS some uploads may have come here.
  if (there * 2 >= sought) return null;
  const what = `has ${there} of ${sought} textures that were looked for`;
  return isBeside ? lostFolder(place, what) : otherPlace(place, what);
}

/** Null where the textures have to say whose the place is. */
function findLabelFault(
  { place, isAlone }: PlaceDeps,
  known: string | null,
  { id, flaw }: PlaceLabel,
): PlaceFault | null {
  if (flaw?.kind === "closed") return null;
  if (flaw !== null && !isAlone) return flawedPlace(place, flaw);
  if (known === null) return null;
  if (id !== null) return otherPlace(place, "is another database's");
  return isAlone ? null : otherPlace(place, `has no ${placeLabelName}`);
}

/** How many of the first rows' files are there. */
async function look(
  place: Pick<BlobStore, "read">,
  rows: Iterable<TextureRow> | AsyncIterable<TextureRow>,
): Promise<{ readonly sought: number; readonly there: number }> {
  const some: TextureRow[] = [];
  for await (const row of rows) if (some.push(row) >= soughtMax) break;
  let there = 0;
  for (let start = 0; start < some.length; start += atOnce) {
    const found = await Promise.all(
      some.slice(start, start + atOnce).map(({ file }) => isThere(place, file)),
    );
    there += found.filter(Boolean).length;
  }
  return { sought: some.length, there };
}

/** A file that cannot be read is there. */
async function isThere(place: Pick<BlobStore, "read">, file: TextureRow["file"]): Promise<boolean> {
  try {
    return (await place.read(file)) !== null;
  } catch (error) {
    if (error instanceof AppError && error.kind === "unavailable") throw error;
    return true;
  }
}

function refuseCommunity(place: LabelledPlace, found: PlaceLabel, community: string): void {
  if (found.community !== null && found.community !== community) throw refusalOf(othersPlace(place));
}
