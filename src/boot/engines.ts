/** The one place where the engine is chosen. What the settings do not ask for is not loaded. */
import { join } from "node:path";
import type { Standbys } from "../adapters/postgres/connections/standbys.ts";
import { keyFiles } from "../adapters/data-folder/key-files.ts";
import type { DatabaseSizes } from "../adapters/sqlite/database.ts";
import type { MigrationReport } from "../adapters/sqlite/migrate.ts";
import { serveFolder } from "../adapters/sqlite/folder-lock.ts";
import { leadAlone } from "../adapters/sqlite/leadership.ts";
import type { Engine, Rerun } from "../domain/ports/engine.ts";
import type { KeyStore } from "../domain/ports/key-store.ts";
import type { Leadership, Upkeep } from "../domain/ports/leadership.ts";
import { systemClock, type Clock } from "../kernel/clock.ts";
import type { AppError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/log.ts";
import type { Config, LoadedConfig } from "./config.ts";
import { enterDataFolder, makeDataFolder, migrateEntered, type DataFolder } from "./data-folder.ts";
import { replaceKeptSecret, type Secret } from "./secrets.ts";
import { stateOfProcess, type SharedState } from "./shared-state.ts";

export type { MigrationReport };

/** The database, brought up to date and open, and what is kept beside its rows. */
export type OpenedEngine = AsyncDisposable & {
  readonly engine: Engine;
  /** What was done to the database when it was opened. */
  readonly migrated: MigrationReport;
  /** Bytes on disk; null where the database is another machine's. */
  readonly databaseSizes: () => DatabaseSizes | null;
  readonly keys: KeyStore;
  readonly leadership: Leadership;
  /** How the connections to another machine's database do; null where there are none. */
  readonly databaseStatistics: () => DatabaseStatistics | null;
  /** The standbys of the database; null where the server knows no standbys. Fails with unavailable. */
  readonly standbys: () => Promise<Standbys | null>;
  readonly shared: SharedState;
  /** What the leader does for the engine. */
  readonly upkeep: readonly Upkeep[];
  /**
   * Replaces the JWT secret, and seals the sealed keys with the new one. Resolves to the names of these keys.
   * Fails with conflict while a server runs.
   */
  readonly replaceSecret: (next: Secret) => Promise<readonly string[]>;
};

/** Counted by this process since its start. */
export type DatabaseStatistics = {
  readonly node: string;
  /** How many of the settings that must be equal on all nodes differ between running nodes. */
  readonly differingSettings: number;
  /** Keys are what the connections are for. */
  readonly connections: Readonly<
    Record<string, { readonly open: number; readonly inUse: number; readonly waiting: number }>
  >;
  readonly transactions: {
    readonly commits: number;
    /** Runs after the first one, by the reason. */
    readonly repeats: Readonly<Record<string, number>>;
    readonly givenUp: number;
    /** Commits without an answer. */
    readonly unknown: number;
  };
  /** How many servers take writes, whether the one in use is read-only, and which part of it is damaged. */
  readonly servers: {
    readonly writers: number;
    readonly isReadOnly: boolean;
    readonly damage: string | null;
  };
  readonly feedLagSeconds: number;
  /** How far this machine's clock is ahead of the database's. */
  readonly clockAheadSeconds: number;
};

/** A server that goes on, unlike a command. */
export type Serving = {
  /** Its name among the nodes. */
  readonly node: string;
  readonly log: Logger;
  /** See `LoadedConfig`. */
  readonly digests: LoadedConfig["digests"];
  /** The server must end: the database is another community's or has another secret. */
  readonly onForeign: (reason: AppError) => void;
  /** Aborts at the signal to stop: what waits for the database gives up. */
  readonly stopping: AbortSignal;
};

export type EngineOptions = {
  /** Null: the machine's, or the database's. */
  readonly clock: Clock | null;
  /** Whether works run again, in tests. */
  readonly rerun?: Rerun | undefined;
  /** Null for a command, which no other node sees. */
  readonly serving: Serving | null;
};

/** Opens the database that the settings name, bringing it up to date first, and enters the data folder. */
export async function openEngine(
  config: Config,
  folder: DataFolder,
  options: EngineOptions,
): Promise<OpenedEngine> {
  if (config.database === null) return openSqlite(config, folder, options);
  await makeDataFolder(folder);
  const { openPostgresEngine } = await import("./postgres-engine.ts");
  return openPostgresEngine(config, config.database, options);
}

/** What commands do with PostgreSQL. */
export function postgresTools() {
  return import("./postgres-tools.ts");
}

/** The keys of an installation whose database is in the data folder. */
export function keysOfFolder(dataDir: string): KeyStore {
  return keyFiles(join(dataDir, "secrets"));
}

async function openSqlite(
  config: Config,
  folder: DataFolder,
  { clock: given, rerun, serving }: EngineOptions,
): Promise<OpenedEngine> {
  const clock = given ?? systemClock;
  await using opened = new AsyncDisposableStack();
  opened.use(await enterDataFolder(folder));
  const migrated = migrateEntered(folder, serving === null ? "command" : "server");
  // Commands that open no database do without its statements, which take a third of their start.
  const { openDatabase } = await import("../adapters/sqlite/database.ts");
  const database = opened.use(openDatabase(folder.database, { clock, ...(rerun && { rerun }) }));
  const keys = keysOfFolder(folder.path);
  const closing = opened.move();
  return {
    engine: database,
    migrated,
    databaseSizes: database.sizes,
    keys,
    leadership: leadAlone(database.atomically),
    databaseStatistics: () => null,
    standbys: async () => null,
    shared: stateOfProcess(config, clock),
    upkeep: [],
    replaceSecret: async (next) => {
      using _alone = serveFolder(folder.path);
      await replaceKeptSecret(keys, next);
      return [];
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
