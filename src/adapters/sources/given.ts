/** What the operator says of a source, for all readers alike. */
import type { ImportSource, SourceSystem } from "../../domain/ports/import-source.ts";
import { PlainError } from "../../kernel/errors.ts";
import type { SourceAddress } from "./address.ts";
import { openDatabase, type SourceDatabase, type SourceTools } from "./database.ts";

/** Null: not given. Paths are as they were typed. */
export type SourceGiven = {
  readonly system: SourceSystem;
  /** `--dsn`, `--dsn-stdin` or IMPORT_DSN. */
  readonly address: SourceAddress | null;
  /** `--file`: a list, an export, or a database of SQLite. */
  readonly file: string | null;
  /** `--textures`: the folder of skins, or of all textures. */
  readonly textures: string | null;
  /** `--capes-dir`. */
  readonly capes: string | null;
  /** `--launchserver`: GravitLauncher's `LaunchServer.json`. */
  readonly launchServer: string | null;
  /** `--env`: the other system's own settings: Blessing's `.env`, AuthMe's `config.yml`. */
  readonly env: string | null;
  /** `--prefix`: what the names of all tables begin with. */
  readonly prefix: string | null;
  /** `--table`. */
  readonly table: string | null;
  /** `--time-zone`: where times without a zone were written, as `Europe/Moscow`. */
  readonly timeZone: string | null;
};

/** Opens a source. Fails with a sentence that names cause and cure. */
export type OpenSource = (given: SourceGiven, tools: SourceTools) => Promise<ImportSource>;

/** Opens the database that was given: `--file` as one of SQLite, else the one of the address. */
export function openGivenDatabase(
  { system, address, file }: SourceGiven,
  tools: SourceTools,
): Promise<SourceDatabase> {
  // An address may be left in the environment, a file never is.
  if (file !== null) return openDatabase({ engine: "sqlite", path: file }, tools);
  if (address !== null) return openDatabase(address, tools);
  throw new PlainError(
    "invalid",
    `${system} needs its database: --dsn for one of a server, or --file for one of SQLite`,
  );
}

/** Fails with invalid for a file of H2, which only Java reads. */
export function refuseH2({ file }: SourceGiven): void {
  if (file === null || !/\.(?:mv|h2)\.db$/i.test(file)) return;
  const rule =
    "it is a database of H2, which only Java can read; export it to a CSV file (docs/move/sign-in-plugins.md)";
  throw new PlainError("invalid", `${file}: ${rule}`);
}
