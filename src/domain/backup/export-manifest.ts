import { PlainError } from "../../kernel/errors.ts";
import { exportedKinds, exportFormat, exportVersion, type ExportedKind } from "../model/export-format.ts";
import type { Sum } from "../ports/backup-ports.ts";
import { count, fieldsOf, malformed, parseFields, sums, words, wordsOrNull } from "./manifest-fields.ts";

/** An export's description of itself, its last entry. */
export type ExportManifest = {
  readonly format: string;
  readonly version: number;
  /** The version of the program that made it. */
  readonly program: string;
  /** ISO 8601. */
  readonly created: string;
  /** The hex SHA-256 of the community's id: exports of one community have the same. */
  readonly community: string;
  /** Whether it holds hashes of passwords. */
  readonly hashes: "none" | "clear" | "sealed";
  /** How many records there are of each kind. */
  readonly counts: Readonly<Record<ExportedKind, number>>;
  readonly textures: {
    readonly count: number;
    readonly bytes: number;
    /** Textures whose file was missing or damaged when the export was made. */
    readonly lost: number;
    /** The hex SHA-256 of their digests in the order of the archive, each with a line end. */
    readonly sha256: string;
  };
  /** All other files by name. */
  readonly files: Readonly<Record<string, Sum>>;
  /** A code over all of this that proves knowledge of the passphrase; null: made without one. */
  readonly mac: string | null;
};

/**
 * The text that the code covers: all fields in a fixed order, and through their hashes the complete export.
 */
export function exportAuthenticatedText(manifest: ExportManifest): string {
  const { format, version, program, created, community, hashes, counts, textures, files } = manifest;
  const names = Object.keys(files).toSorted();
  return JSON.stringify([
    [format, version, program, created, community, hashes],
    exportedKinds.map((kind) => counts[kind]),
    [textures.count, textures.bytes, textures.lost, textures.sha256],
    names.map((name) => [name, files[name]?.bytes, files[name]?.sha256]),
  ]);
}

/**
 * Parses the manifest's JSON. Fails with invalid when it is of something else, or a field is missing or of
 * another type, and with conflict for a version that this program does not know.
 */
export function parseExportManifest(text: string): ExportManifest {
  const all = parseFields(text);
  const { format, version } = all;
  if (format !== exportFormat) throw new PlainError("invalid", "it is not an export of cloakroom");
  if (count(version) > exportVersion)
    throw new PlainError(
      "conflict",
      `it was made by a newer version (format ${count(version)}): install that version`,
    );
  const textures = fieldsOf(all["textures"]);
  const counts = fieldsOf(all["counts"]);
  const hashes = (["none", "clear", "sealed"] as const).find((one) => one === all["hashes"]);
  return {
    format: exportFormat,
    version: count(version),
    program: words(all["program"]),
    created: words(all["created"]),
    community: words(all["community"]),
    hashes: hashes ?? malformed(),
    counts: countsOf((kind) => count(counts[kind])),
    textures: {
      count: count(textures["count"]),
      bytes: count(textures["bytes"]),
      lost: count(textures["lost"]),
      sha256: words(textures["sha256"]),
    },
    files: sums(all["files"]),
    mac: wordsOrNull(all["mac"]),
  };
}

/** A number for each kind of records. */
export function countsOf(of: (kind: ExportedKind) => number): Readonly<Record<ExportedKind, number>> {
  const entries = exportedKinds.map((kind) => [kind, of(kind)] as const);
  return Object.fromEntries(entries) as Record<ExportedKind, number>; // all kinds are there
}
