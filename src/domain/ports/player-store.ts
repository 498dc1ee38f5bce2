import type { AccountId, PlayerId, SkinId, Uuid } from "../../kernel/ids.ts";
import type { OwnCape, Player } from "../model/account.ts";

/** A name that was given up. Until then (Unix seconds) only this account may take it. */
export type NameHold = {
  readonly accountId: AccountId;
  readonly heldUntil: number;
  /** The player that had it, which may be gone; null: not known. */
  readonly playerId: PlayerId | null;
};

/**
 * Names a player: by its number, its uuid (or, for the main player, its account's), or its name in the form
 * of `nameKey`.
 */
export type PlayerLookKey =
  | { readonly by: "id"; readonly value: PlayerId }
  | { readonly by: "uuid"; readonly value: Uuid }
  | { readonly by: "name"; readonly value: string };

/** A player, and the UUIDs of what it shows; null for nothing. */
export type PlayerLook = {
  readonly player: Player;
  /** Whether it stands for its account. */
  readonly isMain: boolean;
  readonly skin: Uuid | null;
  /** The cape that it shows: its own one, or the one linked to its skin. */
  readonly cape: Uuid | null;
  /** The granted cape of its own; null for "as-skin" and "none". */
  readonly ownCape: Uuid | null;
};

/** The uuid that a row has for servers without authentication; null where a release before wrote the row. */
export type StoredOfflineUuid = Pick<Player, "id" | "name"> & { readonly offlineUuid: Uuid | null };

/** What is read of players. */
export interface PlayerReads {
  /** The account's players, the oldest first. */
  list(account: AccountId): Promise<readonly Player[]>;
  /** The account's players with what they show, the main one first, then the oldest. */
  listLooks(account: AccountId): Promise<readonly PlayerLook[]>;
  /** All players by ascending number, after one (null: from the first on). */
  listAll(page: { readonly after: PlayerId | null; readonly rows: number }): Promise<readonly PlayerLook[]>;
  /** The player that the key names; null when there is none. */
  findLook(key: PlayerLookKey): Promise<PlayerLook | null>;
  /**
   * The players with these names (in the form of `nameKey`), each once. For a few names, which one statement
   * finds.
   */
  listNamed(nameKeys: readonly string[]): Promise<readonly Pick<Player, "uuid" | "name">[]>;
  /** How many players the account has. */
  count(account: AccountId): Promise<number>;
  /** Whether a uuid belongs to any player, or belongs or belonged to another account or its player. */
  isUuidUsed(uuid: Uuid, account: AccountId): Promise<boolean>;
  /** The hold on a name (in the form of `nameKey`); null when the name is not held. */
  findNameHold(nameKey: string): Promise<NameHold | null>;
  /** The stored offline uuids of players by ascending number, after one (null: from the first on). */
  listOfflineUuids(page: {
    readonly after: PlayerId | null;
    readonly rows: number;
  }): Promise<readonly StoredOfflineUuid[]>;
  /** When the player's owner last renamed it, in Unix seconds; 0 for never. */
  lastRename(player: PlayerId): Promise<number>;
}

/**
 * A player that has no number, no skin and no cape yet, and shares none. Its name counts as chosen unless
 * `nameDerived` is set.
 */
export type NewPlayer = Omit<Player, "id" | "selectedSkinId" | "ownCape" | "nameDerived" | "sharesSkin"> &
  Partial<Pick<Player, "nameDerived">>;

/**
 * What is written of players. A name that is taken fails with conflict, in whatever case; so does the uuid of
 * another player or account. The store remembers the uuids of players that are gone or got another one. With
 * each name it writes the uuid that servers without authentication make from it.
 */
export interface PlayerStore extends PlayerReads {
  /** Adds a player to its account. The first one becomes the main player. */
  insertPlayer(player: NewPlayer): Promise<Player>;
  /** Gives a player the name that was chosen for it. */
  renamePlayer(player: PlayerId, name: string): Promise<void>;
  /** Writes the offline uuids of players that still have these names. */
  writeOfflineUuids(players: readonly Pick<Player, "id" | "name">[]): Promise<void>;
  /** Notes that the player's owner renames it at this time (Unix seconds). */
  noteRename(player: PlayerId, at: number): Promise<void>;
  /** Gives a player another uuid. */
  setUuid(player: PlayerId, uuid: Uuid): Promise<void>;
  /**
   * Removes a player and, with it, the sessions that are bound to it. An account whose main player goes has
   * no main player.
   */
  deletePlayer(player: PlayerId): Promise<void>;
  /** Makes the player wear a skin; null: no skin. */
  selectSkin(player: PlayerId, skin: SkinId | null): Promise<void>;
  /** Makes the player wear a cape of its own, no cape, or the one that its skin says. */
  wearCape(player: PlayerId, cape: OwnCape): Promise<void>;
  /** Lets others wear the skin that the player shows, or no longer. */
  shareSkin(player: PlayerId, isShared: boolean): Promise<void>;
  /** Holds a name for its former owner, replacing an older hold. */
  holdName(nameKey: string, hold: NameHold): Promise<void>;
  /** Deletes the account's holds except for the `kept` ones that last longest. */
  dropHolds(owner: AccountId, kept: number): Promise<void>;
  /** Deletes a hold, because its owner has taken the name back. */
  releaseName(nameKey: string): Promise<void>;
  /** Deletes the holds that ended before the time given. */
  deleteExpiredHolds(before: number): Promise<void>;
}
