import type { Clock } from "../../kernel/clock.ts";
import { languages, type Language } from "../model/mail.ts";
import type { BulkText } from "../ports/outbox-store.ts";
import type { Reads } from "../ports/stores.ts";
import { parseBulkText } from "./bulk-mail.ts";
import { composeMail, type ComposedMail } from "./compose.ts";
import type { MailColours } from "./html.ts";
import type { MailTexts } from "./templates.ts";

/** A mail to everybody as readers of one language would get it, and their number. */
export type LanguagePreview = ComposedMail & { readonly language: Language; readonly recipients: number };

/**
 * Shows a mail to everybody in the frame of every language, as a reader of this name would get it, and how
 * many would get it now. Sends and changes nothing. Only administrators ask. Fails with invalid as
 * `postBulkMail` does.
 */
export async function previewBulkMail(
  deps: {
    readonly reads: Pick<Reads, "outbox">;
    readonly clock: Pick<Clock, "nowSeconds">;
    readonly mailTexts: MailTexts;
  },
  given: BulkText,
  reader: {
    readonly username: string;
    readonly unsubscribe: string;
    /** The community's name in mails. */
    readonly site: string;
    readonly look: MailColours;
    /** The page with the steps for launchers; null: there is none. */
    readonly play: string | null;
  },
): Promise<readonly LanguagePreview[]> {
  const { username, unsubscribe, ...frame } = reader;
  const mail = { template: "bulk", ...parseBulkText(given), username, unsubscribe } as const;
  const readers = await deps.reads.outbox.countBulkReaders(deps.clock.nowSeconds());
  return languages.map((language) => ({
    language,
    recipients: readers.get(language) ?? 0,
    ...composeMail(deps.mailTexts, { to: username, language, ...frame, mail }),
  }));
}
