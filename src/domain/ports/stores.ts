import type { AccountReads, AccountStore } from "./account-store.ts";
import type { AliasReads, AliasStore } from "./alias-store.ts";
import type { AuditReads, AuditStore } from "./audit-store.ts";
import type { ClaimReads } from "./claim-store.ts";
import type { CodeReads, CodeStore } from "./code-store.ts";
import type { DayReads, DayStore } from "./day-store.ts";
import type { OutboxReads, OutboxStore } from "./outbox-store.ts";
import type { PlayerReads, PlayerStore } from "./player-store.ts";
import type { ServiceTokenReads, ServiceTokenStore } from "./service-token-store.ts";
import type { SessionReads, SessionStore } from "./session-store.ts";
import type { EventReads, EventStore } from "./event-store.ts";
import type { IdentityReads, IdentityStore } from "./identity-store.ts";
import type { SuspensionReads, SuspensionStore } from "./suspension-store.ts";
import type { TextureReads, TextureStore } from "./texture-store.ts";
import type { ImportReads, ImportStore } from "./import-store.ts";
import type { WebhookReads, WebhookStore } from "./webhook-store.ts";

/** Everything that can be read outside a transaction; sees only what is committed. */
export type Reads = {
  readonly accounts: AccountReads;
  readonly players: PlayerReads;
  readonly aliases: AliasReads;
  readonly claims: ClaimReads;
  readonly sessions: SessionReads;
  readonly suspensions: SuspensionReads;
  readonly textures: TextureReads;
  readonly codes: CodeReads;
  readonly outbox: OutboxReads;
  readonly identities: IdentityReads;
  readonly serviceTokens: ServiceTokenReads;
  readonly audit: AuditReads;
  readonly events: EventReads;
  readonly webhooks: WebhookReads;
  readonly days: DayReads;
  readonly imports: ImportReads;
};

/** Everything that a transaction can read and write. */
export type Stores = {
  readonly accounts: AccountStore;
  readonly players: PlayerStore;
  readonly aliases: AliasStore;
  readonly claims: ClaimReads;
  readonly sessions: SessionStore;
  readonly suspensions: SuspensionStore;
  readonly textures: TextureStore;
  readonly codes: CodeStore;
  readonly outbox: OutboxStore;
  readonly identities: IdentityStore;
  readonly serviceTokens: ServiceTokenStore;
  readonly audit: AuditStore;
  readonly events: EventStore;
  readonly webhooks: WebhookStore;
  readonly days: DayStore;
  readonly imports: ImportStore;
};

/**
 * Runs the work as one transaction: it alone writes meanwhile, and all of it is kept (on disk before the
 * promise resolves) or, when it throws, nothing. The work may run more than once; what an earlier run wrote
 * is rolled back. It may await, but must not begin a transaction of its own, which would wait for itself.
 * `actor` is a key of the source of the change: an engine that runs works again does so in a row for each
 * actor. Use cases ask for `Transact`, which is made of this.
 */
export type Atomically = <T>(work: (stores: Stores) => Promise<T>, actor?: string) => Promise<T>;
