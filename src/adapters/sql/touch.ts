import { hashOfEntry, type ChainedEntry } from "../../domain/model/audit-chain.ts";
import type { EventBody, EventType } from "../../domain/model/event.ts";
import type { Subject } from "../../domain/ports/change-feed.ts";
import type { AccountId, PlayerId } from "../../kernel/ids.ts";
import type { Sender } from "./sender.ts";
import { accountsOfChangedLooks, type ShownByPlayer } from "./shown.ts";

/** What searches find by a text. */
export type SearchKind = "user" | "skin" | "cape" | "audit";

/** What the stores report of the running transaction. It is collected, and written by its last statements. */
export type Touch = {
  /** A subject of delivery changes. */
  readonly note: (subject: Subject) => void;
  /**
   * What players showed before a write of this transaction. The first row of each counts. Only `changesShown`
   * knows it.
   */
  readonly keep: (shown: readonly ShownByPlayer[]) => void;
  /** The player is new, or has a new uuid: it showed nothing before, whatever was kept. */
  readonly showsAnew: (player: PlayerId) => void;
  /** See `EventStore.listChangedLooks`. */
  readonly listChangedLooks: () => Promise<readonly AccountId[]>;
  /** Something happened to a player or an account. Events keep the order in which they are reported. */
  readonly event: (type: EventType, body: EventBody) => void;
  /** A mail becomes due. */
  readonly mailDue: () => void;
  /**
   * Rows of a counted kind come or go, or something happens on a day; see `row-counts.ts` and
   * `daily-counts.ts`.
   */
  readonly count: (name: string, delta: number) => void;
  /** An entry of the audit, which gets its number and hashes when it is written. */
  readonly record: (entry: UnchainedEntry) => void;
  /** From now on searches find a row by these lines; null: no search finds it. */
  readonly found: (kind: SearchKind, id: number, lines: readonly string[] | null) => void;
  /**
   * An account may have another mail address or other players, by which searches find it: they are read when
   * they are written.
   */
  readonly foundAnew: (account: AccountId) => void;
};

/** An entry without what its place in the chain gives it. */
export type UnchainedEntry = Omit<ChainedEntry, "id" | "previousHash" | "hash">;

/** What one run of a transaction reported. */
export type Reports = {
  readonly subjects: Set<Subject>;
  /** What players showed before. */
  readonly before: Map<PlayerId, ShownByPlayer>;
  /** Type and body of each event but those of textures, which follow from `before`. */
  readonly events: (readonly [EventType, string])[];
  readonly counts: Map<string, number>;
  readonly entries: UnchainedEntry[];
  /** By kind and number. */
  readonly texts: Map<string, FoundText>;
  /** Accounts whose texts are read when they are written. */
  readonly accounts: Set<AccountId>;
  isMailDue: boolean;
};

export type FoundText = {
  readonly kind: SearchKind;
  readonly id: number;
  readonly lines: readonly string[] | null;
};

/** A `Touch`, and what surrounds each run of a transaction. */
export type CollectingTouch = {
  readonly touch: Touch;
  readonly reports: Reports;
  /** Forgets what a run before reported. */
  readonly begin: () => void;
};

/** Collects what one transaction at a time reports. The engine writes it. */
export function createTouch(db: Sender): CollectingTouch {
  const reports: Reports = {
    subjects: new Set(),
    before: new Map(),
    events: [],
    counts: new Map(),
    entries: [],
    texts: new Map(),
    accounts: new Set(),
    isMailDue: false,
  };
  const { subjects, before, events, counts, entries, texts, accounts } = reports;
  const count = (name: string, delta: number): void => {
    counts.set(name, (counts.get(name) ?? 0) + delta);
  };
  return {
    touch: {
      note: (subject) => void subjects.add(subject),
      keep: (shown) => {
        for (const row of shown) if (!before.has(row.player)) before.set(row.player, row);
      },
      showsAnew: (player) => void before.set(player, { player, skin: null, model: null, cape: null }),
      listChangedLooks: () => accountsOfChangedLooks(db, [...before.values()]),
      event: (type, body) => void events.push([type, JSON.stringify(body)]),
      mailDue: () => {
        reports.isMailDue = true;
      },
      count,
      record: (entry) => {
        entries.push(entry);
        count("audit_entries", 1);
      },
      found: (kind, id, lines) => void texts.set(`${kind} ${id}`, { kind, id, lines }),
      foundAnew: (account) => void accounts.add(account),
    },
    reports,
    begin: () => {
      for (const collected of [subjects, before, counts, texts, accounts]) collected.clear();
      events.length = 0;
      entries.length = 0;
      reports.isMailDue = false;
    },
  };
}

/** The counts that are others than before. */
export function changedCounts({ counts }: Reports): readonly (readonly [name: string, delta: number])[] {
  return [...counts].filter(([, delta]) => delta !== 0);
}

/** Whether a run may have made events. */
export function mayHaveEvents({ events, before }: Reports): boolean {
  return events.length > 0 || before.size > 0;
}

/** The newest entry of the audit. */
export type Head = Pick<ChainedEntry, "id" | "hash">;

/** Gives entries their places in the chain. */
export function chainedTo(head: Head, entries: readonly UnchainedEntry[]): readonly ChainedEntry[] {
  const chained: ChainedEntry[] = [];
  let last = head;
  for (const entry of entries) {
    const row = { ...entry, id: last.id + 1, previousHash: last.hash };
    last = { ...row, hash: hashOfEntry(row) };
    chained.push({ ...row, hash: last.hash });
  }
  return chained;
}
