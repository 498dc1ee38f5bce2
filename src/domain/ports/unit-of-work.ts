import type { AccountId } from "../../kernel/ids.ts";
import type { Account } from "../model/account.ts";
import type { ActorRecord, system } from "../model/actor.ts";
import type { AuditAction } from "../model/audit-action.ts";
import type { AuditDetail } from "../model/audit-facts.ts";
import type { PersonalMail } from "../model/mail.ts";
import type { BulkCopy, MailId, OutboxStore } from "./outbox-store.ts";
import type { Reads, Stores } from "./stores.ts";

/**
 * The stores that rights are looked up in, at a time (Unix seconds): sessions with their members' levels, and
 * service tokens.
 */
export type RightReads = Pick<Reads, "sessions" | "serviceTokens"> & { readonly now: number };

/** Who makes a change, through what, and whether they still may. */
export type Actor = ActorRecord & {
  /**
   * Of a launch server: the account whose player it changes, and whose allowance for that it uses. It fails
   * for a suspended one.
   */
  readonly inNameOf?: AccountId;
  /**
   * Looks the actor's right up again. Resolves to the actor, whose name may have changed; undefined for one
   * that never changes. Fails with unauthenticated or forbidden once the right was taken away.
   */
  readonly check: (reads: RightReads) => Promise<ActorRecord | undefined>;
};

/** What a use case works with inside its transaction: the stores, the time, the audit and the outbox. */
export type Tx = Omit<Stores, "audit" | "outbox"> & {
  readonly outbox: Omit<OutboxStore, "insertMail">;
  /** Unix seconds: when the transaction began, the same in every run of the work. */
  readonly now: number;
  /** Who acts, as of this transaction. */
  readonly actor: ActorRecord;
  /**
   * Records a change by the transaction's actor. `about` is the account that it concerns. Entries are
   * collected and are the last writes before the commit. Only what time itself ended is recorded as the
   * `system`'s change in another's transaction.
   */
  readonly audit: <Detail extends object>(
    action: AuditAction,
    about: AccountId | null,
    detail: Detail & AuditDetail<Detail>,
    by?: typeof system,
  ) => void;
  /**
   * Puts a mail into the outbox, which sends it after the commit. An account without an address gets no mail:
   * null.
   */
  readonly mail: (
    to: Pick<Account, "mail" | "language">,
    letter: PersonalMail | BulkCopy,
  ) => Promise<MailId | null>;
};

/**
 * Runs the work as one transaction in the name of an actor: the actor's right is looked up first, and no
 * other change is committed between this look and the commit. All of the work is kept (on disk before the
 * promise resolves) or, when it throws, nothing. The work may run more than once, so it touches nothing
 * outside `tx`. It never begins a transaction of its own, which would wait for itself. Few transactions of
 * one account, service or client run at one time, and the others wait for their turn: fails with limited when
 * too many wait, or one has waited for seconds (`limits.writesOfOne`, `writesOfMany`).
 */
export type Transact = <T>(actor: Actor, work: (tx: Tx) => Promise<T>) => Promise<T>;
