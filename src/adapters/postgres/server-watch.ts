import { refusals } from "../../domain/model/refusals.ts";
import type { Logger } from "../../kernel/log.ts";
import type { PostgresHost } from "./address.ts";

/** While no server can be used, one is looked for so often. */
const lookEveryMs = 1000;

type Options = {
  /** Finds the server to use, within a second or so. */
  readonly find: () => Promise<PostgresHost>;
  /** Another server is used from now on, or there is none: what is under way with the last one is given up. */
  readonly leave: () => void;
  readonly log: Pick<Logger, "info" | "warn">;
};

/** What is used now: another server than before, the same one after an outage, or none. */
export type ServerNews = "other" | "same" | "none";

/** Which server is used. While there is none, every question fails at once, and one look a second ends that by itself. */
export class ServerWatch {
  readonly #options: Options;
  readonly #listeners = new Set<(news: ServerNews) => void>();
  #current: PostgresHost | null = null;
  #last: PostgresHost | null = null;
  #looking: Promise<void> | null = null;
  #lostAt: number | null = null;
  #isClosed = false;
  #timer: Timer | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  get current(): PostgresHost | null {
    return this.#current;
  }

  /** Looks for a server now. Fails with the fault of the last one when there is none, and looks each second from then on. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = null));
    return this.#looking;
  }

  /** The server to use, after a look that is under way. Fails with unavailable at once while there is none. */
  ready(): PostgresHost | Promise<PostgresHost> {
    if (this.#current === null) throw refusals.unavailable();
    return this.#looking === null ? this.#current : this.#afterLook(this.#looking);
  }

  /** Something says that the server may be gone, or takes no writes any more: looks again. */
  suspect(): void {
    if (this.#current !== null && !this.#isClosed) this.#lookAlone();
  }

  /** Calls the listener whenever another server is used, and at the beginning and the end of each outage. */
  onServer(listener: (news: ServerNews) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  close(): void {
    this.#isClosed = true;
    this.#current = null;
    this.#stopLooking();
    this.#options.leave();
  }

  async #look(): Promise<void> {
    try {
      const found = await this.#options.find();
      if (!this.#isClosed) this.#use(found);
    } catch (error) {
      if (!this.#isClosed) this.#lose(error);
      throw error;
    }
  }

  async #afterLook(looking: Promise<void>): Promise<PostgresHost> {
    try {
      await looking;
    } catch (error) {
      throw refusals.unavailable(error);
    }
    if (this.#current === null) throw refusals.unavailable();
    return this.#current;
  }

  #lookAlone(): void {
    // What it finds, or not, is kept in `#current`.
    this.look().catch(() => undefined);
  }

  #stopLooking(): void {
    clearInterval(this.#timer ?? undefined);
    this.#timer = null;
  }

  #use(found: PostgresHost): void {
    const { leave, log } = this.#options;
    const server = `${found.host}:${found.port}`;
    this.#stopLooking();
    if (this.#lostAt !== null) {
      const seconds = Math.round((performance.now() - this.#lostAt) / 100) / 10;
      log.info("the database is reached again", { server, seconds });
    } else if (this.#current !== null && this.#current !== found) {
      log.info("another database server takes writes now", { server });
    }
    this.#lostAt = null;
    if (this.#current === found) return;
    if (this.#current !== null) leave();
    this.#current = found;
    const isOther = this.#last !== null && this.#last !== found;
    this.#last = found;
    this.#publish(isOther ? "other" : "same");
  }

  #publish(news: ServerNews): void {
    for (const listener of this.#listeners) listener(news);
  }

  #lose(error: unknown): void {
    const { leave, log } = this.#options;
    const wasUsed = this.#current !== null;
    this.#lostAt ??= performance.now();
    this.#current = null;
    leave();
    if (wasUsed) {
      log.warn("the database cannot be reached", { reason: reasonOf(error) });
      this.#publish("none");
    }
    this.#timer ??= setInterval(() => this.#lookAlone(), lookEveryMs);
  }
}

/** Faults hold no values and no address with a password. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown";
}
