/** Where a setting has its value from, the nearest first. */
export type SettingSource = "flag" | "environment" | "file";

/**
 * What restarts a server: a terminal's user, npm in a terminal, systemd, a container engine, or something
 * that is not known.
 */
export type Restarter = "terminal" | "npm" | "systemd" | "container" | "unknown";

/** How a server was started: what the person who runs it has to type. */
export type Start = {
  /** The program as it was started: `npx bun src/main.ts`, `/usr/local/bin/cloakroom`. */
  readonly command: string;
  /** Absolute path of the folder in which it was started. */
  readonly folder: string;
  /** `command`: what restarts it; null: there is no one command for that. */
  readonly restart: { readonly by: Restarter; readonly command: string | null };
};

/** What administrators need to know to change settings. It contains no value of a setting but paths. */
export type Installation = Start & {
  /** The file that settings go into, as it is now. */
  readonly settingsFile: {
    readonly path: string;
    readonly isThere: boolean;
    /** Whether it was changed since the start, so that a restart is due. */
    readonly isChanged: boolean;
    /** Why the next start refuses it: one line or several each, without secrets. */
    readonly faults: readonly string[];
  };
  /** The settings that are given: by flags and environment at the start, by the file now. */
  readonly settings: readonly { readonly name: string; readonly from: SettingSource }[];
  /**
   * The flags with which every command finds the same file and settings: ` --data-dir /srv/skins`, with a
   * leading blank. Empty if it needs no flags.
   */
  readonly options: string;
};
