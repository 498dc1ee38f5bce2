import type { AccountId, PlayerId, SkinId } from "../../kernel/ids.ts";
import type { Player } from "../model/account.ts";

/** A name that was given up. Until then (Unix seconds) only this account may take it. */
export type NameHold = { readonly accountId: AccountId; readonly heldUntil: number };

/** What is read of players. */
export interface PlayerReads {
  /** The account's players, the oldest first. */
  list(account: AccountId): Promise<readonly Player[]>;
  /** The hold on a name (in the form of `nameKey`); null when the name is not held. */
  findNameHold(nameKey: string): Promise<NameHold | null>;
  /** When the player's owner last renamed it, in Unix seconds; 0 for never. */
  lastRename(player: PlayerId): Promise<number>;
}

/** A player that has no number, no skin and no cape yet. Its name counts as chosen unless `nameDerived` is set. */
export type NewPlayer = Omit<Player, "id" | "selectedSkinId" | "ownCape" | "nameDerived"> &
  Partial<Pick<Player, "nameDerived">>;

/** What is written of players. A name that is taken fails with conflict, in whatever case. */
export interface PlayerStore extends PlayerReads {
  /** Adds a player to its account. The first one becomes the main player. */
  insertPlayer(player: NewPlayer): Promise<Player>;
  /** Gives a player the name that was chosen for it. */
  renamePlayer(player: PlayerId, name: string): Promise<void>;
  /** Notes that the player's owner renames it at this time (Unix seconds). */
  noteRename(player: PlayerId, at: number): Promise<void>;
  /** Makes the player wear a skin; null: none. */
  selectSkin(player: PlayerId, skin: SkinId | null): Promise<void>;
  /** Holds a name for its former owner, replacing an older hold. */
  holdName(nameKey: string, owner: AccountId, heldUntil: number): Promise<void>;
  /** Deletes the account's holds except for the `kept` ones that last longest. */
  dropHolds(owner: AccountId, kept: number): Promise<void>;
  /** Deletes a hold, because its owner has taken the name back. */
  releaseName(nameKey: string): Promise<void>;
  /** Deletes the holds that ended before the time given. */
  deleteExpiredHolds(before: number): Promise<void>;
}
