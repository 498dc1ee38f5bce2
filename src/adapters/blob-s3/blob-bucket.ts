import type { BlobPage, BlobStore, ListedBlob } from "../../domain/ports/blob-store.ts";
import {
  flawedLabel,
  parseMarker,
  parsePlaceLabel,
  placeLabelName,
  placeLabelText,
} from "../../domain/model/place-label.ts";
import type { LabelledPlace } from "../../domain/ports/place-label.ts";
import type { FoundFile, TexturePlace } from "../../domain/ports/texture-files.ts";
import { AppError, PlainError } from "../../kernel/errors.ts";
import { newTextureFile, parseTextureFile, type TextureFile } from "../../kernel/ids.ts";
import { bucketRequests, type BucketOptions, type RequestCounts } from "./bucket-requests.ts";

/** A bucket's textures: as a store, and as a place that is checked. */
export type BlobBucket = BlobStore &
  TexturePlace &
  LabelledPlace & {
    /**
     * Marks the prefix as the community's, unless it is. Fails with conflict when it is another community's,
     * and with unavailable. The store does it before it first writes or deletes.
     */
    readonly claim: () => Promise<void>;
    /** Looks at the prefix, changing nothing. Fails with unavailable. */
    readonly look: () => Promise<PrefixState>;
    /** Why the bucket does not answer; null: it does, as far as is known. */
    readonly outage: () => string | null;
    readonly counts: () => RequestCounts;
  };

/**
 * Whose a prefix is, null before anything was stored there, and whether the store honours conditions on a
 * write.
 */
export type PrefixState = { readonly community: string | null; readonly honoursConditions: boolean };

/** The object that says whose prefix it is. Releases before the label know it alone. */
const markerName = "cloakroom.json";
/** Requests of other nodes may still read a file whose row has gone. */
const lingerSeconds = 60 * 60;
const strandedSeconds = 24 * 60 * 60;
/** In a store that ignores conditions, nodes that found no label have left theirs by then. */
const settleMs = 1_000;

/**
 * Texture files in a bucket: `<prefix><hash's first two digits>/<file>`. Nothing is asked of the bucket
 * before it is needed. `communityId` gives the id of the community whose they are.
 */
export function openBlobBucket(options: BucketOptions, communityId: () => Promise<string>): BlobBucket {
  const { prefix, bucket } = options;
  const requests = bucketRequests(options);
  const keyOf = (file: TextureFile) => `${prefix}${pathOf(file)}`;
  const claim = memorized(async () => {
    const found = await claimPrefix(requests, `${prefix}${markerName}`, await communityId());
    if (found) return;
    throw new PlainError(
      "conflict",
      `s3://${bucket}/${prefix} holds the textures of another community: give BLOBS another prefix, or, if that` +
        ` community is gone, remove the objects ${prefix}${markerName} and ${placeLabelName} beside it`,
    );
  }); // The words are the operator's, not a member's.
  const own = () =>
    claim().catch((error: unknown) => {
      throw error instanceof AppError && error.kind === "conflict" ? new Error(error.message) : error;
    });

  return {
    lingerSeconds,
    strandedSeconds,
    put: async (hash, bytes) => {
      await own();
      const file = newTextureFile(hash);
      const headers = { "If-None-Match": "*", "Content-Type": "image/png" };
      const { status, isRepeat } = await requests.ask({
        method: "PUT",
        key: keyOf(file),
        body: bytes,
        headers,
      });
      // An earlier try of this very upload was carried out, and its answer was lost.
      if (status === 412 && !isRepeat) throw new Error(`the bucket has an object named ${file} already`);
      return file;
    },
    read: async (file) => {
      const { status, bytes } = await requests.ask({ method: "GET", key: keyOf(file) });
      return status === 404 ? null : bytes;
    },
    delete: async (file) => {
      await own();
      await requests.ask({ method: "DELETE", key: keyOf(file) });
    },
    probe: async () => {
      await requests.ask({ method: "GET", key: `${prefix}${markerName}` });
    },
    ...placeOf(requests, prefix),
    where: `s3://${bucket}/${prefix}`,
    kind: "bucket",
    ...labelOf(requests, prefix, claim),
    claim,
    look: () => lookAt(requests, `${prefix}${markerName}`),
    outage: requests.outage,
    counts: requests.counts,
  };
}

type Requests = ReturnType<typeof bucketRequests>;

function placeOf(requests: Requests, prefix: string): TexturePlace & Pick<BlobStore, "list"> {
  const listNames = async (after: string | null) => {
    const { keys, goesOn } = await requests.list(prefix, after === null ? null : prefix + after);
    const names = keys.map(({ key, storedAt }) => ({ name: key.slice(prefix.length), storedAt }));
    const next = goesOn ? (names.at(-1)?.name ?? null) : null;
    if (goesOn && (next === null || next === after))
      throw new Error("the bucket's list of names does not continue");
    return { names: names.filter(({ name }) => name !== markerName && name !== placeLabelName), next };
  };
  return {
    list: async (after): Promise<BlobPage> => {
      const { names, next } = await listNames(after);
      const files = names.flatMap(({ name, storedAt }): ListedBlob[] => {
        const file = fileAt(name);
        return file === null ? [] : [{ file, storedAt: async () => storedAt }];
      });
      return { files, next };
    },
    pathOf,
    files: async function* () {
      for (let after: string | null | undefined; after !== null;) {
        const { names, next } = await listNames(after ?? null);
        yield* names.map(({ name, storedAt }) => foundAt(name, storedAt));
        after = next;
      }
    },
    // Versions of the bucket may bring the object back, and an upload or a backup puts a sound one into its
    // place.
    quarantine: async () => null,
    removeLeftover: async () => undefined,
  };
}

/** A claim goes before each label: releases before the label know the claim alone. */
function labelOf(
  { ask }: Pick<Requests, "ask">,
  prefix: string,
  claim: () => Promise<void>,
): Pick<LabelledPlace, "readLabel" | "leaveLabel" | "replaceLabel"> {
  const key = `${prefix}${placeLabelName}`;
  const read = async (name: string) => {
    const { status, bytes } = await ask({ method: "GET", key: `${prefix}${name}` });
    return status === 404 ? null : bytes;
  };
  const readLabel = async () => {
    const bytes = await read(placeLabelName);
    const label = bytes === null ? flawedLabel(null) : parsePlaceLabel(bytes);
    if (label.community !== null) return label;
    const marker = await read(markerName);
    return { ...label, community: marker && parseMarker(marker) };
  };
  const write = async (
    id: string,
    community: string,
    condition: Record<string, string>,
  ): Promise<{ readonly isLeft: boolean }> => {
    await claim();
    const body = new TextEncoder().encode(placeLabelText(id, community));
    const headers = { "Content-Type": "application/json", ...condition };
    const { status } = await ask({ method: "PUT", key, body, headers });
    return { isLeft: status !== 412 };
  };
  return {
    readLabel,
    leaveLabel: async (id, community) => {
      const leave = () => write(id, community, { "If-None-Match": "*" });
      // A store that lets the second one through ignores conditions: another node may be writing, and all
      // read what stays.
      if ((await leave()).isLeft && (await leave()).isLeft) await Bun.sleep(settleMs);
      return (await readLabel()).id;
    },
    replaceLabel: async (id, community) => void (await write(id, community, {})),
  };
}

function pathOf(file: TextureFile): string {
  return `${file.slice(0, 2)}/${file}`;
}

function fileAt(name: string): TextureFile | null {
  const file = parseTextureFile(name.slice(name.indexOf("/") + 1));
  return file !== null && pathOf(file) === name ? file : null;
}

function foundAt(path: string, storedAt: number): FoundFile {
  const file = fileAt(path);
  return file === null ? { kind: "stranger", path } : { kind: "texture", path, file, storedAt };
}

/** Whether the marker is the community's. Of several that leave one at once, the first one's stays. */
async function claimPrefix({ ask }: Pick<Requests, "ask">, key: string, community: string): Promise<boolean> {
  const found = await ask({ method: "GET", key });
  if (found.status !== 404) return parseMarker(found.bytes) === community;
  const body = new TextEncoder().encode(`${JSON.stringify({ community })}\n`);
  const headers = { "If-None-Match": "*", "Content-Type": "application/json" };
  const { status } = await ask({ method: "PUT", key, body, headers });
  return status !== 412 || parseMarker((await ask({ method: "GET", key })).bytes) === community;
}

/**
 * The marker is written again with the bytes that it has: a store that ignores the condition changes nothing
 * by that.
 */
async function lookAt({ ask }: Pick<Requests, "ask">, key: string): Promise<PrefixState> {
  const { status, bytes } = await ask({ method: "GET", key });
  if (status === 404) return { community: null, honoursConditions: true };
  const headers = { "If-None-Match": "*", "Content-Type": "application/json" };
  const written = await ask({ method: "PUT", key, body: bytes, headers });
  return { community: parseMarker(bytes) ?? "", honoursConditions: written.status === 412 };
}

/** Done once; a failure is forgotten, so that the next call tries again. */
function memorized(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work().catch((error: unknown) => {
      done = null;
      throw error;
    });
    return done;
  };
}
