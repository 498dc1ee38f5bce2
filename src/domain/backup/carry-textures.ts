import { PlainError } from "../../kernel/errors.ts";
import { parseTextureFile, parseTextureHash, type TextureHash } from "../../kernel/ids.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { TextureRow } from "../ports/texture-files.ts";
import type { Cell, CopiedRow, CopiedTable, TableSource } from "../ports/table-copy.ts";
import { readTexture } from "../textures/stored-file.ts";
import type { Progress } from "./progress.ts";

/** Files that are on their way at the same time. */
const atOnce = 16;

/** Rows of textures whose files are looked at before the next ones are read. */
const pageRows = 500;

/**
 * Copies the files of rows of textures into another store, which gives them their names there. A file that is
 * missing or damaged is not copied, and its row keeps the name. `to` is null where files stay.
 */
export function textureCarrier(from: Pick<BlobStore, "read">, to: Pick<BlobStore, "put"> | null) {
  return async (table: CopiedTable, rows: readonly CopiedRow[]): Promise<readonly CopiedRow[]> => {
    if (to === null || table.name !== "textures") return rows;
    const place = placeOf(table, "file");
    return mapAtOnce(rows, async (row) => {
      const found = fileRow(table, row);
      const bytes = await readTexture(from, found);
      if (typeof bytes === "string") return row;
      const file = await to.put(found.hash, bytes);
      return row.map((cell, index) => (index === place ? file : cell));
    });
  };
}

type CheckDeps = {
  readonly tables: TableSource;
  readonly blobs: Pick<BlobStore, "read">;
  /** Whether the source has the sound file of a texture. */
  readonly before: { readonly tables: TableSource; readonly blobs: Pick<BlobStore, "read"> };
  readonly progress: Progress;
  readonly signal: AbortSignal;
};

/**
 * Reads the file of every texture, and compares it with its row. Counts those that were lost before. Fails
 * with internal for a file that the source has and the target does not.
 */
export async function checkTextures({
  tables,
  blobs,
  before,
  progress,
  signal,
}: CheckDeps): Promise<{ readonly count: number; readonly lost: number }> {
  let [count, lost] = [0, 0];
  for await (const [table, rows] of texturePages(tables)) {
    signal.throwIfAborted();
    const sound = await mapAtOnce(
      rows,
      async (row) => typeof (await readTexture(blobs, fileRow(table, row))) !== "string",
    );
    for (const [index, row] of rows.entries()) {
      if (sound[index] === true) count += 1;
      else if (await isSound(before, fileRow(table, row).hash))
        throw new PlainError(
          "internal",
          `the file of texture ${fileRow(table, row).hash} did not arrive: begin again`,
        );
      else lost += 1;
    }
    progress("reading files", count + lost, null);
  }
  return { count, lost };
}

async function isSound({ tables, blobs }: CheckDeps["before"], hash: TextureHash): Promise<boolean> {
  const table = tables.tables.find(({ name }) => name === "textures");
  if (table === undefined) return false;
  const row = await findTexture(tables, table, hash);
  return row !== undefined && typeof (await readTexture(blobs, fileRow(table, row))) !== "string";
}

async function findTexture(
  tables: TableSource,
  table: CopiedTable,
  hash: TextureHash,
): Promise<CopiedRow | undefined> {
  // Texts that begin as the hash does and are shorter come before it.
  const rows = await tables.rows(table, [hash.slice(0, -1)], 16);
  return rows.find((row) => row[placeOf(table, "hash")] === hash);
}

/** The rows of textures as they are copied, by hash. */
export async function* textureRows(tables: TableSource): AsyncGenerator<TextureRow> {
  for await (const [table, rows] of texturePages(tables)) for (const row of rows) yield fileRow(table, row);
}

async function* texturePages(
  tables: TableSource,
): AsyncGenerator<readonly [CopiedTable, readonly CopiedRow[]]> {
  const table = tables.tables.find(({ name }) => name === "textures");
  if (table === undefined) return;
  for (let after: readonly Cell[] | null = null; ;) {
    const rows: readonly CopiedRow[] = await tables.rows(table, after, pageRows);
    if (rows.length > 0) yield [table, rows];
    if (rows.length < pageRows) return;
    after = table.key.map((index) => rows.at(-1)?.[index] ?? null);
  }
}

function fileRow(table: CopiedTable, row: CopiedRow): TextureRow {
  const text = (name: string) => String(row[placeOf(table, name)] ?? "");
  const hash = parseTextureHash(text("hash"));
  const file = parseTextureFile(text("file"));
  if (hash === null || file === null)
    throw new PlainError("invalid", `the row of texture ${text("hash").slice(0, 80)} names no file`);
  return { hash, digest: text("digest"), file };
}

function placeOf({ columns }: CopiedTable, column: string): number {
  return columns.findIndex(({ name }) => name === column);
}

async function mapAtOnce<From, To>(
  values: readonly From[],
  work: (value: From) => Promise<To>,
): Promise<readonly To[]> {
  const results: To[] = [];
  for (let start = 0; start < values.length; start += atOnce)
    results.push(...(await Promise.all(values.slice(start, start + atOnce).map(work))));
  return results;
}
