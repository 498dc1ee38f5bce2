import type { TextureHash, Uuid } from "../../kernel/ids.ts";
import type { SkinModel } from "./texture.ts";

/** What can happen to players and accounts (docs/contract/service.md#events). */
export type EventType =
  | "player.created"
  | "player.renamed"
  | "player.deleted"
  | "player.textures"
  | "account.deleted"
  | "account.suspended"
  | "account.restored"
  | "community.imported";

/**
 * What an event's type has beside id, time and type. Holds no address and no secret: every service may see
 * it.
 */
export type EventBody = {
  /**
   * The player that it is about, as of then; of an account: its main player. Missing for
   * `community.imported`.
   */
  readonly player?: { readonly uuid: Uuid; readonly name: string };
  /** For `community.imported`: how many players came in from another system. */
  readonly players?: number;
  /** For `player.renamed`: the former name. */
  readonly previous?: string;
  /** For `account.suspended`: Unix seconds; null: without an end. */
  readonly until?: number | null;
  /** For the types of accounts: the account's own UUID. */
  readonly account?: { readonly uuid: Uuid };
  /** For `player.textures`: what the player shows now; null: nothing. */
  readonly skin?: { readonly hash: TextureHash; readonly model: SkinModel } | null;
  readonly cape?: { readonly hash: TextureHash } | null;
};

/** An entry of the log of events. Ids grow; one is missing where a later event has replaced it. */
export type LoggedEvent = EventBody & {
  readonly id: number;
  /** Unix seconds. */
  readonly at: number;
  readonly type: EventType;
};
