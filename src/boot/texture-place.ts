/** Keeps a process from using a place of textures that is not its database's. */
import { placeLabelName } from "../domain/model/place-label.ts";
import type { BlobStore } from "../domain/ports/blob-store.ts";
import type { Engine } from "../domain/ports/engine.ts";
import { liveRows } from "../domain/textures/live-rows.ts";
import {
  judgePlace,
  labelPlace,
  refuseOtherPlace,
  takeOverPlace,
  type JudgedPlace,
} from "../domain/textures/place.ts";
import { AppError } from "../kernel/errors.ts";
import type { Config } from "./config.ts";
import type { DataFolder } from "./data-folder.ts";
import type { Serving } from "./engines.ts";
import { openTextures, type OpenedTextures } from "./textures.ts";

/** How often a server tries again to see whose its place is, and to label it. */
const retryMs = 2_000;

/** The textures of an open database. */
type OwnTextures = {
  /** The bucket of the textures; null where they are files. */
  readonly bucket: OpenedTextures["bucket"];
  /**
   * It is read only once it is known that the place is the database's, and changed only once both hold the
   * id.
   */
  readonly blobs: BlobStore;
  readonly texturePlace: {
    /** See `refuseOtherPlace`. */
    readonly refuseOther: () => Promise<void>;
    /** See `takeOverPlace`. */
    readonly takeOver: () => Promise<void>;
  };
};

/**
 * Opens the place of the textures. A server fails with conflict when it is not the database's. While a bucket
 * does not answer, or the place or the database cannot be written, a server starts all the same, and ends
 * when the place turns out to be another's. A command looks at a bucket when it first needs a texture.
 * `closing` ends what goes on beside.
 */
export async function openOwnTextures(
  config: Pick<Config, "blobs" | "database">,
  folder: DataFolder,
  {
    engine,
    serving,
    closing,
  }: { readonly engine: Engine; readonly serving: Serving | null; readonly closing: AsyncDisposableStack },
): Promise<OwnTextures> {
  const { communityId, place: mark, reads } = engine;
  const opened = await openTextures(config, folder, { communityId, log: serving?.log ?? null });
  const { place, bucket } = opened;
  const rows = () => liveRows(reads.textures).textures();
  const deps = { place, mark, communityId, rows, isAlone: config.database === null };
  const entrance = openEntrance(opened, {
    judge: () => judgePlace(deps),
    label: (judged) => labelPlace(deps, judged),
  });
  if (serving !== null) await enterServing(entrance, serving, closing);
  // A folder can always be read. A foreign one is refused when a texture is needed, a read-only one when it
  // is written.
  else if (bucket === null && (await entrance.judged().then(always, neverIfExpected)))
    await entrance.entered().catch(() => undefined);
  return {
    blobs: guarded(opened, entrance, serving === null ? sameError : endingBy(serving)),
    bucket,
    texturePlace: { refuseOther: () => refuseOtherPlace(deps), takeOver: () => takeOverPlace(deps) },
  };
}

const always = () => true;

function neverIfExpected(error: unknown): false {
  if (!(error instanceof AppError)) throw error;
  return false;
}

type Entrance = {
  /** Resolves once the place was found to be the database's, which is enough to read there. */
  readonly judged: () => Promise<JudgedPlace>;
  /**
   * Resolves to the id once both hold it, and the store has what it needs. Null where the label there may not
   * be read.
   */
  readonly entered: () => Promise<string | null>;
  /** Repeats all steps. If this fails, the former result stays. */
  readonly enterAgain: () => Promise<string | null>;
};

function openEntrance(
  { prepare }: OpenedTextures,
  {
    judge,
    label,
  }: {
    readonly judge: () => Promise<JudgedPlace>;
    readonly label: (judged: JudgedPlace) => Promise<string | null>;
  },
): Entrance {
  const judging = kept(judge);
  const entering = kept(async () => {
    const id = await label(await judging.again());
    await prepare();
    return id;
  });
  return { judged: judging.get, entered: entering.get, enterAgain: entering.again };
}

type Kept<Value> = { readonly get: () => Promise<Value>; readonly again: () => Promise<Value> };

/**
 * Done once; a failure is forgotten, so that the next call tries again. `again` repeats it, and keeps what
 * succeeds.
 */
function kept<Value>(work: () => Promise<Value>): Kept<Value> {
  let done: Promise<Value> | null = null;
  return {
    get: () => {
      done ??= work().catch((error: unknown) => {
        done = null;
        throw error;
      });
      return done;
    },
    again: async () => {
      const value = await work();
      done = Promise.resolve(value);
      return value;
    },
  };
}

/**
 * Fails with conflict if the place belongs to another database. Other failures are retried until they pass.
 */
async function enterServing(
  { judged, entered }: Entrance,
  serving: Serving,
  closing: AsyncDisposableStack,
): Promise<void> {
  let isSaid = false;
  const enter = async () => {
    try {
      await entered();
      const { flaw } = (await judged()).found;
      if (flaw?.kind === "closed")
        serving.log.warn("whose the place of the textures is cannot be read", { reason: flaw.reason });
      return true;
    } catch (error) {
      if (isConflict(error)) throw error;
      // That a bucket or a database is away has its own line in the log.
      if (!isSaid && !isAway(error)) {
        isSaid = true;
        serving.log.warn(
          "the textures cannot be changed, so uploads fail, until their place and the database can be written",
          { reason: error },
        );
      }
      return false;
    }
  };
  if (await enter()) return;
  const timer = setInterval(() => void enterLater(), retryMs);
  const enterLater = async () => {
    try {
      if (await enter()) clearInterval(timer);
    } catch (error) {
      endingBy(serving)(error);
    }
  };
  closing.defer(() => clearInterval(timer));
}

function isConflict(error: unknown): error is AppError {
  return error instanceof AppError && error.kind === "conflict";
}

function isAway(error: unknown): boolean {
  return error instanceof AppError && error.kind === "unavailable";
}

/** The error that goes on in its place. */
type OnFailure = (error: unknown) => unknown;

const sameError: OnFailure = (error) => error;

/** A server ends where the place is another's. Its requests get no words that are an operator's. */
function endingBy({ onForeign }: Pick<Serving, "onForeign">): OnFailure {
  return (error) => {
    if (!isConflict(error)) return error;
    onForeign(error);
    return new Error(error.message, { cause: error });
  };
}

function guarded(opened: OpenedTextures, entrance: Entrance, onFailure: OnFailure): BlobStore {
  const { blobs, bucket } = opened;
  const fail = (error: unknown) => {
    throw onFailure(error);
  };
  const judged = () => entrance.judged().catch(fail);
  const entered = () => entrance.entered().catch(fail);
  const watch = labelWatch(opened, entrance, onFailure);
  return {
    lingerSeconds: blobs.lingerSeconds,
    strandedSeconds: blobs.strandedSeconds,
    put: async (hash, bytes) => {
      await entered();
      return blobs.put(hash, bytes);
    },
    read: async (file) => {
      await judged();
      return blobs.read(file);
    },
    delete: async (file) => {
      await entered();
      return blobs.delete(file);
    },
    list: async (after) => {
      await judged();
      return blobs.list(after);
    },
    probe: async () => {
      await watch(await entered());
      if (bucket === null) await blobs.probe();
    },
  };
}

/**
 * Looks at the label while the place is used. What is lost, or no label, ends no node: the one process of
 * SQLite leaves it again. Nor does another place's before it was read twice, one after the other.
 */
function labelWatch(
  { place }: OpenedTextures,
  { enterAgain }: Entrance,
  onFailure: OnFailure,
): (id: string | null) => Promise<void> {
  let before: string | null = null;
  return async (id) => {
    const found = await place.readLabel();
    const isSecond = found.id !== null && found.id === before;
    before = found.id === id ? null : found.id;
    if (found.id === id || found.flaw?.kind === "closed") return;
    try {
      await enterAgain();
      before = null;
    } catch (error) {
      if (!isConflict(error) || isSecond) throw onFailure(error);
      throw new Error(found.id === null ? lossOf(place.where) : error.message, { cause: error });
    }
  };
}

function lossOf(where: string): string {
  return `${where} has lost ${placeLabelName}: was it emptied, or is its disk not mounted?`;
}
