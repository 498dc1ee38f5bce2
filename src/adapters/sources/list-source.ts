/** Lists of accounts with a player each, read from the beginning for each kind of record. */
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize, resolve, sep } from "node:path";
import type {
  ImportSource,
  SourceAccount,
  SourcePages,
  SourcePlayer,
  SourceProblem,
  SourceTexture,
} from "../../domain/ports/import-source.ts";
import { PlainError } from "../../kernel/errors.ts";
import type { FileRecord } from "./csv-fields.ts";
import type { SourceTools } from "./database.ts";
import type { SourceGiven } from "./given.ts";
import { noPages } from "./list-pages.ts";
import { pathKey, readListRecord, type ListRecord } from "./list-record.ts";
import { readTextureFile } from "./texture-folder.ts";

/** The path of `--file`. Fails with invalid where it was not given. */
export function requireFile({ system, file }: SourceGiven): string {
  if (file === null) throw new PlainError("invalid", `${system} needs the list: --file FILE`);
  return file;
}

type List = {
  readonly system: "csv" | "jsonl";
  readonly path: string;
  readonly notes: readonly string[];
  /** All records, some at a time. */
  readonly records: () => AsyncIterable<readonly FileRecord[]>;
};

/** A list as a source. Fails with not_found or invalid for a file that cannot be read. */
export async function openList(list: List, tools: SourceTools): Promise<ImportSource> {
  const path = resolve(list.path);
  const folder = dirname(path);
  const size = (await stat(path).catch(() => null))?.size ?? 0;
  const keyed = () => keyedRecords(list, tools);
  return {
    system: list.system,
    place: new Bun.CryptoHasher("sha256").update(`${list.system}:${path}`).digest("hex"),
    // A list that grows meanwhile is another list; its length is not known before it is read.
    facts: {
      accounts: null,
      uuidRule: null,
      isAboutOthers: false,
      notes: size === 0 ? ["the list is empty"] : list.notes,
    },
    accounts: () => pagesOf(keyed(), ({ key, account }): SourceAccount => ({ key, ...account })),
    players: () =>
      pagesOf(
        keyed(),
        ({ key, player }): SourcePlayer | null => player && { key, account: key, ...player },
        "silent",
      ),
    textures: () => texturesOf(keyed(), tools),
    holdings: noPages,
    identities: noPages,
    factors: noPages,
    invites: noPages,
    readTexture: (texture, bytesMax) => readBelow(folder, texture.file, bytesMax),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

type Keyed = {
  readonly records: readonly ListRecord[];
  readonly problems: readonly SourceProblem[];
};

/** Doubles of one name that are told apart. A list with more has another meaning. */
const doublesMax = 1000;

/** Records with keys of their own: the second one of a name gets a number. */
async function* keyedRecords({ records }: List, { openScratch }: SourceTools): AsyncGenerator<Keyed> {
  using seen = openScratch();
  for await (const page of records()) {
    const problems: SourceProblem[] = [];
    const read: ListRecord[] = [];
    for (const record of page) {
      const found = "reason" in record ? record : readListRecord(record.fields); // names are looked up
      const key = "reason" in found ? null : freeKey(seen, found.key);
      if ("reason" in found)
        problems.push({ key: `line:${record.line}`, kind: "account", reason: found.reason });
      else if (key === null)
        problems.push({
          key: `line:${record.line}`,
          kind: "account",
          reason: "too many records have its name",
        });
      else read.push({ ...found, key });
    }
    yield { records: read, problems };
  }
}

function freeKey(seen: ReturnType<SourceTools["openScratch"]>, key: string): string | null {
  const used = Number(seen.get([`count ${key}`]).get(`count ${key}`) ?? "0");
  if (used === 0) seen.put([[`count ${key}`, "1"]]);
  if (used === 0) return key;
  for (let number = 2; number <= doublesMax; number++) {
    const next = `${key}#${number}`;
    if (seen.get([next]).size > 0) continue;
    seen.put([[next, ""]]);
    return next;
  }
  return null;
}

async function* pagesOf<Row>(
  keyed: AsyncIterable<Keyed>,
  rowOf: (record: ListRecord) => Row | null,
  problemsAre: "kept" | "silent" = "kept",
): SourcePages<Row> {
  for await (const { records, problems } of keyed)
    yield {
      rows: records.flatMap((record) => rowOf(record) ?? []),
      problems: problemsAre === "kept" ? problems : [],
    };
}

/** Each path once. */
async function* texturesOf(
  keyed: AsyncIterable<Keyed>,
  { openScratch }: SourceTools,
): SourcePages<SourceTexture> {
  using seen = openScratch();
  for await (const { records } of keyed) {
    const rows: SourceTexture[] = [];
    for (const { player } of records) {
      for (const kind of ["skin", "cape"] as const) {
        const key = player?.[kind] ?? null;
        if (key === null || seen.get([key]).size > 0) continue;
        seen.put([[key, ""]]);
        rows.push(textureOf(kind, key.slice(kind.length + 1)));
      }
    }
    yield { rows, problems: [] };
  }
}

function textureOf(kind: "skin" | "cape", file: string): SourceTexture {
  const name = basename(file).replace(/\.png$/i, "");
  return { key: pathKey(kind, file) ?? "", kind, name, model: null, file, createdAt: null };
}

/** Reads a file below the folder of the list. */
async function readBelow(folder: string, path: string, bytesMax: number): Promise<Uint8Array | null> {
  if (isAbsolute(path) || path.includes("\0") || normalize(path).split(sep).includes(".."))
    throw new PlainError("invalid", "its file is not below the folder of the list");
  const inside = dirname(join(folder, path));
  const [real, top] = await Promise.all([realpath(inside).catch(() => null), realpath(folder)]);
  if (real === null) return null;
  if (real !== top && !real.startsWith(top.endsWith(sep) ? top : top + sep))
    throw new PlainError("invalid", "its file is not below the folder of the list");
  return readTextureFile(real, basename(path), bytesMax);
}
