import type { PostgresAddress } from "./address.ts";
import { StatementFault } from "./faults.ts";

/** The server's settings, by name. */
export type ServerSettings = Readonly<Record<string, string | number>>;

/**
 * PostgreSQL compiles a statement whose estimated cost is high. Ours read single rows: compiling takes a hundred times as long as running
 * them. Before version 18 `enable_seqscan=off` alone adds 10^10 to the cost of a table that is read whole.
 */
export const withoutCompiling: ServerSettings = { jit: "off" };

/** Settings that nothing depends on. Engines that do not know them, and poolers, refuse a connection or a transaction that asks for them. */
const optional: readonly string[] = ["jit", "tcp_user_timeout"];
/** A connection is tried so often that each of them can be left out. */
export const settingTriesMax = optional.length + 1;

/** An unknown setting, one that may not be changed, a value that is not taken, and PgBouncer's own refusal. */
const refusedStates = new Set(["42704", "42501", "55P02", "0A000", "22023", "08P01"]);

const refused = new WeakMap<PostgresAddress, Set<string>>();

/** The settings that the servers of this address refused since the process began. */
export function leftOutSettings(address: PostgresAddress): readonly string[] {
  return optional.filter((name) => refused.get(address)?.has(name) === true);
}

/** The settings without those that the servers of this address refused. */
export function takenSettings(address: PostgresAddress, settings: ServerSettings): ServerSettings {
  const leftOut = refused.get(address);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => leftOut?.has(name) !== true));
}

/** Whether the fault is the refusal of a setting that nothing depends on. It is left out from then on. */
export function leaveOutRefused(address: PostgresAddress, fault: unknown): boolean {
  if (!(fault instanceof StatementFault) || !refusedStates.has(fault.sqlState ?? "")) return false;
  const name = optional.find((one) => new RegExp(`\\b${one}\\b`).test(fault.message));
  if (name === undefined) return false;
  refused.set(address, (refused.get(address) ?? new Set()).add(name));
  return true;
}
