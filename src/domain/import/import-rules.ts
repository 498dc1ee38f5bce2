import type { UuidRule } from "../model/player-uuid.ts";
import type { Uuid } from "../../kernel/ids.ts";

/** What the operator decided for an import, and the settings that it keeps to. */
export type ImportRules = {
  /** What the run is called in `import_runs` and `import_links`. */
  readonly sourceName: string;
  /** Only the first accounts come; null: all. */
  readonly limit: number | null;
  readonly onNameClash: "rename" | "skip" | "ask";
  readonly onBadName: "rename" | "skip" | "ask";
  readonly onMailClash: "drop" | "merge" | "skip" | "ask";
  readonly onNoMail: "keep" | "skip";
  /** Whether addresses that were not verified there count as verified. */
  readonly trustsMail: boolean;
  readonly uuid: "keep" | "offline" | "random";
  /** UUIDs by the key of a name, for players that have none there. */
  readonly uuids: ReadonlyMap<string, Uuid>;
  readonly onUuidClash: "ask" | "skip";
  readonly onNoPlayer: "keep" | "skip";
  readonly staff: "drop" | "keep";
  readonly onSuspended: "keep" | "skip";
  /** Whether a skin that is too wide is made smaller. */
  readonly downscales: boolean;
  /** Whether only the newest skins come of a wardrobe that is over its limit. */
  readonly wardrobeNewest: boolean;
  readonly capes: "keep" | "skip";
  readonly takesFactors: boolean;
  /** The kind of the passwords whose form several kinds have; null: not said. */
  readonly passwordKind: string | null;
  /** Whether what changed there since the last run comes over. */
  readonly updates: boolean;
  readonly settings: {
    readonly namePattern: RegExp;
    readonly playerUuids: UuidRule;
    readonly skinWidthMax: number;
    readonly bytesMax: number;
    readonly wardrobeMax: number;
    /** The issuer of the OpenID Connect provider; null: there is none. */
    readonly oidcIssuer: string | null;
  };
};
