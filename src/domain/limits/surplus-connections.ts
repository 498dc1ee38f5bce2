import { siteShare } from "./address-limit.ts";

/** An open connection, as far as it matters for which ones are closed. */
export type Connection = {
  /** The networks that its address counts for, the smallest first. */
  readonly networks: readonly string[];
  /** Since the last byte of an answer went out, or since it was opened. */
  readonly silentMs: number;
  /**
   * `busy`: with a request or an answer on its way. `kept`: with a stream of events, which is never closed.
   */
  readonly state: "idle" | "busy" | "kept";
  /** Whether it is a proxy's, which stands for many clients. */
  readonly isTrusted: boolean;
};

/** What has to be closed. */
export type Demand = {
  /** Idle connections that an address may have; 0: any number. */
  readonly perAddress: number;
  /** How many files have to become free, by closing idle connections … */
  readonly files: number;
  /** … and by closing busy ones, where idle ones are not enough. */
  readonly filesAtAnyCost: number;
};

/** Connections to close, by reason. */
export type Surplus<Found> = { readonly [Reason in SurplusReason]: readonly Found[] };
/** `address`: beyond the share of an address. `idle`, `busy`: for files. */
export type SurplusReason = "address" | "idle" | "busy";

/**
 * A client that uses a connection all the time is silent on it for moments. Such a connection counts as idle
 * when files are short.
 */
const momentMs = 1000;

/**
 * Chooses the connections to close. A connection is idle without a request on it, and while the head of one
 * is incomplete. Beyond its address's share the longest idle ones go; an IPv6 /48 has four times the share of
 * a /64. For files idle ones go first, always one of the address (or /48) that has most connections at that
 * moment, and of its own the longest silent.
 */
export function surplusConnections<Found extends Connection>(
  connections: readonly Found[],
  { perAddress, files, filesAtAnyCost }: Demand,
): Surplus<Found> {
  const idle = connections.filter(({ state }) => state === "idle");
  const address = perAddress === 0 ? [] : beyondShare(idle, perAddress);
  if (files === 0) return { address, idle: [], busy: [] };
  // Those that are kept longest come first.
  const others = connections.filter(({ state }) => state !== "idle");
  const ordered = [...others.toSorted(bySilence), ...idle.toSorted(bySilence)];
  const ranks = ranksOf(ordered);
  const rankOf = (connection: Found) => ranks.get(connection) ?? 0;
  const inTurn = (some: readonly Found[]) =>
    some.toSorted((one, other) => rankOf(other) - rankOf(one) || other.silentMs - one.silentMs);

  const gone = new Set(address);
  const left = idle.filter((connection) => !gone.has(connection));
  const forFiles = inTurn(left).slice(0, Math.max(0, files - address.length));
  const closed = address.length + forFiles.length;
  const busy = filesAtAnyCost > closed ? ordered.filter(({ state }) => state === "busy") : [];
  return { address, idle: forFiles, busy: inTurn(busy).slice(0, Math.max(0, filesAtAnyCost - closed)) };
}

const bySilence = (one: Connection, other: Connection) => one.silentMs - other.silentMs;

/** The idle connections beyond the shares of their networks: those that were used last stay. */
function beyondShare<Found extends Connection>(idle: readonly Found[], share: number): readonly Found[] {
  const isBeyond = (counts: Counts, { networks }: Connection) =>
    networks.some((network, place) => (counts.get(network) ?? 0) >= share * (place === 0 ? 1 : siteShare));
  const counted = idle.filter(({ silentMs, isTrusted }) => !isTrusted && silentMs >= momentMs);
  const all: Counts = new Map();
  for (const connection of counted) count(all, connection);
  // Mostly there are none, and then nothing has to be put in order.
  const crowded = counted.filter((connection) => isBeyond(all, connection));
  const stay: Counts = new Map();
  return crowded.toSorted(bySilence).filter((connection) => {
    if (isBeyond(stay, connection)) return true;
    count(stay, connection);
    return false;
  });
}

type Counts = Map<string, number>;

function count(counts: Counts, { networks }: Connection): void {
  for (const network of networks) counts.set(network, (counts.get(network) ?? 0) + 1);
}

/** The place of each connection among those of its address or /48, from 1. */
function ranksOf(connections: readonly Connection[]): ReadonlyMap<Connection, number> {
  const counts = new Map<string, number>();
  return new Map(
    connections.map((connection) => {
      const site = connection.networks.at(-1) ?? "";
      const rank = (counts.get(site) ?? 0) + 1;
      counts.set(site, rank);
      return [connection, rank];
    }),
  );
}
