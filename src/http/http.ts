import type { Pages } from "../domain/accounts/pages.ts";
import type { Arrival } from "../domain/limits/address-limit.ts";
import type { MailColours } from "../domain/mail/html-parts.ts";
import type { Installation } from "../domain/model/installation.ts";
import type { ChangeFeed } from "../domain/ports/change-feed.ts";
import type { LaunchKey } from "../domain/ports/launch-key.ts";
import type { Client } from "../domain/sessions/open-session.ts";
import type { AccountId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/log.ts";
import type { Waiter } from "../kernel/waiters.ts";
import type { AttemptBy, UploadGuard } from "./admission.ts";
import type { Answers } from "./answers.ts";
import type { ConsoleParts } from "./console/parts.ts";
import type { Cookies } from "./cookies.ts";
import type { EventStreams } from "./events/streams.ts";
import type { Guards } from "./guards.ts";
import type { OwnPages } from "./own-pages.ts";
import type { ProtocolName } from "./protocol-names.ts";
import type { RequestContexts } from "./request-context.ts";
import type { FailureLog } from "./request-log.ts";
import type { ResponseCache } from "./response-cache.ts";
import type { ReadClaims, Tokens } from "./tokens.ts";

/** What surfaces share beside the services. */
export type Http = {
  readonly requests: Requests;
  readonly access: Access;
  readonly guards: Guards;
  readonly site: Site;
  readonly answers: Answers;
  readonly responseCache: ResponseCache;
  readonly eventStreams: EventStreams;
  readonly changes: ChangeFeed;
};

/** What is known of a request, of the client that sent it, and how it counts. */
export type Requests = {
  readonly contexts: RequestContexts;
  /** The client's address, behind trusted proxies too. */
  readonly clientAddress: (request: Request) => string;
  /** The client that opens a session by a request. */
  readonly clientOf: (request: Request) => Client;
  /** The client that waits for the answer to a request. */
  readonly waiterOf: (request: Request) => Waiter;
  /** How a request counts, on a route behind `arriveByAddress`. */
  readonly arrivalOf: (request: Request) => Arrival;
  readonly attemptBy: AttemptBy;
  readonly uploadGuard: UploadGuard;
  /** Records the sender of a request for its line in the log. */
  readonly noteUser: (request: Request, user: AccountId | string) => void;
  /** Has the connection of a request end after so many seconds without traffic; 0: never. */
  readonly idleAfter: (request: Request, seconds: number) => void;
  readonly logFailure: FailureLog["write"];
  readonly log: Logger;
};

/** How requests show whose they are: tokens, cookies, and our own pages. */
export type Access = {
  readonly tokens: Tokens;
  readonly claimsOf: ReadClaims;
  readonly ownPages: OwnPages;
  readonly cookies: Cookies;
};

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
  readonly console: ConsoleParts | null;
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
