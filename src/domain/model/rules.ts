import type { UuidRule } from "./player-uuid.ts";

/** What the operator's settings allow, by subject. */
export type Rules = {
  readonly accounts: AccountRules;
  readonly names: NameRules;
  readonly players: PlayerRules;
  readonly game: GameRules;
  readonly textures: WardrobeRules;
};

/** How accounts end. */
export type AccountRules = {
  /**
   * How long an account stays after its owner asked for its deletion, which they may take back; 0: not at
   * all.
   */
  readonly deleteSeconds: number;
};

/** What names must keep to. */
export type NameRules = {
  readonly pattern: RegExp;
  /** How long a name that was given up is held for its account. */
  readonly holdSeconds: number;
  /** How long a player keeps a name before it may take another one. */
  readonly renameSeconds: number;
};

/** What the players of an account must keep to. */
export type PlayerRules = {
  /** How many players an account may have. */
  readonly max: number;
  readonly uuids: UuidRule;
};

/** How games and launchers meet the server. */
export type GameRules = {
  /** The name that launchers show; null: the community's. */
  readonly serverName: string | null;
  /** Hosts of textures besides the public URL's. */
  readonly skinDomains: readonly string[];
  /** The shortest time between two sign-ins of an account by launchers; 0: any. */
  readonly passwordIntervalMs: number;
  /** Whether a joining player must have the address that the game server asks for, if it asks for one. */
  readonly checksAddress: boolean;
};

/** What the textures that members upload must keep to. */
export type WardrobeRules = {
  readonly skinWidthMax: number;
  readonly bytesMax: number;
  readonly wardrobeMax: number;
};
