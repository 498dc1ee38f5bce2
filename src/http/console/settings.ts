import type { AccentColours } from "../../domain/model/accent.ts";
import type { ConsoleFiles } from "./files.ts";

/** What the console has beside what all surfaces share. */
export type ConsoleSettings = {
  /** Reads or makes the console's files at the first call. */
  readonly openFiles: () => Promise<ConsoleFiles>;
  /** What the community says of itself; null: nothing. */
  readonly text: string | null;
  /** Where else it is. https. */
  readonly links: readonly { readonly label: string; readonly url: string }[];
  /** Its logo as PNGs: for pages, and of 180x180 pixels for home screens. Null: it has none. */
  readonly logo: {
    readonly picture: Uint8Array<ArrayBuffer>;
    readonly touchIcon: Uint8Array<ArrayBuffer>;
  } | null;
  /** Its colour; null: that of the pages' own style. */
  readonly accent: AccentColours | null;
  /** Whether mails are sent to a mail server. */
  readonly hasMail: boolean;
};
