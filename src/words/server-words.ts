import type { Templates } from "../domain/mail/templates.ts";
import type { Words } from "./en/pages.ts";
import type { StaffWords } from "./en/staff-pages.ts";
import type { MailPageWords } from "./mail-pages.ts";
import type { PlayWords } from "./play.ts";
import type { RefusalWords } from "./refusals.ts";

/** Everything that the server says in a language. */
export type ServerWords = {
  readonly mails: Templates;
  readonly mailPages: MailPageWords;
  /** Null for English, in which failures are written. */
  readonly refusals: RefusalWords | null;
  /** Loaded with the first page in the language. */
  readonly served: () => Promise<ServedWords>;
};

/** What the server writes into pages of the console. */
export type ServedWords = {
  readonly noScript: string;
  /** On the page of a player, which shows everything else without scripts. */
  readonly noScriptPlayer: string;
  /** The picture of a player. */
  readonly figureOf: (player: string) => string;
  /** A player in the preview of a link. */
  readonly playerOf: (player: string, community: string) => string;
  readonly play: PlayWords;
  /** Words of the pages' scripts: for titles, and for pages that are read without scripts. */
  readonly pages: Words & Pick<StaffWords, "setup">;
};
