import type { AccountId } from "../../kernel/ids.ts";
import type { ActorRecord } from "../model/actor.ts";
import type { ListPage } from "../model/list-page.ts";
import type { ChainedEntry } from "../model/audit-chain.ts";

/** A change made by staff, a service or the command line, or a member's rename of themself. */
export type AuditEntry = {
  readonly actor: ActorRecord;
  /** Dotted, noun first: `user.create`, `cape.upload`. */
  readonly action: string;
  /** The account that the change concerns; null when it concerns no account. */
  readonly forAccountId: AccountId | null;
  /** Unix seconds. */
  readonly at: number;
  /** Old and new values. Never a secret. */
  readonly detail: Readonly<Record<string, unknown>>;
};

/**
 * An entry with its number: 1 for the first, one more for each that follows; a number is never used again.
 */
export type RecordedEntry = AuditEntry & { readonly id: number };

/** Which entries are asked for; null: whatever it is. All that is given must hold. */
export type AuditFilter = {
  /** The account that they concern. */
  readonly forAccountId: AccountId | null;
  /** The account that acted, whatever its name was. */
  readonly actorAccountId: AccountId | null;
  /** Their actor's name, exactly. */
  readonly actor: string | null;
  /** Their action, exactly. */
  readonly action: string | null;
  /** Unix seconds, that second included. */
  readonly since: number | null;
  readonly until: number | null;
};

/** A person whom entries name by number. */
export type AuditPerson = {
  readonly id: number;
  /**
   * The main player's name, or the mail address while there is none. Of a deleted account its last one; empty
   * when unknown.
   */
  readonly name: string;
  readonly isDeleted: boolean;
};

/** What is read of the audit. */
export interface AuditReads {
  /**
   * Entries, the newest first, of those before the page's `after`. What is searched for is part of an actor's
   * name or an action, in any case, when it is long enough (`isSearchable`); a whole number is also the
   * account that entries concern. Filtered entries are ordered by time, which is another order only where the
   * clock was set back.
   */
  listEntries(page: ListPage, filter?: AuditFilter): Promise<readonly RecordedEntry[]>;
  /**
   * How many entries `listEntries` finds in all; what a search or filter finds is counted up to `most`, by
   * default `limits.countedMax`.
   */
  countEntries(search: string | null, most?: number, filter?: AuditFilter): Promise<number>;
  /** The entries that `listEntries` finds with a filter, in the form that the chain hashes. */
  listChained(page: ListPage, filter: AuditFilter): Promise<readonly ChainedEntry[]>;
  /** The people with these numbers, each once, in one statement. */
  listPeople(ids: readonly number[]): Promise<readonly AuditPerson[]>;
  /** The entries after this number in the form that the chain hashes, the oldest first. */
  readChain(after: number, rows: number): Promise<readonly ChainedEntry[]>;
  /** How many entries were ever written: the number of the newest, even if that entry was removed. */
  countWritten(): Promise<number>;
}

/** Writes entries, in the transaction of the change that they record. */
export interface AuditStore extends AuditReads {
  append(entry: AuditEntry): Promise<void>;
}
