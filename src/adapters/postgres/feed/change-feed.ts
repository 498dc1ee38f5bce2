import type { Change, ChangeFeed, Subject } from "../../../domain/ports/change-feed.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { createSignal } from "../../../kernel/signal.ts";
import type { Row, Sender } from "../../sql/sender.ts";

/** How often a node asks what others have changed. With NOTIFY it asks earlier. */
const everyMs = 250;
/**
 * Rows are numbered before their transactions commit, so a lower number may appear later than a higher one:
 * rows are read again for so long. A transaction writes its rows last. From then on the server gives it 2 s
 * for a lock, 3 s until COMMIT comes, and 12 s for the COMMIT of a job, which may wait for a standby
 * (`pool.ts`).
 */
const overlapSeconds = 20;
/** Rows of one look, some megabytes. More have changed than is worth dropping one by one. */
const rowsMax = 20_000;
/** How long remembered answers may be given without news from the database. */
const freshMs = 30_000;
/** A process that did nothing for so long was stopped, and others may have changed anything meanwhile. */
const sleptMs = 1000;
/** Rows are kept for so long. A node that was away for nearly as long cannot know what it has missed. */
const keptSeconds = 600;
const awaySecondsMax = keptSeconds - 60;
/** Rows that one statement removes, and statements of one run. */
const pruneRows = 5_000;
const pruneRunsMax = 20;

/** The subject of each row after a number. */
const news = "SELECT id, kind || ':' || subject, at FROM change WHERE id > $1 ORDER BY id LIMIT $2";
/** The newest row from before a time. */
const oldest = "SELECT id FROM change WHERE at < $1 ORDER BY id DESC LIMIT 1";

/**
 * The table `change` as a feed, by asking again and again: it needs nothing that a pooler or a replica would
 * not pass on. What this node commits is published at once, and once more when it is read.
 */
export class PolledFeed implements ChangeFeed, AsyncDisposable {
  /** The time of the server that takes the writes: rows have it, and a replica's may be another. */
  readonly #clock: Pick<Clock, "nowSeconds">;
  #db: Sender;
  readonly #published = createSignal<Change>();
  readonly #seen = createSeenRows();
  #position = 1;
  /** When the last look that succeeded began. */
  #knownAt = -Infinity;
  /** When it was last noticed that this process runs, and that it had slept. */
  #awakeAt = performance.now();
  #wokeAt = -Infinity;
  #waking: Timer | null = null;
  /** The time of that look; null before the first one. */
  #seconds: number | null = null;
  #isRestarted = false;
  #isMoved = false;
  #isClosed = false;
  #wake: (() => void) | null = null;
  #looping = Promise.resolve();

  constructor(db: Sender, clock: Pick<Clock, "nowSeconds">) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Looks for the first time, and then again and again until disposed of. Fails as the statement does. */
  async start(): Promise<void> {
    await this.#look();
    this.#waking = setInterval(() => this.#stayAwake(performance.now()), everyMs);
    this.#looping = this.#loop();
  }

  subscribe(listener: (change: Change) => void): Disposable {
    return this.#published.listen(listener);
  }

  /**
   * A request may come before any timer, so with a time this notices as well that the process slept until
   * now.
   */
  position(now?: number): number {
    if (now !== undefined) this.#stayAwake(now);
    return this.#position;
  }

  /**
   * After a sleep only once a look has begun and succeeded; while the database is away as without a sleep.
   */
  isFresh(now = performance.now()): boolean {
    return this.#knownAt >= this.#wokeAt && now - this.#knownAt < freshMs;
  }

  /** To ask for one would take as long as to read. */
  version(): null {
    return null;
  }

  /** For how long nothing was heard of the database's changes. */
  lagSeconds(): number {
    return (performance.now() - this.#knownAt) / 1000;
  }

  /** After a commit of this node: its subjects, at once. */
  publish(change: Change): void {
    if (change.length === 0) return;
    this.#position += 1;
    this.#published.send(change);
  }

  /** Looks at once. */
  hurry(): void {
    this.#wake?.();
  }

  /** Another server is asked from now on, whose numbers may be others: all that is remembered is dropped. */
  restart(): void {
    this.#isRestarted = this.#seconds !== null;
    this.hurry();
  }

  /**
   * Asks another copy of the same database from now on. Resolves after its first look, which publishes the
   * last rows again.
   */
  async follow(db: Sender): Promise<void> {
    this.#db = db;
    this.#isMoved = true;
    await this.#look();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#waking ?? undefined);
    this.hurry();
    await this.#looping;
  }

  /** The steady clock goes on while a process is stopped. */
  #stayAwake(now: number): void {
    if (now - this.#awakeAt > sleptMs) this.#wokeAt = now;
    if (now > this.#awakeAt) this.#awakeAt = now;
  }

  async #loop(): Promise<void> {
    while (!this.#isClosed) {
      const { promise: woken, resolve } = Promise.withResolvers<void>();
      // Also what is committed during the look is looked for at once.
      this.#wake = resolve;
      const timer = setTimeout(resolve, everyMs);
      await woken;
      clearTimeout(timer);
      if (!this.#isClosed) await this.#lookOrGoOn();
    }
  }

  /** While the database is away the pool says so in the log, and each look fails at once. */
  async #lookOrGoOn(): Promise<void> {
    const askedAt = performance.now();
    try {
      await this.#look();
    } catch {
      // What was missed in a sleep cannot be known now: answers are given for as long as in any other outage.
      if (askedAt >= this.#wokeAt) this.#wokeAt = -Infinity;
    }
  }

  async #look(): Promise<void> {
    const askedAt = performance.now();
    const [db, now] = [this.#db, this.#clock.nowSeconds()];
    const isFirst = this.#seconds === null;
    const isRestarted = this.#isRestarted;
    if (isFirst || isRestarted || this.#isMoved) {
      const [row] = await db.send(oldest, [now - overlapSeconds]);
      this.#seen.begin(row === undefined ? 0 : Number(row[0]));
      if (db === this.#db) this.#isMoved = false;
    }
    const rows = await db.send(news, [this.#seen.floor(), rowsMax]);
    const wasAway = now - (this.#seconds ?? now) > awaySecondsMax;
    // The copy that is asked meanwhile may not have these rows yet, and is to be heard when it has.
    const subjects = db === this.#db ? this.#seen.add(rows, now - overlapSeconds) : subjectsOf(rows);
    if (isRestarted) this.#isRestarted = false;
    this.#seconds = now;
    this.#knownAt = askedAt;
    if (isRestarted || wasAway || rows.length === rowsMax) this.publish("interrupted");
    // Nothing was remembered before the first look.
    else if (!isFirst) this.publish(subjects);
  }
}

/**
 * The rows that were published and are read again: as many as a few seconds' changes. A number may stand for
 * another row: a standby that takes over under the same address gives those again that it never got.
 */
function createSeenRows() {
  const seen = new Map<number, { readonly subject: unknown; readonly at: number }>();
  const isSeen = ([id, subject, at]: Row): boolean => {
    const known = seen.get(Number(id));
    return known !== undefined && known.subject === subject && known.at === Number(at);
  };
  let floor = 0;

  return {
    /** Rows up to this number are read no more. */
    floor: () => floor,
    begin: (from: number): void => {
      seen.clear();
      floor = from;
    },
    /** The subjects of the rows that are new. What is older than the time given is read no more. */
    add: (rows: readonly Row[], before: number): readonly Subject[] => {
      const unseen = rows.filter((row) => !isSeen(row));
      for (const [id, subject, at] of unseen) seen.set(Number(id), { subject, at: Number(at) });
      // In the order of the numbers, up to the first that is young: a lower number may still appear before
      // it.
      for (const [id, { at }] of [...seen].toSorted(([one], [other]) => one - other)) {
        if (at >= before) break;
        floor = id;
        seen.delete(id);
      }
      return subjectsOf(unseen);
    },
  };
}

function subjectsOf(rows: readonly Row[]): readonly Subject[] {
  // The table's check allows these kinds alone.
  return [...new Set(rows.map(([, subject]) => subject as Subject))];
}

/** Removes the rows that every node has read, or has been away for too long to need. The leader does. */
export async function pruneChanges(db: Sender): Promise<void> {
  const text = `
    DELETE FROM change WHERE id IN (
      SELECT id FROM change WHERE at < floor(extract(epoch FROM clock_timestamp())) - $1 ORDER BY id LIMIT $2)
    RETURNING id`;
  for (let run = 1; run <= pruneRunsMax; run++) {
    const rows = await db.send(text, [keptSeconds, pruneRows]);
    if (rows.length < pruneRows) return;
  }
}
