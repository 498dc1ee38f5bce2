import type { Pages } from "../domain/accounts/pages.ts";
import type { MailColours } from "../domain/mail/html.ts";
import type { Installation } from "../domain/model/installation.ts";
import type { LaunchKey } from "../domain/ports/launch-key.ts";
import type { ConsoleSettings } from "./console/settings.ts";
import type { ProtocolName } from "./protocol-names.ts";

/** What the operator has set up, as requests find it. */
export type Site = {
  /** Base of our own addresses. */
  readonly publicUrl: () => string;
  /** The origin of the setting PUBLIC_URL; null where it is not set. */
  readonly ownOrigin: string | null;
  /** Base of the website's pages. */
  readonly siteUrl: () => string;
  /** The website's pages, which `url` values and the links in mails lead to. */
  readonly pages: () => Pages;
  /** The community's name on pages; null: the host of the website. */
  readonly communityName: string | null;
  /** The colours of mails and of the pages behind their links. */
  readonly colours: MailColours;
  /** The web console; null: it is off, and its addresses are unknown ones. */
  readonly console: ConsoleSettings | null;
  /** The protocols that are on. */
  readonly protocols: ReadonlySet<ProtocolName>;
  /** The key of the operator's launch server, which may upload for players; null: it may not. */
  readonly launchKey: LaunchKey | null;
  /** The part of the address by which an AuroraLauncher server is known; null: there is none. */
  readonly auroraSecret: string | null;
  /** Web pages that may use the API; `*` for all of them. */
  readonly corsOrigins: readonly string[];
  /** Seconds for which a CDN may keep pictures of heads and bodies; 0: as browsers. */
  readonly pictureMaxAge: number;
  /** The release, as the API's document names it. */
  readonly version: string;
  /** What administrators are shown of the settings and of the start. */
  readonly installation: () => Promise<Installation>;
};
