import type { Pages } from "../domain/accounts/pages.ts";
import type { Setup } from "../domain/members/set-up.ts";
import type { CodeSending } from "../domain/accounts/issue-code.ts";
import type { SubscriptionNames } from "../domain/accounts/subscription.ts";
import type { PasswordThrottle } from "../domain/game/password-throttle.ts";
import type { CheckResult } from "../domain/health/check-result.ts";
import type { Readiness } from "../domain/health/readiness.ts";
import type { Look } from "../domain/mail/html-parts.ts";
import type { MailTexts } from "../domain/mail/templates.ts";
import type { Arrival } from "../domain/limits/address-limit.ts";
import type { RateLimits } from "../domain/limits/rate-limits.ts";
import type { Installation } from "../domain/model/installation.ts";
import type { ServiceToken } from "../domain/model/service-token.ts";
import type { BlobStore } from "../domain/ports/blob-store.ts";
import type { JoinStore } from "../domain/ports/join-store.ts";
import type { PasswordHasher } from "../domain/ports/password-hasher.ts";
import type { LaunchKey } from "../domain/ports/launch-key.ts";
import type { OnEvents } from "../domain/ports/event-store.ts";
import type { ChangeFeed } from "../domain/ports/change-feed.ts";
import type { TextureImporter } from "../domain/ports/pictures.ts";
import type { StorageProbe } from "../domain/ports/storage-probe.ts";
import type { Reads } from "../domain/ports/stores.ts";
import type { Transact } from "../domain/ports/unit-of-work.ts";
import type { TokenActivity } from "../domain/services/token-activity.ts";
import type { SessionActivity } from "../domain/sessions/activity.ts";
import type { DummyHash } from "../domain/sessions/dummy-hashes.ts";
import type { Client } from "../domain/sessions/open-session.ts";
import type { KeyedHash, LoginStates } from "../domain/social/login-states.ts";
import type { SocialProviders } from "../domain/social/provider.ts";
import type { Signer } from "../domain/ports/signer.ts";
import type { Certificates } from "../domain/game/certificate.ts";
import type { Profiles } from "../domain/game/profile.ts";
import type { DefaultSkins } from "../domain/textures/pictures.ts";
import type { Pictures } from "../domain/textures/pictures.ts";
import type { AccountId } from "../kernel/ids.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Waiter } from "../kernel/waiters.ts";
import type { Logger } from "../kernel/log.ts";
import type { Answers } from "./answers.ts";
import type { FailureLog } from "./request-log.ts";
import type { AttemptBy, UploadGuard } from "./admission.ts";
import type { ConsoleParts } from "./console/parts.ts";
import type { EventPace, EventStreams } from "./events/streams.ts";
import type { Cookies } from "./cookies.ts";
import type { LoggedRequests } from "./observe.ts";
import type { OwnPages } from "./own-pages.ts";
import type { RequestContexts } from "./request-context.ts";
import type { ProtocolName } from "./protocol-names.ts";
import type { ResponseCache } from "./response-cache.ts";
import type { Surface } from "./surface.ts";
import type { ReadClaims, Tokens } from "./tokens.ts";

/** What the HTTP side is made of. */
export type AppDeps = {
  readonly reads: Reads;
  /** What the node asks to know how it does: see `Engine`. */
  readonly looks: Pick<Reads, "outbox">;
  readonly transact: Transact;
  readonly clock: Clock;
  readonly log: Logger;
  readonly logRequests: LoggedRequests;
  readonly storage: StorageProbe;
  /** Aborts when the server has the signal to stop. */
  readonly stopping: AbortSignal;
  /** Seconds for which a CDN may keep pictures of heads and bodies; 0: as browsers. */
  readonly pictureMaxAge: number;
  /** What a check of the running server finds, remembered for a while. */
  readonly checks: () => Promise<readonly CheckResult[]>;
  readonly activity: SessionActivity;
  /** What administrators are shown of the settings and of the start. */
  readonly installation: () => Promise<Installation>;
  readonly tokenActivity: TokenActivity;
  readonly hasher: PasswordHasher;
  readonly setup: Setup;
  readonly codes: CodeSending;
  readonly limits: RateLimits;
  readonly blobs: BlobStore;
  readonly importer: TextureImporter;
  readonly pictures: Pictures;
  readonly defaults: DefaultSkins;
  readonly signer: Signer;
  readonly changes: ChangeFeed;
  readonly onEvents: OnEvents;
  readonly rules: { readonly skinWidthMax: number; readonly bytesMax: number; readonly wardrobeMax: number };
  readonly usernamePattern: RegExp;
  readonly playerRules: { readonly max: number; readonly uuids: "random" | "offline" };
  /** The protocols that are on. */
  readonly protocols: ReadonlySet<ProtocolName>;
  /** The key of the operator's launch server, which may upload for players; null: it may not. */
  readonly launchKey: LaunchKey | null;
  /** The part of the address by which an AuroraLauncher server is known; null: there is none. */
  readonly auroraSecret: string | null;
  readonly gameRules: {
    /** The name that launchers show; null: the community's. */
    readonly serverName: string | null;
    /** Hosts of textures beside that of the public URL. */
    readonly skinDomains: readonly string[];
    /** The shortest time between two sign-ins of an account by launchers; 0: none. */
    readonly passwordIntervalMs: number;
    /** Whether a player who joins must have the address that the game server asks for, where it asks. */
    readonly checksAddress: boolean;
  };
  readonly throttle: PasswordThrottle;
  readonly dummyHash: DummyHash;
  readonly joins: JoinStore;
  readonly nameHoldSeconds: number;
  readonly renameSeconds: number;
  readonly uniformAnswers: boolean;
  readonly providers: SocialProviders;
  readonly loginStates: LoginStates;
  readonly connectionHash: KeyedHash;
  readonly bareCodes: boolean;
  /** The texts of mails, the operator's among them. */
  readonly mailTexts: MailTexts;
  readonly subscriptions: SubscriptionNames;
  /** The service token that is a setting, if there is one. */
  readonly settingTokens: readonly ServiceToken[];
  /** Base of our own addresses. */
  readonly publicUrl: () => string;
  /** The origin of the setting PUBLIC_URL; null where it is not set. */
  readonly ownOrigin: string | null;
  /** Base of the website's pages. */
  readonly siteUrl: () => string;
  /** The colours of mails and of the pages behind their links. */
  readonly look: Look;
  /** The community's name on pages; null: the host of the website. */
  readonly communityName: string | null;
  /** The web console; null: it is off, and its addresses are unknown ones. */
  readonly console: ConsoleParts | null;
  /** Web pages that may use the API; `*` for all of them. */
  readonly corsOrigins: readonly string[];
  /** The release, as the API's document names it. */
  readonly version: string;
  /** The client's address, behind trusted proxies too. */
  readonly clientAddress: (request: Request) => string;
  /** Has the connection of a request end after so many seconds without traffic; 0: never. */
  readonly idleAfter: (request: Request, seconds: number) => void;
  /** The key of session tokens and the name of their issuer. */
  readonly jwt: { readonly secret: string; readonly issuer: string };
  /** What tests hurry. */
  readonly eventPace?: Partial<EventPace>;
  /** Surfaces beside the API and the pages. */
  readonly surfaces?: readonly ((parts: Parts) => Surface)[];
};

/** What the surfaces share: all of the above, and what the app makes of it once. */
export type Parts = AppDeps & {
  readonly tokens: Tokens;
  readonly claimsOf: ReadClaims;
  readonly ownPages: OwnPages;
  readonly cookies: Cookies;
  readonly contexts: RequestContexts;
  readonly logFailure: FailureLog["write"];
  /** How a request counts, on a route behind `arriveByAddress`. */
  readonly arrivalOf: (request: Request) => Arrival;
  /** Records the sender of a request for its line in the log. */
  readonly noteUser: (request: Request, user: AccountId | string) => void;
  /** The client that opens a session by a request. */
  readonly clientOf: (request: Request) => Client;
  readonly attemptBy: AttemptBy;
  readonly uploadGuard: UploadGuard;
  readonly answers: Answers;
  readonly responseCache: ResponseCache;
  readonly eventStreams: EventStreams;
  readonly profiles: Profiles;
  readonly certificates: Certificates;
  /** The client that waits for the answer to a request. */
  readonly waiterOf: (request: Request) => Waiter;
  /** The website's pages, which `url` values and the links in mails lead to. */
  readonly pages: () => Pages;
  readonly readiness: () => Promise<Readiness>;
};
