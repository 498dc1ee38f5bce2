import type { AccountId } from "../../kernel/ids.ts";
import type { Actor } from "../model/actor.ts";
import type { ListPage } from "../model/list-page.ts";
import type { ChainedEntry } from "../model/audit-chain.ts";

/** One change made by an administrator, a service or the command line, and the rename of a member by themself. */
export type AuditEntry = {
  readonly actor: Actor;
  /** Dotted, noun first: `user.create`, `cape.upload`. */
  readonly action: string;
  /** The account that it concerns; null when none does. */
  readonly forAccountId: AccountId | null;
  /** Unix seconds. */
  readonly at: number;
  /** Old and new values. Never a secret. */
  readonly detail: Readonly<Record<string, unknown>>;
};

/** An entry with its number: 1 for the first, one more for each that follows, never used again. */
export type RecordedEntry = AuditEntry & { readonly id: number };

/** What is read of the audit. */
export interface AuditReads {
  /**
   * Entries, the newest first, of those before the page's `after`. What is searched for is part of an actor's name or an action, in
   * any case, when it has three characters or more; a whole number is also the account that entries concern.
   */
  listEntries(page: ListPage): Promise<readonly RecordedEntry[]>;
  /** How many entries `listEntries` comes to in all; a search is counted to `limits.countedMax`. */
  countEntries(search: string | null): Promise<number>;
  /** The entries after this number as the chain is made over them, the oldest first. */
  readChain(after: number, rows: number): Promise<readonly ChainedEntry[]>;
  /** How many entries were ever written: the newest one's number, also when somebody has removed it. */
  countWritten(): Promise<number>;
}

/** Where entries go, within the transaction of the change that they tell of. */
export interface AuditStore extends AuditReads {
  append(entry: AuditEntry): Promise<void>;
}
