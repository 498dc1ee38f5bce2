import type { SessionId, Uuid } from "../../kernel/ids.ts";

/** A player on the way to a game server, which asks for it within half a minute. */
export type Join = {
  readonly player: Uuid;
  /** The player's name when it joined. */
  readonly name: string;
  /** What the game and the game server agreed upon; a secret of the two. */
  readonly serverId: string;
  /** The address that the player's game joined from. */
  readonly address: string;
  /** The session that it joined through. */
  readonly session: SessionId;
};

/** Players on their way. Every process that answers for the same community must see the same ones. */
export interface JoinStore {
  /** Keeps a join for `limits.joinSeconds`, in place of an earlier one of the player. */
  keep(join: Join): Promise<void>;
  /** The player's join, if it is still kept. Finding it does not use it up. */
  find(player: Uuid): Promise<Join | null>;
}
