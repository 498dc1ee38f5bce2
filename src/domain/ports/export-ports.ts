import type { ExportedKind } from "../model/export-format.ts";

/** The rows of a copy of a community as lines of JSON, in an order that is the same each time. */
export interface ExportRows extends Disposable {
  /** The community's id. */
  readonly community: string;
  /** Some lines at a time, without line ends. */
  lines(of: ExportedKind | "passwords"): Iterable<readonly string[]>;
}

/** A line of an unpacked export. */
export type UnpackedLine = {
  /** Ascending: the value for `after`. */
  readonly n: number;
  readonly text: string;
};

/** The content of an export that was verified, on disk, gone when it is closed. */
export interface UnpackedExport extends Disposable {
  putLines(of: ExportedKind | "passwords", texts: readonly string[]): void;
  /** False: there is a file of this name. */
  putFile(name: string, bytes: Uint8Array): boolean;
  /** Lines after one (0: from the first on), `rows` at most. */
  lines(of: ExportedKind | "passwords", after: number, rows: number): readonly UnpackedLine[];
  /** The lines that are an account's, a thousand at most. */
  linesOf(of: "aliases" | "suspensions", account: string): readonly string[];
  file(name: string): Uint8Array | null;
  /** Free bytes on its disk; null where the file system does not report them. */
  space(): Promise<number | null>;
}
