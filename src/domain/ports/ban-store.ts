import type { TextureHash } from "../../kernel/ids.ts";
import type { ActorRecord } from "../model/actor.ts";
import type { ListPage } from "../model/list-page.ts";

/** A bitmap that no texture may have. */
export type TextureBan = {
  readonly id: number;
  readonly hash: TextureHash;
  /** The name of the actor who banned it. */
  readonly issuer: ActorRecord["name"];
  /** Unix seconds. */
  readonly createdAt: number;
  /** Empty when no reason was given. */
  readonly reason: string;
};

/** Reads of bans. */
export interface BanReads {
  findBan(hash: TextureHash): Promise<TextureBan | null>;
  /** Bans by ascending id. A search finds hashes that begin with it, and the ban with this id. */
  listBans(page: ListPage): Promise<readonly TextureBan[]>;
  /** How many bans `listBans` finds in all. */
  countBans(search: string | null): Promise<number>;
  /** The bitmaps among the newest `rows` bans that a wardrobe still holds. */
  listUnfinishedBans(rows: number): Promise<readonly TextureHash[]>;
}

/** Writes of bans. */
export interface BanStore extends BanReads {
  insertBan(ban: Omit<TextureBan, "id">): Promise<TextureBan>;
  deleteBan(hash: TextureHash): Promise<void>;
}
