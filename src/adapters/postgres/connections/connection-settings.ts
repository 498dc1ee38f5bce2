import type { PostgresAddress } from "./address.ts";
import { StatementFault } from "./faults.ts";

/** The server's settings, by name. */
export type ServerSettings = Readonly<Record<string, string | number>>;

/**
 * PostgreSQL compiles a statement whose estimated cost is high. Ours read single rows: compiling takes a
 * hundred times as long as running them. Before version 18 `enable_seqscan=off` alone adds 10^10 to the cost
 * of a table that is read whole.
 */
export const withoutCompiling: ServerSettings = { jit: "off" };

/**
 * A statement is planned once for each connection, not five times and then perhaps for each of its values.
 * Every statement is written so that one plan suits all values. With the server's own choice a page of skins
 * cost the database 4 ms, of which planning was 3, and each of a node's connections planned the first five
 * profiles that it was asked for (0.3 ms each).
 */
export const plannedOnce: ServerSettings = { plan_cache_mode: "force_generic_plan" };

/**
 * Settings that nothing depends on. Engines that do not know them, and poolers, refuse a connection or a
 * transaction that asks for them.
 */
const optional: readonly string[] = ["jit", "plan_cache_mode", "tcp_user_timeout"];
/** A connection is tried so often that each of them can be left out. */
export const settingTriesMax = optional.length + 1;

/**
 * An unknown setting, one that may not be changed, a value that is not taken, and PgBouncer's own refusal.
 */
const refusedStates = new Set(["42704", "42501", "55P02", "0A000", "22023", "08P01"]);

/** What the servers of an address refused since the process began, which is left out from then on. */
class RefusedSettings {
  readonly #refused = new WeakMap<PostgresAddress, Set<string>>();

  names(address: PostgresAddress): readonly string[] {
    return optional.filter((name) => this.#refused.get(address)?.has(name) === true);
  }

  /** The settings without those that were refused. */
  taken(address: PostgresAddress, settings: ServerSettings): ServerSettings {
    const leftOut = this.names(address);
    return Object.fromEntries(Object.entries(settings).filter(([name]) => !leftOut.includes(name)));
  }

  /** Whether the fault is the refusal of a setting that nothing depends on. */
  leaveOut(address: PostgresAddress, fault: unknown): boolean {
    if (!(fault instanceof StatementFault) || !refusedStates.has(fault.sqlState ?? "")) return false;
    const name = optional.find((one) => new RegExp(`\\b${one}\\b`).test(fault.message));
    if (name === undefined) return false;
    this.#refused.set(address, (this.#refused.get(address) ?? new Set()).add(name));
    return true;
  }
}

/** At connecting. */
export const refusedAtConnect = new RefusedSettings();
/** By `SET LOCAL`: a pooler that refuses settings when connecting passes them on. */
export const refusedInTransactions = new RefusedSettings();
