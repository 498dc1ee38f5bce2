import { hashOfEntry, type ChainedEntry } from "../../domain/model/audit-chain.ts";
import type { EventBody, EventType } from "../../domain/model/event.ts";
import type { Subject } from "../../domain/ports/change-feed.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { AccountId, PlayerId } from "../../kernel/ids.ts";
import { accountsOfChangedLooks, textureEvents, type Shown } from "./shown.ts";
import { searchText } from "./search.ts";
import type { Sender } from "../sql/sender.ts";

/** What the stores report of the running transaction. It is collected, and written by its last statements. */
export type Touch = {
  /** A subject of delivery changes. */
  readonly note: (subject: Subject) => void;
  /** What players showed before a write of this transaction. The first row of each counts. Only `changesShown` knows it. */
  readonly keep: (shown: readonly Shown[]) => void;
  /** The player is new, or has a new uuid: it showed nothing before, whatever was kept. */
  readonly showsAnew: (player: PlayerId) => void;
  /** See `EventStore.listChangedLooks`. */
  readonly listChangedLooks: () => Promise<readonly AccountId[]>;
  /** Something happened to a player or an account. Events keep the order in which they are reported. */
  readonly event: (type: EventType, body: EventBody) => void;
  /** A mail becomes due. */
  readonly mailDue: () => void;
  /** Rows of a counted kind come or go; see `counts.ts`. */
  readonly count: (name: string, delta: number) => void;
  /** An entry of the audit, which gets its number and hashes when it is written. */
  readonly record: (entry: UnchainedEntry) => void;
};

/** An entry without what its place in the chain gives it. */
export type UnchainedEntry = Omit<ChainedEntry, "id" | "previousHash" | "hash">;

/** What others have to know after the commit. */
export type Touched = {
  readonly subjects: readonly Subject[];
  readonly mailDue: boolean;
  /** Whether events wait for their numbers. */
  readonly events: boolean;
};

/** A `Touch`, and what `transact.ts` calls around each run of a transaction on its connection. */
export type TransactionTouch = {
  readonly touch: Touch;
  /** Forgets what a run before collected. */
  readonly begin: () => void;
  /** The transaction's last statements; none when nothing was collected. */
  readonly write: () => Promise<void>;
  /** What the transaction touched, after its commit. */
  readonly touched: () => Touched;
  /** As of `Place`. */
  readonly isAudited: () => boolean;
  readonly awaitTurn: () => Promise<void>;
};

/** Collects what one transaction at a time touches, and writes it. */
export function createTouch(db: Sender, clock: Pick<Clock, "nowSeconds">): TransactionTouch {
  const subjects = new Set<Subject>();
  const before = new Map<PlayerId, Shown>();
  const counts = new Map<string, number>();
  let reported: (readonly [EventType, string])[] = [];
  let entries: UnchainedEntry[] = [];
  let isMailDue = false;
  let hasEvents = false;

  const keep = (shown: readonly Shown[]): void => {
    for (const row of shown) if (!before.has(row.player)) before.set(row.player, row);
  };
  const count = (name: string, delta: number): void => {
    counts.set(name, (counts.get(name) ?? 0) + delta);
  };
  return {
    touch: {
      note: (subject) => void subjects.add(subject),
      keep,
      showsAnew: (player) => void before.set(player, { player, skin: null, model: null, cape: null }),
      listChangedLooks: async () => {
        if (before.size === 0) return [];
        const rows = await db.send(accountsOfChangedLooks("$1"), [JSON.stringify([...before.values()])]);
        return rows.map(([account]) => Number(account) as AccountId); // the column holds nothing else
      },
      event: (type, body) => void reported.push([type, JSON.stringify(body)]),
      mailDue: () => {
        isMailDue = true;
      },
      count,
      record: (entry) => {
        entries.push(entry);
        count("audit_entries", 1);
      },
    },
    begin: () => {
      subjects.clear();
      before.clear();
      counts.clear();
      reported = [];
      entries = [];
      isMailDue = false;
      hasEvents = false;
    },
    write: async () => {
      const parts = new Parts();
      if (reported.length > 0 || before.size > 0)
        parts.addEvents(clock.nowSeconds(), reported, [...before.values()]);
      if (subjects.size > 0) parts.addSubjects([...subjects]);
      const deltas = [...counts].filter(([, delta]) => delta !== 0);
      if (deltas.length > 0) parts.addCounts(deltas);
      // Another transaction that has the head will change it, so that this one has to run again: it need not wait to know.
      if (entries.length > 0) parts.addEntries(chain(await readHead(db, "FOR UPDATE NOWAIT"), entries));
      hasEvents = await parts.write(db);
    },
    isAudited: () => entries.length > 0,
    awaitTurn: async () => void (await readHead(db, "FOR UPDATE")),
    touched: () => ({ subjects: [...subjects], mailDue: isMailDue, events: hasEvents }),
  };
}

/** The newest entry of the audit. */
type Head = Pick<ChainedEntry, "id" | "hash">;

/** With the lock, so that a transaction that comes late fails here and not one statement later. */
async function readHead(db: Sender, lock: "FOR UPDATE" | "FOR UPDATE NOWAIT"): Promise<Head> {
  const [row] = await db.send(`SELECT entry_id, hash FROM audit_head WHERE id = 1 ${lock}`, []);
  if (row === undefined) throw new Error("The database has no head of the audit");
  return { id: Number(row[0]), hash: String(row[1]) };
}

function chain(head: Head, entries: readonly UnchainedEntry[]): readonly ChainedEntry[] {
  const chained: ChainedEntry[] = [];
  let last = head;
  for (const entry of entries) {
    const row = { ...entry, id: last.id + 1, previousHash: last.hash };
    last = { ...row, hash: hashOfEntry(row) };
    chained.push({ ...row, hash: last.hash });
  }
  return chained;
}

/**
 * One statement of several writes. Its text depends only on which parts it has, so the server knows it already. Lists are one
 * parameter each, as JSON.
 */
class Parts {
  readonly #writes: string[] = [];
  readonly #values: unknown[] = [];
  #result = "SELECT false";

  addEvents(at: number, reported: readonly (readonly [EventType, string])[], before: readonly Shown[]): void {
    // Textures come last, because they are what the whole transaction has changed.
    this.#writes.push(`noted AS (
      INSERT INTO event_notes (at, type, body) SELECT ${this.#bind(at)}::bigint, type, body FROM (
        SELECT 0 AS part, place, value ->> 0 AS type, value ->> 1 AS body
        FROM json_array_elements(${this.#list(reported)}) WITH ORDINALITY AS reported (value, place)
        UNION ALL SELECT 1, * FROM (${textureEvents(this.#bind(JSON.stringify(before)))}) AS textures
      ) AS events ORDER BY part, place RETURNING seq)`);
    this.#result = "SELECT EXISTS (SELECT 1 FROM noted)";
  }

  addSubjects(subjects: readonly Subject[]): void {
    this.#writes.push(`changed AS (
      INSERT INTO change (kind, subject, at)
      SELECT split_part(value, ':', 1), split_part(value, ':', 2), floor(extract(epoch FROM clock_timestamp()))
      FROM json_array_elements_text(${this.#list(subjects)}) AS subjects (value))`);
  }

  addCounts(deltas: readonly (readonly [string, number])[]): void {
    this.#writes.push(`counted AS (
      INSERT INTO count_deltas (name, delta) SELECT value ->> 0, (value ->> 1)::bigint
      FROM json_array_elements(${this.#list(deltas)}) AS deltas (value))`);
  }

  addEntries(entries: readonly ChainedEntry[]): void {
    const rows = entries.map((entry) => entryColumns.map(([property]) => entry[property]));
    const cells = entryColumns.map(([, , type], place) => `(value ->> ${place})::${type}`);
    this.#writes.push(
      `entries AS (
        INSERT INTO audit_entries (${entryColumns.map(([, column]) => column).join(", ")})
        SELECT ${cells.join(", ")} FROM json_array_elements(${this.#list(rows)}) AS entries (value))`,
    );
    const texts = entries.map(({ id, issuer, action }) => [id, searchText([issuer, action])]);
    this.#writes.push(`texts AS (
      INSERT INTO search_texts (kind, id, text) SELECT 'audit', (value ->> 0)::bigint, value ->> 1
      FROM json_array_elements(${this.#list(texts)}) AS texts (value))`);
    const last = entries.at(-1);
    if (last === undefined) return;
    this.#writes.push(
      `head AS (UPDATE audit_head SET entry_id = ${this.#bind(last.id)}::bigint, hash = ${this.#bind(last.hash)}::text WHERE id = 1)`,
    );
  }

  /** Whether events were written. */
  async write(db: Sender): Promise<boolean> {
    if (this.#writes.length === 0) return false;
    const [row] = await db.send(`WITH ${this.#writes.join(", ")} ${this.#result}`, this.#values);
    return row?.[0] === true;
  }

  #bind(value: unknown): string {
    return `$${this.#values.push(value)}`;
  }

  #list(values: readonly unknown[]): string {
    return `(${this.#bind(JSON.stringify(values))}::text)::json`;
  }
}

const entryColumns: readonly (readonly [property: keyof ChainedEntry, column: string, type: string])[] = [
  ["id", "id", "bigint"],
  ["issuer", "issuer", "text"],
  ["actorAccountId", "actor_account_id", "bigint"],
  ["actorVia", "actor_via", "text"],
  ["version", "version", "bigint"],
  ["action", "action", "text"],
  ["forAccountId", "for_account_id", "bigint"],
  ["at", "at", "bigint"],
  ["detail", "detail", "text"],
  ["previousHash", "previous_hash", "text"],
  ["hash", "hash", "text"],
];
