/** Keeps a process from using a place of textures that is not its database's. */
import { placeLabelName } from "../domain/model/place-label.ts";
import type { BlobStore } from "../domain/ports/blob-store.ts";
import type { Engine } from "../domain/ports/engine.ts";
import { liveRows } from "../domain/textures/live-rows.ts";
import { enterPlace, refuseOtherPlace, takeOverPlace } from "../domain/textures/place.ts";
import { AppError } from "../kernel/errors.ts";
import type { Config } from "./config.ts";
import type { DataFolder } from "./data-folder.ts";
import type { Serving } from "./engines.ts";
import { openTextures, type OpenedTextures } from "./textures.ts";

/** How often a server looks again whether its bucket answers, to see whose it is. */
const retryMs = 2_000;

/** The textures of an open database. */
type OwnTextures = {
  /** The bucket of the textures; null where they are files. */
  readonly bucket: OpenedTextures["bucket"];
  /** It is used only once it is known that the place is the database's. */
  readonly blobs: BlobStore;
  readonly texturePlace: {
    /** See `refuseOtherPlace`. */
    readonly refuseOther: () => Promise<void>;
    /** See `takeOverPlace`. */
    readonly takeOver: () => Promise<void>;
  };
};

/**
 * Opens the place of the textures. A server fails with conflict when it is not the database's; while a bucket does not answer a
 * server starts without it, and ends when it turns out to be another's. A command looks at a bucket when it first needs a texture. `closing`
 * ends what goes on beside.
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
  const looked = entrance(opened, () => enterPlace(deps));
  const enter = serving === null ? looked : ending(looked, serving);
  if (serving !== null && !(await isEntered(looked))) closing.use(enterLater(enter));
  // A folder is at hand. One that is another's is refused when a texture is needed.
  if (serving === null && bucket === null) await looked().catch(unlessExpected);
  return {
    blobs: guarded(opened, enter),
    bucket,
    texturePlace: { refuseOther: () => refuseOtherPlace(deps), takeOver: () => takeOverPlace(deps) },
  };
}

/** Resolves to the place's id once the place was found to be the database's. */
type Enter = (options?: { readonly again: boolean }) => Promise<string>;

/** Done once; a failure is forgotten, so that the next call tries again. */
function entrance({ prepare }: OpenedTextures, work: () => Promise<string>): Enter {
  let entered: Promise<string> | null = null;
  const run = async () => {
    const id = await work();
    await prepare();
    return id;
  };
  return ({ again } = { again: false }) => {
    if (again) entered = null;
    entered ??= run().catch((error: unknown) => {
      entered = null;
      throw error;
    });
    return entered;
  };
}

/** False while the bucket does not answer, or database or disk take no id. */
async function isEntered(enter: Enter): Promise<boolean> {
  try {
    await enter();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code !== "conflict") return false;
    throw error;
  }
}

function unlessExpected(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}

/** The same for a server, which ends where the place is another's. Its requests get no words that are an operator's. */
function ending(enter: Enter, { onForeign }: Pick<Serving, "onForeign">): Enter {
  return async (options) => {
    try {
      return await enter(options);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "conflict") throw error;
      onForeign(error);
      throw new Error(error.message, { cause: error });
    }
  };
}

/** Tries until it is known whose the place is. */
function enterLater(enter: Enter): Disposable {
  const timer = setInterval(() => {
    enter().then(
      () => clearInterval(timer),
      // The bucket's own line in the log says that it is away.
      () => undefined,
    );
  }, retryMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function guarded({ blobs, place, bucket }: OpenedTextures, enter: Enter): BlobStore {
  return {
    lingerSeconds: blobs.lingerSeconds,
    strandedSeconds: blobs.strandedSeconds,
    put: async (hash, bytes) => {
      await enter();
      return blobs.put(hash, bytes);
    },
    read: async (file) => {
      await enter();
      return blobs.read(file);
    },
    delete: async (file) => {
      await enter();
      return blobs.delete(file);
    },
    list: async (after) => {
      await enter();
      return blobs.list(after);
    },
    probe: async () => {
      const id = await enter();
      const found = await place.readLabel();
      // One file alone may be lost: the nodes go on. They end where the place is another one by now.
      if (found.id === null)
        throw new Error(
          `${place.where} has lost ${placeLabelName}: was it emptied, or is its disk not mounted?`,
        );
      if (found.id !== id) await enter({ again: true });
      if (bucket === null) await blobs.probe();
    },
  };
}
