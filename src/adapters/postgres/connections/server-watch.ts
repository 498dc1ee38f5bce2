import { refusals } from "../../../domain/model/refusals.ts";
import type { Logger } from "../../../kernel/log.ts";
import { createSignal } from "../../../kernel/signal.ts";
import { serverHostText } from "../../../kernel/server-address.ts";
import { connectRemedies } from "./connect-reasons.ts";
import { StatementFault } from "./faults.ts";
import type { Choice, Found, Haste } from "./primary.ts";
import { KnownRivals } from "./rivals.ts";
import { rivalRemedy, withTimeline } from "./server-names.ts";
import { isNewer, isSameHistory, type Standing } from "./standing.ts";

/**
 * While no server can be used, it takes no writes, or something was wrong with it, all are asked so often, …
 */
const lookEveryMs = 1000;
/** … and while all is well. */
const checkEveryMs = 5000;

type Options = {
  /** Finds the server to use, within a second or so. */
  readonly find: (haste: Haste) => Promise<Choice>;
  /**
   * Another server is used from now on, or there is none: what is under way with the last one is given up.
   */
  readonly leave: () => void;
  /** The server takes writes again, or takes none any more: connections may still be as they were opened. */
  readonly renew: () => void;
  readonly log: Pick<Logger, "info" | "warn">;
};

/** What is used now: another server than before, the same one after an outage, or none. */
export type ServerNews = "other" | "same" | "none";

/**
 * Which server is used. While there is none, every question fails at once, and one look a second ends that by
 * itself. While there is one, all servers of the list are asked every few seconds, beside what goes on: one
 * that was promoted later is used at once.
 */
export class ServerWatch {
  readonly #options: Options;
  readonly #news = createSignal<ServerNews>();
  readonly #notes: ReturnType<typeof createNotes>;
  readonly #rivals = new KnownRivals();
  #current: Choice | null = null;
  #last: Found | null = null;
  #looking: Promise<void> | null = null;
  #isClosed = false;
  #timer: Timer | null = null;
  /** When the timer ends (`performance.now()`). */
  #due = Infinity;

  constructor(options: Options) {
    this.#options = options;
    this.#notes = createNotes(options.log);
  }

  get current(): Choice | null {
    return this.#current;
  }

  /**
   * Looks for a server now. Fails with the fault of the last one when there is none, and goes on looking in
   * any case.
   */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = null));
    return this.#looking;
  }

  /**
   * The server to use, after a look that is under way. Fails with unavailable at once while there is none.
   */
  ready(): Found | Promise<Found> {
    if (this.#current === null) throw refusals.unavailable();
    return this.#looking === null ? this.#current : this.#afterLook(this.#looking);
  }

  /** Something says that the server may be gone, takes no writes any more, or is another one: looks again. */
  suspect(): void {
    if (this.#current !== null && !this.#isClosed) this.#lookAlone();
  }

  /** What a server of the address in use said when a connection to it was opened. */
  heard(standing: Standing): void {
    const used = this.#current?.standing;
    if (used === undefined) return;
    if (!isSameHistory(standing, used) || standing.isReadOnly !== used.isReadOnly) this.suspect();
  }

  /** Calls the listener whenever another server is used, and at the beginning and the end of each outage. */
  onServer(listener: (news: ServerNews) => void): Disposable {
    return this.#news.listen(listener);
  }

  close(): void {
    this.#isClosed = true;
    this.#current = null;
    clearTimeout(this.#timer ?? undefined);
    this.#options.leave();
  }

  async #look(): Promise<void> {
    const used = this.#current;
    try {
      // Requests wait for a look while there is a server.
      const found = await this.#options.find(used === null ? "usual" : "brief");
      if (!this.#isClosed) this.#use(found);
    } catch (error) {
      if (!this.#isClosed) this.#lose(error);
      throw error;
    } finally {
      // Such a look does not wait for the others.
      this.#plan(used !== null);
    }
  }

  /** Holds nothing up: that the server does not answer is found by what it is asked. */
  async #check(): Promise<void> {
    try {
      const found = await this.#options.find("usual");
      const used = this.#current;
      if (this.#isClosed || used === null || this.#looking !== null) return;
      // Another one that is not newer waits for its turn: statements say whether this one is gone.
      if (found.host === used.host || isNewer(found.standing, used.standing)) this.#use(found);
    } catch {
      // As above.
    } finally {
      this.#plan();
    }
  }

  async #afterLook(looking: Promise<void>): Promise<Found> {
    try {
      await looking;
    } catch (error) {
      throw refusals.unavailable({ cause: error });
    }
    if (this.#current === null) throw refusals.unavailable();
    return this.#current;
  }

  #lookAlone(): void {
    // What it finds, or not, is kept in `#current`.
    this.look().catch(() => undefined);
  }

  /** The next look or check. What is planned sooner stays: suspicions put no check off. */
  #plan(isSoon = false): void {
    if (this.#isClosed) return;
    const isWell = !isSoon && this.#current?.standing.isReadOnly === false;
    const now = performance.now();
    this.#due = Math.min(this.#due, now + (isWell ? checkEveryMs : lookEveryMs));
    clearTimeout(this.#timer ?? undefined);
    this.#timer = setTimeout(() => this.#next(), this.#due - now);
  }

  #next(): void {
    this.#due = Infinity;
    if (this.#current === null) this.#lookAlone();
    else void this.#check();
  }

  #use(look: Choice): void {
    const { leave, renew } = this.#options;
    const before = this.#current;
    const standing = withHistory(look, before ?? this.#last);
    const found = { ...look, standing, rivals: this.#rivals.after(look, performance.now()) };
    this.#notes.found(found, before);
    this.#current = found;
    const wasReadOnly = before?.standing.isReadOnly ?? false;
    if (isSame(before, found)) {
      if (wasReadOnly !== found.standing.isReadOnly) renew();
      return;
    }
    if (before !== null) leave();
    const isOther = this.#last !== null && !isSame(this.#last, found);
    this.#last = found;
    this.#news.send(isOther ? "other" : "same");
  }

  #lose(error: unknown): void {
    const wasUsed = this.#current !== null;
    this.#current = null;
    this.#options.leave();
    this.#notes.lost(error, wasUsed);
    if (wasUsed) this.#news.send("none");
  }
}

/**
 * One that does not say for once how its data came about goes on as it was: else its next answer would be
 * compared with nothing.
 */
function withHistory({ host, standing }: Found, former: Found | null): Standing {
  if (standing.history !== null || former?.host !== host) return standing;
  return { ...standing, history: former.standing.history };
}

function isSame(one: Found | null, other: Found): boolean {
  return one !== null && one.host === other.host && isSameHistory(one.standing, other.standing);
}

function textOf(rivals: readonly Found[]): string {
  return rivals.map(withTimeline).join(", ");
}

/** What the operator hears: each change, once. */
function createNotes(log: Options["log"]) {
  let lostAt: number | null = null;
  let isOlderSaid = false;
  const noteWrites = writesNoter(log);
  const noteRivals = rivalsNoter(log);

  return {
    found: (found: Choice, before: Found | null): void => {
      const server = serverHostText(found.host);
      if (lostAt !== null)
        log.info("the database is reached again", { server, seconds: secondsSince(lostAt) });
      else if (before !== null && !isSame(before, found))
        log.info("another database server takes writes now", { server });
      lostAt = null;
      isOlderSaid = false;
      noteWrites(found);
      noteRivals(found);
    },
    lost: (error: unknown, wasUsed: boolean): void => {
      lostAt ??= performance.now();
      const isOlder = error instanceof StatementFault && error.kind === "older";
      // A server that was replaced may start long after the other one was lost.
      if (!wasUsed && (!isOlder || isOlderSaid)) return;
      isOlderSaid = isOlder;
      const remedy = isOlder ? { remedy: error.remedy } : {};
      log.warn("the database cannot be reached", { reason: reasonOf(error), ...remedy });
    },
  };
}

/** Logs when the server in use takes no writes any more, and when it takes them again. */
function writesNoter(log: Options["log"]): (found: Found) => void {
  let readOnlySince: number | null = null;
  return ({ host, standing }) => {
    const server = serverHostText(host);
    if (standing.isReadOnly === (readOnlySince !== null)) return;
    if (readOnlySince === null) {
      readOnlySince = performance.now();
      const remedy = connectRemedies.readOnly;
      log.warn("the database was switched to reads only: changes are refused until it takes writes again", {
        server,
        remedy,
      });
      return;
    }
    log.info("the database takes writes again", { server, seconds: secondsSince(readOnlySince) });
    readOnlySince = null;
  };
}

/** Logs when other servers take writes as well, and when they do not any more. */
function rivalsNoter(log: Options["log"]): (found: Choice) => void {
  let rivals: readonly Found[] = [];
  return (found) => {
    const [former, others] = [textOf(rivals), textOf(found.rivals)];
    if (others === former) return;
    const isHeard = rivals.every(({ host }) => !found.unsure.includes(host));
    rivals = found.rivals;
    const used = withTimeline(found);
    if (others === "" && isHeard) return log.info("one database server alone takes writes again", { used });
    if (others === "")
      return log.info("database servers that took writes as well do not answer any more", {
        used,
        others: former,
      });
    log.warn("several database servers take writes, and what is changed on one is not on the other", {
      used,
      others,
      remedy: rivalRemedy(found),
    });
  };
}

function secondsSince(moment: number): number {
  return Math.round((performance.now() - moment) / 100) / 10;
}

/** Faults hold no values and no address with a password. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown";
}
