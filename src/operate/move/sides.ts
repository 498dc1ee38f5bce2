/** The two sides of a move. Each engine opens one. */
import type { Secret } from "../../boot/secrets.ts";
import type { KeyStore } from "../../domain/ports/key-store.ts";
import type { TableSource, TableTarget } from "../../domain/ports/table-copy.ts";

/** The community that is moved. It is only read. */
export type SourceSide = AsyncDisposable & {
  /** A name for people, without a password. */
  readonly name: string;
  readonly tables: TableSource;
  readonly keys: KeyStore;
  /** Signs its sessions and makes its codes. */
  readonly jwt: Secret;
  /** Fails with conflict while a server or node works with it. */
  readonly refuseUse: () => Promise<void>;
};

/** Where it goes. */
export type TargetSide = AsyncDisposable & {
  readonly name: string;
  /**
   * Fails with conflict for a place that holds anything but the unfinished move of this community. Changes
   * nothing.
   */
  readonly check: (community: string) => Promise<void>;
  /** Prepares the place, or continues an unfinished move. */
  readonly begin: (
    community: string,
  ) => Promise<{ readonly tables: TableTarget; readonly isContinued: boolean }>;
  /** After `begin`. */
  readonly keys: () => Promise<KeyStore>;
  /** Everything is there and was compared: from now on it can be served. */
  readonly finish: (community: string, jwt: Secret) => Promise<void>;
};
